// Edges and boxes: what values say about whether an edge can fire, and what an edge does to them.
//
// Deciders are the variables whose values only the current process changes: a condition on them
// stays true or false until the process executes.
#ifndef GYRE_MODEL_PASSES_EDGE_BOXES_H
#define GYRE_MODEL_PASSES_EDGE_BOXES_H

#include "base/bits.h"
#include "model/passes/boxes.h"

typedef struct gy_edge_boxes {
    const gy_model *model;
    const uint64_t *deciders; // scalars
} gy_edge_boxes;

gy_interval gy_decider_span(const gy_model *model, int32_t var); // all that it can hold

// Narrows the box to where the condition holds (or fails); it may stay too wide. False: nowhere.
bool gy_box_assume(const gy_edge_boxes *b, gy_box *box, const gy_expr *condition, bool holds);
// Where the edge may fire. False: nowhere.
bool gy_edge_box(const gy_edge_boxes *b, const gy_edge *edge, gy_box *box);

bool gy_edge_changes(const gy_edge *edge, int32_t var);
// The value that the variable has after the edge, if that is always the same.
bool gy_edge_constant(const gy_model *model, const gy_edge *edge, int32_t var, int32_t *value);
// Of a box of values after the edge, the values before it; it may get too wide. `firing` is where
// the edge may fire. False: none.
bool gy_box_before(const gy_edge_boxes *b, const gy_edge *edge, const gy_box *firing, gy_box *box);

#endif
