// Who could let a process go that waits: which of the others still have statements before them that
// change what it waits for. A matter of the text, not of values: that they could does not mean that
// they will.
#ifndef GYRE_EXEC_DESCRIBE_UNBLOCKERS_H
#define GYRE_EXEC_DESCRIBE_UNBLOCKERS_H

#include "exec/describe/naming.h"

// Bit p for pid p, pids up to 63. *asks: false if it does not wait for values or channels at all
// (but for a timeout, or for processes of higher priority).
uint64_t gy_find_enablers(const gy_decoded_state *scene, int32_t pid, bool *asks);

#endif
