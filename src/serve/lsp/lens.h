// Verifications in the background, asked for by code lenses: of the model as a whole, or of one
// formula.
//
// Each runs as a child (serve/job) on the text as it is in the editor. A change of the text ends
// it, and what was found for another text is forgotten. No embedded C is run unless the server was
// informed that it may.
#ifndef GYRE_SERVE_LSP_LENS_H
#define GYRE_SERVE_LSP_LENS_H

#include "serve/lsp/verifying.h"

// Jobs may have something new to report.
void lsp_lens_look(lsp_server *server);
// The text has changed, or settings: what runs is stopped, what is known is of another text.
void lsp_lens_outdate(lsp_server *server, lsp_document *document);
// Adds what the last verification of this very text says of the statement at an offset: reached
// or not.
void lsp_lens_reached(const lsp_server *server, const lsp_document *document, size_t offset,
                      gy_text *out);

#endif
