#include "model/passes/resets.h"

#include <string.h>

static gy_expr *expression(gy_model *model, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    gy_expr *expr = GY_NEW(model->arena, gy_expr);
    expr->op = op;
    expr->var = expr->tmpl = expr->node = GY_NONE;
    expr->a = a;
    expr->b = b;
    return expr;
}

static gy_expr *constant(gy_model *model, int32_t value)
{
    gy_expr *expr = expression(model, GY_E_CONST, NULL, NULL);
    expr->value = value;
    return expr;
}

static gy_expr *reset_value(gy_model *model, const gy_variable *v)
{
    return constant(model, v->min > 0 ? v->min : v->max < 0 ? v->max : 0);
}

static gy_program *with_room(gy_model *model, const gy_program *program, uint32_t more)
{
    uint32_t before = program ? program->count : 0;
    gy_program *longer = GY_NEW(model->arena, gy_program);
    longer->actions = GY_NEW_ARRAY(model->arena, gy_action, before + more);
    longer->count = before;
    if (before)
        memcpy(longer->actions, program->actions, before * sizeof *longer->actions);
    return longer;
}

static void assign(gy_model *model, gy_program *program, gy_cell cell, gy_expr *value,
                   gy_location place)
{
    bool is_array = model->vars[cell.var].is_array;
    program->actions[program->count++] = (gy_action){
        .kind = GY_A_ASSIGN,
        .place = place,
        .var = cell.var,
        .index = is_array ? constant(model, (int32_t)cell.element) : NULL,
        .expr = value,
        .tmpl = GY_NONE,
        .channel_type = GY_NONE,
    };
}

gy_program *gy_program_with_reset(gy_model *model, const gy_program *program, int32_t var,
                                  gy_location place)
{
    const gy_variable *v = &model->vars[var];
    gy_program *longer = with_room(model, program, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        assign(model, longer, (gy_cell){var, i}, reset_value(model, v), place);
    return longer;
}

// ---- unless a condition holds -----------------------------------------------------------

static gy_expr *value_of(gy_model *model, gy_cell cell)
{
    gy_expr *index = NULL;
    if (model->vars[cell.var].is_array) {
        index = expression(model, GY_E_INDEX, constant(model, (int32_t)cell.element), NULL);
        index->value = (int32_t)model->vars[cell.var].count;
    }
    gy_expr *expr = expression(model, GY_E_VAR, index, NULL);
    expr->var = cell.var;
    return expr;
}

static gy_expr *joined(gy_model *model, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    return !a ? b : !b ? a : expression(model, op, a, b);
}

static gy_expr *compared(gy_model *model, gy_expr_op op, int32_t var, int32_t value)
{
    return expression(model, op, value_of(model, (gy_cell){var, 0}), constant(model, value));
}

static gy_expr *side_holds(gy_model *model, const gy_side *side)
{
    gy_expr *low = NULL, *high = NULL;
    gy_interval all;
    gy_type_range(model->vars[side->var].type, &all.low, &all.high);
    if (side->span.low == side->span.high)
        return compared(model, GY_E_EQ, side->var, side->span.low);
    if (side->span.low > all.low)
        low = compared(model, GY_E_GE, side->var, side->span.low);
    if (side->span.high < all.high)
        high = compared(model, GY_E_LE, side->var, side->span.high);
    gy_expr *both = joined(model, GY_E_AND, low, high);
    return both ? both : constant(model, 1);
}

static gy_expr *boxes_hold(gy_model *model, const gy_boxes *boxes)
{
    gy_expr *any = NULL;
    for (uint32_t i = 0; i < boxes->count; i++) {
        gy_expr *all = NULL;
        for (uint32_t k = 0; k < boxes->boxes[i].count; k++)
            all = joined(model, GY_E_AND, all, side_holds(model, &boxes->boxes[i].sides[k]));
        any = joined(model, GY_E_OR, any, all ? all : constant(model, 1));
    }
    return any;
}

gy_program *gy_program_with_reset_unless(gy_model *model, const gy_program *program, gy_cell cell,
                                         const gy_boxes *live, gy_location place)
{
    gy_program *longer = with_room(model, program, 1);
    gy_expr *value = reset_value(model, &model->vars[cell.var]), *condition;
    if ((condition = boxes_hold(model, live))) {
        gy_expr *choice = expression(model, GY_E_COND, condition, value_of(model, cell));
        choice->c = value;
        value = choice;
    }
    assign(model, longer, cell, value, place);
    return longer;
}
