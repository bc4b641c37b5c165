// Words: every name that occurs in a model, stored once.
//
// A word carries what the preprocessor and the lexer want to know about a name at once: is
// it a macro, is it a keyword. Equal spellings are the same pml_word, so `text` pointers may
// be compared. Used by the preprocessor and the lexer only; words live in the arena.
#ifndef GYRE_LANG_PROMELA_READ_WORD_H
#define GYRE_LANG_PROMELA_READ_WORD_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

struct pp_macro;

typedef struct pml_word {
    struct pp_macro *macro; // NULL: not a macro now
    uint32_t length;
    uint16_t keyword; // a pml_token_kind, or 0
    uint16_t param;   // while a macro body is read: number of the parameter, from 1
    char text[];
} pml_word;

typedef struct pml_words {
    gy_arena *arena;
    GY_VEC(pml_word *) list; // in the order of their first occurrence, keywords first
    gy_map map;
} pml_words;

void pml_words_init(pml_words *words, gy_arena *arena); // with all keywords entered
void pml_words_free(pml_words *words);
pml_word *pml_word_of(pml_words *words, const char *text, size_t bytes);

// The word that an interned spelling belongs to.
static inline pml_word *pml_word_from_text(const char *text)
{
    return (pml_word *)(text - offsetof(pml_word, text));
}

#endif
