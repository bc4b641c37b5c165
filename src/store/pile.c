#include "store/pile.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <sys/mman.h>

#define CHUNK_UNITS ((uint64_t)1 << GY_PILE_OFFSET_BITS)
#define CHUNK_BYTES (CHUNK_UNITS * 8)

enum {
    FIRST_LINES = 64,
    HOSTILE_LINES = 1,
    SMALL = 1 << 18,
    LARGE = 1 << 22,
    TAIL = 64,
    MOST_CHUNKS = 1 << 20
};
enum { SLICE = 1 << 21 }; // bytes of the table that are cleared at a time
enum { TELL_EVERY = 64, PAY_UNITS = 1 << 13, HUGE_FROM = 1, HUGE_PAGE = 1 << 21 };

gy_pile *gy_pile_new(gy_budget *budget, bool alone, bool hostile)
{
    gy_pile *pile = gy_alloc_zero(sizeof *pile);
    pile->budget = budget;
    pile->alone = alone;
    pile->hostile = hostile;
    pile->chunks = gy_alloc_zero(MOST_CHUNKS * sizeof *pile->chunks);
    gy_region_init(&pile->slots, budget);
    if (!gy_pile_grow(pile, NULL)) {
        gy_pile_free(pile);
        return NULL;
    }
    return pile;
}

static uint32_t count_chunks(const gy_pile *pile)
{
    return atomic_load_explicit(&pile->chunk_count, memory_order_relaxed);
}

void gy_pile_free(gy_pile *pile)
{
    if (!pile)
        return;
    for (uint32_t i = 0; i < count_chunks(pile); i++) {
        if (pile->chunks[i].at)
            munmap(pile->chunks[i].at, CHUNK_BYTES);
        gy_budget_give(pile->budget, pile->chunks[i].paid * 8);
    }
    gy_region_free(&pile->slots);
    free(pile->chunks);
    free(pile);
}

uint64_t gy_pile_count(const gy_pile *pile)
{
    return atomic_load_explicit(&pile->count, memory_order_relaxed);
}

// ---- room for records -----------------------------------------------------------------

void gy_pile_view_init(gy_pile_view *view, gy_pile *pile)
{
    *view = (gy_pile_view){.pile = pile};
}

static void tell_of_chunk(const gy_pile_view *view)
{
    if (!view->has_chunk)
        return;
    view->pile->chunks[view->chunk].used = view->used;
    view->pile->chunks[view->chunk].paid = view->paid;
}

void gy_pile_note(gy_pile_view *view)
{
    tell_of_chunk(view);
    atomic_fetch_add_explicit(&view->pile->count, view->entered, memory_order_relaxed);
    view->entered = 0;
}

static bool new_chunk(gy_pile_view *view)
{
    gy_pile *pile = view->pile;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint32_t number = atomic_fetch_add_explicit(&pile->chunk_count, 1, memory_order_relaxed);
    if (number >= MOST_CHUNKS) {
        atomic_fetch_sub_explicit(&pile->chunk_count, 1, memory_order_relaxed);
        return false;
    }
    char *memory = mmap(NULL, CHUNK_BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(memory, before);
    memory += before;
    munmap(memory + CHUNK_BYTES, HUGE_PAGE - before);
    if (number >= HUGE_FROM)
        madvise(memory, CHUNK_BYTES, MADV_HUGEPAGE);
    pile->chunks[number] = (gy_pile_chunk){.at = (uint64_t *)(void *)memory};
    tell_of_chunk(view);
    view->chunk = number;
    view->has_chunk = true;
    view->at = pile->chunks[number].at;
    view->used = view->paid = 0;
    return true;
}

// Room for a record at the end of the view's chunk, or NULL: no memory.
static uint64_t *room_for(gy_pile_view *view, uint64_t units)
{
    if ((!view->has_chunk || view->used + units > CHUNK_UNITS) && !new_chunk(view))
        return NULL;
    while (view->used + units > view->paid) {
        uint64_t more = PAY_UNITS > units ? PAY_UNITS : units;
        if (!gy_budget_take(view->pile->budget, more * 8))
            return NULL;
        view->paid += more;
    }
    return view->at + view->used;
}

// ---- entering -------------------------------------------------------------------------

static void no_room(gy_pile *pile)
{
    atomic_store_explicit(&pile->room_wanted, true, memory_order_relaxed);
}

static uint64_t units_for(uint32_t words)
{
    return 1 + ((uint64_t)words + 1) / 2;
}

static void tell(gy_pile_view *view)
{
    gy_pile *pile = view->pile;
    if (++view->entered % TELL_EVERY)
        return;
    atomic_fetch_add_explicit(&pile->count, view->entered, memory_order_relaxed);
    view->entered = 0;
    if (gy_pile_count(pile) >= pile->wanted)
        no_room(pile);
}

// Sets a slot that was free a moment ago; *there: what is in it, if it is not any more.
static inline bool claim(const gy_pile *pile, _Atomic uint64_t *slot, uint64_t *there,
                         uint64_t value)
{
    if (pile->alone) { // no need for an instruction that locks the bus
        atomic_store_explicit(slot, value, memory_order_relaxed);
        return true;
    }
    return atomic_compare_exchange_strong_explicit(slot, there, value, memory_order_acq_rel,
                                                   memory_order_acquire);
}

typedef enum { FOUND, NEW, NO_ROOM } answer;

// Writes the record of a state where nobody looks yet; *place: where. NULL: no memory.
static bool write_record(gy_pile_view *view, uint64_t head, const uint32_t *state, uint64_t *place)
{
    uint32_t words = (uint32_t)head & GY_PILE_MOST_WORDS;
    uint64_t *record = room_for(view, units_for(words));
    if (!record)
        return false;
    *record++ = head;
    for (; words >= 2; words -= 2, state += 2)
        memcpy(record++, state, sizeof *record);
    if (words)
        *record = *state;
    *place = (uint64_t)view->chunk << GY_PILE_OFFSET_BITS | view->used;
    return true;
}

static answer enter(gy_pile_view *view, uint64_t head, const uint32_t *state, uint64_t *place)
{
    gy_pile *pile = view->pile;
    uint64_t at = gy_pile_home(pile, head), end = at + pile->tail, mine = 0;
    bool written = false;
    while (at < end) {
        _Atomic uint64_t *line = gy_pile_line(pile, at);
        unsigned empty, match = gy_pile_matches(line, gy_pile_tag(head), &empty);
        for (; match; match &= match - 1) {
            uint64_t slot = atomic_load_explicit(&line[__builtin_ctz(match)], memory_order_acquire);
            *place = gy_pile_position(slot);
            if (slot && gy_pile_is(pile, *place, head, state))
                return FOUND;
        }
        if (!empty) {
            at++;
            continue;
        }
        if (!written && !(written = write_record(view, head, state, &mine)))
            return NO_ROOM;
        uint64_t there = 0;
        if (claim(pile, &line[__builtin_ctz(empty)], &there, gy_pile_tag(head) | (mine + 1))) {
            view->used += units_for((uint32_t)head & GY_PILE_MOST_WORDS);
            *place = mine;
            tell(view);
            return NEW;
        } // somebody was faster: look at this line again
    }
    return NO_ROOM;
}

#define NOTHING UINT64_MAX

// Fetches the state that this one will be compared with, and returns its position; NOTHING: there
// is none like it in its home line. No branch: whether there is one can't be foreseen.
static inline uint64_t warm(const gy_pile_chunk *chunks, const _Atomic uint64_t *line,
                            uint64_t head)
{
    unsigned empty, match = gy_pile_matches(line, gy_pile_tag(head), &empty);
    uint64_t slot =
        atomic_load_explicit(&line[__builtin_ctz(match | 1u << 7)], memory_order_acquire);
    bool there = match && slot;
    uint64_t position = there ? gy_pile_position(slot) : NOTHING, at = there ? position : 0;
    const char *record =
        (const char *)(chunks[at >> GY_PILE_OFFSET_BITS].at + (at & (CHUNK_UNITS - 1)));
    uint32_t bytes = ((uint32_t)head & GY_PILE_MOST_WORDS) * 4;
    for (uint32_t ahead = 0; ahead <= bytes && ahead < 512; ahead += 64)
        __builtin_prefetch(record + ahead);
    return position;
}

bool gy_pile_enter_all(gy_pile_view *view, gy_pile_batch *batch, uint32_t *fresh, uint32_t *n)
{
    gy_pile *pile = view->pile;
    const gy_pile_chunk *chunks = pile->chunks; // copies: in registers
    uint64_t lines = pile->lines;
    uint32_t end = batch->n, i = batch->entered;
    _Atomic uint64_t *first = pile->slots.at;
    for (uint32_t k = i; k < end; k++) {
        uint64_t home = (uint64_t)((unsigned __int128)batch->heads[k] * lines >> 64);
        batch->places[k] = warm(chunks, first + home * GY_PILE_SLOTS, batch->heads[k]);
    }
    for (; i < end; i++) {
        uint64_t head = batch->heads[i], *place = &batch->places[i];
        if (*place != NOTHING && gy_pile_is(pile, *place, head, batch->states[i]))
            continue;
        answer got = enter(view, head, batch->states[i], place);
        if (got == NEW)
            fresh[(*n)++] = i;
        else if (got == NO_ROOM)
            break;
    }
    batch->entered = i;
    if (i < end)
        no_room(pile);
    return i == end;
}

bool gy_pile_find(const gy_pile *pile, uint64_t head, const uint32_t *state, uint64_t *position)
{
    uint64_t line = gy_pile_home(pile, head);
    for (uint64_t end = line + pile->tail; line < end; line++)
        for (unsigned i = 0; i < GY_PILE_SLOTS; i++) {
            uint64_t there =
                atomic_load_explicit(&gy_pile_line(pile, line)[i], memory_order_acquire);
            if (there == 0)
                return false;
            if ((there ^ gy_pile_tag(head)) >> GY_PILE_POSITION_BITS)
                continue;
            *position = gy_pile_position(there);
            if (gy_pile_is(pile, *position, head, state))
                return true;
        }
    return false;
}

// ---- growth ---------------------------------------------------------------------------

static uint64_t most_in(uint64_t lines) // entries
{
    return lines * GY_PILE_SLOTS / 4 * 3;
}

// Always the same sizes, whenever it was noticed that it is time.
static uint64_t next_lines(const gy_pile *pile, uint64_t lines)
{
    if (!lines)
        return pile->hostile ? HOSTILE_LINES : FIRST_LINES;
    if (pile->hostile)
        return lines + lines / 4 + 1;
    return most_in(lines) < SMALL ? lines * 4 : most_in(lines) < LARGE ? lines * 3 : lines / 2 * 3;
}

static bool make_larger_table(gy_pile *pile)
{
    uint64_t count = gy_pile_count(pile), lines = pile->lines;
    do
        lines = next_lines(pile, lines);
    while (most_in(lines) < count + count / 8);
    uint64_t before = pile->slots.room;
    if (!gy_region_resize(&pile->slots, (lines + TAIL) * GY_PILE_LINE))
        return false;
    pile->lines = lines;
    pile->tail = TAIL;
    pile->wanted = most_in(lines);
    pile->used = before;
    return true;
}

// The old table becomes part of the new one: memory that was used before is cheaper than memory
// that was not.
static void clear_slice(void *user, unsigned member, uint64_t slice)
{
    gy_pile *pile = user;
    (void)member;
    gy_region_clear(&pile->slots, pile->used, slice * SLICE, (slice + 1) * SLICE);
}

static bool enter_again(gy_pile *pile, uint64_t head, uint64_t position)
{
    uint64_t line = gy_pile_home(pile, head);
    for (uint64_t end = line + pile->tail; line < end; line++)
        for (unsigned i = 0; i < GY_PILE_SLOTS; i++) {
            _Atomic uint64_t *slot = &gy_pile_line(pile, line)[i];
            uint64_t there = atomic_load_explicit(slot, memory_order_relaxed);
            if (!there && claim(pile, slot, &there, gy_pile_tag(head) | (position + 1)))
                return true;
        }
    return false;
}

static void enter_chunk(void *user, unsigned member, uint64_t number)
{
    enum { AHEAD = 16 };
    gy_pile *pile = user;
    const gy_pile_chunk *chunk = &pile->chunks[number];
    uint64_t ahead = 0;
    (void)member;
    for (uint64_t at = 0, n = 0; at < chunk->used; n++) {
        uint64_t head = chunk->at[at];
        for (; n + AHEAD > ahead &&
               at + (ahead - n) * units_for((uint32_t)head & GY_PILE_MOST_WORDS) < chunk->used;
             ahead++) { // states are mostly of one length: a guess is good enough
            uint64_t next = at + (ahead - n) * units_for((uint32_t)head & GY_PILE_MOST_WORDS);
            gy_pile_prefetch(pile, chunk->at[next]);
        }
        if (!enter_again(pile, head, (uint64_t)number << GY_PILE_OFFSET_BITS | at))
            atomic_store_explicit(&pile->failed, true, memory_order_relaxed);
        at += units_for((uint32_t)head & GY_PILE_MOST_WORDS);
    }
}

bool gy_pile_grow(gy_pile *pile, gy_team *team)
{
    atomic_store_explicit(&pile->room_wanted, false, memory_order_relaxed);
    do {
        if (!make_larger_table(pile))
            return false;
        gy_team_share(team, (pile->slots.room + SLICE - 1) / SLICE, clear_slice, pile);
        atomic_store_explicit(&pile->failed, false, memory_order_relaxed);
        gy_team_share(team, count_chunks(pile), enter_chunk, pile);
    } while (atomic_load_explicit(&pile->failed, memory_order_relaxed));
    return true;
}
