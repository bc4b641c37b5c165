// Resets: a variable set back to zero (or to the value of its range that is nearest to zero) at
// the end of a program. The old program is left as it is.
#ifndef GYRE_MODEL_RESETS_H
#define GYRE_MODEL_RESETS_H

#include "model/model.h"

// More elements than this are not reset: it would cost more than it saves.
enum { GY_MOST_RESETS = 64 };

// The program (NULL: an empty one) with the resets of all elements of `var` behind it.
gy_program *gy_program_with_reset(gy_model *model, const gy_program *program, int32_t var,
                                  gy_place place);

#endif
