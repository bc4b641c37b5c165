// Giving a name another spelling, wherever it is used: what is to be changed, and whether that
// leaves the model the same. Private to rename.c and its helpers.
//
// A word of an inline's body may stand for variables of several processes; these are then renamed
// together. A word in a text that was not read (left out by #if, in a macro that nothing uses) is
// renamed if it seems to mean the same. In the end the changed text is read, also with each macro
// that an #if asks for, and each word in it must mean what it meant before: no rule about scopes is
// needed here, and none can be forgotten.
#ifndef GYRE_SERVE_LSP_RENAMING_H
#define GYRE_SERVE_LSP_RENAMING_H

#include "serve/lsp/features.h"

typedef struct renaming {
    lsp_server *server;
    lsp_document *document;
    lsp_view view;
    const char *old, *new;
    bool *renamed;             // by symbol
    GY_VEC(lsp_use) words;     // to be changed, in order, each once
    GY_VEC(char *) conditions; // macros that an #if asks for and the model does not define
    lsp_refusal *refusal;
} renaming;

// renaming_words.c: fills `words` and `conditions`. False after having refused.
bool lsp_renaming_collect(renaming *r);
// renaming_check.c: reads the changed text. False after having refused.
bool lsp_renaming_check(renaming *r);

#endif
