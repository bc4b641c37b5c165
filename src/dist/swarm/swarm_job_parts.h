// Inside of a job. Private to swarm_job*.c.
#ifndef GYRE_DIST_SWARM_SWARM_JOB_PARTS_H
#define GYRE_DIST_SWARM_SWARM_JOB_PARTS_H

#include "dist/swarm/cells.h"
#include "dist/swarm/swarm_job.h"
#include "search/run.h"

// By state: a bit for each place at which it is in a queue or was, and
enum { GY_MARK_KNOWN = 0x20, GY_MARK_EXPANDED = 0x40, GY_MARK_SEED = 0x80 };

// The part is that of the guide or, for states of the part that a job of cells divides, the number
// of parts and that of the cell.
typedef struct gy_worker_job_entry {
    uint64_t id;
    uint32_t part, place;
} gy_worker_job_entry;

typedef struct gy_worker_job_parent {
    uint64_t id; // UINT64_MAX: a seed
    uint32_t ordinal;
    uint32_t input; // of a seed: position in the task's inputs
} gy_worker_job_parent;

// A successor on its path into the store.
typedef struct gy_worker_job_arrival {
    uint32_t part;
    int place;
    uint32_t ordinal;
} gy_worker_job_arrival;

typedef GY_VEC(gy_worker_job_entry) gy_worker_job_queue;

typedef struct gy_worker_job {
    gy_run *run;
    gy_worker_job_request *request;
    gy_swarm_task task;
    gy_answer answer;
    gy_guide *guide;
    gy_stage *stage;
    gy_fence *fence;                        // NULL: the interval has all traces
    uint32_t cells, cells_end;              // its own, as parts; none: both are 0
    gy_worker_job_queue *levels;            // of the stage
    gy_worker_job_queue seeds;              // beyond it
    GY_VEC(uint8_t) marks;                  // by id
    GY_VEC(gy_worker_job_parent) parents;   // by id, if a target is looked for
    GY_VEC(uint64_t) hashes;                // of the visited states, if they are kept
    uint32_t level;                         // at hand
    size_t from_below;                      // entries of its queue that came from levels below
    uint64_t target;                        // its id, or UINT64_MAX
    bool ended;                             // nothing more is to be examined
    uint32_t input;                         // being read
    GY_VEC(gy_numbered_entry) entering;     // successors of the current state
    GY_VEC(gy_worker_job_arrival) arriving; // and where they belong
    gy_moves moves;
} gy_worker_job;

void gy_worker_job_refuse(gy_worker_job *j, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool gy_worker_job_is_over(gy_worker_job *j);
// An atomic sequence that never ends is none, and is noted.
const gy_fault *gy_worker_job_error(gy_worker_job *j, const gy_fault *fault);
// A state of a seed, an initial one, or one that is known already. False: there is no room.
bool gy_worker_job_enter(gy_worker_job *j, const gy_word *state, uint32_t words, uint32_t part,
                         int place, const gy_worker_job_parent *from);
bool gy_worker_job_enter_known(gy_worker_job *j, const gy_word *state, uint32_t words);
// Seeds and known states enter; swarm_job_start_states.c.
void gy_worker_job_take_start_states(gy_worker_job *j);
// Writes the answer; swarm_job_answer.c.
void gy_worker_job_tell(gy_worker_job *j);

// Does a job of cells divide this part?
static inline bool gy_worker_job_divides(const gy_worker_job *j, uint32_t part)
{
    return j->cells_end && part == j->task.cell_part;
}

// The cell of a state of that part, as a part.
static inline uint32_t gy_worker_job_cell(const gy_worker_job *j, uint32_t rank,
                                          const gy_word *state, uint32_t words)
{
    return gy_guide_parts(j->guide) +
           gy_cell_of(rank, gy_guide_ranks(j->guide, j->task.cell_part), state, words);
}

// The guide's part of an entry.
static inline uint32_t gy_worker_job_part(const gy_worker_job *j, uint32_t part)
{
    return part < gy_guide_parts(j->guide) ? part : j->task.cell_part;
}

#endif
