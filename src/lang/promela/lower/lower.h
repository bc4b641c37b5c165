// Lowering: from the syntax tree of a Promela model to MODEL.
//
// Trusts a tree without errors; the few things that only the flow of control shows (a goto
// that goes nowhere, a d_step that cannot be one step) are reported to tree->diags.
#ifndef GYRE_LANG_PROMELA_LOWER_LOWER_H
#define GYRE_LANG_PROMELA_LOWER_LOWER_H

#include "lang/promela/read/ast.h"
#include "model/model.h"

// Fills `model` (made by gy_model_new, whose sources the tree was read with). False after
// reporting an error. Layout and access are left to the caller.
bool pml_lower(pml_model *tree, gy_model *model);
// The MODEL form of an expression over globals and remote references (a predicate, or the
// atoms of a formula), for a tree that was lowered into this model before.
gy_expr *pml_lower_predicate(pml_model *tree, gy_model *model, const pml_expr *expr);
gy_formula *pml_lower_formula(pml_model *tree, gy_model *model, const pml_expr *expr);

#endif
