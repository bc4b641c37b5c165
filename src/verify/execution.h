// A path through a system, one statement at a time: the initial state and, after each step,
// the state it led to, what was printed and what went wrong. Counterexamples, simulation and
// replay are all made with this.
//
// Owner: a gy_path owns its moments and its worker; a gy_choices owns what was found.
#ifndef GYRE_VERIFY_EXECUTION_H
#define GYRE_VERIFY_EXECUTION_H

#include "base/vec.h"
#include "exec/system.h"

typedef struct gy_path_state {
    gy_word *state; // after the step; if a fault left no successor, the state before it
    uint32_t words;
    int32_t exclusive; // the process that must go on alone, or -1
    gy_step step;      // that led here; pid is -1 for the initial state
    gy_fault_kind fault;
    int32_t fault_pid, fault_edge;
    char *message; // of the fault, or NULL
    bool stuck;    // the fault left no successor
    char **prints; // what printf and printm wrote in this step
    uint32_t print_count;
} gy_path_state;

typedef struct gy_choices {
    GY_VEC(gy_path_state) list;
} gy_choices;

typedef struct gy_path {
    gy_system *system;
    gy_worker *worker;
    GY_VEC(gy_path_state) moments; // moments.at[i] is the one after step dropped + i
    uint64_t dropped;              // moments forgotten at the front
    bool forgetful;                // keeps the last two moments only (long simulations)
    gy_fault_kind about;           // of several faults of a step, this is shown; or none of them
    int64_t cycle_start;           // steps before the cycle of an infinite path begins, or -1
    // Asked from time to time by gy_path_run, if not NULL: a text ends the path there.
    const char *(*enough)(void *user);
    void *enough_user;
    const char *cut; // that text, or NULL
    // NULL, or called by gy_path_run before each step, and at the end: may change the state of the
    // last moment. False: the way does not go on.
    bool (*before)(struct gy_path *path, uint64_t step, void *user);
    void *before_user;
} gy_path;

gy_path *gy_path_new(gy_system *system);
void gy_path_free(gy_path *path);
// Back to the initial state number `which`; false if there is none.
bool gy_path_start(gy_path *path, uint32_t which);
const gy_path_state *gy_path_last(const gy_path *path);
const gy_path_state *gy_path_before_last(const gy_path *path); // NULL at the start
uint64_t gy_path_steps(const gy_path *path);
// All steps that can be taken next, in a fixed order. Clears `choices` first.
void gy_path_choices(gy_path *path, gy_choices *choices);
void gy_path_choices_at(gy_path *path, const gy_path_state *from, gy_choices *choices);
void gy_path_take(gy_path *path, const gy_path_state *choice);
bool gy_path_undo(gy_path *path);
// The same, and the moment is the caller's: to be pushed onto the moments again, or cleared.
bool gy_path_pop(gy_path *path, gy_path_state *last);
void gy_path_state_clear(gy_path_state *moment);
void gy_choices_clear(gy_choices *choices);
void gy_choices_free(gy_choices *choices);

// Starts again and takes exactly these steps, from any of the initial states, to an end that `fits`
// (NULL: any). A step may stand for several transitions, where a statement chooses a value: each is
// tried. False: there is no such way, or the path was cut.
typedef bool gy_path_fits(gy_path *path, void *user);
bool gy_path_run(gy_path *path, const gy_step *steps, uint64_t count, gy_path_fits *fits,
                 void *user);

bool gy_same_step(const gy_step *a, const gy_step *b);

#endif
