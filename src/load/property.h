// Formulas as observers: an ltl property of a loaded model, translated and ready to be run in
// step with it; and what can be said about it afterwards.
#ifndef GYRE_LOAD_PROPERTY_H
#define GYRE_LOAD_PROPERTY_H

#include "base/vec.h"
#include "exec/observe/observe.h"

typedef enum {
    GY_NOT_VACUOUS,
    GY_ALWAYS_TRUE, // the formula holds whatever the model does
    GY_NEVER_TRUE,  // no run of any model satisfies it
} gy_vacuity;

// Accepts the runs that violate the formula, whose atoms are predicates of this model (NULL: of a
// system without one). NULL: it is too large, *problem says which limit
// was reached. *vacuity is set in any case. `shortest`: fit for a search for shortest
// counterexamples. `seconds`: how long all of this may take; 0: as long as it likes within limits
// of its own.
gy_observer *gy_observe_ltl(const gy_model *model, const gy_formula *formula, bool shortest,
                            double seconds, gy_vacuity *vacuity, gy_text *problem);

// ---- of the observer of a formula ---------------------------------------------------------

// An observer of the same runs that can be printed as a never claim; it must be freed before the
// other one. Spin's parser gives the guard of a transition with `edge` e the number of the claim's
// first statement plus e. NULL: too large.
gy_observer *gy_ltl_claim(const gy_observer *observer);
void gy_ltl_print_claim(const gy_observer *claim, const char *title, gy_text *out);

// Implications that must hold wherever they are, such as that of [] (p -> q). The observer of the
// formula with the conclusion of implication number n made false: if a model satisfies that too,
// its antecedent is never satisfied. NULL: there is no such implication. *antecedent gets its
// text. *idle (and NULL): no need, the antecedent was seen to be true where it matters; or too
// large.
gy_observer *gy_ltl_without_conclusion(const gy_observer *observer, uint32_t n, gy_text *premise,
                                       bool *idle);

// ---- why a run violates it ------------------------------------------------------------------

typedef enum {
    GY_REASON_HOLDS, // `part` is true at `position` …
    GY_REASON_FAILS, // … false there
    GY_REASON_NEVER, // … false from there on
    GY_REASON_ALWAYS,
    GY_REASON_UNKNOWN, // … cannot be evaluated there
} gy_reason_kind;

typedef struct gy_reason {
    gy_reason_kind kind;
    char *part; // of the formula
    uint32_t position;
} gy_reason;

typedef GY_VEC(gy_reason) gy_reasons;

typedef struct gy_run_state {
    const gy_word *state;
    uint32_t words;
} gy_run_state;

// Reasons why the run through these states, of which those from `loop` on repeat for ever,
// violates the formula: the innermost parts that decide. In the order of a sentence; few. None if
// there is nothing to say. `fault`: in the last state the formula cannot be evaluated. Free with
// gy_reasons_free.
void gy_ltl_explain(const gy_observer *observer, gy_worker *worker, const gy_run_state *run,
                    uint32_t length, uint32_t loop, bool fault, gy_reasons *reasons);
void gy_reasons_free(gy_reasons *reasons);

#endif
