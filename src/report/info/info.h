// What was understood of a model: variables with their places in a state, channels, process
// types with their control-flow graphs, properties. As text, JSON and a Graphviz graph.
#ifndef GYRE_REPORT_INFO_INFO_H
#define GYRE_REPORT_INFO_INFO_H

#include "model/model.h"
#include "report/style.h"

#include <jansson.h>

void gy_info_text(const gy_model *model, const gy_style *style, gy_text *out);
json_t *gy_info_json(const gy_model *model);
void gy_info_dot(const gy_model *model, gy_text *out);

// Shared by the three.
const char *gy_template_kind_text(gy_template_kind kind); // "proctype", "init", "never" …
// "initial end accept": the flags of a node, separated by spaces.
void gy_node_flags_text(const gy_template *tmpl, int32_t node, gy_text *out);
// "else atomic d_step escape": what is special about an edge.
void gy_edge_flags_text(const gy_edge *edge, gy_text *out);

#endif
