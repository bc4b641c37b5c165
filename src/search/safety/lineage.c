#include "search/safety/lineage.h"

#include "base/assert.h"
#include "base/bits.h"

#include <string.h>

void gy_lineage_init(gy_lineage *l, gy_budget *budget)
{
    *l = (gy_lineage){0};
    gy_region_init(&l->refs, budget);
    gy_region_init(&l->from, budget);
    gy_region_init(&l->marks, budget);
    gy_region_init(&l->moved, budget);
}

void gy_lineage_free(gy_lineage *l)
{
    gy_region_free(&l->refs);
    gy_region_free(&l->from);
    gy_region_free(&l->marks);
    gy_region_free(&l->moved);
    gy_vec_free(&l->levels);
}

bool gy_lineage_leaves_out(gy_lineage *l, uint64_t cost)
{
    bool near = l->levels.n && cost - l->levels.at[l->levels.n - 1].cost < l->spacing;
    l->thinned = l->thinned || near;
    return near;
}

void gy_lineage_begin_level(gy_lineage *l, uint64_t cost)
{
    gy_lineage_level level = {l->n, cost};
    gy_assert(!l->levels.n || l->levels.at[l->levels.n - 1].cost < cost);
    gy_vec_push(&l->levels, level);
}

uint32_t gy_lineage_add(gy_lineage *l, gy_ref ref, gy_lineage_from from)
{
    gy_assert(from.parent == GY_LINEAGE_NONE || from.parent < l->n);
    if (l->n == GY_LINEAGE_NONE ||
        !gy_region_reserve(&l->refs, ((size_t)l->n + 1) * sizeof(gy_ref)) ||
        !gy_region_reserve(&l->from, ((size_t)l->n + 1) * sizeof from))
        return GY_LINEAGE_NONE;
    ((gy_ref *)l->refs.at)[l->n] = ref;
    ((gy_lineage_from *)l->from.at)[l->n] = from;
    return l->n++;
}

uint64_t gy_lineage_cost(const gy_lineage *l, uint32_t number)
{
    size_t low = 0, high = l->levels.n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(l->levels.at[middle].first <= number ? &low : &high) = middle;
    }
    return l->levels.at[low].cost;
}

bool gy_lineage_begin_sweep(gy_lineage *l)
{
    size_t bytes = (size_t)gy_bits_words(l->n) * sizeof(uint64_t);
    if (!gy_region_reserve(&l->marks, bytes) ||
        !gy_region_reserve(&l->moved, ((size_t)l->n + 1) * sizeof(uint32_t)))
        return false;
    memset(l->marks.at, 0, bytes);
    return true;
}

void gy_lineage_mark(gy_lineage *l, uint32_t number)
{
    if (number != GY_LINEAGE_NONE)
        gy_bits_add(l->marks.at, number);
}

uint32_t gy_lineage_moved(const gy_lineage *l, uint32_t number)
{
    return number == GY_LINEAGE_NONE ? number : ((const uint32_t *)l->moved.at)[number];
}

// The least of spacing, 2 spacing, 4 spacing... at which a level goes, if there are two.
static void widen(gy_lineage *l)
{
    uint64_t nearest = UINT64_MAX;
    for (size_t v = 1; v < l->levels.n; v++)
        if (l->levels.at[v].cost - l->levels.at[v - 1].cost < nearest)
            nearest = l->levels.at[v].cost - l->levels.at[v - 1].cost;
    if (l->spacing < 2)
        l->spacing = 2;
    while (nearest < UINT64_MAX / 2 && l->spacing <= nearest)
        l->spacing *= 2;
}

void gy_lineage_sweep(gy_lineage *l, bool thin)
{
    uint64_t *marks = l->marks.at;
    gy_ref *refs = l->refs.at;
    gy_lineage_from *from = l->from.at;
    uint32_t *moved = l->moved.at, left = 0;
    size_t kept_levels = 0;
    if (thin)
        widen(l);
    for (uint32_t i = l->n; i-- > 0;)
        if (gy_bits_has(marks, i))
            gy_lineage_mark(l, from[i].parent);
    for (size_t v = 0; v < l->levels.n; v++) {
        gy_lineage_level level = l->levels.at[v];
        bool leave_out =
            thin && kept_levels && level.cost - l->levels.at[kept_levels - 1].cost < l->spacing;
        uint32_t end = v + 1 < l->levels.n ? l->levels.at[v + 1].first : l->n, first = left;
        for (uint32_t i = level.first; i < end; i++) {
            uint32_t parent = gy_lineage_moved(l, from[i].parent);
            moved[i] = GY_LINEAGE_NONE;
            if (!gy_bits_has(marks, i))
                continue;
            moved[i] = leave_out ? parent : left;
            if (leave_out)
                continue;
            refs[left] = refs[i];
            from[left++] = (gy_lineage_from){parent, from[i].ordinal};
        }
        if (!leave_out && left > first)
            l->levels.at[kept_levels++] = (gy_lineage_level){first, level.cost};
    }
    l->thinned = l->thinned || thin;
    l->levels.n = kept_levels;
    l->n = l->swept = left;
}
