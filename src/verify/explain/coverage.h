// Which statements a search never executed.
//
// A statement may be several edges (an escape can be taken from many locations): it was
// reached if one of them was.
#ifndef GYRE_VERIFY_EXPLAIN_COVERAGE_H
#define GYRE_VERIFY_EXPLAIN_COVERAGE_H

#include "verify/explain/explain.h"

// `reached_edges` has one byte per edge of the model.
void gy_tell_coverage(const gy_model *model, const uint8_t *reached_edges, gy_arena *arena,
                      gy_outcome *outcome);

#endif
