// The plain store: each state is kept as it is. Fast, and large.
//
// Each thread appends the states that it finds first to chunks of its own; a shared table of
// 64-bit slots leads to them. The reference of a state is its position.
//
//   slot:    [ tag (24 bits of the hash) | position + 1 (40) ]   0: empty; 8 to a line of 64 bytes
//   record:  [ 48 bits of the hash | words (16) ][ note: 0, 4 or 8 bytes ][ words ], padded to 8
//   position: chunk (20 bits), offset in the chunk (20), in units of 8 bytes
//
// An entry is in its home line or behind it, at most `tail` lines; slots are filled from the left
// and never freed. The table grows from the hashes in the records, read one behind the other:
// positions stay.
#include "store/plain_table.h"

#include "store/kinds.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_CHUNKS = 1 << 20, PAY_UNITS = 1 << 13, HUGE_PAGE = 1 << 21 };
enum { TELL_EVERY = 64 };

typedef struct plain_view {
    gy_store_view head;
    uint32_t chunk; // that this view fills
    bool has_chunk;
    // Of that chunk, as in gy_plain_chunk: here, because other threads read what is next to it
    // there.
    uint64_t *at, used, paid;
    uint64_t told;    // new states not yet told
    uint32_t entered; // of those under way, the first ones
    uint64_t heads[GY_STORE_BATCH];
    const uint32_t *states[GY_STORE_BATCH];
    uint32_t held; // the first ones are copies, in `copies`
    uint32_t copy_at[GY_STORE_BATCH];
    GY_VEC(uint32_t) copies;
} plain_view;

static gy_plain *plain_of(gy_store_view *view)
{
    return (gy_plain *)view->store;
}

static uint32_t words_of(uint64_t head)
{
    return (uint32_t)head & GY_PLAIN_MOST_WORDS;
}

// ---- room for records -----------------------------------------------------------------

static void tell_of_chunk(const plain_view *v)
{
    const gy_plain *p = (const gy_plain *)v->head.store;
    if (!v->has_chunk)
        return;
    p->chunks[v->chunk].used = v->used;
    p->chunks[v->chunk].paid = v->paid;
}

static void plain_tell(gy_store_view *view)
{
    plain_view *v = (plain_view *)view;
    tell_of_chunk(v);
    atomic_fetch_add_explicit(&plain_of(view)->count, v->told, memory_order_relaxed);
    v->told = 0;
}

uint64_t *gy_plain_map_chunk(uint32_t number)
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
    madvise(memory + small, GY_PLAIN_CHUNK_BYTES - small, MADV_HUGEPAGE);
    return (uint64_t *)(void *)memory;
}

static bool new_chunk(plain_view *v)
{
    gy_plain *p = plain_of(&v->head);
    uint32_t number = atomic_fetch_add_explicit(&p->chunk_count, 1, memory_order_relaxed);
    uint64_t *memory = number < MOST_CHUNKS ? gy_plain_map_chunk(number) : NULL;
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

// Room for a record at the end of the view's chunk, or NULL: no memory.
static uint64_t *room_for(plain_view *v, uint64_t units)
{
    if ((!v->has_chunk || v->used + units > GY_PLAIN_CHUNK_UNITS) && !new_chunk(v))
        return NULL;
    while (v->used + units > v->paid) {
        uint64_t more = PAY_UNITS > units ? PAY_UNITS : units;
        if (!gy_budget_take(v->head.store->budget, more * 8))
            return NULL;
        v->paid += more;
    }
    return v->at + v->used;
}

// ---- entering -------------------------------------------------------------------------

static void tell_now_and_then(plain_view *v)
{
    gy_plain *p = plain_of(&v->head);
    if (++v->told % TELL_EVERY)
        return;
    atomic_fetch_add_explicit(&p->count, v->told, memory_order_relaxed);
    v->told = 0;
    if (gy_plain_count(p) >= p->wanted)
        gy_store_no_room(&p->head);
}

typedef enum { FOUND, NEW, NO_ROOM } answer;

// Writes the record of a state where nobody looks yet; *place: where. False: no memory.
static bool write_record(plain_view *v, uint64_t head, const uint32_t *state, uint64_t *place)
{
    uint32_t words = words_of(head);
    const gy_plain *p = plain_of(&v->head);
    uint64_t *record = room_for(v, gy_plain_units(p, words));
    if (!record)
        return false;
    *record = head;
    // Words may be there, of a record for which another thread was faster.
    if (p->head.note_bytes == sizeof(uint64_t))
        record[1] = v->head.claim;
    else if (p->head.note_bytes)
        *(uint32_t *)(record + 1) = (uint32_t)v->head.claim;
    uint32_t *to = (uint32_t *)record + p->first_word;
    for (; words >= 2; words -= 2, state += 2, to += 2)
        memcpy(to, state, 2 * sizeof *to);
    if (words)
        *to++ = *state;
    if ((uintptr_t)to % sizeof *record)
        *to = 0;
    *place = (uint64_t)v->chunk << GY_PLAIN_OFFSET_BITS | v->used;
    return true;
}

static inline answer enter(plain_view *v, uint64_t head, const uint32_t *state, uint64_t *place)
{
    gy_plain *p = plain_of(&v->head);
    uint64_t at = gy_plain_home(p, head), end = at + p->tail, mine = 0;
    bool written = false;
    while (at < end) {
        _Atomic uint64_t *line = gy_plain_line(p, at);
        unsigned empty, match = gy_plain_matches(line, gy_plain_tag(head), &empty);
        for (; match; match &= match - 1) {
            uint64_t slot = atomic_load_explicit(&line[__builtin_ctz(match)], memory_order_acquire);
            *place = gy_plain_position(slot);
            if (slot && gy_plain_is(p, *place, head, state))
                return FOUND;
        }
        if (!empty) {
            at++;
            continue;
        }
        if (!written && !(written = write_record(v, head, state, &mine)))
            return NO_ROOM;
        uint64_t there = 0;
        if (gy_plain_claim(p, &line[__builtin_ctz(empty)], &there,
                           gy_plain_tag(head) | (mine + 1))) {
            v->used += gy_plain_units(p, words_of(head));
            *place = mine;
            tell_now_and_then(v);
            return NEW;
        } // somebody was faster: look at this line again
    }
    return NO_ROOM;
}

#define NOTHING UINT64_MAX

// Fetches the state that this one will be compared with, and returns its position; NOTHING: there
// is none like it in its home line. No branch: whether there is one can't be foreseen.
static inline uint64_t warm(const gy_plain_chunk *chunks, const _Atomic uint64_t *line,
                            uint64_t head)
{
    unsigned empty, match = gy_plain_matches(line, gy_plain_tag(head), &empty);
    uint64_t slot =
        atomic_load_explicit(&line[__builtin_ctz(match | 1u << 7)], memory_order_acquire);
    bool there = match && slot;
    uint64_t position = there ? gy_plain_position(slot) : NOTHING, at = there ? position : 0;
    const char *record =
        (const char *)(chunks[at >> GY_PLAIN_OFFSET_BITS].at + (at & (GY_PLAIN_CHUNK_UNITS - 1)));
    uint32_t bytes = words_of(head) * 4;
    for (uint32_t ahead = 0; ahead <= bytes && ahead < 512; ahead += 64)
        __builtin_prefetch(record + ahead);
    return position;
}

// The note of an arrival that is in the store, before the claim is made; it is in the cache.
static inline uint64_t note_found(gy_store_view *view, uint64_t place)
{
    const gy_plain *p = plain_of(view);
    void *at = gy_plain_record(p, place) + 1;
    uint64_t note = p->head.note_bytes == sizeof(uint64_t)
                        ? atomic_load_explicit((_Atomic uint64_t *)at, memory_order_acquire)
                        : atomic_load_explicit((_Atomic uint32_t *)at, memory_order_acquire);
    return !view->claim || (note & view->claim) ? note
                                                : gy_store_change_note(view, place, 0, view->claim);
}

// With `notes`, as all_notes and claim want it.
__attribute__((always_inline)) static inline bool enter_all(gy_store_view *view, const bool notes)
{
    plain_view *v = (plain_view *)view;
    gy_plain *p = plain_of(view);
    const gy_plain_chunk *chunks = p->chunks; // copies: in registers
    uint64_t lines = p->lines, claim = view->claim;
    uint32_t end = view->n, i = v->entered, fresh = view->fresh_count;
    _Atomic uint64_t *first = p->slots.at;
    for (uint32_t k = i; k < end; k++) {
        uint64_t home = (uint64_t)((unsigned __int128)v->heads[k] * lines >> 64);
        view->refs[k] = warm(chunks, first + home * GY_PLAIN_SLOTS, v->heads[k]);
    }
    for (; i < end; i++) {
        uint64_t head = v->heads[i], *place = &view->refs[i];
        answer got = FOUND;
        if (*place == NOTHING || !gy_plain_is(p, *place, head, v->states[i]))
            got = enter(v, head, v->states[i], place);
        if (got == NO_ROOM)
            break;
        if (notes)
            view->notes[i] = got == NEW ? 0 : note_found(view, *place);
        if (got == NEW || (notes && claim && !(view->notes[i] & claim)))
            view->fresh[fresh++] = i;
    }
    v->entered = i;
    view->fresh_count = fresh;
    return i == end ? true : gy_store_no_room(&p->head);
}

static bool plain_enter(gy_store_view *view)
{
    return view->all_notes || view->claim ? enter_all(view, true) : enter_all(view, false);
}

// States of one length. Inlined for the usual ones: hashing is a good part of what there is to do.
__attribute__((always_inline)) static inline void
add_run(plain_view *v, const gy_arrivals *in, uint32_t from, uint32_t to, const uint32_t words)
{
    const gy_plain *p = plain_of(&v->head);
    uint32_t n = v->head.n;
    for (uint32_t i = from; i < to; i++, n++) {
        const uint32_t *state = gy_arrival_state(in, i);
        uint64_t head = gy_plain_head(state, words);
        gy_plain_prefetch(p, head);
        v->heads[n] = head;
        v->states[n] = state;
    }
    v->head.n = n;
}

static void plain_add(gy_store_view *view, const gy_store_parent *parents, uint32_t parent_count,
                      const gy_arrivals *all)
{
    plain_view *v = (plain_view *)view;
    const gy_arrivals in = *all; // a copy: in registers
    uint32_t count = parents[parent_count - 1].end;
    for (uint32_t from = 0, to; from < count; from = to) {
        uint32_t words = gy_arrival_words(&in, from);
        for (to = from + 1; to < count && gy_arrival_words(&in, to) == words;)
            to++;
        if (words == 5)
            add_run(v, &in, from, to, 5);
        else if (words == 6)
            add_run(v, &in, from, to, 6);
        else if (words == 7)
            add_run(v, &in, from, to, 7);
        else
            add_run(v, &in, from, to, words);
    }
}

static void plain_hold(gy_store_view *view)
{
    plain_view *v = (plain_view *)view;
    for (uint32_t i = v->held; i < view->n; i++) {
        uint32_t words = words_of(v->heads[i]);
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
    plain_view *v = (plain_view *)view;
    v->entered = v->held = 0;
    v->copies.n = 0;
}

// ---- looking --------------------------------------------------------------------------

static const uint32_t *plain_state(gy_store_view *view, gy_ref ref, uint32_t *words)
{
    const gy_plain *p = plain_of(view);
    const uint64_t *record = gy_plain_record(p, ref);
    *words = words_of(record[0]);
    return (const uint32_t *)record + p->first_word;
}

static void plain_prefetch(gy_store_view *view, const gy_ref *refs, uint32_t count)
{
    const gy_plain *p = plain_of(view);
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(gy_plain_record(p, refs[i]));
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
    plain_view *v = gy_alloc_apart(sizeof *v);
    (void)store;
    v->head.joins = true;
    return &v->head;
}

static void plain_free_view(gy_store_view *view)
{
    plain_view *v = (plain_view *)view;
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
    .add = plain_add,
    .hold = plain_hold,
    .enter = plain_enter,
    .notes = true,
    .clear = plain_clear,
    .state = plain_state,
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
    gy_plain *p = gy_alloc_zero(sizeof *p);
    gy_store_init(&p->head, &methods, options);
    if (options->note_bytes)
        p->head.note_bytes = options->note_bytes <= sizeof(uint32_t) ? sizeof(uint32_t) : 8;
    p->first_word = (uint32_t)sizeof(uint64_t) / 4 + p->head.note_bytes / 4;
    p->chunks = gy_alloc_sparse(MOST_CHUNKS * sizeof *p->chunks);
    gy_region_init(&p->slots, options->budget);
    if (!gy_plain_grow(&p->head, NULL)) {
        plain_free(&p->head);
        return NULL;
    }
    return &p->head;
}
