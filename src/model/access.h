// Access: which parts of a state each edge reads and writes (gy_edge.touches).
//
// A touch is exact when it names the very elements; otherwise it is an over-approximation
// (computed index, remote reference, a channel known only at run time). The process's own
// control location is not listed: every edge moves it.
#ifndef GYRE_MODEL_ACCESS_H
#define GYRE_MODEL_ACCESS_H

#include "model/model.h"

void gy_model_access(gy_model *model);

#endif
