// The reachability search with states on disk: delayed duplicate detection.
//
// When the store cannot grow any more, all states leave it, for a set in files (store/disk_set.h).
// From then on a state that is new to the store may be one that left it before. So what is found is
// compared with the files, all of it at once, when a level ends and whenever the store is full
// again; what is there is dropped (gy_reach_sift). A level is known before it is expanded: levels,
// states and transitions are those of a search in memory. References mean the same before and
// after, because stores that empty never forget what they are made of.
//
// A member that came for room may have entered states that it has not put into the queue: these
// stay in the store, and out of the files, to be sifted with those that are found next.
#include "search/safety/reach_parts.h"

#include "base/assert.h"
#include "base/text.h"

#include <stdlib.h>

enum {
    THRASHING = 512, // states on disk for each one that leaves: then memory is too small
    QUEUE = 4, // of the budget, a part of it is for states that wait, before they go to a file
};

bool gy_reach_disk_open(gy_reach *r)
{
    const gy_search_options *options = r->run->options;
    if (!options->disk_folder || r->depth_first || r->run->reducer ||
        !gy_store_traits_of(r->store)->empties)
        return true;
    gy_disk_set *set = gy_disk_set_new(options->disk_folder, &r->run->budget, r->size,
                                       options->interrupt, options->disk_states != 0);
    if (!set)
        return false;
    if (options->time_limit > 0)
        gy_disk_set_deadline(set, r->run->started + options->time_limit);
    r->disk = gy_alloc_zero(sizeof *r->disk);
    r->disk->set = set;
    r->disk->most = options->disk_states;
    // The queue is read and written more often than the store is emptied.
    gy_spill_blocks_set_aside(&r->pages, r->run->budget.limit / QUEUE);
    return true;
}

void gy_reach_disk_close(gy_reach *r)
{
    if (r->disk) {
        gy_disk_share *told = &r->run->result->disk;
        gy_disk_figures figures;
        gy_disk_set_look(r->disk->set, &figures);
        told->states = figures.states > told->states ? figures.states : told->states;
        told->bytes = figures.most > told->bytes ? figures.most : told->bytes;
        told->written += figures.written;
        told->read += figures.read;
        gy_disk_set_free(r->disk->set);
    }
    free(r->disk);
    r->disk = NULL;
}

bool gy_reach_disk_wants(const gy_reach *r)
{
    gy_store_figures figures;
    if (__builtin_expect(!r->disk || !r->disk->most, 1))
        return false;
    gy_store_look(r->store, &figures);
    return figures.states >= r->disk->most;
}

bool gy_reach_unsettled(const gy_reach *r)
{
    return !(r->disk && r->disk->in_use) && gy_store_unsettled(r->store);
}

// What is wrong with the files ends the search.
static void give_up(gy_reach *r)
{
    gy_text text = {0};
    if (gy_disk_set_interrupted(r->disk->set)) {
        gy_run_stop(r->run, GY_LIMIT_INTERRUPT);
    } else if (gy_disk_set_late(r->disk->set)) {
        gy_run_stop(r->run, GY_LIMIT_TIME);
    } else {
        gy_text_printf(&text, "%s: ", r->run->options->disk_folder);
        gy_disk_set_problem(r->disk->set, &text);
        gy_run_overflow(r->run, gy_text_str(&text));
    }
    gy_text_free(&text);
    gy_reach_raise(&r->stop);
}

// ---- sifting --------------------------------------------------------------------------

// All blocks with states that may be on disk: place i is in block i / GY_REACH_BLOCK.
typedef struct sieve {
    gy_reach *r;
    gy_reach_blocks blocks;
    gy_region known; // a bit for each place
} sieve;

static void hand_over_block(void *of, uint64_t piece, gy_disk_take *take, void *to)
{
    const sieve *s = of;
    const gy_reach_block *b = s->blocks.at[piece];
    gy_spill_blocks_wake(&s->r->pages, b->at);
    take(to, b->at, b->n, piece * GY_REACH_BLOCK);
    gy_spill_blocks_rest(&s->r->pages, b->at);
}

static void note_known(void *of, uint64_t place)
{
    const sieve *s = of;
    atomic_fetch_or_explicit((_Atomic uint64_t *)s->known.at + place / 64, 1ull << place % 64,
                             memory_order_relaxed);
}

// What is left of a block.
static void drop_known(void *user, unsigned member, uint64_t i)
{
    const sieve *s = user;
    gy_reach_block *b = s->blocks.at[i];
    const uint64_t *known = (const uint64_t *)s->known.at + i * (GY_REACH_BLOCK / 64);
    uint32_t n = 0, all = 0;
    (void)member;
    for (uint32_t k = 0; k < GY_REACH_BLOCK / 64; k++)
        all += known[k] != 0;
    if (!all)
        return;
    gy_spill_blocks_wake(&s->r->pages, b->at);
    for (uint32_t k = 0; k < b->n; k++) {
        if (known[k / 64] >> k % 64 & 1)
            continue;
        b->at[n] = b->at[k];
        if (b->tags)
            b->tags[n] = b->tags[k];
        n++;
    }
    b->n = n;
    gy_spill_blocks_rest(&s->r->pages, b->at);
}

// Blocks of which nothing is left go back to be filled again.
static void keep_the_rest(gy_reach_member *m)
{
    for (size_t i = 0; i < m->full.n; i++)
        gy_vec_push(m->full.at[i]->n ? &m->sure : &m->spare, m->full.at[i]);
    m->full.n = 0;
}

void gy_reach_sift(gy_reach *r)
{
    sieve s = {.r = r};
    uint64_t before = 0, after = 0;
    if (!r->disk || !r->disk->in_use)
        return;
    gy_region_init(&s.known, &r->run->budget);
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_close_block(&r->members[i]);
        before += gy_reach_count_states(&r->members[i].full);
        for (size_t k = 0; k < r->members[i].full.n; k++)
            gy_vec_push(&s.blocks, r->members[i].full.at[k]);
    }
    gy_disk_source source = {.pieces = s.blocks.n,
                             .count = before,
                             .each = hand_over_block,
                             .found = note_known,
                             .of = &s};
    if (before && !gy_region_resize(&s.known, s.blocks.n * (GY_REACH_BLOCK / 8))) {
        gy_reach_out_of_memory(r);
    } else if (before && !gy_disk_set_find(r->disk->set, &source, &r->team)) {
        give_up(r);
    } else if (before) {
        gy_team_share(&r->team, s.blocks.n, drop_known, &s);
        for (unsigned i = 0; i < r->size; i++) {
            after += gy_reach_count_states(&r->members[i].full);
            keep_the_rest(&r->members[i]);
        }
        r->disk->known += before - after;
    }
    gy_region_free(&s.known);
    gy_vec_free(&s.blocks);
}

// ---- leaving --------------------------------------------------------------------------

typedef struct leaving {
    gy_disk_take *take;
    void *to;
} leaving;

static void pass_on(void *user, const gy_ref *refs, uint32_t count)
{
    const leaving *l = user;
    l->take(l->to, refs, count, 0);
}

static void hand_over_store(void *of, uint64_t piece, gy_disk_take *take, void *to)
{
    leaving l = {take, to};
    gy_store_each(of, piece, pass_on, &l);
}

static int compare(const void *a, const void *b)
{
    gy_ref x = *(const gy_ref *)a, y = *(const gy_ref *)b;
    return (x > y) - (x < y);
}

typedef GY_VEC(gy_ref) ref_list;

// Those that were entered and are not in the queue yet, in ascending order.
static ref_list list_under_way(const gy_reach *r)
{
    ref_list list = {0};
    for (unsigned i = 0; i < r->size; i++) {
        const gy_store_view *view = r->members[i].view;
        for (uint32_t k = 0; k < view->fresh_count; k++)
            gy_vec_push(&list, view->refs[view->fresh[k]]);
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, compare);
    return list;
}

// The first time, all that was found is new.
static void begin_use(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_close_block(&r->members[i]);
        keep_the_rest(&r->members[i]);
    }
    r->disk->in_use = true;
}

bool gy_reach_leave(gy_reach *r)
{
    gy_store_figures figures;
    gy_disk_figures there;
    if (!r->disk)
        return false;
    gy_store_look(r->store, &figures);
    gy_disk_set_look(r->disk->set, &there);
    if (!r->disk->most && figures.states < there.states / THRASHING)
        return false;
    if (r->disk->in_use)
        gy_reach_sift(r);
    else
        begin_use(r);
    if (gy_reach_is_up(&r->stop))
        return true;
    ref_list stay = list_under_way(r);
    gy_disk_source source = {.pieces = gy_store_pieces(r->store),
                             .count = figures.states,
                             .each = hand_over_store,
                             .of = r->store};
    bool good = gy_disk_set_add(r->disk->set, &source, stay.at, (uint32_t)stay.n, &r->team);
    if (!good)
        give_up(r);
    else
        good = gy_store_empty(r->store, stay.at, (uint32_t)stay.n, &r->team);
    r->run->result->disk.emptied++;
    gy_vec_free(&stay);
    return good || gy_reach_is_up(&r->stop);
}
