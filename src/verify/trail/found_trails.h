// Verifying in order to step through what is found: the trails of all counterexamples, as texts.
//
// For replays and debuggers that start without a trail. The files that they are written to on the
// way lie in a directory of their own and are gone afterwards. Owner: gy_found_trails_free.
#ifndef GYRE_VERIFY_TRAIL_FOUND_TRAILS_H
#define GYRE_VERIFY_TRAIL_FOUND_TRAILS_H

#include "base/vec.h"
#include "verify/request.h"
#include "verify/user_error.h"

typedef struct gy_found_trail {
    uint32_t property, counterexample; // positions in the outcome
    char *text;
    size_t bytes;
} gy_found_trail;

typedef struct gy_found_trails {
    GY_VEC(gy_found_trail) list; // those of what was asked for first
} gy_found_trails;

// As gy_verify, of a request that names no trail. NULL: it was not even begun, see the complaint.
gy_outcome *gy_verify_for_trails(gy_request *request, gy_found_trails *trails,
                                 gy_user_error *complaint);
void gy_found_trails_free(gy_found_trails *trails);

#endif
