// See lasso_writer.h.
#include "search/liveness/lasso_writer.h"

#include <stdlib.h>

typedef struct step_request {
    gy_lasso_writer *writer;
    uint32_t wanted, seen;
} step_request;

static int visit_steps(void *user, const gy_transition *transition)
{
    step_request *request = user;
    if (request->seen++ != request->wanted)
        return 0;
    gy_lasso_add_steps(request->writer, transition);
    return 1;
}

void gy_lasso_add_turn(gy_lasso_writer *writer, gy_turn turn, gy_worker *worker,
                       const gy_word *state, uint32_t words)
{
    step_request request = {.writer = writer, .wanted = turn.ordinal};
    size_t before = writer->steps.n;
    if (turn.ordinal != GY_STUTTER)
        gy_successors(worker, state, words, visit_steps, &request);
    turn.step_count = writer->steps.n - before;
    gy_vec_push(&writer->turns, turn);
}

void gy_lasso_add_cycle(const gy_lasso_writer *writer, gy_lasso_witness *lasso)
{
    lasso->cycle_turn = writer->turns.n;
    lasso->cycle_start = writer->steps.n;
}

void gy_lasso_add_sight(gy_lasso_writer *writer, uint32_t from, const gy_observer_move *move,
                        gy_lasso_witness *lasso)
{
    gy_turn last = {.from = from,
                    .to = move->to,
                    .marks = move->marks,
                    .observer_edge = move->edge,
                    .ordinal = GY_STUTTER};
    gy_vec_push(&writer->turns, last);
    lasso->sight = move->sight;
    gy_lasso_add_cycle(writer, lasso);
}

void gy_lasso_writer_end(gy_lasso_writer *writer, gy_lasso_witness *lasso)
{
    lasso->turns = writer->turns.at;
    lasso->turn_count = writer->turns.n;
    lasso->steps = writer->steps.at;
    lasso->step_count = writer->steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    *writer = (gy_lasso_writer){0};
}

void gy_lasso_writer_free(gy_lasso_writer *writer)
{
    gy_vec_free(&writer->turns);
    gy_vec_free(&writer->steps);
}

void gy_lasso_witness_free(gy_lasso_witness *lasso)
{
    if (!lasso)
        return;
    free(lasso->turns);
    free(lasso->steps);
    free(lasso);
}
