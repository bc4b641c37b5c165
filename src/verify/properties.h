// Which properties a verification is about: what the model states, narrowed by the request.
//
// Owner: a list owns its observers and results; names belong to the model or to the request.
#ifndef GYRE_VERIFY_PROPERTIES_H
#define GYRE_VERIFY_PROPERTIES_H

#include "load/property.h"
#include "model/passes/passes.h"
#include "search/cover/cover.h"
#include "search/liveness/product.h"
#include "search/partial_deadlock.h"
#include "verify/loaded_model.h"
#include "verify/request.h"
#include "verify/user_error.h"

// Safety is decided by the search for errors, everything else by a product with an observer.
typedef struct gy_property {
    const char *name;
    const char *kind; // safety, partial-deadlock, ltl, never, progress, acceptance
    bool asked;       // a formula that the request names: its counterexample is reported first
    bool checked;     // false: it cannot be checked, see `problem`; the verdict is inconclusive
    bool disregards_fairness; // of statements that the model marks
    // Of all but safety.
    gy_observer *observer;
    const gy_formula *formula; // of an ltl property, or NULL
    const char *written;       // and as it was written
    int32_t claim;             // template of a never claim, or -1
    gy_vacuity vacuity;
    char *problem;
    gy_product_result *live;      // once it was searched …
    bool exact_lasso;             // its lasso is one of the exact system
    uint64_t first_length;        // steps of the lasso that was found first, if it was another
    gy_partial_deadlock *partial; // … or this, of partial-deadlock
    gy_cover_question question;   // of --ef and --ef-sum: the states that must not be reached
    GY_VEC(char *) unmet;         // antecedents of a formula that never matter
} gy_property;

typedef struct gy_properties {
    GY_VEC(gy_property) list;
    GY_VEC(const gy_formula *) formulas;
    GY_VEC(char *) texts;          // of states that must not be reached …
    GY_VEC(const gy_atom *) terms; // … and what they are sums of, or NULL
    bool safety;                   // is among them
    bool partial;                  // partial-deadlock is
    bool claims;                   // never claims are
} gy_properties;

// False: see the complaint.
bool gy_properties_choose(gy_properties *properties, const gy_request *request,
                          const gy_loaded_model *subject, gy_user_error *complaint);
// Is there one of infinite runs?
bool gy_properties_cycles(const gy_properties *properties);
// What they read, if this is assumed of infinite runs. Valid as long as they are.
gy_watched gy_properties_watched(const gy_properties *properties, gy_fairness fairness);
void gy_properties_free(gy_properties *properties);

bool gy_property_is_safety(const gy_property *property);
bool gy_property_is_partial(const gy_property *property);
// Has it anything to be searched for?
bool gy_property_is_searched(const gy_property *property);
bool gy_property_is_ltl(const gy_property *property);

#endif
