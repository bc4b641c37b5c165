// What the client is informed that this server can do.
#include "serve/lsp/colours.h"
#include "serve/lsp/features.h"

json_t *lsp_capabilities(const lsp_server *server)
{
    json_t *can = json_object();
    json_object_set_new(can, "positionEncoding",
                        json_string(server->encoding == GY_UTF8 ? "utf-8" : "utf-16"));
    json_object_set_new(can, "textDocumentSync",
                        json_pack("{s:b, s:i, s:b}", "openClose", 1, "change", 2, "save", 1));
    static const char *const plain[] = {"definitionProvider",
                                        "declarationProvider",
                                        "typeDefinitionProvider",
                                        "referencesProvider",
                                        "documentHighlightProvider",
                                        "documentSymbolProvider",
                                        "workspaceSymbolProvider",
                                        "hoverProvider",
                                        "foldingRangeProvider",
                                        "inlayHintProvider",
                                        "documentFormattingProvider",
                                        "documentRangeFormattingProvider"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        json_object_set_new(can, plain[i], json_true());
    json_object_set_new(can, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
    json_object_set_new(can, "codeActionProvider",
                        json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
    json_object_set_new(can, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
    json_object_set_new(can, "executeCommandProvider",
                        json_pack("{s:[s,s,s]}", "commands", "gyre.server.verify",
                                  "gyre.server.stop", "gyre.server.counterexample"));
    json_object_set_new(can, "completionProvider",
                        json_pack("{s:[s,s,s]}", "triggerCharacters", ".", "@", "#"));
    json_object_set_new(can, "signatureHelpProvider",
                        json_pack("{s:[s,s,s,s]}", "triggerCharacters", "(", ",", "!", "?"));
    json_object_set_new(
        can, "semanticTokensProvider",
        json_pack("{s:o, s:b, s:b}", "legend", lsp_token_legend(), "full", 1, "range", 1));
    return can;
}
