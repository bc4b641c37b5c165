// The language server: `gyre lsp` over standard input and output. docs/lsp.md says what it can do.
#ifndef GYRE_SERVE_LSP_LSP_H
#define GYRE_SERVE_LSP_LSP_H

#include <stdbool.h>

typedef struct lsp_settings {
    const char *const *defines, *const *include_dirs; // NULL-terminated, or NULL
    bool allow_c; // verifications may compile and run C that a model has in it
} lsp_settings;

// Serves until the client says `exit` or is gone. The exit status: 0 after `shutdown`, else 1.
int gy_lsp_serve(int in, int out, const lsp_settings *settings);

#endif
