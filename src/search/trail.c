#include "search/trail.h"

#include <string.h>

typedef struct mark {
    uint64_t at;     // bit where the record begins
    uint64_t parent; // of the record before, plus one
} mark;

enum { RECORD_BYTES = 40 }; // two gamma codes of up to 127 bits, and what is read beyond

void gy_trail_init(gy_trail *trail, gy_budget *budget)
{
    *trail = (gy_trail){0};
    gy_region_init(&trail->bits, budget);
    gy_region_init(&trail->marks, budget);
}

void gy_trail_free(gy_trail *trail)
{
    gy_region_free(&trail->bits);
    gy_region_free(&trail->marks);
}

// `count` (at most 32) bits of `value` at bit `at`; there are zeros there now.
static void put(unsigned char *bytes, uint64_t at, uint64_t value, unsigned count)
{
    uint64_t shifted = (value & ((1ull << count) - 1)) << (at & 7);
    for (unsigned char *byte = bytes + (at >> 3); shifted; shifted >>= 8)
        *byte++ |= (unsigned char)shifted;
}

static uint64_t get(const unsigned char *bytes, uint64_t at, unsigned count)
{
    uint64_t value = 0;
    const unsigned char *byte = bytes + (at >> 3);
    for (unsigned i = 0; i < 5; i++)
        value |= (uint64_t)byte[i] << 8 * i;
    return value >> (at & 7) & ((1ull << count) - 1);
}

// Gamma code of value >= 1: as many zeros as bits follow the leading one, a one, those bits.
static uint64_t put_gamma(unsigned char *bytes, uint64_t at, uint64_t value)
{
    unsigned length = 63 - (unsigned)__builtin_clzll(value);
    at += length;
    put(bytes, at++, 1, 1);
    for (unsigned done = 0; done < length;) {
        unsigned some = length - done < 32 ? length - done : 32;
        put(bytes, at, value >> done, some);
        at += some;
        done += some;
    }
    return at;
}

static uint64_t get_gamma(const unsigned char *bytes, uint64_t *at)
{
    unsigned length = 0;
    while (!get(bytes, *at, 1)) {
        length++;
        ++*at;
    }
    ++*at;
    uint64_t value = 1ull << length;
    for (unsigned done = 0; done < length;) {
        unsigned some = length - done < 32 ? length - done : 32;
        value |= get(bytes, *at, some) << done;
        *at += some;
        done += some;
    }
    return value;
}

static uint64_t zigzag(uint64_t difference)
{
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t unzigzag(uint64_t code)
{
    return code >> 1 ^ (code & 1 ? UINT64_MAX : 0);
}

bool gy_trail_add(gy_trail *trail, uint64_t parent, uint32_t ordinal)
{
    uint64_t above = parent + 1; // GY_TRAIL_START becomes 0
    if (!gy_region_reserve(&trail->bits, trail->end / 8 + RECORD_BYTES))
        return false;
    if (trail->n % GY_TRAIL_STEP == 0) {
        uint64_t number = trail->n / GY_TRAIL_STEP;
        if (!gy_region_reserve(&trail->marks, (number + 1) * sizeof(mark)))
            return false;
        ((mark *)trail->marks.at)[number] = (mark){trail->end, trail->parent};
    }
    trail->end = put_gamma(trail->bits.at, trail->end, zigzag(above - trail->parent) + 1);
    trail->end = put_gamma(trail->bits.at, trail->end, (uint64_t)ordinal + 1);
    trail->parent = above;
    trail->n++;
    return true;
}

void gy_trail_get(const gy_trail *trail, uint64_t id, uint64_t *parent, uint32_t *ordinal)
{
    const mark *near = (const mark *)trail->marks.at + id / GY_TRAIL_STEP;
    uint64_t at = near->at, above = near->parent;
    for (uint64_t i = id - id % GY_TRAIL_STEP; i <= id; i++) {
        above += unzigzag(get_gamma(trail->bits.at, &at) - 1);
        *ordinal = (uint32_t)(get_gamma(trail->bits.at, &at) - 1);
    }
    *parent = above - 1;
}

void gy_trail_save(const gy_trail *trail, gy_writer *writer)
{
    uint64_t marks = (trail->n + GY_TRAIL_STEP - 1) / GY_TRAIL_STEP;
    gy_write_u64(writer, trail->n);
    gy_write_u64(writer, trail->end);
    gy_write_u64(writer, trail->parent);
    gy_write_region(writer, &trail->marks, marks * sizeof(mark));
    gy_write_region(writer, &trail->bits, trail->n ? (trail->end + 7) / 8 : 0);
}

bool gy_trail_load(gy_trail *trail, gy_reader *reader)
{
    trail->n = gy_read_u64(reader);
    trail->end = gy_read_u64(reader);
    trail->parent = gy_read_u64(reader);
    return gy_read_region(reader, &trail->marks) && gy_read_region(reader, &trail->bits) &&
           gy_region_reserve(&trail->bits, trail->end / 8 + RECORD_BYTES);
}
