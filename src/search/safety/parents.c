#include "search/safety/parents.h"

void gy_parents_init(gy_parents *origins, gy_budget *budget)
{
    *origins = (gy_parents){0};
    gy_region_init(&origins->records, budget);
}

void gy_parents_free(gy_parents *origins)
{
    gy_region_free(&origins->records);
}

bool gy_parents_add(gy_parents *origins, uint64_t parent, uint32_t ordinal)
{
    bool start = parent == GY_ORIGINS_START;
    if ((parent >= UINT32_MAX && !start) ||
        !gy_region_reserve(&origins->records, (origins->n + 1) * sizeof(gy_parents_record)))
        return false;
    ((gy_parents_record *)origins->records.at)[origins->n++] =
        (gy_parents_record){start ? UINT32_MAX : (uint32_t)parent, ordinal};
    return true;
}

void gy_parents_set(gy_parents *origins, uint64_t id, uint64_t parent, uint32_t ordinal)
{
    ((gy_parents_record *)origins->records.at)[id] =
        (gy_parents_record){parent == GY_ORIGINS_START ? UINT32_MAX : (uint32_t)parent, ordinal};
}

void gy_parents_get(const gy_parents *origins, uint64_t id, uint64_t *parent, uint32_t *ordinal)
{
    gy_parents_record origin = ((const gy_parents_record *)origins->records.at)[id];
    *parent = origin.parent == UINT32_MAX ? GY_ORIGINS_START : origin.parent;
    *ordinal = origin.ordinal;
}

void gy_parents_path(const gy_parents *origins, uint64_t id, int64_t ordinal, gy_route *path)
{
    if (ordinal >= 0)
        gy_vec_push(path, (uint32_t)ordinal);
    while (id != GY_ORIGINS_START) {
        uint32_t step;
        gy_parents_get(origins, id, &id, &step);
        gy_vec_push(path, step);
    }
    for (size_t i = 0; i < path->n / 2; i++) {
        uint32_t step = path->at[i];
        path->at[i] = path->at[path->n - 1 - i];
        path->at[path->n - 1 - i] = step;
    }
}
