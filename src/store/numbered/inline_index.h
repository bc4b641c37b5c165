// The hot paths of index.h: looking up and adding.
//
//     gy_probe probe = gy_index_probe(&index, hash);
//     while (gy_index_next(&index, &probe, &id))
//         if (id is the one) return id;
//     …not there: gy_index_put(&index, &probe, id) enters it, if gy_index_has_room.
#ifndef GYRE_STORE_NUMBERED_INLINE_INDEX_H
#define GYRE_STORE_NUMBERED_INLINE_INDEX_H

#include "store/numbered/index.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { GY_LINE_BYTES = 64, GY_NARROW_SLOTS = 16, GY_WIDE_SLOTS = 8, GY_WIDE_ID_BITS = 40 };

typedef struct gy_probe {
    uint64_t line;
    uint64_t tag;    // in place, above the id
    uint32_t match;  // slots of this line with this tag, not yet offered
    uint32_t filled; // slots of this line that are taken
} gy_probe;

static inline uint64_t gy_index_home(uint64_t lines, uint64_t hash)
{
    return (uint64_t)((unsigned __int128)hash * lines >> 64);
}

static inline unsigned char *gy_index_line(const gy_index *index, uint64_t line)
{
    return (unsigned char *)index->memory.at + line * GY_LINE_BYTES;
}

static inline void gy_index_prefetch(const gy_index *index, uint64_t hash)
{
    __builtin_prefetch(gy_index_line(index, gy_index_home(index->lines, hash)));
}

static inline void gy_probe_narrow(const uint32_t *slots, uint32_t id_bits, gy_probe *probe)
{
    uint32_t tag_mask = ~(uint32_t)0 << id_bits;
#ifdef __SSE2__
    uint32_t match = 0, empty = 0;
    __m128i mask = _mm_set1_epi32((int)tag_mask);
    __m128i want = _mm_set1_epi32((int)(uint32_t)probe->tag);
    __m128i zero = _mm_setzero_si128();
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m128i four = _mm_load_si128((const __m128i *)(const void *)slots + i);
        __m128i same = _mm_cmpeq_epi32(_mm_and_si128(four, mask), want);
        __m128i none = _mm_cmpeq_epi32(four, zero);
        match |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(same)) << 4 * i;
        empty |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(none)) << 4 * i;
    }
    probe->match = match & ~empty;
    probe->filled = (uint32_t)__builtin_ctz(empty | 1u << GY_NARROW_SLOTS);
#else
    uint32_t filled = 0;
    probe->match = 0;
    while (filled < GY_NARROW_SLOTS && slots[filled]) {
        probe->match |= (uint32_t)((slots[filled] & tag_mask) == (uint32_t)probe->tag) << filled;
        filled++;
    }
    probe->filled = filled;
#endif
}

static inline void gy_probe_wide(const uint64_t *slots, gy_probe *probe)
{
    uint32_t filled = 0;
    probe->match = 0;
    while (filled < GY_WIDE_SLOTS && slots[filled]) {
        uint64_t tag = slots[filled] >> GY_WIDE_ID_BITS << GY_WIDE_ID_BITS;
        probe->match |= (uint32_t)(tag == probe->tag) << filled;
        filled++;
    }
    probe->filled = filled;
}

static inline void gy_probe_load(const gy_index *index, gy_probe *probe)
{
    const void *line = gy_index_line(index, probe->line);
    if (!index->wide)
        gy_probe_narrow(line, index->id_bits, probe);
    else
        gy_probe_wide(line, probe);
}

static inline uint64_t gy_index_tag(const gy_index *index, uint64_t hash)
{
    return index->wide ? hash << GY_WIDE_ID_BITS : (uint32_t)(hash << index->id_bits);
}

static inline gy_probe gy_index_probe(const gy_index *index, uint64_t hash)
{
    gy_probe probe;
    probe.line = gy_index_home(index->lines, hash);
    probe.tag = gy_index_tag(index, hash);
    gy_probe_load(index, &probe);
    return probe;
}

__attribute__((always_inline)) static inline bool gy_index_next(const gy_index *index,
                                                                gy_probe *probe, uint64_t *id)
{
    for (;;) {
        if (probe->match) {
            unsigned slot = (unsigned)__builtin_ctz(probe->match);
            const void *line = gy_index_line(index, probe->line);
            probe->match &= probe->match - 1;
            if (!index->wide)
                *id = (((const uint32_t *)line)[slot] & ~(~(uint32_t)0 << index->id_bits)) - 1;
            else
                *id = (((const uint64_t *)line)[slot] & ((1ull << GY_WIDE_ID_BITS) - 1)) - 1;
            return true;
        }
        if (probe->filled < (index->wide ? GY_WIDE_SLOTS : GY_NARROW_SLOTS))
            return false;
        if (probe->line + 1 == index->lines + index->tail)
            return false; // no free slot at all: gy_index_put will refuse
        probe->line++;
        gy_probe_load(index, probe);
    }
}

// May one more entry with this id be added without growth?
static inline bool gy_index_has_room(const gy_index *index, uint64_t id)
{
    return index->count < index->grow_above && (id + 1) >> index->id_bits == 0;
}

// Enters an id where the search ended. False: there is no slot left there; grow.
static inline bool gy_index_put(gy_index *index, const gy_probe *probe, uint64_t id)
{
    void *line = gy_index_line(index, probe->line);
    if (probe->filled == (index->wide ? GY_WIDE_SLOTS : GY_NARROW_SLOTS))
        return false;
    if (!index->wide)
        ((uint32_t *)line)[probe->filled] = (uint32_t)(probe->tag | (id + 1));
    else
        ((uint64_t *)line)[probe->filled] = probe->tag | (id + 1);
    index->count++;
    return true;
}

#endif
