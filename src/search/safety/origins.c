#include "search/safety/origins.h"

#include <string.h>

typedef struct mark {
    uint64_t at;     // bit where the record begins
    uint64_t parent; // of the record before, plus one
} mark;

enum { RECORD_BYTES = 40 }; // two gamma codes of up to 127 bits, and what is read beyond

void gy_origins_init(gy_origins *origins, gy_budget *budget)
{
    *origins = (gy_origins){0};
    gy_region_init(&origins->bits, budget);
    gy_region_init(&origins->marks, budget);
}

void gy_origins_free(gy_origins *origins)
{
    gy_region_free(&origins->bits);
    gy_region_free(&origins->marks);
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

bool gy_origins_add(gy_origins *origins, uint64_t parent, uint32_t ordinal)
{
    uint64_t above = parent + 1; // GY_ORIGINS_START becomes 0
    if (!gy_region_reserve(&origins->bits, origins->end / 8 + RECORD_BYTES))
        return false;
    if (origins->n % GY_ORIGINS_STEP == 0) {
        uint64_t number = origins->n / GY_ORIGINS_STEP;
        if (!gy_region_reserve(&origins->marks, (number + 1) * sizeof(mark)))
            return false;
        ((mark *)origins->marks.at)[number] = (mark){origins->end, origins->parent};
    }
    origins->end = put_gamma(origins->bits.at, origins->end, zigzag(above - origins->parent) + 1);
    origins->end = put_gamma(origins->bits.at, origins->end, (uint64_t)ordinal + 1);
    origins->parent = above;
    origins->n++;
    return true;
}

void gy_origins_get(const gy_origins *origins, uint64_t id, uint64_t *parent, uint32_t *ordinal)
{
    const mark *near = (const mark *)origins->marks.at + id / GY_ORIGINS_STEP;
    uint64_t at = near->at, above = near->parent;
    for (uint64_t i = id - id % GY_ORIGINS_STEP; i <= id; i++) {
        above += unzigzag(get_gamma(origins->bits.at, &at) - 1);
        *ordinal = (uint32_t)(get_gamma(origins->bits.at, &at) - 1);
    }
    *parent = above - 1;
}

void gy_origins_report(const gy_origins *origins, gy_run *run, uint64_t id, int64_t ordinal,
                       gy_fault_kind kind, bool shortest)
{
    gy_route path = {0};
    if (ordinal >= 0)
        gy_vec_push(&path, (uint32_t)ordinal);
    while (id != GY_ORIGINS_START) {
        uint32_t step;
        gy_origins_get(origins, id, &id, &step);
        gy_vec_push(&path, step);
    }
    for (size_t i = 0; i < path.n / 2; i++) {
        uint32_t step = path.at[i];
        path.at[i] = path.at[path.n - 1 - i];
        path.at[path.n - 1 - i] = step;
    }
    gy_run_report(run, &path, kind, shortest);
    gy_vec_free(&path);
}

void gy_origins_report_faults(const gy_origins *origins, gy_run *run, uint64_t id)
{
    for (size_t i = 0; i < run->faults.n; i++) {
        const gy_run_fault *fault = &run->faults.at[i];
        if (gy_run_fault_is_new(run, fault))
            gy_origins_report(origins, run, id, fault->ordinal, fault->kind, false);
    }
    run->faults.n = 0;
}
