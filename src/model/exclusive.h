// xr and xs: claims that only one process receives from a channel, or sends to it.
//
// A process of a template with a claim has the channel that the variable holds for itself for as
// long as it lives. Gyre does not need claims (what processes share is found out), and nothing
// relies on them; but one that the model breaks is a mistake of its author, and Spin's reduction
// would go wrong on it. What the text of the model shows is reported at once. Where it cannot be
// shown that a claim is kept, the channel of each send, receive and question that may break it is
// wrapped in GY_E_EXCLUSIVE, which examines it each time it is tried. There, `args` has an entry
// per claim: the variable (GY_E_VAR, or GY_E_REMOTE_VAR if it is a local), with the claim's
// position in model->exclusive as its value.
#ifndef GYRE_MODEL_EXCLUSIVE_H
#define GYRE_MODEL_EXCLUSIVE_H

#include "base/diag.h"
#include "model/model.h"

// Reports claims about static channels (channels.h) that another process, or another instance that
// is there from the start too, breaks: with the place of the claim and of both users. Wraps what
// is left to be decided at run time. Before layout.h and access.h.
void gy_model_check_exclusive(gy_model *model, gy_diags *diags);

#endif
