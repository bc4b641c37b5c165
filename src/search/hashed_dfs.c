#include "search/hashed_dfs.h"

enum {
    FIRST_ROOM = 1 << 12, // places for hashes
    KEPT_ROOM = 1 << 15,  // so many are cleared sooner than made again
};

void gy_hashed_dfs_init(gy_hashed_dfs *d, gy_budget *budget)
{
    *d = (gy_hashed_dfs){.budget = budget};
    gy_region_init(&d->frames, budget);
    gy_region_init(&d->words, budget);
    gy_number_set_init(&d->seen, budget);
}

void gy_hashed_dfs_free(gy_hashed_dfs *d)
{
    gy_region_free(&d->frames);
    gy_region_free(&d->words);
    gy_number_set_free(&d->seen);
    gy_vec_free(&d->next);
}

bool gy_hashed_dfs_mark(gy_hashed_dfs *d, uint64_t hash)
{
    return gy_number_set_add(&d->seen, hash - 1);
}

// ---- the path ---------------------------------------------------------------------------

bool gy_hashed_dfs_push(gy_hashed_dfs *d, const gy_word *state, uint32_t words, uint64_t cost)
{
    if (!gy_region_reserve(&d->frames, (d->depth + 1) * sizeof(gy_hashed_dfs_frame)) ||
        !gy_region_reserve(&d->words, (d->top + words + 1) * sizeof *state))
        return false;
    d->depth++;
    *gy_hashed_dfs_top(d) = (gy_hashed_dfs_frame){.begin = d->top, .words = words, .cost = cost};
    if (words)
        memcpy((gy_word *)d->words.at + d->top, state, words * sizeof *state);
    d->top += words;
    return true;
}

void gy_hashed_dfs_pop(gy_hashed_dfs *d)
{
    d->top = gy_hashed_dfs_top(d)->begin;
    d->depth--;
}

bool gy_hashed_dfs_look(gy_hashed_dfs *d)
{
    d->unseen = 0;
    if (!gy_hashed_dfs_top(d)->done)
        return true;
    gy_hashed_dfs_pop(d);
    return false;
}

void gy_hashed_dfs_offer(gy_hashed_dfs *d, const gy_transition *move, uint32_t ordinal,
                         uint64_t hash, uint64_t key, uint64_t cost)
{
    bool better = d->unseen == 0 || key < d->chosen_key;
    d->unseen += d->unseen == 0 || hash != d->chosen_hash;
    if (!better)
        return;
    d->chosen = ordinal;
    d->chosen_key = key;
    d->chosen_hash = hash;
    d->chosen_cost = cost;
    gy_vec_reserve(&d->next, (size_t)move->words + 1);
    if (move->words)
        memcpy(d->next.at, move->state, move->words * sizeof *move->state);
    d->next.n = move->words;
}

bool gy_hashed_dfs_go(gy_hashed_dfs *d, bool mark)
{
    gy_hashed_dfs_frame *f = gy_hashed_dfs_top(d);
    f->looked = true;
    if (!d->unseen) {
        gy_hashed_dfs_pop(d);
        return true;
    }
    f->ordinal = d->chosen;
    f->done = d->unseen == 1;
    return (!mark || gy_hashed_dfs_mark(d, d->chosen_hash)) &&
           gy_hashed_dfs_push(d, d->next.at, (uint32_t)d->next.n, d->chosen_cost);
}

void gy_hashed_dfs_path(const gy_hashed_dfs *d, int64_t ordinal, gy_route *way)
{
    for (uint64_t i = 0; i + 1 < d->depth; i++)
        gy_vec_push(way, ((const gy_hashed_dfs_frame *)d->frames.at)[i].ordinal);
    if (ordinal >= 0)
        gy_vec_push(way, (uint32_t)ordinal);
}

bool gy_hashed_dfs_begin(gy_hashed_dfs *d)
{
    uint64_t expected = d->seen.mask / 2; // as many as last time
    d->depth = d->top = 0;
    if (d->seen.mask >= KEPT_ROOM) {
        gy_number_set_free(&d->seen);
        gy_number_set_init(&d->seen, d->budget);
        expected = 0;
    }
    return gy_number_set_begin(&d->seen, expected > FIRST_ROOM / 2 ? expected : FIRST_ROOM / 2) &&
           gy_hashed_dfs_push(d, NULL, 0, 0);
}
