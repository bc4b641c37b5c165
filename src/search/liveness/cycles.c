// The ways to look for accepting cycles: see emptiness.h.
#include "search/liveness/emptiness.h"

#include <string.h>

static const gy_cycle_engine engines[] = {
    {.name = "nested", .search = gy_graph_nested, .sets = 1, .uniform = true, .by_colour = true},
    {.name = "components",
     .search = gy_graph_search,
     .fairness = true,
     .sets = 64,
     .one_pass = true,
     .uniform = true},
};

const gy_cycle_engine *gy_cycle_engine_at(unsigned number)
{
    return number < sizeof engines / sizeof *engines ? &engines[number] : NULL;
}

const gy_cycle_engine *gy_cycle_engine_named(const char *name)
{
    for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i].name, name) == 0)
            return &engines[i];
    return NULL;
}
