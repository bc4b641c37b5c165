// Verifications in the background, asked for by code lenses.
#ifndef GYRE_SERVE_LSP_LENS_H
#define GYRE_SERVE_LSP_LENS_H

#include "serve/lsp/server.h"

// Jobs may have something new to tell.
void lsp_lens_look(lsp_server *server);
// The text has changed: what runs is stopped, what is known is of another text.
void lsp_lens_outdate(lsp_server *server, lsp_document *document);
// Adds what the last verification of this very text tells about the statement at an offset: reached
// or not.
void lsp_lens_reached(const lsp_server *server, const lsp_document *document, size_t offset,
                      gy_text *out);
void lsp_lens_free(lsp_document *document);

#endif
