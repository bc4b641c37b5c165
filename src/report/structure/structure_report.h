// The facts of a state space (graph/structure.h), as text, as JSON and as a drawing.
//
// The system (it may be NULL) names the statements that edges stand for.
#ifndef GYRE_REPORT_STRUCTURE_STRUCTURE_REPORT_H
#define GYRE_REPORT_STRUCTURE_STRUCTURE_REPORT_H

#include "graph/structure.h"
#include "report/structure/local_states.h"
#include "report/style.h"

#include <jansson.h>

void gy_structure_text(const gy_structure *s, const gy_system *system, const gy_style *style,
                       bool all, gy_text *out); // all: profiles and statements, too
json_t *gy_structure_json(const gy_structure *s, const gy_system *system);
// Of local states; not while they are still counted.
void gy_structure_local_text(gy_local_states *local, const gy_style *style, gy_text *out);
json_t *gy_structure_local_json(gy_local_states *local);
// One self-contained SVG, readable on light and dark ground.
void gy_structure_svg(const gy_structure *s, const char *title, gy_text *out);

// In words: "the time limit was reached"; NULL: it is complete.
const char *gy_structure_end_text(gy_graph_end end);
const char *gy_structure_end_name(gy_graph_end end); // "time"; NULL
// "initial, the only terminal one"; "" where there is nothing to be said.
void gy_structure_position(const gy_structure *s, gy_text *out);

#endif
