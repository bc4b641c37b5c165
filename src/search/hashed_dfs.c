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
    gy_region_init(&d->seen, budget);
}

void gy_hashed_dfs_free(gy_hashed_dfs *d)
{
    gy_region_free(&d->frames);
    gy_region_free(&d->words);
    gy_region_free(&d->seen);
    gy_vec_free(&d->next);
}

// ---- what was seen ----------------------------------------------------------------------

static uint64_t *place_of(const gy_hashed_dfs *d, uint64_t hash)
{
    uint64_t *at = d->seen.at, i = hash & (d->room - 1);
    while (at[i] && at[i] != hash)
        i = (i + 1) & (d->room - 1);
    return &at[i];
}

static bool grow(gy_hashed_dfs *d)
{
    gy_region old = d->seen;
    uint64_t room = d->room;
    gy_region_init(&d->seen, d->budget);
    d->room = room ? 2 * room : FIRST_ROOM;
    if (!gy_region_reserve(&d->seen, d->room * sizeof(uint64_t))) {
        d->seen = old;
        d->room = room;
        return false;
    }
    for (uint64_t i = 0; i < room; i++) {
        uint64_t hash = ((const uint64_t *)old.at)[i];
        if (hash)
            *place_of(d, hash) = hash;
    }
    gy_region_free(&old);
    return true;
}

bool gy_hashed_dfs_has_seen(const gy_hashed_dfs *d, uint64_t hash)
{
    return d->room && *place_of(d, hash);
}

bool gy_hashed_dfs_mark(gy_hashed_dfs *d, uint64_t hash)
{
    d->known++;
    if (d->known + d->known / 2 >= d->room && !grow(d))
        return false;
    *place_of(d, hash) = hash;
    return true;
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
    d->known = d->depth = d->top = 0;
    if (d->room > KEPT_ROOM) {
        gy_region_free(&d->seen);
        d->room = 0;
    }
    if (d->room)
        memset(d->seen.at, 0, d->room * sizeof(uint64_t));
    else if (!grow(d))
        return false;
    return gy_hashed_dfs_push(d, NULL, 0, 0);
}
