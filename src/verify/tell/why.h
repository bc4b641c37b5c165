// Why a process does not move: what each of its statements waits for, with the values.
#ifndef GYRE_VERIFY_TELL_WHY_H
#define GYRE_VERIFY_TELL_WHY_H

#include "verify/tell/naming.h"

// "x = 2, a[1] = 5": the variables, lengths and locations that the expression reads, as
// process `pid` sees them. Nothing if it reads none.
void gy_why_values(const gy_scene *scene, int32_t pid, const gy_expr *expr, gy_text *out);

// "waits to receive from q (empty)": one clause; several statements are joined by "or".
void gy_why_blocked(const gy_scene *scene, int32_t pid, gy_text *out);

// May this process rest where it is (end label, or behind its last statement)?
bool gy_may_rest(const gy_scene *scene, int32_t pid);

#endif
