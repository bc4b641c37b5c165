// What can go wrong in a step of a system that was made from a model. Immutable.
#ifndef GYRE_EXEC_FAULT_ROWS_H
#define GYRE_EXEC_FAULT_ROWS_H

#include "gyre/gyre.h"

extern const gy_fault_row gy_model_faults[GY_FAULT_COUNT];

#endif
