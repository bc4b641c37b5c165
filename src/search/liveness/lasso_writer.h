// A lasso while it is reported: a turn at a time, in order. For the engines of search and dist.
//
// Zeroed at first. gy_lasso_writer_end makes a witness of what was reported; a writer that comes to
// no end is freed by gy_lasso_writer_free.
#ifndef GYRE_SEARCH_LIVENESS_LASSO_WRITER_H
#define GYRE_SEARCH_LIVENESS_LASSO_WRITER_H

#include "search/liveness/product.h"

#include "base/vec.h"

typedef struct gy_lasso_writer {
    GY_VEC(gy_turn) turns;
    GY_VEC(gy_step) steps; // of all turns
} gy_lasso_writer;

void gy_lasso_writer_free(gy_lasso_writer *writer);

static inline void gy_lasso_add_steps(gy_lasso_writer *writer, const gy_transition *transition)
{
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&writer->steps, transition->steps[i]);
}

// The turn goes by the transition of this state that has its ordinal, whose steps are added;
// GY_STUTTER: by none.
void gy_lasso_add_turn(gy_lasso_writer *writer, gy_turn turn, gy_worker *worker,
                       const gy_word *state, uint32_t words);
// The cycle begins here.
void gy_lasso_add_cycle(const gy_lasso_writer *writer, gy_lasso_witness *lasso);
// No cycle: the observer, in its state `from`, sees an error.
void gy_lasso_add_sight(gy_lasso_writer *writer, uint32_t from, const gy_observer_move *move,
                        gy_lasso_witness *lasso);
// The lasso is complete, and has its cost.
void gy_lasso_writer_end(gy_lasso_writer *writer, gy_lasso_witness *lasso);

#endif
