// Static channels: chan variables that hold one known channel for as long as the system runs.
#ifndef GYRE_MODEL_CHANNELS_H
#define GYRE_MODEL_CHANNELS_H

#include "model/model.h"

// By variable: the identity that it always holds, 0 if that is not known. malloc'ed.
int32_t *gy_model_static_channels(const gy_model *model);
// By variable: the type of the channel that a static one holds, GY_NONE otherwise. malloc'ed.
int32_t *gy_model_static_channel_types(const gy_model *model);
// By variable: the type of all channels that it, or an element of it, can ever hold, GY_NONE if
// there may be several. malloc'ed.
int32_t *gy_model_channel_types(const gy_model *model);

#endif
