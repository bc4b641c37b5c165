// The methods that say something about a document: one list for the table of methods, and what the
// client is informed about them when it asks.
#ifndef GYRE_SERVE_LSP_FEATURES_H
#define GYRE_SERVE_LSP_FEATURES_H

#include "serve/lsp/server.h"

// X(name, call, needs)
#define LSP_FEATURES(X)                                                                            \
    X("textDocument/definition", lsp_definition, LSP_NEEDS_INDEX)                                  \
    X("textDocument/declaration", lsp_definition, LSP_NEEDS_INDEX)                                 \
    X("textDocument/typeDefinition", lsp_type_definition, LSP_NEEDS_INDEX)                         \
    X("textDocument/references", lsp_references, LSP_NEEDS_INDEX)                                  \
    X("textDocument/documentHighlight", lsp_highlight, LSP_NEEDS_INDEX)                            \
    X("textDocument/documentSymbol", lsp_symbols, LSP_NEEDS_INDEX)                                 \
    X("workspace/symbol", lsp_workspace_symbols, LSP_NEEDS_NOTHING)                                \
    X("textDocument/hover", lsp_hover, LSP_NEEDS_ALL)                                              \
    X("textDocument/completion", lsp_completion, LSP_NEEDS_INDEX)                                  \
    X("textDocument/signatureHelp", lsp_signature, LSP_NEEDS_INDEX)                                \
    X("textDocument/foldingRange", lsp_folding, LSP_NEEDS_DOCUMENT)                                \
    X("textDocument/semanticTokens/full", lsp_tokens, LSP_NEEDS_INDEX)                             \
    X("textDocument/semanticTokens/range", lsp_tokens_range, LSP_NEEDS_INDEX)                      \
    X("textDocument/inlayHint", lsp_inlay, LSP_NEEDS_ALL)                                          \
    X("textDocument/prepareRename", lsp_prepare_rename, LSP_NEEDS_INDEX)                           \
    X("textDocument/rename", lsp_rename, LSP_NEEDS_INDEX)                                          \
    X("textDocument/codeAction", lsp_actions, LSP_NEEDS_ALL)                                       \
    X("textDocument/codeLens", lsp_lenses, LSP_NEEDS_INDEX)                                        \
    X("workspace/executeCommand", lsp_execute, LSP_NEEDS_NOTHING)                                  \
    X("textDocument/formatting", lsp_format, LSP_NEEDS_DOCUMENT)                                   \
    X("textDocument/rangeFormatting", lsp_format_range, LSP_NEEDS_DOCUMENT)

#define DECLARE(name, call, needs) lsp_call call;
LSP_FEATURES(DECLARE)
#undef DECLARE

json_t *lsp_capabilities(const lsp_server *server);

#endif
