// The queue of the reachability search: blocks of references of states.
//
// Each member fills blocks of its own. At a meeting they become its share of what is to be
// expanded, of which pieces are handed out by counting a cursor up: large pieces while there is
// much, to the member that filled them (it reads what it wrote), or to others that have nothing
// left. Blocks that are used up go back to their member, to be filled again. When memory is short,
// they are in a file (base/spill_blocks.h), and in memory only while a thread reads or fills them.
#include "search/safety/reach_parts.h"

#include <stdlib.h>

void gy_reach_init_blocks(gy_reach *r)
{
    size_t each = sizeof(gy_ref) + (r->trace ? sizeof(gy_lineage_from) : 0);
    gy_spill_blocks_init(&r->pages, &r->run->budget, GY_REACH_BLOCK * each);
    r->pages.folder = r->run->options->disk_folder;
}

gy_reach_block *gy_reach_new_block(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    gy_reach_block *b = m->spare.n ? m->spare.at[--m->spare.n] : NULL;
    void *memory = b ? NULL : gy_spill_blocks_new(&r->pages);
    if (gy_spill_blocks_pressed(&r->pages))
        gy_reach_raise(&r->pause);
    if (!b && !memory)
        return NULL;
    if (!b) {
        b = gy_alloc(sizeof *b);
        b->at = memory;
        b->tags = r->trace ? (gy_lineage_from *)(b->at + GY_REACH_BLOCK) : NULL;
    }
    b->n = 0;
    return b;
}

void gy_reach_free_blocks(gy_reach_blocks *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    gy_vec_free(list);
}

void gy_reach_close_block(gy_reach_member *m)
{
    if (m->open) {
        gy_vec_push(&m->full, m->open);
        gy_spill_blocks_rest(&m->reach->pages, m->open->at);
    }
    m->open = NULL;
}

gy_reach_block *gy_reach_open_block(gy_reach_member *m)
{
    gy_reach_close_block(m);
    return m->open = gy_reach_new_block(m);
}

void gy_reach_put_aside(gy_reach_member *m, gy_reach_blocks *list, gy_ref state, uint32_t number)
{
    gy_reach_block *b = list->n ? list->at[list->n - 1] : NULL;
    if (!b || b->n == GY_REACH_BLOCK) {
        if (b) // nothing fills it any more
            gy_spill_blocks_rest(&m->reach->pages, b->at);
        b = gy_reach_new_block(m);
        if (!b) {
            gy_reach_out_of_memory(m->reach);
            return;
        }
        gy_vec_push(list, b);
    }
    if (m->reach->trace)
        b->tags[b->n] = (gy_lineage_from){.parent = number};
    b->at[b->n++] = state;
}

// States of a block, all of whose pieces before `piece` were handed out, that are left.
static uint32_t left_in_block(const gy_reach_block *b, uint64_t first_piece, uint64_t piece)
{
    uint64_t taken = piece > first_piece ? (piece - first_piece) * GY_REACH_PIECE : 0;
    return taken < b->n ? b->n - (uint32_t)taken : 0;
}

uint64_t gy_reach_left(const gy_reach *r)
{
    uint64_t left = 0;
    for (unsigned s = 0; s < r->size; s++) {
        const gy_reach_share *share = &r->shares[s];
        uint64_t piece = atomic_load_explicit(&share->cursor, memory_order_relaxed);
        for (size_t i = piece / GY_REACH_PIECES; i < share->blocks.n; i++)
            left += left_in_block(share->blocks.at[i], i * GY_REACH_PIECES, piece);
    }
    return left;
}

// Of a share; the last of its blocks is seldom full.
static uint64_t pieces_of(const gy_reach_share *share)
{
    if (!share->blocks.n)
        return 0;
    uint32_t last = share->blocks.at[share->blocks.n - 1]->n;
    return (share->blocks.n - 1) * GY_REACH_PIECES + (last + GY_REACH_PIECE - 1) / GY_REACH_PIECE;
}

// Some of a share: the less there is left, the fewer, so that all are done at about the same time.
static bool take_from(gy_reach_share *share, unsigned takers, gy_reach_range *taken)
{
    uint64_t all = pieces_of(share);
    uint64_t at = atomic_load_explicit(&share->cursor, memory_order_relaxed), n;
    if (at >= all)
        return false;
    n = (all - at) / (2 * takers);
    n = n < 1 ? 1 : n < GY_REACH_PIECES ? n : GY_REACH_PIECES;
    at = atomic_fetch_add_explicit(&share->cursor, n, memory_order_relaxed);
    *taken = (gy_reach_range){share, at, at + n < all ? at + n : all};
    return at < all;
}

bool gy_reach_take(const gy_reach_member *m, gy_reach_range *taken)
{
    gy_reach *r = m->reach;
    unsigned own = (unsigned)(m - r->members);
    for (unsigned i = 0; i < r->size; i++)
        if (take_from(&r->shares[(own + i) % r->size], r->size, taken))
            return true;
    return false;
}

static void drop_used_of(gy_reach *r, unsigned member)
{
    gy_reach_share *share = &r->shares[member];
    uint64_t piece = atomic_load_explicit(&share->cursor, memory_order_relaxed);
    size_t kept = 0;
    for (size_t i = 0; i < share->blocks.n; i++) {
        gy_reach_block *b = share->blocks.at[i];
        uint32_t left = left_in_block(b, i * GY_REACH_PIECES, piece);
        if (!left) {
            gy_vec_push(&r->members[member].spare, b);
            continue;
        }
        memmove(b->at, b->at + (b->n - left), left * sizeof *b->at);
        if (r->trace)
            memmove(b->tags, b->tags + (b->n - left), left * sizeof *b->tags);
        b->n = left;
        r->level_states += left;
        share->blocks.at[kept++] = b;
    }
    share->blocks.n = kept;
    atomic_store_explicit(&share->cursor, 0, memory_order_relaxed);
}

void gy_reach_drop_used(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++)
        drop_used_of(r, i);
}

static void list_blocks(gy_reach_blocks *all, const gy_reach_blocks *some)
{
    for (size_t i = 0; i < some->n; i++)
        gy_vec_push(all, some->at[i]);
}

void gy_reach_take_back(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_member *m = &r->members[i];
        gy_reach_close_block(m);
        list_blocks(&m->full, &r->shares[i].blocks);
        r->shares[i].blocks.n = 0;
    }
    r->level_states = 0;
}

void gy_reach_gather(gy_reach *r, unsigned member, gy_reach_blocks *from)
{
    for (size_t i = 0; i < from->n; i++) {
        r->level_states += from->at[i]->n;
        gy_vec_push(&r->shares[member].blocks, from->at[i]);
    }
    from->n = 0;
}

uint64_t gy_reach_count_states(const gy_reach_blocks *list)
{
    uint64_t count = 0;
    for (size_t i = 0; i < list->n; i++)
        count += list->at[i]->n;
    return count;
}

void gy_reach_list_states(gy_reach *r, gy_number_set *set, const gy_reach_blocks *list)
{
    enum { AHEAD = 16 };
    for (size_t i = 0; i < list->n; i++) {
        const gy_reach_block *b = list->at[i];
        gy_spill_blocks_wake(&r->pages, b->at);
        for (uint32_t k = 0; k < b->n + AHEAD; k++) {
            if (k < b->n)
                gy_number_set_expect(set, b->at[k]);
            if (k >= AHEAD && !gy_number_set_add(set, b->at[k - AHEAD]))
                gy_reach_out_of_memory(r);
        }
        gy_spill_blocks_rest(&r->pages, b->at);
    }
}

typedef struct reencoding {
    gy_store *store;
    gy_spill_blocks *pages;
    gy_reach_blocks all;
} reencoding;

static void reencode_block(void *user, unsigned member, uint64_t i)
{
    const reencoding *of = user;
    gy_reach_block *b = of->all.at[i];
    gy_spill_blocks_wake(of->pages, b->at);
    for (uint32_t k = 0; k < b->n; k++)
        b->at[k] = gy_store_reencode(of->store, member, b->at[k]);
    gy_spill_blocks_rest(of->pages, b->at);
}

void gy_reach_reencode_blocks(gy_reach *r)
{
    reencoding of = {.store = r->store, .pages = &r->pages};
    list_blocks(&of.all, &r->failed);
    if (r->trace)
        gy_reach_reencode_traced(r, &of.all);
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_close_block(&r->members[i]);
        list_blocks(&of.all, &r->shares[i].blocks);
        list_blocks(&of.all, &r->members[i].full);
        list_blocks(&of.all, &r->members[i].failed);
    }
    gy_team_share(&r->team, of.all.n, reencode_block, &of);
    gy_vec_free(&of.all);
}
