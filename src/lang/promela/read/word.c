#include "lang/promela/read/word.h"

#include "base/fatal.h"
#include "lang/promela/read/token.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *spelling;
    uint16_t kind;
} keywords[] = {
#define X(kind, spelling) {spelling, PML_T_##kind},
    PML_KEYWORDS(X)
#undef X
};

void pml_words_init(pml_words *words, gy_arena *arena)
{
    words->arena = arena;
    words->room = 1024;
    words->count = 0;
    words->table = gy_alloc_zero(words->room * sizeof *words->table);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const char *spelling = keywords[i].spelling;
        pml_word_of(words, spelling, strlen(spelling))->keyword = keywords[i].kind;
    }
}

void pml_words_free(pml_words *words)
{
    free(words->table);
    *words = (pml_words){0};
}

static void grow(pml_words *words)
{
    size_t room = words->room * 2;
    pml_word **table = gy_alloc_zero(room * sizeof *table);
    for (size_t i = 0; i < words->room; i++) {
        pml_word *word = words->table[i];
        if (!word)
            continue;
        size_t slot = word->hash & (room - 1);
        while (table[slot])
            slot = (slot + 1) & (room - 1);
        table[slot] = word;
    }
    free(words->table);
    words->table = table;
    words->room = room;
}

pml_word *pml_word_of(pml_words *words, const char *text, size_t bytes)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    hash ^= hash >> 15;
    size_t slot = hash & (words->room - 1);
    for (pml_word *word; (word = words->table[slot]); slot = (slot + 1) & (words->room - 1))
        if (word->hash == hash && word->length == bytes && memcmp(word->text, text, bytes) == 0)
            return word;

    pml_word *word = gy_arena_alloc(words->arena, sizeof *word + bytes + 1);
    word->hash = hash;
    word->length = (uint32_t)bytes;
    memcpy(word->text, text, bytes);
    words->table[slot] = word;
    if (++words->count * 2 > words->room)
        grow(words);
    return word;
}
