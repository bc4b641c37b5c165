// Layout: where each variable, control location and message field lives in a packed state.
//
// A state is a sequence of 32-bit words made of blocks: the global block, then one block per
// live process and channel in the order in which they were created (the backend keeps track
// of which; see exec/vm/state_layout.h). Within a block, fields are packed by their range and never
// cross a word boundary; array elements have a power-of-two stride, so that element i is
// found by shifting. Padding bits are always zero: equal states are equal word by word.
#ifndef GYRE_MODEL_LAYOUT_H
#define GYRE_MODEL_LAYOUT_H

#include "model/model.h"

// Fills the layout fields of variables, templates, channel types and the model. May be run
// again after an analysis narrowed ranges, before any backend was made.
void gy_model_layout(gy_model *model);

#endif
