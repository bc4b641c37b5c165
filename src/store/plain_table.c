// The plain store: each state is kept as it is. Fast, and large.
//
// Each thread appends the states that it finds first to chunks of its own; a shared table of
// 64-bit slots leads to them. The reference of a state is its position.
//
//   slot:    [ tag (24 bits of the hash) | position + 1 (40) ]   0: empty; 8 to a line of 64 bytes
//   record:  [ 48 bits of the hash | words (16) ][ note: 0, 4 or 8 bytes ][ words ], padded to 8
//   position: chunk (20 bits), offset in the chunk (20), in units of 8 bytes
//
// An entry is in its home line or after it, at most `tail` lines; slots are filled from the left
// and never freed. The table grows from the hashes in the records, read one after the other:
// positions stay.
#include "store/plain_table.h"

#include "store/kinds.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_CHUNKS = 1 << 20, PAY_UNITS = 1 << 13, HUGE_PAGE = 1 << 21 };

static gy_plain *plain_of(gy_store_view *view)
{
    return (gy_plain *)view->store;
}

// ---- room for records -----------------------------------------------------------------

static void tell_of_chunk(const gy_plain_view *v)
{
    const gy_plain *p = (const gy_plain *)v->head.store;
    if (!v->has_chunk)
        return;
    p->chunks[v->chunk].used = v->used;
    p->chunks[v->chunk].paid = v->paid;
}

static void plain_tell(gy_store_view *view)
{
    gy_plain_view *v = (gy_plain_view *)view;
    tell_of_chunk(v);
    atomic_fetch_add_explicit(&plain_of(view)->count, v->told, memory_order_relaxed);
    v->told = 0;
}

uint64_t *gy_plain_map_chunk(const gy_plain *p, uint32_t number)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *memory =
        mmap(NULL, GY_PLAIN_CHUNK_BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(memory, before);
    memory += before;
    munmap(memory + GY_PLAIN_CHUNK_BYTES, HUGE_PAGE - before);
    size_t small = number ? 0 : HUGE_PAGE; // a few states do not need a large page
    if (p->large_pages)
        madvise(memory + small, GY_PLAIN_CHUNK_BYTES - small, MADV_HUGEPAGE);
    return (uint64_t *)(void *)memory;
}

static bool new_chunk(gy_plain_view *v)
{
    gy_plain *p = plain_of(&v->head);
    uint32_t number = atomic_fetch_add_explicit(&p->chunk_count, 1, memory_order_relaxed);
    uint64_t *memory = number < MOST_CHUNKS ? gy_plain_map_chunk(p, number) : NULL;
    if (!memory) { // the number, if there is such a one, stays unused
        if (number >= MOST_CHUNKS)
            atomic_fetch_sub_explicit(&p->chunk_count, 1, memory_order_relaxed);
        return false;
    }
    p->chunks[number] = (gy_plain_chunk){.at = memory};
    tell_of_chunk(v);
    v->chunk = number;
    v->has_chunk = true;
    v->at = memory;
    v->used = v->paid = 0;
    return true;
}

bool gy_plain_make_room(gy_plain_view *v, uint64_t units)
{
    if ((!v->has_chunk || v->used + units > GY_PLAIN_CHUNK_UNITS) && !new_chunk(v))
        return false;
    while (v->used + units > v->paid) {
        uint64_t more = PAY_UNITS > units ? PAY_UNITS : units;
        if (!gy_budget_take(v->head.store->budget, more * 8))
            return false;
        v->paid += more;
    }
    return true;
}

// ---- what is under way ----------------------------------------------------------------

static void plain_hold(gy_store_view *view)
{
    gy_plain_view *v = (gy_plain_view *)view;
    for (uint32_t i = v->held; i < view->n; i++) {
        uint32_t words = gy_plain_words(v->heads[i]);
        gy_vec_reserve(&v->copies, v->copies.n + words + 1);
        v->copy_at[i] = (uint32_t)v->copies.n;
        memcpy(v->copies.at + v->copies.n, v->states[i], words * sizeof *v->copies.at);
        v->copies.n += words;
    }
    v->held = view->n;
    for (uint32_t i = 0; i < view->n; i++) // they may have moved
        v->states[i] = v->copies.at + v->copy_at[i];
}

static void plain_clear(gy_store_view *view)
{
    gy_plain_view *v = (gy_plain_view *)view;
    v->entered = v->held = 0;
    v->copies.n = 0;
}

// ---- looking --------------------------------------------------------------------------

static const uint32_t *plain_state(gy_store_view *view, gy_ref ref, uint32_t *words)
{
    const gy_plain *p = plain_of(view);
    const uint64_t *record = gy_plain_record(p, ref);
    *words = gy_plain_words(record[0]);
    return (const uint32_t *)record + p->first_word;
}

// Records stay where they are.
static void plain_states(gy_store_view *view, const gy_ref *refs, uint32_t count,
                         const uint32_t **states, uint32_t *words)
{
    const gy_plain *p = plain_of(view);
    const gy_plain_chunk *chunks = p->chunks; // copies: in registers
    uint32_t first_word = p->first_word;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *record =
            chunks[refs[i] >> GY_PLAIN_OFFSET_BITS].at + (refs[i] & (GY_PLAIN_CHUNK_UNITS - 1));
        words[i] = gy_plain_words(record[0]);
        states[i] = (const uint32_t *)record + first_word;
    }
}

static void plain_prefetch(gy_store_view *view, const gy_ref *refs, uint32_t count)
{
    const gy_plain_view *v = (const gy_plain_view *)view;
    const gy_plain *p = plain_of(view);
    uint32_t last = (p->first_word + v->length) * 4 - 1; // as long as those that came last
    for (uint32_t i = 0; i < count; i++) {
        const char *record = (const char *)gy_plain_record(p, refs[i]);
        for (uint32_t ahead = 0; ahead < last && ahead < 256; ahead += 64)
            __builtin_prefetch(record + ahead);
        __builtin_prefetch(record + last);
    }
}

static bool plain_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    const gy_plain *p = plain_of(view);
    uint64_t head = gy_plain_head(state, words), line = gy_plain_home(p, head);
    for (uint64_t end = line + p->tail; line < end && words <= GY_PLAIN_MOST_WORDS; line++)
        for (unsigned i = 0; i < GY_PLAIN_SLOTS; i++) {
            uint64_t there = atomic_load_explicit(&gy_plain_line(p, line)[i], memory_order_acquire);
            if (there == 0)
                return false;
            if ((there ^ gy_plain_tag(head)) >> GY_PLAIN_POSITION_BITS)
                continue;
            *ref = gy_plain_position(there);
            if (gy_plain_is(p, *ref, head, state))
                return true;
        }
    return false;
}

static void *plain_note_at(gy_store_view *view, gy_ref ref)
{
    return gy_plain_record(plain_of(view), ref) + 1;
}

static void plain_look(const gy_store *store, gy_store_figures *figures)
{
    figures->states = gy_plain_count((const gy_plain *)store);
}

// ---- life -----------------------------------------------------------------------------

static gy_store_view *plain_new_view(gy_store *store)
{
    gy_plain_view *v = gy_alloc_apart(sizeof *v);
    (void)store;
    v->head.joins = true;
    return &v->head;
}

static void plain_free_view(gy_store_view *view)
{
    gy_plain_view *v = (gy_plain_view *)view;
    tell_of_chunk(v);
    gy_vec_free(&v->copies);
    free(v);
}

static void plain_free(gy_store *store)
{
    gy_plain *p = (gy_plain *)store;
    for (uint32_t i = 0; i < gy_plain_chunks(p); i++) {
        if (p->chunks[i].at)
            munmap(p->chunks[i].at, GY_PLAIN_CHUNK_BYTES);
        gy_budget_give(store->budget, p->chunks[i].paid * 8);
    }
    gy_region_free(&p->slots);
    gy_free_sparse(p->chunks, MOST_CHUNKS * sizeof *p->chunks);
    free(p);
}

static const gy_store_methods methods = {
    .free = plain_free,
    .look = plain_look,
    .new_view = plain_new_view,
    .free_view = plain_free_view,
    .add = gy_plain_add,
    .hold = plain_hold,
    .enter = gy_plain_enter,
    .notes = true,
    .clear = plain_clear,
    .state = plain_state,
    .states = plain_states,
    .prefetch = plain_prefetch,
    .find = plain_find,
    .note_at = plain_note_at,
    .tell = plain_tell,
    .grow = gy_plain_grow,
    .save = gy_plain_save,
    .load = gy_plain_load,
    .holds = gy_plain_holds,
};

gy_store *gy_plain_store(const gy_store_options *options)
{
    // Each thread has one large page that is there as a whole, but paid for only as far as it is
    // used: all these together must be little.
    enum { LITTLE = 64 };
    uint64_t limit = options->budget->limit;
    gy_plain *p = gy_alloc_zero(sizeof *p);
    gy_store_init(&p->head, &methods, options);
    if (options->note_bytes)
        p->head.note_bytes = options->note_bytes <= sizeof(uint32_t) ? sizeof(uint32_t) : 8;
    p->first_word = (uint32_t)sizeof(uint64_t) / 4 + p->head.note_bytes / 4;
    p->chunks = gy_alloc_sparse(MOST_CHUNKS * sizeof *p->chunks);
    p->large_pages = !limit || limit / LITTLE / HUGE_PAGE >= options->threads;
    gy_region_init(&p->slots, options->budget);
    if (!gy_plain_grow(&p->head, NULL)) {
        plain_free(&p->head);
        return NULL;
    }
    return &p->head;
}
