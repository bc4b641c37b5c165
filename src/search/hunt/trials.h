// Experiments: many hunts, each by one strategy with a seed of its own, to see how good they are.
//
// The figures of a trial depend on its strategy, its seed and what the set says, on nothing else
// (the time aside), however many threads there are. The seed of the first trial is the one that is
// given: any trial is repeated by asking for one with its seed.
//
// Owner: gy_trials_free. Path error density and the rest after Rungta, Mercer (SPIN 2007): of the
// figures only those of trials that found an error count, so that a mean says nothing without the
// density.
#ifndef GYRE_SEARCH_HUNT_TRIALS_H
#define GYRE_SEARCH_HUNT_TRIALS_H

#include "search/hunt/hunt.h"

typedef struct gy_trial {
    uint64_t seed;
    bool made;       // else the time was over
    bool found;      // an error, and the path to it was replayed
    bool complete;   // there is none: all states were seen
    bool broken;     // the path to it cannot be replayed: a mistake of this program
    uint64_t moves;  // that were examined: what the literature calls states generated
    uint64_t states; // that were kept
    uint64_t memory; // bytes, at the peak
    uint64_t length; // statements on the path to the error
    double seconds;
} gy_trial;

// A strategy, or all of them in turns.
typedef struct gy_trial_method {
    const char *name;
    const gy_strategy *strategy; // NULL: a portfolio
    gy_trial *trials;            // as many as were begun
} gy_trial_method;

typedef struct gy_trials {
    gy_trial_method *methods;
    uint32_t method_count;
    uint64_t wanted;      // trials of each …
    uint64_t trial_count; // … and those that were begun: fewer if the time was over
    uint64_t seed, effort;
    bool interrupted; // not all were made
    // The shortest path to an error, and of several the one of the first trial; NULL: none was
    // found.
    const gy_trial *best;
    const char *best_method;
    uint32_t *best_route, best_route_length; // ordinals of the initial state and of the transitions
    gy_fault_kind best_kind;
} gy_trials;

// `names`: of strategies, or "portfolio"; all are known. The effort, and all else, is in the
// options.
gy_trials *gy_trials_run(gy_system *system, const gy_observer *observer,
                         const gy_search_options *options, const char *const *names,
                         uint32_t name_count, uint64_t trials);
void gy_trials_free(gy_trials *trials);
// The best path as a witness of an error (not of what violates an observer), in a system that was
// tried. False: it is none. Owner: gy_witness_free (findings.h).
bool gy_trials_witness(const gy_trials *trials, gy_system *system, gy_witness *witness);

// ---- statistics -----------------------------------------------------------------------------

typedef struct gy_summary {
    uint64_t n;
    double least, mean, most;
    double half; // of the interval that holds the mean with 95 %, by Student's t; 0 for n < 2
} gy_summary;

typedef enum {
    GY_METRIC_MOVES,
    GY_METRIC_SECONDS,
    GY_METRIC_MEMORY,
    GY_METRIC_LENGTH,
    GY_METRICS
} gy_metric;

const char *gy_metric_name(gy_metric metric); // "states", "seconds", "memory", "length"
double gy_metric_of(const gy_trial *trial, gy_metric metric);
gy_summary gy_summarise(const double *values, uint64_t n);
// Of the trials that found an error.
gy_summary gy_trials_summary(const gy_trials *trials, const gy_trial_method *method,
                             gy_metric metric);
uint64_t gy_trials_found(const gy_trials *trials, const gy_trial_method *method);
double gy_trials_density(const gy_trials *trials, const gy_trial_method *method); // 0 of none
// Among the trials of all methods that found an error: 1 is the best, 0 the worst; a method that
// found none has 0.
double gy_trials_normalised(const gy_trials *trials, const gy_trial_method *method,
                            gy_metric metric);
double gy_normalise(double value, double least, double most);
double gy_student_t(uint64_t freedom); // of a two-sided interval of 95 %

#endif
