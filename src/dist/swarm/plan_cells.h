// Planning by cells (cells.h): a part of the guide that is too large for one job.
//
// Rounds of jobs, each with an interval of cells of its own. A job reads what is known of its cells
// and what waits there, and searches; states of other cells that it meets wait for their jobs. No
// state is expanded twice: what a job has expanded is known to all later ones. The part is done
// when nothing waits.
//
// Cells that belong together may be others in each round: intervals are chosen by how many states
// are known in them, so that a job has room for as many again.
//
// Everything here is a function of what the answers said. Owner: who makes a plan frees it.
#ifndef GYRE_DIST_SWARM_PLAN_CELLS_H
#define GYRE_DIST_SWARM_PLAN_CELLS_H

#include "dist/swarm/cells.h"
#include "dist/swarm/plan_stage.h"

typedef struct gy_cell_range {
    uint32_t from, to;
    uint64_t waiting; // states
} gy_cell_range;

typedef struct gy_cell_plan {
    uint32_t parts; // of the guide: its cells have the numbers after
    unsigned workers;
    uint32_t intervals; // 0: as seems fit
    uint64_t limit;     // states that a job can hold; 0: not known
    // Of the current part.
    uint32_t part;
    bool by_part; // the first round, which reads what was left for the part
    GY_VEC(gy_pending) waiting, known, next;
    GY_VEC(gy_cell_range) round;
    uint64_t visited, read; // by the current round
    double growth;          // states visited for each that waited, lately
} gy_cell_plan;

void gy_cells_begin(gy_cell_plan *plan, uint32_t part);
void gy_cells_free(gy_cell_plan *plan);
// The next round; false: nothing waits.
bool gy_cells_next(gy_cell_plan *plan, void (*see)(void *user, const gy_interval *interval),
                   void *user);
// The jobs that have left something for the cells of a task, and those that know some of their
// states.
void gy_cells_inputs(const gy_cell_plan *plan, gy_swarm_task *task);
// What a job of the round has done.
void gy_cells_take(gy_cell_plan *plan, const gy_answer *a, bool is_scout);
void gy_cells_end_round(gy_cell_plan *plan);
// Two halves of an interval whose job had no room for what is there. False: it is one cell.
bool gy_cells_halve(const gy_cell_plan *plan, const gy_interval *interval, gy_bigint *middle);

#endif
