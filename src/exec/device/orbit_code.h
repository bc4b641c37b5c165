// Symmetry on a device: code that puts the processes of a state in order, as exec/orbit.c does.
// For exec/device only.
#ifndef GYRE_EXEC_DEVICE_ORBIT_CODE_H
#define GYRE_EXEC_DEVICE_ORBIT_CODE_H

#include "exec/device/device_layout.h"
#include "exec/native/native_sample.h"
#include "exec/orbit.h"

// What the sample says of one process only is no fact where processes change places.
void gy_orbit_loosen(gy_native_facts *facts, const gy_orbits *orbits);
// Processes that may change places have the same bits: of the longest shape, in mask and fixed.
void gy_orbit_align(gy_device_layout *layout, const struct gy_state_layout *longest,
                    const gy_orbits *orbits);
// The function `folded`: the representative of a state.
void gy_orbit_write(const gy_device_layout *layout, const gy_orbits *orbits, gy_text *out);

#endif
