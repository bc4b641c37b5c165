// The one traversal of expressions and effects: what an analysis that reads all parts uses instead
// of a recursion of its own. (One that gives each operator a meaning, as an evaluator does, has to
// have its own.)
//
// A visitor is shown every expression from the outside in, with an expression before its parts, and
// every store. For an edge: its guard, its channel, the fields of its message, what these store if
// it receives, then its effect; for each action of an effect: its expressions, then what it stores.
// Nothing is modified or kept; traversals may overlap.
#ifndef GYRE_MODEL_VISIT_H
#define GYRE_MODEL_VISIT_H

#include "model/model.h"

typedef enum {
    GY_VISIT_PARTS, // go on with the parts of the expression
    GY_VISIT_NEXT,  // pass over its parts
    GY_VISIT_STOP,  // end the whole traversal
} gy_visit_next;

typedef struct gy_visitor {
    void *user;
    gy_visit_next (*expr)(void *user, const gy_expr *expr);       // NULL: not wanted
    void (*store)(void *user, int32_t var, const gy_expr *index); // NULL: not wanted
} gy_visitor;

// NULL is an empty expression, program or formula. True: the traversal was stopped.
bool gy_visit_expr(const gy_visitor *visitor, const gy_expr *expr);
bool gy_visit_fields(const gy_visitor *visitor, const gy_field *fields, uint32_t count);
bool gy_visit_action(const gy_visitor *visitor, const gy_action *action);
bool gy_visit_program(const gy_visitor *visitor, const gy_program *program);
bool gy_visit_edge(const gy_visitor *visitor, const gy_edge *edge);
bool gy_visit_formula(const gy_visitor *visitor, const gy_model *model, const gy_formula *formula);
// Its provided clause, its initial program and its edges.
bool gy_visit_template(const gy_visitor *visitor, const gy_model *model, const gy_template *tmpl);
// The initial program and all templates; not the properties.
bool gy_visit_model(const gy_visitor *visitor, const gy_model *model);

bool gy_expr_mentions(const gy_expr *expr, gy_expr_op op);
// Has this action a result, which goes to var [index]? (Fields may store as well.)
bool gy_action_has_result(const gy_action *action);

#endif
