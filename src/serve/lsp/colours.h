// The kinds of semantic tokens, as the client gets them.
#ifndef GYRE_SERVE_LSP_COLOURS_H
#define GYRE_SERVE_LSP_COLOURS_H

#include <jansson.h>

json_t *lsp_token_legend(void);

#endif
