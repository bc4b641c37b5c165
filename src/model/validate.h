// The validator: every invariant that model.h promises, checked. Front ends and passes are the ones
// that can break them; what reads a model relies on them.
//
// In debug and sanitizer builds the loader calls gy_validate after lowering, and passes.c after
// every pass. Tests call gy_model_invalid on broken models. Read-only: calls may overlap.
#ifndef GYRE_MODEL_VALIDATE_H
#define GYRE_MODEL_VALIDATE_H

#include "base/assert.h"
#include "model/model.h"

typedef enum {
    GY_STAGE_BUILT,    // as a front end leaves it
    GY_STAGE_COMPLETE, // laid out (layout.h), with touches (access.h)
} gy_model_stage;

// False if the model is as it should be; else `why` says the first thing that is not.
bool gy_model_invalid(const gy_model *model, gy_model_stage stage, gy_text *why);

// Ends the program if the model is not valid: `after` says what made it.
void gy_model_must_be_valid(const gy_model *model, gy_model_stage stage, const char *after);

static inline void gy_validate(const gy_model *model, gy_model_stage stage, const char *after)
{
    if (GY_DEBUG)
        gy_model_must_be_valid(model, stage, after);
}

#endif
