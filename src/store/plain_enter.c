// States enter the plain store: most of a search over it is here. So there is a copy of the loops
// for each of the usual lengths of a state, where all of them are of one length: nothing in it is
// counted then.
#include "store/plain_table.h"

enum { TELL_EVERY = 64 };

#define USUAL_LENGTHS(CASE)                                                                        \
    CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)

// ---- new states -----------------------------------------------------------------------

static void tell_now_and_then(gy_plain_view *v, gy_plain *p)
{
    if (++v->told % TELL_EVERY)
        return;
    atomic_fetch_add_explicit(&p->count, v->told, memory_order_relaxed);
    v->told = 0;
    if (gy_plain_count(p) >= p->wanted)
        gy_store_no_room(&p->head);
}

__attribute__((always_inline)) static inline void copy_words(uint32_t *to, const uint32_t *state,
                                                             const uint32_t words)
{
    uint32_t i = 0;
#pragma GCC unroll 8
    for (; i + 2 <= words; i += 2)
        memcpy(to + i, state + i, 2 * sizeof *to);
    if (i < words)
        to[i] = state[i];
    if ((uintptr_t)(to + words) % sizeof(uint64_t))
        to[words] = 0;
}

// Writes the record of a state where nothing looks yet, at the end of the chunk. False: no memory.
__attribute__((always_inline)) static inline bool write_record(gy_plain_view *v, const gy_plain *p,
                                                               uint64_t head, const uint32_t *state,
                                                               const uint32_t words)
{
    uint64_t units = gy_plain_units(p, words);
    if (__builtin_expect(v->used + units > v->paid || v->used + units > GY_PLAIN_CHUNK_UNITS, 0) &&
        !gy_plain_make_room(v, units))
        return false;
    uint64_t *record = v->at + v->used;
    *record = head;
    // Words may be there, of a record for which another thread was faster.
    if (p->head.note_bytes == sizeof(uint64_t))
        record[1] = v->head.claim;
    else if (p->head.note_bytes)
        *(uint32_t *)(record + 1) = (uint32_t)v->head.claim;
    copy_words((uint32_t *)record + p->first_word, state, words);
    return true;
}

// ---- finding or entering --------------------------------------------------------------

typedef enum { FOUND, NEW, NO_ROOM } answer;

// From the line `at` on, which is the home of the state or after it.
__attribute__((always_inline)) static inline answer enter_from(gy_plain_view *v, uint64_t at,
                                                               uint32_t i, const uint32_t words)
{
    gy_plain *p = (gy_plain *)v->head.store;
    uint64_t head = v->heads[i], end = at + p->tail;
    const uint32_t *state = v->states[i];
    bool written = false;
    while (at < end) {
        _Atomic uint64_t *line = gy_plain_line(p, at);
        unsigned empty, match = gy_plain_matches(line, gy_plain_tag(head), &empty);
        for (; match; match &= match - 1) {
            uint64_t slot = atomic_load_explicit(&line[__builtin_ctz(match)], memory_order_acquire);
            if (!slot)
                continue;
            const uint64_t *record = gy_plain_record(p, gy_plain_position(slot));
            const uint32_t *kept = (const uint32_t *)record + p->first_word;
            if (gy_plain_record_is(record, head, state, kept, words)) {
                v->head.refs[i] = gy_plain_position(slot);
                v->records[i] = record;
                return FOUND;
            }
        }
        if (!empty) {
            at++;
            continue;
        }
        if (!written && !(written = write_record(v, p, head, state, words)))
            return NO_ROOM;
        uint64_t there = 0, mine = (uint64_t)v->chunk << GY_PLAIN_OFFSET_BITS | v->used;
        if (gy_plain_claim(p, &line[__builtin_ctz(empty)], &there,
                           gy_plain_tag(head) | (mine + 1))) {
            v->used += gy_plain_units(p, words);
            v->head.refs[i] = mine;
            tell_now_and_then(v, p);
            return NEW;
        } // another thread was faster: examine this line again
    }
    return NO_ROOM;
}

// Fetches the state that arrival i will be compared with; *none: there is nothing like it in its
// home line. No branch: whether there is one cannot be foreseen.
__attribute__((always_inline)) static inline void warm(gy_plain_view *v,
                                                       const gy_plain_chunk *chunks,
                                                       const _Atomic uint64_t *line, uint32_t i,
                                                       const uint64_t *none, const uint32_t words)
{
    unsigned match = gy_plain_matches(line, gy_plain_tag(v->heads[i]), NULL);
    uint64_t slot =
        atomic_load_explicit(&line[__builtin_ctz(match | 1u << 7)], memory_order_acquire);
    uint64_t there = -(uint64_t)((match != 0) & (slot != 0)); // all bits, or none
    uint32_t length = words ? words : gy_plain_words(v->heads[i]);
    if (words)
        __asm__("" : "+r"(there)); // a compiler must not think otherwise
    uint64_t at = gy_plain_position(slot) & there;
    const uint64_t *record =
        chunks[at >> GY_PLAIN_OFFSET_BITS].at + (at & (GY_PLAIN_CHUNK_UNITS - 1));
    v->head.refs[i] = at;
    v->records[i] = (const uint64_t *)(((uintptr_t)record & there) | ((uintptr_t)none & ~there));
    for (uint32_t ahead = 0; ahead <= length * 4 && ahead < 512; ahead += 64)
        __builtin_prefetch((const char *)record + ahead);
}

// The note of an arrival that is in the store, before the claim is made; it is in the cache.
static inline uint64_t note_found(gy_store_view *view, uint32_t i, const uint64_t *record,
                                  uint64_t claim)
{
    const void *at = record + 1;
    uint64_t note = view->store->note_bytes == sizeof(uint64_t)
                        ? atomic_load_explicit((const _Atomic uint64_t *)at, memory_order_acquire)
                        : atomic_load_explicit((const _Atomic uint32_t *)at, memory_order_acquire);
    return !claim || (note & claim) ? note : gy_store_change_note(view, view->refs[i], 0, claim);
}

// With `notes`, as all_notes and claim want it. `words`: of all states, or 0.
__attribute__((always_inline)) static inline bool enter_all(gy_store_view *view, const bool notes,
                                                            const uint32_t words)
{
    static const uint64_t none = 0; // a head that no state has: no state is without words
    gy_plain_view *v = (gy_plain_view *)view;
    gy_plain *p = (gy_plain *)view->store;
    const gy_plain_chunk *chunks = p->chunks; // copies: in registers
    uint64_t lines = p->lines, claim = view->claim;
    uint32_t end = view->n, i = v->entered, fresh = view->fresh_count, first_word = p->first_word;
    _Atomic uint64_t *first = p->slots.at;
    for (uint32_t k = i; k < end; k++) {
        uint64_t home = (uint64_t)((unsigned __int128)v->heads[k] * lines >> 64);
        warm(v, chunks, first + home * GY_PLAIN_SLOTS, k, &none, words);
    }
    for (; i < end; i++) {
        const uint64_t *record = v->records[i];
        uint64_t head = v->heads[i];
        uint32_t length = words ? words : gy_plain_words(head);
        answer got = FOUND;
        if (!gy_plain_record_is(record, head, v->states[i], (const uint32_t *)record + first_word,
                                length))
            got = enter_from(v, gy_plain_home(p, head), i, length);
        if (__builtin_expect(got == NO_ROOM, 0))
            break;
        uint64_t note = notes && got == FOUND ? note_found(view, i, v->records[i], claim) : 0;
        if (notes)
            view->notes[i] = note;
        view->fresh[fresh] = i;
        fresh += got == NEW || (notes && claim && !(note & claim));
    }
    v->entered = i;
    view->fresh_count = fresh;
    return i == end ? true : gy_store_no_room(&p->head);
}

#define ENTER(words)                                                                               \
    case words:                                                                                    \
        return notes ? enter_all(view, true, words) : enter_all(view, false, words);

bool gy_plain_enter(gy_store_view *view)
{
    bool notes = view->all_notes || view->claim;
    switch (((gy_plain_view *)view)->length) {
        USUAL_LENGTHS(ENTER)
    default:
        return notes ? enter_all(view, true, 0) : enter_all(view, false, 0);
    }
}

// ---- adding ---------------------------------------------------------------------------

// States of one length.
__attribute__((always_inline)) static inline void
add_run(gy_plain_view *v, const gy_arrivals *in, uint32_t from, uint32_t to, const uint32_t words)
{
    const gy_plain *p = (const gy_plain *)v->head.store;
    uint64_t lines = p->lines; // copies: in registers
    const char *first = p->slots.at;
    uint32_t n = v->head.n;
    for (uint32_t i = from; i < to; i++, n++) {
        const uint32_t *state = gy_arrival_state(in, i);
        uint64_t head = gy_plain_head(state, words);
        gy_fetch_to_write(first +
                          (uint64_t)((unsigned __int128)head * lines >> 64) * GY_PLAIN_LINE);
        v->heads[n] = head;
        v->states[n] = state;
    }
    v->head.n = n;
}

#define ADD(words)                                                                                 \
    case words:                                                                                    \
        add_run(v, &in, from, to, words);                                                          \
        break;

void gy_plain_add(gy_store_view *view, const gy_store_parent *parents, uint32_t parent_count,
                  const gy_arrivals *all)
{
    gy_plain_view *v = (gy_plain_view *)view;
    const gy_arrivals in = *all; // a copy: in registers
    uint32_t count = parents[parent_count - 1].end;
    for (uint32_t from = 0, to; from < count; from = to) {
        uint32_t words = gy_arrival_words(&in, from);
        for (to = from + 1; to < count && gy_arrival_words(&in, to) == words;)
            to++;
        v->length = !view->n || v->length == words ? words : 0;
        switch (words) {
            USUAL_LENGTHS(ADD)
        default:
            add_run(v, &in, from, to, words);
        }
    }
}
