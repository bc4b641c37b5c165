// From DVE to Promela: a text with the same verdicts, for people to read and for Spin.
//
// A process becomes an active proctype, each of its states a label with one `if`, each transition
// an option: a d_step with guard and effects, then a goto. Everything that a transition of DVE does
// at once is one d_step, so that no property sees a state in between. What that leads to:
//
// - A rendezvous with nothing but the message is `c!e` and `c?v`. One with guards or effects is a
//   step of two processes, which Promela does not have: the sender's d_step does what both do. A
//   process that receives so keeps its place in a variable, `P_at`, which the sender changes, and
//   its proctype is a `do` over all its transitions; its variables are global.
// - Others whose place is asked for in a guard or effect have `P_at` next to their labels.
// - While a process is in a committed state, `committed` keeps the others from executing.
// - A value that may not fit its variable is examined by an assert first.
// - No state is an invalid end state. The property process is a never claim, and an assertion of a
//   state a formula.
//
// Refused, with place and reason: synchronous systems, variables of a property process.
#ifndef GYRE_LANG_DVE_CONVERT_DVE_CONVERT_H
#define GYRE_LANG_DVE_CONVERT_DVE_CONVERT_H

#include "lang/dve/read/dve_ast.h"

// Of a tree without errors that was lowered. False after reporting to tree->diags.
bool dve_to_promela(dve_model *tree, const char *name, gy_text *out);

#endif
