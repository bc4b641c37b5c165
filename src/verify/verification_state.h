// One verification under way. Private to src/verify: stages.c goes through its stages, turns.c
// shares the time between the searches of searches.c, witnesses.c examines what they found,
// conclude.c and report_notes.c sum up.
#ifndef GYRE_VERIFY_VERIFICATION_STATE_H
#define GYRE_VERIFY_VERIFICATION_STATE_H

#include "base/arena.h"
#include "verify/limits.h"
#include "verify/plan.h"
#include "verify/state_graph.h"
#include "verify/trail/trail_file.h"

enum { GY_TOGETHER_GROUPS = 2 };

typedef struct gy_verification {
    const gy_request *request;
    gy_loaded_model *subject;
    gy_properties properties;
    gy_plan plan;
    gy_limits limits;
    gy_search_result *result; // of the safety search; NULL if there was none
    bool shortest;            // its witnesses are shortest ones
    GY_VEC(gy_diagnostic) remarks;
    struct gy_shared *shared[GY_TOGETHER_GROUPS]; // explorations of several formulas (together.h)
    bool not_shared[GY_TOGETHER_GROUPS];          // they cannot be
    bool grows;            // some variable does so without end, as was remarked
    double advice_seconds; // spent on finding out what could be done about a violation
    gy_trail_file trail;
    gy_graph_maker graph;    // if it is wanted and there is one; outcome->graph says so
    gy_user_error complaint; // once a stage has failed
    gy_arena *arena;         // of the outcome
    gy_outcome *outcome;
} gy_verification;

// Runs every search. False: see the complaint.
bool gy_verification_search(gy_verification *driver);
// One of them, from the start, for so many seconds (0: no limit); what it found before is
// forgotten.
bool gy_verification_safety(gy_verification *driver, double seconds);
// All of them at once, by a trace cover (cover_run.c).
bool gy_verification_cover(gy_verification *driver);
// Of a property that it was asked for: which kind of predicate it is, and how it was answered.
void gy_verification_tell_predicate(const gy_verification *driver, const gy_property *property,
                                    gy_property_outcome *told);
bool gy_verification_product(gy_verification *driver, gy_property *property, double seconds);
// The search for cycles alone; `states`: stop soon after so many, 0: no limit.
bool gy_verification_cycles(gy_verification *driver, gy_property *property, double seconds,
                            uint64_t states);
// The planned options, within the limits that are left.
gy_search_options gy_verification_options(const gy_verification *driver,
                                          const gy_search_options *planned);
// Makes the witnesses of the safety search shorter (shortening.c). False: see the complaint.
bool gy_verification_shorten(gy_verification *driver);
// Once the verdicts are known: antecedents that are never satisfied, shorter witnesses.
bool gy_verification_look_closer(gy_verification *driver);
// Runs witnesses again, one at a time, and reports and writes those that are wanted: fills `told`,
// which has an entry for each property. False: see the complaint.
bool gy_verification_tell(gy_verification *driver, gy_property_outcome *told);
// Was anything found that violates a property?
bool gy_verification_found(const gy_verification *driver);
// The verdicts, figures and notes.
void gy_verification_conclude(gy_verification *driver, gy_property_outcome *told);
// Parts of it: what was said about the model and of the request, and what there is to note.
void gy_verification_remark(
    gy_verification *driver); // next to "holds"; needs the coverage of the outcome
// A step of the strict model failed with this message: the value that its statement stores wraps.
void gy_verification_remark_on_value(gy_verification *driver, const gy_step *step,
                                     const char *message);
void gy_verification_remark_on_wraps(gy_verification *driver, const gy_step *steps,
                                     uint64_t count);              // wraps.c
void gy_verification_remark_on_growth(gy_verification *driver);    // where a limit was reached
void gy_verification_remark_on_unchecked(gy_verification *driver); // of properties without safety
void gy_verification_diagnostics(gy_verification *driver);
void gy_verification_notes(gy_verification *driver);
// A verdict that there is none.
void gy_verification_give_up(gy_verification *driver);

// Of one property.
gy_fairness gy_verification_fairness(const gy_verification *driver,
                                     const gy_property *property); // assumed
gy_verdict gy_verification_verdict(const gy_verification *driver, const gy_property *property);

#endif
