// Never claims that only look, as observers. Private to src/exec; see gy_observe_claim.
#ifndef GYRE_EXEC_OBSERVE_OBSERVE_TABLE_H
#define GYRE_EXEC_OBSERVE_OBSERVE_TABLE_H

#include "exec/observe/observe.h"

// NULL: this claim needs more than a table, or too large a one.
gy_observer *gy_observe_by_table(const gy_model *model, int32_t tmpl);

#endif
