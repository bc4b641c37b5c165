// Which properties a run is about: what the model states, narrowed by --check and --ltl.
#ifndef GYRE_CLI_PROPERTIES_H
#define GYRE_CLI_PROPERTIES_H

#include "cli/command.h"
#include "report/verify.h"

// Fills verification->properties. Returns 0, or the exit status after having complained.
int gy_properties_choose(const gy_arguments *arguments, gy_loaded *loaded,
                         gy_verification *verification);
// What they look at. Valid as long as the verification.
void gy_properties_watched(const gy_verification *verification, gy_watched *watched);
// Is safety among them?
bool gy_properties_searched(const gy_verification *verification);

#endif
