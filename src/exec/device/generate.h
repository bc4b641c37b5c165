// Inside the device room: from a sample of states to a layout. For layout.c and generate.c only.
#ifndef GYRE_EXEC_DEVICE_GENERATE_H
#define GYRE_EXEC_DEVICE_GENERATE_H

#include "exec/device/device_layout.h"
#include "exec/native/native_sample.h"

// NULL: a state has too many bits. The facts know at least one shape.
gy_device_layout *gy_device_layout_new(const gy_native_facts *facts, const gy_device_wants *wants);
void gy_device_layout_free(gy_device_layout *layout);

#endif
