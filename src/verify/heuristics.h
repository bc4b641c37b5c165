// Guides that look into the states of a model: the heuristics of `gyre hunt` and --search best.
//
// Owner: all of it lives in the arena; the model, the property and the request must outlive it.
#ifndef GYRE_VERIFY_HEURISTICS_H
#define GYRE_VERIFY_HEURISTICS_H

#include "base/arena.h"
#include "search/hunt/hunt.h"
#include "verify/properties.h"

// The guides of a search: those that the request names or, if it names none, those that make sense
// for the property, the most promising first. `property`: the one to be violated, NULL or safety:
// any error. False: see the complaint.
bool gy_heuristics_make(const gy_request *request, const gy_loaded_model *subject,
                        const gy_property *property, gy_arena *arena, gy_hunt_options *options,
                        gy_user_error *complaint);

// "a|b|c": all that there are.
void gy_heuristics_words(gy_text *out);

#endif
