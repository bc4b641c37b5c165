// Why a process is blocked: what each of its statements waits for, with the values.
#ifndef GYRE_EXEC_DESCRIBE_BLOCKED_H
#define GYRE_EXEC_DESCRIBE_BLOCKED_H

#include "exec/describe/naming.h"

// "x = 2, a[1] = 5": the variables, lengths and locations that the expression reads, as
// process `pid` sees them. Nothing if it reads none.
void gy_why_values(const gy_decoded_state *scene, int32_t pid, const gy_expr *expr, gy_text *out);

// "waits to receive from q (empty)": one clause; several statements are joined by "or".
void gy_why_blocked(const gy_decoded_state *scene, int32_t pid, gy_text *out);

// The same as codes for programs, each once; returns how many there are, at most GY_WHY_CODES:
// "receive", "send" (a channel that is empty, or full, or holds something else), "rendezvous",
// "condition", "timeout", "process-end" (younger processes must end first), "priority", "provided",
// "channel" (that is not there), "done".
enum { GY_WHY_CODES = 16 };
uint32_t gy_why_codes(const gy_decoded_state *scene, int32_t pid, const char *codes[GY_WHY_CODES]);

// May this process rest where it is (end label, or after its last statement)?
bool gy_may_rest(const gy_decoded_state *scene, int32_t pid);

#endif
