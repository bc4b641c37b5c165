// What the words of Promela mean, for people: hover and completion. Read-only.
#ifndef GYRE_SERVE_LSP_KEYWORDS_H
#define GYRE_SERVE_LSP_KEYWORDS_H

#include <stddef.h>

typedef enum {
    LSP_WORD_UNIT,       // begins a part of a model
    LSP_WORD_TYPE,       // of a variable
    LSP_WORD_STATEMENT,  // begins one, or stands in one
    LSP_WORD_EXPRESSION, // stands in one
    LSP_WORD_PREDEFINED, // a variable
    LSP_WORD_LTL,        // of formulas
    LSP_WORD_DIRECTIVE,
} lsp_word_kind;

typedef struct lsp_word {
    const char *text;
    lsp_word_kind kind;
    const char
        *snippet;      // what is written for it, with places to be filled in; NULL: the word itself
    const char *shape; // how it is used, in a line of code
    const char *about; // a sentence or two, in Markdown
} lsp_word;

extern const lsp_word lsp_words[];
extern const size_t lsp_word_count;

const lsp_word *lsp_word_of(const char *text, size_t length); // NULL: there is none

#endif
