#include "store/frontier.h"

#include "base/assert.h"
#include "base/fatal.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK ((uint32_t)1 << GY_FRONTIER_CHUNK_BITS)

enum { GROUP = 32, MOST_NUMBER = 5 }; // states in a group; bytes of a number
enum { SLICE = 1 << 14 };             // the budget learns of a chunk as it is filled

void gy_frontier_init(gy_frontier *f, gy_budget *budget, bool hostile)
{
    *f = (gy_frontier){.budget = budget, .hostile = hostile, .file = -1};
    f->chunks = gy_alloc_sparse(GY_FRONTIER_CHUNKS * sizeof *f->chunks);
    pthread_mutex_init(&f->lock, NULL);
}

static void free_chunk_memory(gy_frontier *f, gy_frontier_chunk *c)
{
    if (!c->at)
        return;
    munmap(c->at, CHUNK); // at once, and not when it suits free
    gy_budget_give(f->budget, c->counted);
    c->at = NULL;
}

void gy_frontier_free(gy_frontier *f)
{
    for (uint32_t i = 0; i < f->chunk_count; i++)
        free_chunk_memory(f, &f->chunks[i]);
    if (f->file >= 0)
        close(f->file);
    gy_vec_free(&f->free_chunks);
    gy_vec_free(&f->free_slots);
    pthread_mutex_destroy(&f->lock);
    gy_free_sparse(f->chunks, GY_FRONTIER_CHUNKS * sizeof *f->chunks);
}

void gy_frontier_view_init(gy_frontier_view *v, gy_frontier *f)
{
    *v = (gy_frontier_view){.of = f};
}

// ---- the file -------------------------------------------------------------------------

// A place in the file, and a number for what goes there; UINT64_MAX: there is no file.
static uint64_t take_slot(gy_frontier *f, uint64_t *number)
{
    pthread_mutex_lock(&f->lock);
    uint64_t slot = UINT64_MAX;
    if (f->file < 0)
        f->file = gy_temporary_file();
    if (f->file >= 0)
        slot = f->free_slots.n ? f->free_slots.at[--f->free_slots.n] : f->slots++;
    *number = ++f->spills;
    pthread_mutex_unlock(&f->lock);
    return slot;
}

// Moves the contents of a chunk to the file. False: it cannot be written.
static bool spill(gy_frontier *f, gy_frontier_chunk *c)
{
    uint64_t number, slot = take_slot(f, &number);
    if (slot == UINT64_MAX)
        return false;
    for (uint32_t done = 0; done < c->used;) {
        ssize_t n = pwrite(f->file, c->at + done, c->used - done, (off_t)(slot * CHUNK + done));
        if (n <= 0)
            return false; // the slot stays unused
        done += (uint32_t)n;
    }
    c->slot = slot;
    c->spilled = number;
    free_chunk_memory(f, c);
    return true;
}

static const unsigned char *fetch(gy_frontier_view *v, uint32_t number)
{
    gy_frontier_chunk *c = &v->of->chunks[number];
    if (!c->spilled)
        return c->at;
    if (v->cached == c->spilled) // numbers of chunks, and slots, are used again
        return v->cache;
    if (!v->cache) // two chunks for each view are not counted: there must be some
        v->cache = gy_alloc(CHUNK);
    v->cached = 0;
    for (uint32_t done = 0; done < c->used;) {
        ssize_t n =
            pread(v->of->file, v->cache + done, c->used - done, (off_t)(c->slot * CHUNK + done));
        if (n <= 0)
            return NULL;
        done += (uint32_t)n;
    }
    v->cached = c->spilled;
    return v->cache;
}

// ---- chunks ---------------------------------------------------------------------------

// All of it was taken out.
static void drop_chunk(gy_frontier *f, uint32_t number)
{
    gy_frontier_chunk *c = &f->chunks[number];
    free_chunk_memory(f, c);
    pthread_mutex_lock(&f->lock);
    if (c->spilled)
        gy_vec_push(&f->free_slots, c->slot);
    c->spilled = 0;
    c->used = 0;
    gy_vec_push(&f->free_chunks, number);
    pthread_mutex_unlock(&f->lock);
}

static void leave_chunk(gy_frontier *f, uint32_t number)
{
    gy_assert(atomic_load_explicit(&f->chunks[number].left, memory_order_relaxed));
    if (atomic_fetch_sub_explicit(&f->chunks[number].left, 1, memory_order_acq_rel) == 1)
        drop_chunk(f, number);
}

// The one that it fills is done with: it goes to the file if there is no memory for another.
void gy_frontier_close(gy_frontier_view *v)
{
    gy_frontier *f = v->of;
    if (!v->filling || !v->used)
        return;
    gy_frontier_chunk *c = &f->chunks[v->chunk];
    enum { TIGHT = 16 }; // chunks
    c->used = v->used;
    v->filling = false;
    if (f->hostile || gy_budget_room(f->budget) < (uint64_t)TIGHT * CHUNK)
        spill(f, c);
    leave_chunk(f, v->chunk);
}

static void *map_chunk(gy_frontier *f)
{
    if (!gy_budget_take(f->budget, SLICE))
        return NULL;
    void *at = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED)
        return at;
    gy_budget_give(f->budget, SLICE);
    return NULL;
}

static bool open_chunk(gy_frontier_view *v)
{
    gy_frontier *f = v->of;
    uint32_t number = GY_FRONTIER_CHUNKS;
    void *at = map_chunk(f);
    if (!at)
        return false;
    pthread_mutex_lock(&f->lock);
    if (f->free_chunks.n)
        number = f->free_chunks.at[--f->free_chunks.n];
    else if (f->chunk_count < GY_FRONTIER_CHUNKS)
        number = f->chunk_count++;
    pthread_mutex_unlock(&f->lock);
    if (number == GY_FRONTIER_CHUNKS) {
        munmap(at, CHUNK);
        gy_budget_give(f->budget, SLICE);
        return false;
    }
    gy_frontier_chunk *c = &f->chunks[number];
    c->at = at;
    c->used = 0;
    c->counted = v->counted = SLICE;
    c->spilled = 0;
    atomic_store_explicit(&c->left, 1, memory_order_relaxed);
    v->chunk = number;
    v->at = at;
    v->used = v->group = 0;
    v->filling = true;
    return true;
}

bool gy_frontier_make_room(gy_frontier *f)
{
    bool any = false;
    for (uint32_t i = 0; i < f->chunk_count; i++) {
        gy_frontier_chunk *c = &f->chunks[i];
        if (c->at && c->used && atomic_load_explicit(&c->left, memory_order_relaxed))
            any = spill(f, c) || any;
    }
    return any || gy_budget_room(f->budget) >= CHUNK;
}

void gy_frontier_view_free(gy_frontier_view *v)
{
    if (v->filling)
        v->of->chunks[v->chunk].used = v->used;
    free(v->cache);
    gy_vec_free(&v->first);
    gy_vec_free(&v->state);
}

// ---- records --------------------------------------------------------------------------

static unsigned char *put_number(unsigned char *at, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (unsigned char)(number | 128);
    *at++ = (unsigned char)number;
    return at;
}

static const unsigned char *get_number(const unsigned char *at, uint32_t *number)
{
    unsigned shift = 0;
    *number = 0;
    for (; *at & 128; shift += 7)
        *number |= (uint32_t)(*at++ & 127) << shift;
    *number |= (uint32_t)*at++ << shift;
    return at;
}

static unsigned char *put_leader(gy_frontier_view *v, unsigned char *at, const uint32_t *state,
                                 uint32_t words)
{
    v->leader = v->used;
    v->group = 0;
    gy_vec_reserve(&v->first, (size_t)words + 1);
    v->first.n = words;
    if (words)
        memcpy(v->first.at, state, words * sizeof *state);
    at = put_number(at, 0);
    at = put_number(at, words);
    for (uint32_t i = 0; i < words; i++)
        at = put_number(at, state[i]);
    return at;
}

static unsigned char *put_member(const gy_frontier_view *v, unsigned char *at,
                                 const uint32_t *state, uint32_t words)
{
    at = put_number(at, v->used - v->leader);
    for (uint32_t i = 0; i < words; i += 8) {
        unsigned char *mask = at++;
        *mask = 0;
        for (uint32_t k = 0; k < 8 && i + k < words; k++)
            if (state[i + k] != v->first.at[i + k]) {
                *mask |= (unsigned char)(1u << k);
                at = put_number(at, state[i + k]);
            }
    }
    return at;
}

// Memory for so many bytes of the chunk that is being filled.
static bool count_bytes(gy_frontier_view *v, uint64_t bytes)
{
    while (v->counted < bytes) {
        if (!gy_budget_take(v->of->budget, SLICE))
            return false;
        v->counted += SLICE;
        v->of->chunks[v->chunk].counted = v->counted;
    }
    return true;
}

bool gy_frontier_ready(gy_frontier_view *v, uint32_t words)
{
    uint64_t most = 2 * MOST_NUMBER + (uint64_t)words * MOST_NUMBER + words / 8 + 1;
    if (v->filling && v->used + most > CHUNK)
        gy_frontier_close(v);
    return most <= CHUNK && (v->filling || open_chunk(v)) && count_bytes(v, v->used + most);
}

gy_ref gy_frontier_put(gy_frontier_view *v, const uint32_t *state, uint32_t words)
{
    unsigned char *at = v->at + v->used;
    gy_ref ref = (gy_ref)v->chunk << GY_FRONTIER_CHUNK_BITS | v->used;
    if (!v->used || v->group == GROUP || v->first.n != words)
        at = put_leader(v, at, state, words);
    else
        at = put_member(v, at, state, words);
    v->group++;
    v->used = (uint32_t)(at - v->at);
    atomic_fetch_add_explicit(&v->of->chunks[v->chunk].left, 1, memory_order_relaxed);
    return ref;
}

const uint32_t *gy_frontier_get(gy_frontier_view *v, gy_ref ref, uint32_t *words)
{
    uint32_t number = (uint32_t)(ref >> GY_FRONTIER_CHUNK_BITS), distance;
    const unsigned char *chunk = fetch(v, number);
    if (!chunk)
        return NULL;
    const unsigned char *record = chunk + (ref & (CHUNK - 1)), *at = get_number(record, &distance);
    const unsigned char *leader = get_number(record - distance + 1, words);
    gy_vec_reserve(&v->state, (size_t)*words + 1);
    uint32_t *state = v->state.at;
    for (uint32_t i = 0; i < *words; i++)
        leader = get_number(leader, &state[i]);
    for (uint32_t i = 0; distance && i < *words; i += 8)
        for (unsigned mask = *at++; mask; mask &= mask - 1)
            at = get_number(at, &state[i + (uint32_t)__builtin_ctz(mask)]);
    return state;
}

void gy_frontier_take(gy_frontier_view *v, gy_ref ref)
{
    leave_chunk(v->of, (uint32_t)(ref >> GY_FRONTIER_CHUNK_BITS));
}
