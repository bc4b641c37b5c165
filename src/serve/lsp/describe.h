// A symbol in words, as Markdown: how it is declared, what is said about it in the comment before
// it, who writes it, which values it can hold.
#ifndef GYRE_SERVE_LSP_DESCRIBE_H
#define GYRE_SERVE_LSP_DESCRIBE_H

#include "serve/lsp/server.h"

// "byte turn = 1", "proctype P(byte id)": one line of code.
void lsp_declaration(const lsp_symbol *symbol, gy_text *out);
// What stands in the comment right before its definition, or after it on the same line.
void lsp_comment(const lsp_index *index, const lsp_symbol *symbol, gy_text *out);
void lsp_describe(const lsp_view *view, uint32_t symbol, gy_text *out);

#endif
