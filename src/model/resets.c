#include "model/resets.h"

#include <string.h>

static gy_expr *constant(gy_model *model, int32_t value)
{
    gy_expr *expr = GY_NEW(model->arena, gy_expr);
    expr->op = GY_E_CONST;
    expr->var = expr->tmpl = expr->node = GY_NONE;
    expr->value = value;
    return expr;
}

gy_program *gy_program_with_reset(gy_model *model, const gy_program *program, int32_t var,
                                  gy_place place)
{
    const gy_variable *v = &model->vars[var];
    int32_t value = v->min > 0 ? v->min : v->max < 0 ? v->max : 0;
    uint32_t before = program ? program->count : 0;
    gy_program *longer = GY_NEW(model->arena, gy_program);
    longer->count = before + v->count;
    longer->actions = GY_NEW_ARRAY(model->arena, gy_action, longer->count);
    if (before)
        memcpy(longer->actions, program->actions, before * sizeof *longer->actions);
    for (uint32_t i = 0; i < v->count; i++)
        longer->actions[before + i] = (gy_action){
            .kind = GY_A_ASSIGN,
            .place = place,
            .var = var,
            .index = v->is_array ? constant(model, (int32_t)i) : NULL,
            .expr = constant(model, value),
            .tmpl = GY_NONE,
            .channel_type = GY_NONE,
        };
    return longer;
}
