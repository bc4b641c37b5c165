#include "lang/promela/read/word.h"

#include "lang/promela/read/token.h"

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
    *words = (pml_words){.arena = arena};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const char *spelling = keywords[i].spelling;
        pml_word_of(words, spelling, strlen(spelling))->keyword = keywords[i].kind;
    }
}

void pml_words_free(pml_words *words)
{
    gy_vec_free(&words->list);
    gy_map_free(&words->map);
}

pml_word *pml_word_of(pml_words *words, const char *text, size_t bytes)
{
    const gy_map *map = &words->map;
    uint64_t hash = gy_hash_bytes(text, bytes, 0);
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p)) {
        pml_word *known = words->list.at[p.number];
        if (known->length == bytes && memcmp(known->text, text, bytes) == 0)
            return known;
    }
    pml_word *word = gy_arena_alloc(words->arena, sizeof *word + bytes + 1);
    word->length = (uint32_t)bytes;
    memcpy(word->text, text, bytes);
    gy_map_add(&words->map, hash, (uint32_t)words->list.n);
    gy_vec_push(&words->list, word);
    return word;
}
