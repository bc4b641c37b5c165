// Uses of a cell (a variable, or one element of an array) by the edges of a template: under which
// values an edge reads it, and under which it overwrites it.
#ifndef GYRE_MODEL_PASSES_CELL_USES_H
#define GYRE_MODEL_PASSES_CELL_USES_H

#include "model/passes/edge_boxes.h"
#include "model/passes/liveness.h"
#include "model/passes/resets.h"

typedef struct gy_cell_use {
    gy_boxes reads;  // where its value makes a difference to what the edge does
    bool overwrites; // whatever the values
    int32_t index;   // a decider: overwritten if it has the number of the element; or GY_NONE
    bool may_store;  // something in the cell
} gy_cell_use;

// What is the same for all edges of a template.
typedef struct gy_cell_asks {
    const gy_edge_boxes *b;
    const gy_liveness *live; // this and the next as in liveness.h
    const uint64_t *own;
    uint64_t *work; // room for a set
} gy_cell_asks;

// `firing`: where the edge may fire.
void gy_cell_use_find(const gy_cell_asks *asks, const gy_edge *edge, const gy_box *firing,
                      gy_cell cell, gy_cell_use *use);

#endif
