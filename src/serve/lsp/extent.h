// How far the definition of a name reaches in a text, by its braces.
#ifndef GYRE_SERVE_LSP_EXTENT_H
#define GYRE_SERVE_LSP_EXTENT_H

#include "lang/common/names.h"
#include "serve/document/lexical.h"

// From the word that begins the definition of the name at `offset` to its closing brace; of what
// has no body, the name alone. Never less than the name.
void lsp_extent(const gy_lexical *lexical, size_t offset, gy_name_kind kind, size_t *from,
                size_t *to);

#endif
