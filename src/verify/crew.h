// A verification over several ranks: rank 0 drives it, the others serve.
//
// All ranks read the model and make the same plan. Rank 0 then goes through the searches as always
// and informs the others before each one that is made together; all else (examining witnesses,
// reports) it does alone. Private to src/verify.
#ifndef GYRE_VERIFY_CREW_H
#define GYRE_VERIFY_CREW_H

#include "verify/verification_state.h"

// Is there more than this process, or was --mpi asked for?
bool gy_crew_is_there(const gy_verification *driver);
bool gy_crew_serves(const gy_verification *driver); // another rank drives
// Collective. `good`: this rank is ready. True if all are, and have the same system; otherwise a
// complaint of some rank is the complaint of all.
bool gy_crew_agree(gy_verification *driver, bool good);
// Of checkpoints of this property, in the one that is asked for or below; the caller frees it.
// NULL: none is asked for.
char *gy_crew_folder(const gy_verification *driver, const gy_property *property, const char *asked);
// By rank 0: a search is made by all. They get these options, with what makes it theirs.
void gy_crew_begin_safety(gy_verification *driver, gy_search_options *options);
// The same for the search of a property for cycles. NULL: this process is alone.
gy_product_result *gy_crew_cycles(gy_verification *driver, gy_property *property,
                                  gy_search_options *options);
// Collective, and rank 0 informs the others: has any rank satisfied that antecedent of the
// property? `met`: this one has. If not, the property without its conclusion, which the observer
// watches, is searched by all. NULL: this process is alone.
bool gy_crew_has_met(gy_verification *driver, const gy_property *property, uint32_t premise,
                     bool met, double seconds);
gy_product_result *gy_crew_premise(gy_verification *driver, const gy_property *property,
                                   const gy_observer *observer, gy_search_options *options);
// By rank 0: there are no more.
void gy_crew_end(gy_verification *driver);
// By the others: takes part until there are no more.
void gy_crew_serve(gy_verification *driver);
// Can it be done over ranks? False: see the complaint.
bool gy_crew_check(const gy_request *request, const gy_loaded_model *subject,
                   const gy_properties *properties, gy_user_error *complaint);

#endif
