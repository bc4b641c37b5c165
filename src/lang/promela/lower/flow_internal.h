// Shared by flow.c and flow_moves.c only.
#ifndef GYRE_LANG_PROMELA_LOWER_FLOW_INTERNAL_H
#define GYRE_LANG_PROMELA_LOWER_FLOW_INTERNAL_H

#include "base/vec.h"
#include "lang/promela/lower/flow.h"

struct flow {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    const pml_proc *proc; // being built
    int32_t state_count;  // of this process
    int32_t id_count;     // of the model
    GY_VEC(flow_el *) els;
    flow_proc **built; // by index of the proctype; NULL: not built so far
    uint32_t built_room;
    GY_VEC(flow_target *) breaks; // innermost loop last
};

#endif
