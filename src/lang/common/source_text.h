// The text of a model as a front end is given it: in memory, or in a file.
#ifndef GYRE_LANG_COMMON_SOURCE_TEXT_H
#define GYRE_LANG_COMMON_SOURCE_TEXT_H

#include "lang/front_end.h"

// Adds it to the sources of the model, as number *number. False, reported, if it cannot be read.
bool gy_add_source(gy_model *model, const gy_front_end_input *input, gy_diags *diags,
                   uint32_t *number);

#endif
