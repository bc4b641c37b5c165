#include "serve/lsp/features.h"

json_t *lsp_hover(lsp_server *server, lsp_document *document, const json_t *params,
                  lsp_refusal *refusal)
{
    (void)server, (void)document, (void)params, (void)refusal;
    return NULL;
}
