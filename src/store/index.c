// Growth of the index; see index.h.
#include "store/index.h"

#include "store/inline_index.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <string.h>

enum {
    TAIL = 64,          // lines behind the last home line
    LOOK_AHEAD = 4,     // lines: how far the hints run before the walk
    MIN_TAG_BITS = 4,   // of a narrow slot
    LOAD_PERCENT = 84,  // grow above this
    FULL_PERCENT = 94,  // the load we accept when memory has run out
    SMALL_LINES = 4096, // up to here tables double; above they grow by a half
};

void gy_index_init(gy_index *index, gy_budget *budget, bool hostile)
{
    *index = (gy_index){.hostile = hostile, .id_bits = 1};
    gy_region_init(&index->memory, budget);
}

void gy_index_free(gy_index *index)
{
    gy_region_free(&index->memory);
}

static uint64_t capacity(uint64_t lines, bool wide, unsigned percent)
{
    uint64_t slots = lines * (wide ? GY_WIDE_SLOTS : GY_NARROW_SLOTS);
    return slots - slots * (100 - percent) / 100;
}

static uint64_t tail_of(uint64_t lines)
{
    return lines < TAIL ? lines : TAIL;
}

static unsigned bits_for(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 1;
}

// Takes the ids out of a line and clears it.
static unsigned empty_line(const gy_index *index, uint64_t line, uint64_t *ids)
{
    void *at = gy_index_line(index, line);
    unsigned n = 0;
    if (!index->wide)
        for (const uint32_t *slots = at; n < GY_NARROW_SLOTS && slots[n]; n++)
            ids[n] = (slots[n] & ~(~(uint32_t)0 << index->id_bits)) - 1;
    else
        for (const uint64_t *slots = at; n < GY_WIDE_SLOTS && slots[n]; n++)
            ids[n] = (slots[n] & ((1ull << GY_WIDE_ID_BITS) - 1)) - 1;
    memset(at, 0, GY_LINE_BYTES);
    return n;
}

static void hint_line(const gy_index *index, uint64_t line, const gy_index_owner *owner)
{
    const void *at = gy_index_line(index, line);
    if (!index->wide) {
        const uint32_t *slots = at;
        for (unsigned i = 0; i < GY_NARROW_SLOTS && slots[i]; i++)
            owner->fetch(owner->owner, (slots[i] & ~(~(uint32_t)0 << index->id_bits)) - 1);
    } else {
        const uint64_t *slots = at;
        for (unsigned i = 0; i < GY_WIDE_SLOTS && slots[i]; i++)
            owner->fetch(owner->owner, (slots[i] & ((1ull << GY_WIDE_ID_BITS) - 1)) - 1);
    }
}

static bool place(gy_index *index, uint64_t hash, uint64_t id)
{
    uint64_t other;
    gy_probe probe = gy_index_probe(index, hash);
    do
        probe.match = 0;
    while (gy_index_next(index, &probe, &other));
    return gy_index_put(index, &probe, id);
}

// Entries near the beginning that stand where the walk has not been yet: they were pushed off
// their home line, and the table has not moved far enough to make up for it.
typedef GY_VEC(uint64_t) late_ids;

static void must_place(gy_index *index, uint64_t hash, uint64_t id)
{
    // The tail holds everything if the table is small, and 1024 entries beyond the last home
    // line are not pushed there by any hash that deserves the name.
    if (!place(index, hash, id))
        gy_fatal("hash index: no slot left while growing to %llu lines",
                 (unsigned long long)index->lines);
}

// Moves everything to `to`, which differs in lines, width or id bits but shares the memory.
static void move_entries(const gy_index *from, gy_index *to, const gy_index_owner *owner)
{
    late_ids late = {0};
    uint64_t ids[GY_NARROW_SLOTS], total = from->lines + from->tail;
    to->count = 0;
    for (uint64_t line = total; line-- > 0;) {
        if (owner->fetch && line >= LOOK_AHEAD)
            hint_line(from, line - LOOK_AHEAD, owner);
        unsigned n = empty_line(from, line, ids);
        for (unsigned i = 0; i < n; i++) {
            uint64_t hash = owner->hash(owner->owner, ids[i]);
            if (gy_index_home(to->lines, hash) < line)
                gy_vec_push(&late, ids[i]);
            else
                must_place(to, hash, ids[i]);
        }
    }
    for (size_t i = 0; i < late.n; i++)
        must_place(to, owner->hash(owner->owner, late.at[i]), late.at[i]);
    gy_vec_free(&late);
}

// Gives the index at least `lines` lines, and slots that can hold `id`. False: no memory.
static bool rebuild(gy_index *index, uint64_t lines, const gy_index_owner *owner, uint64_t id)
{
    gy_index next = *index;
    uint64_t last = capacity(lines, index->wide, FULL_PERCENT) + 1;
    next.id_bits = bits_for((id > last ? id : last) + 1);
    if (!next.wide && next.id_bits > (index->hostile ? 9 : 32 - MIN_TAG_BITS)) {
        next.wide = true;
        lines *= 2;
    }
    if (next.wide)
        next.id_bits = GY_WIDE_ID_BITS;
    next.lines = lines;
    next.tail = tail_of(lines);
    next.grow_above = capacity(lines, next.wide, LOAD_PERCENT);
    if ((id + 1) >> next.id_bits ||
        !gy_region_resize(&index->memory, (lines + next.tail) * GY_LINE_BYTES))
        return false;
    next.memory = index->memory;
    move_entries(index, &next, owner);
    *index = next;
    return true;
}

bool gy_index_make_room(gy_index *index, const gy_index_owner *owner, uint64_t id)
{
    if (gy_index_has_room(index, id))
        return true;
    uint64_t more = index->lines < SMALL_LINES ? index->lines : index->lines / 2;
    if (index->hostile)
        more = index->lines / 8;
    if (rebuild(index, index->lines + (more ? more : 1), owner, id))
        return true;
    if (more > 16 && rebuild(index, index->lines + more / 8, owner, id))
        return true;
    uint64_t most = capacity(index->lines, index->wide, FULL_PERCENT);
    if (index->grow_above < most)
        index->grow_above = most;
    return index->lines && gy_index_has_room(index, id);
}

void gy_index_refill(gy_index *index, const gy_index_owner *owner)
{
    enum { AHEAD = 16 };
    uint64_t hashes[AHEAD], count = index->count;
    memset(index->memory.at, 0, (index->lines + index->tail) * GY_LINE_BYTES);
    index->count = 0;
    for (uint64_t id = 0; id < count + AHEAD; id++) {
        if (id >= AHEAD)
            must_place(index, hashes[id % AHEAD], id - AHEAD);
        if (id < count) {
            hashes[id % AHEAD] = owner->hash(owner->owner, id);
            gy_index_prefetch(index, hashes[id % AHEAD]);
        }
    }
}

void gy_index_save(const gy_index *index, gy_writer *writer)
{
    gy_write_u64(writer, index->lines);
    gy_write_u64(writer, index->count);
    gy_write_u64(writer, index->grow_above);
    gy_write_u64(writer, index->id_bits);
    gy_write_u64(writer, index->wide);
    gy_write_region(writer, &index->memory, (index->lines + index->tail) * GY_LINE_BYTES);
}

bool gy_index_load(gy_index *index, gy_reader *reader)
{
    index->lines = gy_read_u64(reader);
    index->tail = tail_of(index->lines);
    index->count = gy_read_u64(reader);
    index->grow_above = gy_read_u64(reader);
    index->id_bits = (uint32_t)gy_read_u64(reader);
    index->wide = gy_read_u64(reader) != 0;
    return gy_read_region(reader, &index->memory) && index->lines < UINT64_MAX / 128 &&
           index->memory.room >= (index->lines + index->tail) * GY_LINE_BYTES;
}
