// A lasso of a product whose system is folded by a symmetry (reduce/symmetry.h), as one of the real
// system: its cycle comes back with processes in other places, and is gone round until a state
// comes again.
//
// Private to src/search.
#ifndef GYRE_SEARCH_LIVENESS_LASSO_LIFT_H
#define GYRE_SEARCH_LIVENESS_LASSO_LIFT_H

#include "reduce/symmetry.h"
#include "search/liveness/product.h"

// NULL: it cannot be lifted. The caller frees it, and the one that was given.
gy_lasso_witness *gy_lasso_lift(gy_system *system, const gy_symmetry *symmetry,
                                const gy_lasso_witness *lasso);

#endif
