// Assignments to variables that slicing removed, once ranges are known: where nothing in the
// statement can fail, what they compute has no effect. Without them it reads less, so that
// it can be merged and is independent of more.
#ifndef GYRE_MODEL_PASSES_DEAD_STORES_H
#define GYRE_MODEL_PASSES_DEAD_STORES_H

#include "model/model.h"

// Drops them from the effects. The statements stay, and their steps lead where they led.
void gy_model_drop_lost(gy_model *model);

#endif
