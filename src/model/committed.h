// Committed locations, which others have to wait for: while some process is at a node that is
// GY_NODE_COMMITTED, an edge can fire only if it leaves such a node; of a rendezvous, both must.
// docs/internals/model.md has the whole meaning, validate.h the conditions.
//
// No backend and no analysis knows of them. The loader turns them into guards, so that whatever
// understands guards (compiled code, reductions, the read/write matrix) understands them: every
// edge that leaves another node asks in addition that no process of the start is at a committed
// one. Since no process starts later, that names them all.
#ifndef GYRE_MODEL_COMMITTED_H
#define GYRE_MODEL_COMMITTED_H

#include "model/model.h"

bool gy_model_has_committed(const gy_model *model);
// Guards instead of flags. Once, before layout and access; expressions of guards may be shared.
void gy_model_lower_committed(gy_model *model);

#endif
