// Liveness: at each node of a template, the variables whose values may still matter.
//
// Backward data flow over the graph of one template, through the programs of its edges. A variable
// is dead at a node if every path from there overwrites it before reading it, or never reads it
// again. What others may look at (remote references, properties, `provided`) is for the caller.
//
// Two rules say what reading is. GY_LIVE_ANY: every read counts, and so does what is printed.
// GY_LIVE_EFFECT: only reads that can make a difference to which steps are possible, to faults and
// to messages. What is computed for a variable that is dead afterwards, or printed, counts only
// as far as computing it can fail.
#ifndef GYRE_MODEL_LIVENESS_H
#define GYRE_MODEL_LIVENESS_H

#include "model/uses.h"

typedef enum { GY_LIVE_ANY, GY_LIVE_EFFECT } gy_liveness_rule;

typedef struct gy_liveness {
    uint32_t words; // of a set
    uint64_t *sets; // one per node. malloc'ed
} gy_liveness;

void gy_liveness_find(const gy_model *model, const gy_template *tmpl, gy_liveness_rule rule,
                      gy_liveness *liveness);
void gy_liveness_free(gy_liveness *liveness);

static inline bool gy_live_at(const gy_liveness *liveness, int32_t node, int32_t var)
{
    return gy_set_has(liveness->sets + (size_t)node * liveness->words, var);
}

#endif
