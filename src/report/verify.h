// The report of a verification: verdict, properties, counterexamples, figures.
//
// The command line fills a gy_verification in (it borrows everything), then asks for text or
// JSON. gy_verification_walk must have succeeded before anything is reported: it runs every
// witness again and is the reason why no wrong counterexample ever gets out.
#ifndef GYRE_REPORT_VERIFY_H
#define GYRE_REPORT_VERIFY_H

#include "base/diag.h"
#include "load/property.h"
#include "model/passes/passes.h"
#include "report/steps/story.h"
#include "search/liveness/product.h"

typedef enum { GY_HOLDS, GY_VIOLATED, GY_INCONCLUSIVE, GY_BROKEN } gy_verdict;

// Safety is decided by the search for errors, everything else by a product with an observer.
typedef struct gy_property {
    const char *name;
    const char *kind; // safety, ltl, never, progress, acceptance
    bool checked;     // false: it can't be checked, see `problem`; the verdict is inconclusive
    // Of all but safety. Owned.
    gy_observer *observer;
    gy_vacuity vacuity;
    char *problem;
    gy_product_result *live;
    gy_path *path; // of its counterexample, by gy_verification_walk
    char *trail;   // file written, or NULL
    char *claim;   // file with the claim that belongs to the trail, or NULL
    // Of formulas.
    gy_reasons reasons;   // why the path violates it; positions are numbers of steps
    GY_VEC(char *) unmet; // premises that never matter
} gy_property;

typedef struct gy_verification {
    gy_system *searched; // what was searched
    gy_system *system;   // the same, or its exact form: witnesses are walked in it
    gy_saved saved;      // how the first differs from the exact form
    bool shortest;       // breadth-first search in the exact form has found no shorter witness
    const gy_search_options *options;
    const gy_search_result *result; // of the safety search; NULL if there was none
    gy_fairness fairness;           // assumed by all but safety
    GY_VEC(gy_property) properties;
    GY_VEC(const gy_formula *) formulas; // of the ltl properties
    gy_path **paths;                     // of each witness, by gy_verification_walk
    char **trails;                       // file written for each witness, or NULL
    const gy_diags *diags;               // warnings about the model, or NULL
    bool all_errors;
    bool unreached; // list unreached statements in the text
    bool quiet, verbose, full;
    const char *backend;
} gy_verification;

const char *gy_verdict_text(gy_verdict verdict);
const char *gy_search_text(gy_search_kind kind);
const char *gy_store_text(gy_store_kind kind);
const char *gy_witness_kind(const gy_witness *witness); // "assertion", "invalid-end-state" …
bool gy_property_is_safety(const gy_property *property);
const char *gy_lasso_kind(const gy_property *property); // "acceptance-cycle" …
// One line: what is wrong, or why there is no verdict; nothing if it holds.
void gy_property_problem(const gy_verification *verification, const gy_property *property,
                         gy_text *out);
const char *gy_fairness_text(gy_fairness fairness); // "actions", "none", "weak", "strong"
uint32_t gy_fair_statements(const gy_verification *verification); // labelled, and counted on
// "strong fairness assumed, and of 4 labelled statements"; not if there is none.
void gy_fairness_assumed(const gy_verification *verification, gy_text *out);
// "vacuous: it holds whatever the model does"; nothing if it is not vacuous.
void gy_vacuity_text(const gy_property *property, gy_text *out);
// The figures to be shown: of the safety search or, without one, of the first product; or NULL.
const gy_search_result *gy_verification_figures(const gy_verification *verification);
gy_store_kind gy_verification_store(const gy_verification *verification); // where these are from

// Fills `paths`. False: a witness does not stand up to being run again; *why says how.
bool gy_verification_walk(gy_verification *verification, const char **why);
void gy_verification_release(gy_verification *verification); // what walk and the list made
gy_verdict gy_verification_verdict(const gy_verification *verification);
gy_verdict gy_property_verdict(const gy_verification *verification, const gy_property *property);
// "the time limit of 2.0 s was reached": why the search is no proof; nothing if it is one.
void gy_limit_text(const gy_verification *verification, gy_text *out);
// What the user could do about it; nothing if there is nothing to say.
void gy_limit_hint(const gy_verification *verification, gy_text *out);
// What is no error but worth knowing: an atomic sequence that never ends. "" if nothing.
void gy_endless_note(const gy_verification *verification, gy_text *out);

void gy_verification_text(const gy_verification *verification, const gy_style *style, gy_text *out);
json_t *gy_verification_json(const gy_verification *verification);

#endif
