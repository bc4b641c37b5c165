// A pack on the threads of a run. Private to src/search/hunt.
#ifndef GYRE_SEARCH_HUNT_PARTY_H
#define GYRE_SEARCH_HUNT_PARTY_H

#include "search/hunt/pack.h"
#include "search/hunt/record.h"

typedef bool gy_party_found(void *user, const gy_finding *finding, const gy_hunter *by);

// Hunts until something was found, a limit is reached or all was seen; fills in the figures of the
// result. `observer` may be NULL; with one, nothing is ever complete.
void gy_party_hunt(gy_run *run, const gy_observer *observer, gy_party_found *found, void *user);

gy_hunt_record *gy_hunt_record_new(const gy_pack *pack, const gy_pack_figures *figures);
const gy_hunt_options *gy_hunt_options_of(const gy_search_options *options);

#endif
