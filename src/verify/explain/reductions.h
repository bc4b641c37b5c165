// The reductions that a search made use of, and what each saved.
#ifndef GYRE_VERIFY_EXPLAIN_REDUCTIONS_H
#define GYRE_VERIFY_EXPLAIN_REDUCTIONS_H

#include "model/passes/passes.h"
#include "search/search.h"
#include "verify/explain/explain.h"

void gy_tell_reductions(const gy_saved *saved, const gy_search_result *result, gy_arena *arena,
                        gy_outcome *outcome);

#endif
