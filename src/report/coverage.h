// Which statements a search never executed.
//
// A statement may be several edges (an escape can be taken from many locations): it was
// reached if one of them was.
#ifndef GYRE_REPORT_COVERAGE_H
#define GYRE_REPORT_COVERAGE_H

#include "base/vec.h"
#include "model/model.h"
#include "report/style.h"

#include <jansson.h>

typedef struct gy_coverage {
    uint32_t statements, reached;
    GY_VEC(int32_t) unreached; // one edge for each statement, in order of the model
} gy_coverage;

// `reached_edges` has one byte per edge of the model.
void gy_coverage_find(gy_coverage *coverage, const gy_model *model, const uint8_t *reached_edges);
void gy_coverage_free(gy_coverage *coverage);
void gy_coverage_text(const gy_coverage *coverage, const gy_model *model, const gy_style *style,
                      gy_text *out);
json_t *gy_coverage_json(const gy_coverage *coverage, const gy_model *model);

#endif
