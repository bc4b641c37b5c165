#include "serve/lsp/lens.h"

void lsp_lens_look(lsp_server *server)
{
    (void)server;
}

void lsp_lens_outdate(lsp_server *server, lsp_document *document)
{
    (void)server, (void)document;
}

void lsp_lens_reached(const lsp_server *server, const lsp_document *document, size_t offset,
                      gy_text *out)
{
    (void)server, (void)document, (void)offset, (void)out;
}

void lsp_lens_free(lsp_document *document)
{
    (void)document;
}
