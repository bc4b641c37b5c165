// The table of the plain store grows, and is made again from a file: both from the records.
#include "store/plain_table.h"

#include "base/fatal.h"

enum { FIRST_LINES = 64, HOSTILE_LINES = 1, SMALL = 1 << 18, LARGE = 1 << 22, TAIL = 64 };
enum { SLICE = 1 << 21 }; // bytes of the table that are cleared at a time

static uint64_t most_in(uint64_t lines) // entries
{
    return lines * GY_PLAIN_SLOTS / 4 * 3;
}

// Always the same sizes, whenever it was noticed that it is time.
static uint64_t next_lines(const gy_plain *p, uint64_t lines)
{
    if (!lines)
        return p->head.hostile ? HOSTILE_LINES : FIRST_LINES;
    if (p->head.hostile)
        return lines + lines / 4 + 1;
    return most_in(lines) < SMALL ? lines * 4 : most_in(lines) < LARGE ? lines * 3 : lines / 2 * 3;
}

static bool make_larger_table(gy_plain *p)
{
    uint64_t count = gy_plain_count(p), lines = p->lines;
    do
        lines = next_lines(p, lines);
    while (most_in(lines) < count + count / 8);
    uint64_t before = p->slots.room;
    if (!gy_region_resize(&p->slots, (lines + TAIL) * GY_PLAIN_LINE))
        return false;
    p->lines = lines;
    p->tail = TAIL;
    p->wanted = most_in(lines);
    p->used = before;
    return true;
}

// The old table becomes part of the new one: memory that was used before is cheaper than memory
// that was not.
static void clear_slice(void *user, unsigned member, uint64_t slice)
{
    gy_plain *p = user;
    (void)member;
    gy_region_clear(&p->slots, p->used, slice * SLICE, (slice + 1) * SLICE);
}

static bool enter_again(gy_plain *p, uint64_t head, uint64_t position)
{
    uint64_t line = gy_plain_home(p, head);
    for (uint64_t end = line + p->tail; line < end; line++)
        for (unsigned i = 0; i < GY_PLAIN_SLOTS; i++) {
            _Atomic uint64_t *slot = &gy_plain_line(p, line)[i];
            uint64_t there = atomic_load_explicit(slot, memory_order_relaxed);
            if (!there && gy_plain_claim(p, slot, &there, gy_plain_tag(head) | (position + 1)))
                return true;
        }
    return false;
}

static void enter_chunk(void *user, unsigned member, uint64_t number)
{
    enum { AHEAD = 16 };
    gy_plain *p = user;
    const gy_plain_chunk *chunk = &p->chunks[number];
    uint64_t ahead = 0;
    (void)member;
    for (uint64_t at = 0, n = 0; at < chunk->used; n++) {
        uint64_t head = chunk->at[at];
        uint64_t units = gy_plain_units(p, (uint32_t)head & GY_PLAIN_MOST_WORDS);
        // States are mostly of one length: a guess is good enough.
        for (; n + AHEAD > ahead && at + (ahead - n) * units < chunk->used; ahead++)
            gy_plain_prefetch(p, chunk->at[at + (ahead - n) * units]);
        if (!enter_again(p, head, (uint64_t)number << GY_PLAIN_OFFSET_BITS | at))
            atomic_store_explicit(&p->failed, true, memory_order_relaxed);
        at += units;
    }
}

bool gy_plain_grow(gy_store *store, gy_team *team)
{
    gy_plain *p = (gy_plain *)store;
    do {
        if (!make_larger_table(p))
            return false;
        gy_team_share(team, (p->slots.room + SLICE - 1) / SLICE, clear_slice, p);
        atomic_store_explicit(&p->failed, false, memory_order_relaxed);
        gy_team_share(team, gy_plain_chunks(p), enter_chunk, p);
    } while (atomic_load_explicit(&p->failed, memory_order_relaxed));
    return true;
}

// ---- files ----------------------------------------------------------------------------

void gy_plain_save(const gy_store *store, gy_writer *writer)
{
    const gy_plain *p = (const gy_plain *)store;
    gy_write_u64(writer, gy_plain_chunks(p));
    for (uint32_t i = 0; i < gy_plain_chunks(p); i++) {
        gy_write_u64(writer, p->chunks[i].used);
        gy_write(writer, p->chunks[i].at, p->chunks[i].used * sizeof(uint64_t));
    }
}

// Are these units records, one after the other, each with the head that belongs to its state?
static bool count_records(gy_plain *p, const gy_plain_chunk *chunk)
{
    uint64_t at = 0, count = 0;
    while (at < chunk->used) {
        uint32_t words = (uint32_t)chunk->at[at] & GY_PLAIN_MOST_WORDS;
        uint64_t units = gy_plain_units(p, words);
        if (units > chunk->used - at ||
            gy_plain_head((const uint32_t *)(chunk->at + at) + p->first_word, words) !=
                chunk->at[at])
            return false;
        at += units;
        count++;
    }
    atomic_fetch_add_explicit(&p->count, count, memory_order_relaxed);
    return true;
}

static bool load_chunk(gy_plain *p, uint32_t number, gy_reader *reader)
{
    gy_plain_chunk *chunk = &p->chunks[number];
    uint64_t used = gy_read_u64(reader);
    if (gy_reader_failed(reader) || used > GY_PLAIN_CHUNK_UNITS ||
        !gy_budget_take(p->head.budget, used * 8))
        return false;
    chunk->paid = used;
    chunk->at = gy_plain_map_chunk(p, number);
    if (!chunk->at || !gy_read(reader, chunk->at, used * sizeof(uint64_t)))
        return false;
    chunk->used = used;
    return count_records(p, chunk);
}

bool gy_plain_load(gy_store *store, gy_reader *reader)
{
    gy_plain *p = (gy_plain *)store;
    uint64_t count = gy_read_u64(reader);
    if (gy_reader_failed(reader) || count > gy_reader_left(reader) / sizeof(uint64_t) ||
        count >> (GY_PLAIN_POSITION_BITS - GY_PLAIN_OFFSET_BITS))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        atomic_store_explicit(&p->chunk_count, i + 1, memory_order_relaxed);
        if (!load_chunk(p, i, reader))
            return false;
    }
    return gy_plain_grow(store, NULL);
}

// Only what is in the table is a record.
bool gy_plain_holds(const gy_store *store, gy_ref ref)
{
    const gy_plain *p = (const gy_plain *)store;
    uint64_t chunk = ref >> GY_PLAIN_OFFSET_BITS, at = ref & (GY_PLAIN_CHUNK_UNITS - 1);
    if (chunk >= gy_plain_chunks(p) || at >= p->chunks[chunk].used)
        return false;
    uint64_t head = p->chunks[chunk].at[at], line = gy_plain_home(p, head);
    for (uint64_t end = line + p->tail; line < end; line++)
        for (unsigned i = 0; i < GY_PLAIN_SLOTS; i++) {
            uint64_t slot = atomic_load_explicit(&gy_plain_line(p, line)[i], memory_order_relaxed);
            if (!slot || slot == (gy_plain_tag(head) | (ref + 1)))
                return slot != 0;
        }
    return false;
}
