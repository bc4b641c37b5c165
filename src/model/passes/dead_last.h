// _last where nothing is about to read it. Part of the passes (passes.h).
//
// Every step writes _last, so its value is read by the next step or never: in a state in which no
// process is where a statement reads it, it is dead. There it is reset to 0 (model.h:
// last_fades), and is no more a part of the state than any dead variable.
#ifndef GYRE_MODEL_PASSES_DEAD_LAST_H
#define GYRE_MODEL_PASSES_DEAD_LAST_H

#include "model/passes/passes.h"

// Notes the nodes. Does nothing where something else than the statements of processes reads it:
// a property, a `provided` clause, enabled(), which asks for others, or what a process begins with.
void gy_model_fade_last(gy_model *model, const gy_watched *watched, gy_saved *saved);

#endif
