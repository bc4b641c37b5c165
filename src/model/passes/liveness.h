// Liveness: at each node of a template, the variables whose values may still matter.
//
// Backward data flow over the graph of one template, through the programs of its edges. A variable
// is dead at a node if every path from there overwrites it before reading it, or never reads it
// again. What others may read (remote references, properties, `provided`) is for the caller.
//
// What is reading? Without `own`, every read, and what is printed. With it (the set of variables
// that nothing but a process of this template reads), only reads that can make a difference to
// which steps are possible, to faults, to messages and to variables that are not its own. What is
// computed for an own variable that is dead afterwards, or printed, counts only as far as
// computing it can fail.
#ifndef GYRE_MODEL_PASSES_LIVENESS_H
#define GYRE_MODEL_PASSES_LIVENESS_H

#include "model/uses.h"

typedef struct gy_liveness {
    uint32_t words; // of a set
    uint64_t *sets; // one per node. malloc'ed
} gy_liveness;

void gy_liveness_find(const gy_model *model, const gy_template *tmpl, const uint64_t *own,
                      gy_liveness *liveness);
// From what is live after an edge to what is live before it, but for its guard.
void gy_liveness_pass(const gy_model *model, const gy_edge *edge, const uint64_t *own,
                      uint64_t *set);
void gy_liveness_free(gy_liveness *liveness);

static inline bool gy_live_at(const gy_liveness *liveness, int32_t node, int32_t var)
{
    return gy_bits_has(liveness->sets + (size_t)node * liveness->words, var);
}

#endif
