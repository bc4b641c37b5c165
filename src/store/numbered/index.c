// Growth of the index; see index.h.
#include "store/numbered/index.h"

#include "store/numbered/inline_index.h"

#include "base/fatal.h"

#include <string.h>

enum {
    TAIL = 64,             // lines behind the last home line
    MIN_TAG_BITS = 4,      // of a narrow slot
    LOAD_PERCENT = 84,     // grow above this
    FULL_PERCENT = 94,     // the load we accept when memory has run out
    SMALL_LINES = 1 << 17, // up to here tables double; above they grow by a half
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

static bool place(gy_index *index, uint64_t hash, uint64_t id)
{
    uint64_t other;
    gy_probe probe = gy_index_probe(index, hash);
    do
        probe.match = 0;
    while (gy_index_next(index, &probe, &other));
    return gy_index_put(index, &probe, id);
}

static void must_place(gy_index *index, uint64_t hash, uint64_t id)
{
    // The tail holds everything if the table is small, and 1024 entries beyond the last home
    // line are not pushed there by any hash that deserves the name.
    if (!place(index, hash, id))
        gy_fatal("hash index: no slot left while growing to %llu lines",
                 (unsigned long long)index->lines);
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
    *index = next;
    gy_index_refill(index, owner);
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
