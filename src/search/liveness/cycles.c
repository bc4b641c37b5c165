#include "search/liveness/cycles.h"

#include "search/liveness/product.h"

// In the order of gy_cycle_search, GY_CYCLES_AUTO left out.
static const gy_cycle_engine engines[] = {
    {.name = "components",
     .search = gy_arc_graph_search,
     .fairness = true,
     .sets = 64,
     .checkpoints = true,
     .wide = true},
    {.name = "nested", .search = gy_arc_graph_nested, .sets = 1},
    {.name = "cndfs",
     .space = gy_space_cndfs,
     .sets = 1,
     .note_bytes = gy_cndfs_note_bytes,
     .most_threads = gy_cndfs_most_threads,
     .place_bits = gy_cndfs_place_bits,
     .waits = true},
    {.name = "ufscc",
     .space = gy_space_ufscc,
     .fairness = true,
     .sets = 64,
     .note_bytes = gy_ufscc_note_bytes,
     .most_threads = gy_ufscc_most_threads},
    {.name = "owcty", .space = gy_space_owcty, .sets = 1, .note_bytes = gy_owcty_note_bytes},
    {.name = "map", .space = gy_space_map, .sets = 1, .note_bytes = gy_owcty_note_bytes},
};

const char *gy_cycles_name(gy_cycle_search kind)
{
    const gy_cycle_engine *engine = gy_cycle_engine_of(kind);
    return engine ? engine->name : "auto";
}

bool gy_cycles_know_fairness(gy_cycle_search kind)
{
    const gy_cycle_engine *engine = gy_cycle_engine_of(kind);
    return !engine || engine->fairness;
}

const gy_cycle_engine *gy_cycle_engine_of(gy_cycle_search kind)
{
    unsigned number = (unsigned)kind;
    return number && number <= sizeof engines / sizeof *engines ? &engines[number - 1] : NULL;
}
