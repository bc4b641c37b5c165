// Resets: a variable set back to zero (or to the value of its range that is nearest to zero) at
// the end of a program. The old program is left as it is.
#ifndef GYRE_MODEL_PASSES_RESETS_H
#define GYRE_MODEL_PASSES_RESETS_H

#include "model/passes/boxes.h"

// More elements than this are not reset: it would cost more than it saves.
enum { GY_MOST_RESETS = 64 };

typedef struct gy_cell {
    int32_t var;
    uint32_t element;
} gy_cell;

// The program (NULL: an empty one) with the resets of all elements of `var` after it.
gy_program *gy_program_with_reset(gy_model *model, const gy_program *program, int32_t var,
                                  gy_location place);
// With the reset of one element after it, which keeps its value where `live` holds.
gy_program *gy_program_with_reset_unless(gy_model *model, const gy_program *program, gy_cell cell,
                                         const gy_boxes *live, gy_location place);

#endif
