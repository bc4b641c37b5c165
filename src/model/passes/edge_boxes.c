#include "model/passes/edge_boxes.h"

#include "model/operators.h"
#include "model/visit.h"

gy_interval gy_decider_span(const gy_model *model, int32_t var)
{
    gy_interval span;
    gy_type_range(model->vars[var].type, &span.low, &span.high);
    return span;
}

// ---- guards -----------------------------------------------------------------------------

static bool is_decider(const gy_edge_boxes *b, const gy_expr *expr)
{
    return expr->op == GY_E_VAR && !expr->a && gy_bits_has(b->deciders, expr->var);
}

static bool assume_side(const gy_edge_boxes *b, gy_box *box, gy_expr_op op, int32_t var,
                        int32_t value)
{
    gy_interval all = gy_decider_span(b->model, var);
    gy_interval span = gy_interval_restrict(op, gy_box_span(box, var, all), gy_interval_of(value));
    return gy_interval_equal(span, all) || gy_box_narrow(box, var, span);
}

bool gy_box_assume(const gy_edge_boxes *b, gy_box *box, const gy_expr *condition, bool holds)
{
    const gy_expr *left = condition->a, *right = condition->b;
    if (condition->op == GY_E_CONST)
        return (condition->value != 0) == holds;
    if (condition->op == GY_E_NOT)
        return gy_box_assume(b, box, left, !holds);
    if (condition->op == (holds ? GY_E_AND : GY_E_OR))
        return gy_box_assume(b, box, left, holds) && gy_box_assume(b, box, right, holds);
    if (is_decider(b, condition))
        return assume_side(b, box, holds ? GY_E_NE : GY_E_EQ, condition->var, 0);
    if (!gy_op_is_comparison(condition->op))
        return true;
    gy_expr_op op = holds ? condition->op : gy_op_negated(condition->op);
    if (is_decider(b, left) && right->op == GY_E_CONST)
        return assume_side(b, box, op, left->var, right->value);
    if (is_decider(b, right) && left->op == GY_E_CONST)
        return assume_side(b, box, gy_op_mirrored(op), right->var, left->value);
    return true;
}

bool gy_edge_box(const gy_edge_boxes *b, const gy_edge *edge, gy_box *box)
{
    const gy_node *node = &b->model->templates[edge->tmpl].nodes[edge->from];
    box->count = 0;
    if (edge->guard && !gy_box_assume(b, box, edge->guard, true))
        return false;
    for (int32_t k = 0; edge->kind == GY_EDGE_ELSE && k < node->edge_count; k++) {
        const gy_edge *other = &b->model->edges[node->first_edge + k];
        if (other == edge) // it does not wait for those after it (see model.md)
            break;
        if (other->guard && other->sync == GY_SYNC_NONE && other->kind == GY_EDGE_NORMAL &&
            !other->escape && !gy_box_assume(b, box, other->guard, false))
            return false;
    }
    return true;
}

// ---- effects ----------------------------------------------------------------------------

static uint32_t stores_in(const gy_field *fields, uint32_t count, int32_t var)
{
    uint32_t stores = 0;
    for (uint32_t f = 0; f < count; f++)
        stores += fields[f].kind == GY_FIELD_STORE && fields[f].var == var;
    return stores;
}

static uint32_t count_stores(const gy_edge *edge, int32_t var, const gy_action **last)
{
    uint32_t stores =
        edge->sync == GY_SYNC_RECV ? stores_in(edge->fields, edge->field_count, var) : 0;
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        uint32_t here = stores_in(action->fields, action->field_count, var) +
                        (gy_action_has_result(action) && action->var == var);
        stores += here;
        if (here)
            *last = action;
    }
    return stores;
}

bool gy_edge_changes(const gy_edge *edge, int32_t var)
{
    const gy_action *last;
    return count_stores(edge, var, &last) > 0;
}

bool gy_edge_constant(const gy_model *model, const gy_edge *edge, int32_t var, int32_t *value)
{
    const gy_action *last = NULL;
    count_stores(edge, var, &last);
    if (!last || !gy_program_is_straight(edge->effect) || last->kind != GY_A_ASSIGN ||
        last->expr->op != GY_E_CONST)
        return false;
    *value = gy_type_truncate(model->vars[var].type, last->expr->value);
    return true;
}

// `var = var + constant`, and nothing else is stored in it.
static bool is_shift(const gy_edge *edge, int32_t var, int32_t *by)
{
    enum { FAR = 1 << 15 };
    const gy_action *last = NULL;
    if (count_stores(edge, var, &last) != 1 || !last || last->kind != GY_A_ASSIGN ||
        !gy_program_is_straight(edge->effect))
        return false;
    const gy_expr *expr = last->expr;
    if ((expr->op != GY_E_ADD && expr->op != GY_E_SUB) || expr->a->op != GY_E_VAR ||
        expr->a->var != var || expr->a->a || expr->b->op != GY_E_CONST || expr->b->value < -FAR ||
        expr->b->value > FAR)
        return false;
    *by = expr->op == GY_E_ADD ? expr->b->value : -expr->b->value;
    return true;
}

// False: no value before gives one of these after.
static bool shift_back(gy_side *side, int32_t by, gy_interval all, gy_interval before, bool *known)
{
    *known = (int64_t)before.low + by >= all.low && (int64_t)before.high + by <= all.high;
    if (!*known) // it may wrap around
        return true;
    int64_t low = (int64_t)side->span.low - by, high = (int64_t)side->span.high - by;
    low = low < before.low ? before.low : low;
    high = high > before.high ? before.high : high;
    if (low > high)
        return false;
    side->span = (gy_interval){(int32_t)low, (int32_t)high};
    return true;
}

bool gy_box_before(const gy_edge_boxes *b, const gy_edge *edge, const gy_box *firing, gy_box *box)
{
    gy_box before = {0};
    for (uint32_t i = 0; i < box->count; i++) {
        gy_side side = box->sides[i];
        int32_t value, by;
        bool known = !gy_edge_changes(edge, side.var);
        gy_interval all = gy_decider_span(b->model, side.var);
        if (gy_edge_constant(b->model, edge, side.var, &value)) {
            if (value < side.span.low || value > side.span.high)
                return false;
        } else if (is_shift(edge, side.var, &by) &&
                   !shift_back(&side, by, all, gy_box_span(firing, side.var, all), &known))
            return false;
        if (known)
            before.sides[before.count++] = side;
    }
    *box = before;
    return gy_box_meet(box, firing);
}
