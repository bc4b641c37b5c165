// Dead along paths: variables that may be read from a node on, but not with the values that decide
// the way. There, too, they are set to zero: on the edges that lead to the node, unless a
// condition on the process's own variables holds.
//
// What a condition says stays true or false until the process executes, since no other process
// writes what it reads. Single elements of small arrays are followed, by the values of the
// variables that index them.
#ifndef GYRE_MODEL_PASSES_DEAD_PATHS_H
#define GYRE_MODEL_PASSES_DEAD_PATHS_H

#include "model/passes/cell_uses.h"
#include "model/passes/passes.h"

typedef struct gy_dead_paths gy_dead_paths;

// Looks at one template. `own` and `live` as in liveness.h; `followed`: the variables that only a
// process of this template uses. They are borrowed. NULL: it is too large.
gy_dead_paths *gy_dead_paths_find(const gy_model *model, int32_t tmpl, const uint64_t *own,
                                  const uint64_t *followed, const gy_liveness *live);
// Adds the resets to the effects. Frees the rest.
void gy_dead_paths_reset(gy_dead_paths *paths, gy_model *model, gy_saved *saved);

#endif
