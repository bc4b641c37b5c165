// MODEL as text, for people, tests and comparisons: `gyre info --model` prints it.
// docs/internals/model.md gives the form. The text depends on the model alone (no addresses, no
// layout) and is the same from one run to the next; names are printed as they are, and numbers of
// nodes and edges are those of the model. Read-only.
#ifndef GYRE_MODEL_MODEL_TEXT_H
#define GYRE_MODEL_MODEL_TEXT_H

#include "model/model.h"

void gy_model_print(const gy_model *model, gy_text *out);
void gy_expr_print(const gy_model *model, const gy_expr *expr, gy_text *out);
// One line, without its end.
void gy_action_print(const gy_model *model, const gy_action *action, gy_text *out);

#endif
