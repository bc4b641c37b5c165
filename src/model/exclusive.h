// xr and xs: promises that only one process receives from a channel, or sends to it.
//
// Gyre does not need them (what processes share is found out), but a promise that the model breaks
// is a mistake of its author, and Spin's reduction would go wrong on it.
#ifndef GYRE_MODEL_EXCLUSIVE_H
#define GYRE_MODEL_EXCLUSIVE_H

#include "base/diag.h"
#include "model/model.h"

// Reports promises about static channels (channels.h) that another process, or another instance
// that is there from the start, breaks: with the place of the promise and of both users.
void gy_model_check_exclusive(const gy_model *model, gy_diags *diags);

#endif
