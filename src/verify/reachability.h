// States that must not be reached, as properties: --goal, --ef, --ef-sum and --ef-file.
//
// `--ef E` is the formula [] !(E), and is reported as that, and so is `--goal E`; what they look
// for is kept next to it, for a search that can make use of its structure (search/cover/cover.h).
// Private to src/verify.
#ifndef GYRE_VERIFY_REACHABILITY_H
#define GYRE_VERIFY_REACHABILITY_H

#include "verify/properties.h"

// One property to be: its formula, and what it asks for.
typedef struct gy_bad_states {
    const char *option; // that asks for it
    const char *text;   // what it says, as long as the model and the request live
    char *formula;
    gy_cover_question question; // its list of terms belongs to the properties
} gy_bad_states;

typedef GY_VEC(gy_bad_states) gy_bad_states_list;

// All that the request asks for, goals first. Of a shared object, which has no expressions, goals
// are formulas alone. False: see the complaint. The formulas and lists of terms belong
// to the caller in any case.
bool gy_bad_states_read(const gy_request *request, const gy_loaded_model *subject,
                        gy_bad_states_list *list, gy_user_error *complaint);

#endif
