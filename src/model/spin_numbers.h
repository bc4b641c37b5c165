// Spin's numbers: an annex to a model that came from Promela. Trails name transitions by them, and
// pc_value gives those of states. The lowering of Promela writes it; trails, pc_value and reports
// read it. A model without it numbers its edges from 1 and its nodes from 0.
//
// Owner: the model's arena. Read-only once the model is complete; passes keep edges and nodes under
// their numbers, so that a reduced model shares it.
#ifndef GYRE_MODEL_SPIN_NUMBERS_H
#define GYRE_MODEL_SPIN_NUMBERS_H

#include "model/model.h"

// The last state of a process, which need not be a node: no path may lead there.
typedef struct gy_spin_end {
    int32_t state, states; // its number, and that of all states
    gy_location place;
} gy_spin_end;

typedef struct gy_spin_numbers {
    int32_t *transitions;    // by edge
    int32_t **states;        // by template, by node
    int32_t *statements;     // by edge: the state that is its statement
    const char **texts;      // by edge: the statement as Spin prints it
    gy_spin_end *ends;       // by template
    int32_t next_transition; // all are below; a claim read after the model goes on from here
} gy_spin_numbers;

static inline int32_t gy_spin_transition(const gy_model *model, int32_t edge)
{
    return model->spin ? model->spin->transitions[edge] : edge + 1;
}

static inline int32_t gy_spin_state(const gy_model *model, int32_t tmpl, int32_t node)
{
    return model->spin ? model->spin->states[tmpl][node] : node;
}

static inline int32_t gy_spin_next_transition(const gy_model *model)
{
    return model->spin ? model->spin->next_transition : (int32_t)model->edge_count + 1;
}

#endif
