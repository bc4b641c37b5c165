// What a job is reported and what it answers, as files in the swarm's directory:
//
//     job-7.task     what to search (written by the manager)
//     job-7.seeds    states from which later jobs go on
//     job-7.known    states that no later job needs to expand (jobs of cells)
//     job-7.answer   what was found; written last: a job that has no such file has not been done
//     job-7.states   the hashes of all states, if that was asked for
//
// All are written next to their places, forced to disk and renamed, with a checksum. An answer says
// to which task it belongs, so that one left over from another run is not taken for it.
//
// Owner: gy_swarm_task_free and gy_answer_free release what the structures refer to.
#ifndef GYRE_DIST_SWARM_JOB_FILES_H
#define GYRE_DIST_SWARM_JOB_FILES_H

#include "dist/swarm/sketch.h"
#include "dist/swarm/stage.h"

// The guide, the same for all jobs of a swarm.
typedef struct gy_swarm_task_guide {
    uint32_t pids[16], count;
    uint32_t most_nodes;
    bool control_only;
    uint64_t print;
} gy_swarm_task_guide;

typedef struct gy_swarm_task {
    uint64_t number;
    gy_swarm_task_guide guide;
    uint64_t system_print; // of the model and its options
    uint32_t from, to;     // levels of the stage
    GY_VEC(uint32_t) entries;
    gy_interval interval;
    bool from_start;         // the initial states are the seeds
    GY_VEC(uint64_t) inputs; // jobs whose seeds are read
    GY_VEC(uint64_t) prints; // and the fingerprints of these
    // A job of cells (cells.h): the interval is one of these, of one part.
    bool cells;
    bool by_part; // its inputs are sorted by parts: it begins with the part
    uint32_t cell_part;
    GY_VEC(uint64_t) known; // jobs that have expanded states of the cells
    GY_VEC(uint64_t) known_prints;
    uint64_t most_states; // 0: no limit
    bool feedback, keep_states;
    // To find the path to a state: which one. The answer has the ordinals of the transitions from a
    // seed.
    GY_VEC(gy_word) target;
} gy_swarm_task;

typedef enum {
    GY_ANSWER_DONE,
    GY_ANSWER_CUT,    // by a limit, but levels below `level` are done; of cells: what is known
    GY_ANSWER_LARGE,  // by a limit, in the first level; of cells: before anything was done
    GY_ANSWER_ERROR,  // of the model: see error_…
    GY_ANSWER_BROKEN, // see `problem`: no verdict can rest on this guide
    GY_ANSWER_INPUT,  // the seeds of job `bad_input` are damaged or gone
    GY_ANSWER_WAY,    // to the target
} gy_answer_kind;

typedef struct gy_part_count {
    uint32_t part, count;
} gy_part_count;

typedef GY_VEC(gy_part_count) gy_part_counts;

typedef struct gy_answer {
    uint64_t number, task_print;
    gy_answer_kind kind;
    uint32_t level;
    char *problem; // or NULL; of a limit: which one
    uint64_t bad_input;
    uint64_t visited; // states that were expanded
    uint64_t settled; // those of levels that are done
    uint64_t stored;  // states in memory, those for later jobs included
    uint64_t transitions, seeds_read, seeds_known, depth;
    double seconds;
    uint64_t memory;
    gy_part_counts seeds; // written, by part (of cells: see swarm_job_parts.h)
    uint64_t seeds_print; // of their file
    gy_part_counts known; // written, by cell
    uint64_t known_print;
    GY_VEC(char *) pruned;           // "FROM TO": ranges of traces that the system cannot follow
    uint8_t sketch[GY_SKETCH_BYTES]; // of the visited states, see sketch.h
    GY_VEC(uint8_t) reached;         // by edge: it was executed
    // An error: the state from which it is one step, or none if it may not rest there.
    GY_VEC(gy_word) error_state;
    uint32_t error_fault, error_ordinal; // GY_FAULT_NONE: it may not rest
    // An edge after which an atomic sequence never ends, and 1; 0: none was found.
    uint64_t endless;
    // A way: the seed where it begins, the job that it comes from (none: an initial state, whose
    // ordinal comes first), and the ordinals.
    GY_VEC(gy_word) way_seed;
    uint64_t way_input; // UINT64_MAX: initial
    GY_VEC(uint32_t) way;
} gy_answer;

void gy_worker_job_path(gy_text *out, const char *folder, uint64_t number, const char *kind);

bool gy_swarm_task_write(const gy_swarm_task *task, const char *folder); // false: errno
bool gy_swarm_task_read(gy_swarm_task *task, const char *folder, uint64_t number, const char **why);
uint64_t gy_swarm_task_print(const gy_swarm_task *task);
void gy_swarm_task_init(gy_swarm_task *task);
void gy_swarm_task_free(gy_swarm_task *task);

bool gy_answer_write(const gy_answer *answer, const char *folder, const char *kind);
// False: there is none, it is damaged, or it belongs to another task.
bool gy_answer_read(gy_answer *answer, const char *folder, const char *kind,
                    const gy_swarm_task *task, const char **why);
void gy_answer_free(gy_answer *answer);

#endif
