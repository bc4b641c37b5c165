#include "search/liveness/cycles.h"

// In the order of gy_cycle_search, GY_CYCLES_AUTO left out.
static const gy_cycle_engine engines[] = {
    {.name = "components",
     .search = gy_graph_search,
     .fairness = true,
     .sets = 64,
     .one_pass = true,
     .uniform = true},
    {.name = "nested", .search = gy_graph_nested, .sets = 1, .uniform = true},
    {.name = "cndfs",
     .space = gy_space_cndfs,
     .sets = 1,
     .uniform = true,
     .note_bytes = gy_cndfs_note_bytes,
     .most_threads = gy_cndfs_most_threads},
};

const gy_cycle_engine *gy_cycle_engine_of(gy_cycle_search kind)
{
    unsigned number = (unsigned)kind;
    return number && number <= sizeof engines / sizeof *engines ? &engines[number - 1] : NULL;
}
