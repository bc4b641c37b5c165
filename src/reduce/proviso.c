// A small breadth-first search through the reduced graph. See proviso.h.
#include "reduce/proviso.h"

#include "base/map.h"

typedef struct seen {
    size_t at; // of its words
    uint32_t words;
} seen;

typedef struct searched {
    GY_VEC(gy_word) words;
    GY_VEC(seen) list;
    gy_map numbers; // in the list, by the hash of the state
} searched;

static void add(searched *s, const gy_word *state, uint32_t words)
{
    uint64_t hash = gy_hash_words(state, words, 0);
    for (gy_map_probe p = gy_map_first(&s->numbers, hash); p.found; gy_map_next(&s->numbers, &p)) {
        const seen *old = &s->list.at[p.number];
        if (old->words == words && !memcmp(s->words.at + old->at, state, words * sizeof *state))
            return;
    }
    gy_map_add(&s->numbers, hash, (uint32_t)s->list.n);
    seen fresh = {.at = s->words.n, .words = words};
    gy_vec_reserve(&s->words, s->words.n + words + 1);
    memcpy(s->words.at + s->words.n, state, words * sizeof *state);
    s->words.n += words;
    gy_vec_push(&s->list, fresh);
}

bool gy_proviso_leads_on(gy_reducer *reducer, gy_worker *worker, gy_moves *moves,
                         const gy_word *state, uint32_t words, uint32_t limit,
                         gy_proviso_done *done, void *user)
{
    searched s = {0};
    bool found = false;
    add(&s, state, words);
    for (size_t n = 0; n < s.list.n && n < limit && !found; n++) {
        uint32_t count;
        const gy_word *at = s.words.at + s.list.at[n].at;
        const gy_transition *all = gy_moves_find(moves, worker, at, s.list.at[n].words, &count);
        uint8_t *keep = moves->keep.at;
        uint32_t kept = gy_reduce_choose(reducer, at, s.list.at[n].words, all, count, keep);
        found = kept == count; // fully expanded, or at its end
        for (uint32_t i = 0; i < count && !found; i++) {
            if (!keep[i])
                continue;
            found = done(user, all[i].state, all[i].words);
            if (!found && s.list.n < limit)
                add(&s, all[i].state, all[i].words);
        }
    }
    gy_vec_free(&s.words);
    gy_vec_free(&s.list);
    gy_map_free(&s.numbers);
    return found;
}
