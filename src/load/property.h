// Formulas as observers: an ltl property of a loaded model, translated and ready to be run in
// step with it.
#ifndef GYRE_LOAD_PROPERTY_H
#define GYRE_LOAD_PROPERTY_H

#include "exec/observe.h"

typedef enum {
    GY_NOT_VACUOUS,
    GY_ALWAYS_TRUE, // the formula holds whatever the model does
    GY_NEVER_TRUE,  // no run of any model satisfies it
} gy_vacuity;

// Accepts the runs that violate the formula. NULL: it is too large, *problem says which limit
// was reached. *vacuity is set in any case.
gy_observer *gy_observe_ltl(const gy_formula *formula, gy_vacuity *vacuity, gy_text *problem);

#endif
