// One search under way: what all engines share. Private to src/search.
//
// An engine is a row of engines.def; its function explores run->system with run->store and fills
// run->result. It calls gy_run_tick once per state it expands and ends soon when that returns true;
// notes every transition (gy_run_note), reports errors by the path that leads to them, and says at
// the end through gy_run_stop why it did not see everything, if it did not.
//
// Paths are lists of ordinals: the position of a transition among those that gy_initial (for the
// first) or gy_successors give. They mean the same whatever the store keeps.
#ifndef GYRE_SEARCH_RUN_H
#define GYRE_SEARCH_RUN_H

#include "search/engines.h"

#include "reduce/moves.h"
#include "reduce/reduce.h"
#include "reduce/symmetry.h"
#include "store/numbered.h"

#include "base/limit_poll.h"
#include "base/memory.h"
#include "base/vec.h"

typedef GY_VEC(uint32_t) gy_route;

// A fault found while a state was expanded, to be examined when the expansion is over.
typedef struct gy_run_fault {
    gy_fault_kind kind;
    int32_t edge;
    uint32_t ordinal;
    uint64_t cost; // of the transition
} gy_run_fault;

struct gy_run {
    gy_system *system;
    gy_worker *worker;   // for exploring
    gy_worker *replayer; // for following paths again, made when needed
    const gy_search_options *options;
    const gy_engine *engine;
    gy_search_result *result;
    gy_budget budget;
    gy_numbered *store;
    gy_store
        *reused; // of a search that found an error, for the one that finds the path; NULL: none
    gy_symmetry *symmetry;   // NULL: none
    bool not_lifted;         // a witness could not be reported in terms of the real system
    gy_reduction *reduction; // NULL: none
    gy_reducer *reducer;
    struct gy_probe *probe; // in parallel with the search; NULL: none
    gy_moves moves;
    gy_region full; // with a reduction: a bit for each id, set if all successors were taken
    GY_VEC(gy_run_fault) faults;
    GY_VEC(uint64_t) kinds_seen; // of faults, so that only distinct ones are kept
    bool stopped;
    bool checkpoint_due;     // at the next point where the engine can be written down
    bool torn;               // memory ended in the middle of a step: there is no such point now
    bool last_written;       // it was, after it had been stopped
    bool settle_due;         // likewise: the store may know better names
    uint64_t state_limit;    // stop soon after that many are stored; 0: none
    uint64_t states_so_far;  // without a store: states that the engine has counted
    gy_store_figures seen;   // likewise: of a store of its own that it had, when it ended
    uint64_t elsewhere;      // bytes that other ranks take, at most
    uint64_t left_out;       // states in the store that lie beyond the depth limit
    uint64_t pending;        // states not expanded yet, for the progress line
    double started, earlier; // clock at the start; seconds of the runs that this one resumes
    double next_look, next_progress, next_checkpoint;
    gy_limit_poll pace;
};

// A run that begins now, with a worker and a fresh result (run->result, the caller's). The options
// must live as long as the run.
void gy_run_begin(gy_run *run, gy_system *system, const gy_search_options *options);
// Completes the figures of the result, once its states and transitions are known, and frees what
// the run holds.
void gy_run_end(gy_run *run);

// A state was expanded, fully or not. False: no memory.
bool gy_run_note_full(gy_run *run, uint64_t id, bool full);
static inline bool gy_run_is_full(const gy_run *run, uint64_t id)
{
    return id / 8 < run->full.room && ((const uint8_t *)run->full.at)[id / 8] >> (id % 8) & 1;
}
// Verifies after a reduced search that every state leads to a fully expanded one.
void gy_run_check_reduction(gy_run *run);

// A worker that explores: with a symmetry, one that folds.
gy_worker *gy_run_new_worker(const gy_run *run);
// Takes note of what such a worker has seen, and frees it.
void gy_run_free_worker(gy_run *run, gy_worker *worker);

// Lets the store encode its states again, if that is due. States that it gave back are void.
static inline void gy_run_settle(gy_run *run)
{
    if (run->settle_due)
        gy_numbered_settle(run->store);
    run->settle_due = false;
}

void gy_run_free_store(gy_run *run); // if there is one
// A fresh store of the kind that the options ask for; false: no memory.
bool gy_run_new_store(gy_run *run);

// True: end now (limit, interrupt, or gy_run_stop was called).
bool gy_run_tick_slow(gy_run *run);
bool gy_run_glance(gy_run *run); // checks the clock and for interrupts alone
// The same by any thread: takes note of nothing.
bool gy_run_is_late(const gy_run *run);
static inline bool gy_run_tick(gy_run *run)
{
    if (!run->stopped && !gy_limit_poll_due(&run->pace))
        return false;
    return !run->stopped && gy_limit_poll_glances(&run->pace) ? gy_run_glance(run)
                                                              : gy_run_tick_slow(run);
}
// The first reason stays.
void gy_run_stop(gy_run *run, gy_completeness why);
// The model is too large for a part of the program: which one, as a sentence.
void gy_run_overflow(gy_run *run, const char *what);
void gy_run_too_long(gy_run *run); // likewise: a state, for the store
void gy_run_fail(gy_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
// It is the program's own fault; the message begins with "internal error: ".
void gy_run_fail_internally(gy_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The statements that a transition executed (a rendezvous is two): what "shortest" counts, as
// in Spin's trails. Marks their edges as reached.
static inline uint64_t gy_run_note(gy_run *run, const gy_transition *transition)
{
    uint64_t cost = transition->step_count;
    uint8_t *reached = run->result->reached_edges;
    uint32_t count = run->result->edge_count;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        if ((uint32_t)step->edge < count)
            reached[step->edge] = 1;
        if (step->partner >= 0) {
            cost++;
            if ((uint32_t)step->partner_edge < count)
                reached[step->partner_edge] = 1;
        }
    }
    return cost ? cost : 1;
}

// The first fault that is to be reported, of this one and those behind it; or NULL.
const gy_fault *gy_run_wanted(const gy_search_options *options, const gy_fault *first);
bool gy_is_note(const gy_fault *fault); // violates nothing, but is worth a note
// To be called from a visit function: keeps the faults in run->faults that are to be reported.
void gy_run_note_fault(gy_run *run, const gy_fault *fault, uint32_t ordinal, uint64_t cost);
// Counts a fault; true if it is of a kind not reported yet (then report it).
bool gy_run_fault_is_new(gy_run *run, const gy_run_fault *fault);
// Is this state, which has no transitions, an error?
bool gy_run_bad_end(gy_run *run, const gy_word *state, uint32_t words);
// Of so many of the same kind witnesses are kept: a fault at each statement is a kind of its own,
// all invalid end states are one. Are there as many?
bool gy_run_has_enough(const gy_run *run, gy_fault_kind kind);
// Keeps the witness at the end of the path: its last transition has a fault, or (kind
// GY_FAULT_NONE) its last state is an invalid end state. `shortest`: no path costs less. Stops the
// run if that was enough.
void gy_run_report(gy_run *run, const gy_route *path, gy_fault_kind kind, bool shortest);
// The same for a path that a worker without symmetry has found, which is not a shortest one.
void gy_run_report_real(gy_run *run, const gy_route *path, gy_fault_kind kind);

#endif
