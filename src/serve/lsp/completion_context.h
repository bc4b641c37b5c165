// Where the cursor is while a text is being written, by the words before it: such a text is mostly
// wrong.
#ifndef GYRE_SERVE_LSP_COMPLETION_CONTEXT_H
#define GYRE_SERVE_LSP_COMPLETION_CONTEXT_H

#include "serve/lsp/server.h"

enum { LSP_NO_TOKEN = UINT32_MAX };

typedef struct lsp_context {
    bool outside;    // in a comment, a string or embedded C: nothing is to be said there
    bool directive;  // on the line of one
    size_t prefix;   // offset of the word that is being written
    uint32_t before; // the token before that word, or LSP_NO_TOKEN
    uint32_t unit;   // the word that began the part of the model that the cursor is in: `proctype`,
                     // `ltl` …
    uint32_t name;   // the name of that part
    unsigned depth;  // of braces; 0: between parts
} lsp_context;

lsp_context lsp_context_at(const lsp_document *document, size_t offset);

// What is called around the cursor: its name, and which argument the cursor is in. False: nothing.
typedef struct lsp_called {
    uint32_t name; // a token
    bool message;  // it is a channel: what is sent or received
    uint32_t argument;
} lsp_called;

bool lsp_called_at(const lsp_document *document, size_t offset, lsp_called *called);

// The symbol that a name means at an offset of the document, as far as its words show: parameters
// and locals of the part that the cursor is in first. GY_NO_NAME: none.
uint32_t lsp_meaning(const lsp_view *view, const lsp_document *document, const lsp_context *context,
                     uint32_t token);
// The symbol of the part that the cursor is in.
uint32_t lsp_part(const lsp_view *view, const lsp_document *document, const lsp_context *context);

#endif
