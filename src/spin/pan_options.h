// The options of pan, Spin's verifier, those of `spin -run`, and the macros that pan is compiled
// with.
//
// Owner: strings point into argv; gy_pan_free releases the lists.
#ifndef GYRE_SPIN_PAN_OPTIONS_H
#define GYRE_SPIN_PAN_OPTIONS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct gy_pan {
    const char *model;
    GY_VEC(const char *) defines;              // NAME or NAME=VALUE, for the preprocessor
    GY_VEC(const char *) includes;             // directories
    bool acceptance, fair, non_progress;       // -a -f -l
    bool no_assert, no_end_states, empty_ends; // -A -E -q
    bool no_unreached, every_trail, shortest;  // -n -e -i
    bool keep_trail, read_only;                // -x -T
    bool lossy;                                // spin -m
    unsigned long long stop_at;                // -cN; 0: never
    unsigned long long minutes;                // -QN; 0: no limit
    unsigned long long megabytes;              // MEMLIM; 0: no limit
    unsigned long long hashes;                 // -kN; 0: not given
    const char *claim;                         // -N, -ltl
    const char *suffix;                        // -tSUF
    const char *store;                         // of Gyre; NULL: its default
    bool takes_hashes;                         // that store does
    bool breadth_first, no_reduction, no_claim, safety, np, unchecked_exclusive;
    const char *never_file;                    // spin -N: a claim that is added to the model
    const char *formula;                       // spin -f: likewise, as a formula
    bool keeps_dead, keeps_unused, no_merging; // spin -o1 -o2 -o3
    bool inside_out;                           // -J: nested escapes
    bool replay;                               // -r, and those below
    bool columnated, with_values, silent;      // -C -g -S
    const char *replay_file;
    unsigned long long replay_number; // -rN; 0: none
    long long only_process;           // -PN; -1: all
    bool table, dot;                  // -d -D
    bool running; // by spin -run: -l needs no -DNP, -a no compilation without -DSAFETY
} gy_pan;

// What became of an option.
typedef enum {
    GY_PAN_TAKEN,
    GY_PAN_UNKNOWN, // there is no such option
    GY_PAN_REFUSED, // there is, and Gyre has nothing for it
    GY_PAN_VERSION, // -V
} gy_pan_answer;

// Takes argv[*at], and argv[*at + 1] if the option needs it.
gy_pan_answer gy_pan_option(gy_pan *pan, int argc, char **argv, int *at);
// The options that only `spin -run` has; GY_PAN_UNKNOWN: try gy_pan_option.
gy_pan_answer gy_pan_run_option(gy_pan *pan, int argc, char **argv, int *at);
// Spin's -o1 … -o7: how it optimises. False: it is none of them.
bool gy_pan_optimisation(gy_pan *pan, const char *option);
// What follows -D: a macro that pan is compiled with has its effect here. Says whether it
// was one; the model does not see those that pan.c passes on.
gy_pan_answer gy_pan_macro(gy_pan *pan, const char *text);
void gy_pan_free(gy_pan *pan);
// "Valid Options are:", as after an option that pan does not know.
void gy_pan_usage(const char *saw, gy_text *out);

#endif
