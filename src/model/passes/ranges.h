// Ranges: which values each variable and each message field can ever hold (gy_variable.min and
// max, gy_channel_type.ranges), so that a state takes no more bits than it needs.
//
// An interval analysis along the control-flow graphs. What only one process writes is followed
// from node to node; what several write is one interval for the whole model, but for the nodes
// inside an atomic sequence that cannot block. Loops are cut short by widening to the constants of
// the model, then made tighter again by a few rounds downwards.
//
// The states of the system stay what they are. Models with embedded C, which may write anything,
// and huge ones are left alone. Needs touches (access.h); run before layout.
#ifndef GYRE_MODEL_PASSES_RANGES_H
#define GYRE_MODEL_PASSES_RANGES_H

#include "model/model.h"

typedef struct gy_narrowed {
    uint32_t variables; // with a smaller range than their type; message fields count too
    uint64_t bits;      // that they take less, each once
} gy_narrowed;

// Also fills gy_edge.never_fails.
gy_narrowed gy_model_ranges(gy_model *model);

#endif
