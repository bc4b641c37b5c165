#include "search/safety/local_path.h"

#include "base/map.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

typedef struct node {
    size_t at; // of its state in `words`
    uint32_t count;
    uint32_t parent, ordinal;
    uint64_t cost;
    bool done;
} node;

typedef GY_VEC(uint32_t) bucket;

typedef struct search {
    const gy_local_path *s;
    GY_VEC(gy_word) words;
    GY_VEC(node) nodes;
    gy_map map;
    GY_VEC(bucket) due; // by cost; a node may be in several
    GY_VEC(gy_word) state;
} search;

static bool is_same(const search *f, const node *n, const gy_word *state, uint32_t words)
{
    return n->count == words && !memcmp(f->words.at + n->at, state, words * sizeof *state);
}

static void put_due(search *f, uint32_t number, uint64_t cost)
{
    while (f->due.n <= cost)
        gy_vec_push(&f->due, ((bucket){0}));
    gy_vec_push(&f->due.at[cost], number);
}

static void arrive(search *f, const gy_word *state, uint32_t words, node how)
{
    uint64_t hash = gy_hash_words(state, words, 1);
    if (how.cost > f->s->most)
        return;
    for (gy_map_probe p = gy_map_first(&f->map, hash); p.found; gy_map_next(&f->map, &p)) {
        node *n = &f->nodes.at[p.number];
        if (!is_same(f, n, state, words))
            continue;
        if (how.cost < n->cost) {
            n->cost = how.cost;
            n->parent = how.parent;
            n->ordinal = how.ordinal;
            put_due(f, p.number, how.cost);
        }
        return;
    }
    how.at = f->words.n;
    how.count = words;
    gy_vec_reserve(&f->words, f->words.n + words + 1);
    memcpy(f->words.at + f->words.n, state, words * sizeof *state);
    f->words.n += words;
    gy_map_add(&f->map, hash, (uint32_t)f->nodes.n);
    put_due(f, (uint32_t)f->nodes.n, how.cost);
    gy_vec_push(&f->nodes, how);
}

static void expand(search *f, uint32_t number)
{
    const gy_local_path *s = f->s;
    node from = f->nodes.at[number];
    uint32_t count;
    gy_vec_reserve(&f->state, (size_t)from.count + 1);
    memcpy(f->state.at, f->words.at + from.at, from.count * sizeof *f->state.at);
    const gy_transition *all =
        gy_moves_find(&s->run->moves, s->run->worker, f->state.at, from.count, &count);
    uint8_t *keep = s->run->moves.keep.at;
    if (s->reducer)
        gy_reduce_choose(s->reducer, f->state.at, from.count, all, count, keep);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cost = s->by_cost ? gy_run_note(s->run, &all[i]) : 1;
        if (all[i].state && (!s->reducer || keep[i]))
            arrive(f, all[i].state, all[i].words,
                   (node){.parent = number, .ordinal = i, .cost = from.cost + cost});
    }
}

static void tell(const search *f, uint32_t number, gy_route *path)
{
    size_t first = path->n;
    for (; f->nodes.at[number].parent != NOBODY; number = f->nodes.at[number].parent)
        gy_vec_push(path, f->nodes.at[number].ordinal);
    for (size_t a = first, b = path->n; a + 1 < b; a++, b--) {
        uint32_t ordinal = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = ordinal;
    }
}

bool gy_local_path_find(const gy_local_path *s, gy_route *path)
{
    search f = {.s = s};
    bool found = false, stopped = s->run->stopped; // what was stopped may still be reported
    arrive(&f, s->from.at, s->from.words, (node){.parent = NOBODY});
    for (uint64_t cost = 0; cost < f.due.n && !found && f.nodes.n <= s->room; cost++) {
        for (size_t i = 0; i < f.due.at[cost].n && !found; i++) {
            uint32_t number = f.due.at[cost].at[i];
            node *n = &f.nodes.at[number];
            if (n->done || n->cost < cost)
                continue;
            n->done = true;
            found = is_same(&f, n, s->to.at, s->to.words);
            if (found)
                tell(&f, number, path);
            else if (f.nodes.n > s->room || (!stopped && gy_run_tick(s->run)))
                break;
            else
                expand(&f, number);
        }
        if (!stopped && s->run->stopped)
            break;
    }
    for (size_t i = 0; i < f.due.n; i++)
        gy_vec_free(&f.due.at[i]);
    gy_vec_free(&f.due);
    gy_vec_free(&f.words);
    gy_vec_free(&f.nodes);
    gy_vec_free(&f.state);
    gy_map_free(&f.map);
    return found;
}
