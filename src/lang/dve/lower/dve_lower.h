// Lowering: from the syntax tree of a DVE model to MODEL.
//
// A process becomes a template with one instance, its states the nodes, its transitions the edges:
// the states of the model are DVE's own. The property process becomes a never claim. An assertion
// of a state becomes an ltl property: always, if the process is there, then it holds.
#ifndef GYRE_LANG_DVE_LOWER_DVE_LOWER_H
#define GYRE_LANG_DVE_LOWER_DVE_LOWER_H

#include "lang/dve/read/dve_ast.h"
#include "model/model.h"

// Fills `model` (made by gy_model_new, whose sources the tree was read with) from a tree without
// errors. False after reporting an error. Layout and access are left to the caller.
bool dve_lower(dve_model *tree, gy_model *model);
// A predicate or formula over the names of a tree that was lowered into this model before.
gy_expr *dve_lower_predicate(gy_model *model, const dve_expr *expr);
gy_formula *dve_lower_formula(gy_model *model, const dve_expr *expr);

#endif
