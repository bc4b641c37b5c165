// Spin's simulator: a Promela model executed exactly as `spin MODEL` executes it, with its random
// numbers, its scheduler, its counting of steps and every line that it prints. `gyre spin` is the
// only caller; all other simulation goes through the successors of a system. (Spin's simulator
// differs from its verifier: joins and gotos are steps, d_steps are stepped through, variables come
// into being when they are first used. That cannot be had from MODEL, where all of it is gone.)
//
// Owner: a simulation borrows the model; free it with pml_sim_free. One thread at a time.
#ifndef GYRE_SPIN_SIMULATE_SIMULATE_H
#define GYRE_SPIN_SIMULATE_SIMULATE_H

#include "base/text.h"
#include "model/model.h"

#include <stdio.h>

// What is shown: bits, as Spin has them.
enum {
    PML_SHOW_GLOBALS = 1,
    PML_SHOW_LOCALS = 2,
    PML_SHOW_STATEMENTS = 4,
    PML_SHOW_RECEIVES = 8,
    PML_SHOW_SENDS = 16,
    PML_SHOW_MORE = 32,     // -v
    PML_SHOW_UNCHANGED = 64 // -w
};

typedef enum { PML_NO_COLUMNS, PML_COLUMNS, PML_CHART } pml_columns;

typedef struct pml_sim_options {
    unsigned show;
    pml_columns columns; // -c, -M
    bool no_printf;      // -b
    bool no_final;       // -B
    bool no_indent;      // -T
    bool for_xspin;      // -X
    bool lossy;          // -m
    bool java;           // -J: nested escapes from the inside out
    bool guided;         // steps come from a trail
    bool interactive;    // -i
    long skip, limit;    // -jN, -uN; 0: none
    uint32_t seed;
    const int *hidden; // -qN: the queues that are not shown
    size_t hidden_count;
    FILE *choices; // interactive: where they are read from
    // What was printed so far; false: nothing reads it any more.
    bool (*put)(void *user, gy_text *text);
    void *user;
} pml_sim_options;

typedef struct pml_sim pml_sim;

// NULL: the model is not Promela.
pml_sim *pml_sim_new(gy_model *model, const pml_sim_options *options);
void pml_sim_free(pml_sim *sim);

// To the end, at random or as the user chooses. The exit status is Spin's.
int pml_sim_run(pml_sim *sim);

// Along a trail. `number` is the step's; `pid` and `state` are the process and Spin's number of the
// statement; `merged`: it has no line of its own. False: there is no such process or statement.
bool pml_sim_follow(pml_sim *sim, long number, int pid, int state, bool merged);
void pml_sim_follow_end(pml_sim *sim, long number, int pid); // of a process
void pml_sim_follow_cycle(pml_sim *sim);                     // it begins here
// There is a claim; it is process number `which` of the model's, or (an ltl property) none of them.
void pml_sim_start_claim(pml_sim *sim, int which);
// A transition of the claim, by the number of its transition.
void pml_sim_follow_claim(pml_sim *sim, long number, int transition);
// `limited`: the limit of steps was reached. The exit status.
int pml_sim_follow_finish(pml_sim *sim, long number, bool limited);

// Adds to what is printed.
void pml_sim_say(pml_sim *sim, const char *text);
void pml_sim_flush(pml_sim *sim);

// What Spin says while it reads a model: warnings, and its formulas.
void pml_spin_read(gy_model *model, gy_text *out);

// The chart of a run with PML_CHART, for `wish`.
void pml_sim_chart(pml_sim *sim, gy_text *out);

#endif
