// What a process touches at the point where it is in a given state. Private to src/reduce.
//
// Other than the footprints of an instance, which hold in every state, these know the value of
// every index and of every channel variable: `table[h]` is one cell.
#ifndef GYRE_REDUCE_POINT_H
#define GYRE_REDUCE_POINT_H

#include "reduce/process_class.h"

typedef struct gy_point {
    const gy_reduction *r;
    const gy_process_class *class; // of the state
    const gy_word *state;
    uint32_t pid;
    uint8_t *written; // scratch: one byte for each variable of the model
} gy_point;

const gy_node *gy_point_node(const gy_point *point);
// May it come to a rendezvous here?
bool gy_point_may_meet(const gy_point *point);
bool gy_point_meets(const gy_point *point, int32_t edge); // by this edge?

// Adds what a transition that begins with `edge` touches, and all on which the choice between the
// edges of the point depends.
void gy_point_take(const gy_point *point, int32_t edge, gy_footprint to);
// The parts of these: the transition without the choice, and all on which it depends which edges
// can fire.
void gy_point_alone(const gy_point *point, int32_t edge, gy_footprint to);
// The same, with all that is known of an edge whose atomic sequence goes on after it.
void gy_point_begin(const gy_point *point, int32_t edge, gy_footprint to);
void gy_point_tests(const gy_point *point, gy_footprint to);
// Adds all on which it depends that no edge can fire. Its end is held to happen at any time.
void gy_point_wait(const gy_point *point, gy_footprint to);

#endif
