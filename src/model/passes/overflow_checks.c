#include "model/passes/overflow_checks.h"

#include "model/access.h"
#include "model/layout.h"
#include "model/passes/passes.h"
#include "model/passes/ranges.h"
#include "model/validate.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

bool gy_is_wide_bit(const gy_variable *var)
{
    return (var->type.kind == GY_BIT || var->type.kind == GY_BOOL) && var->type.width > 1 &&
           var->is_array;
}

static bool may_lose(const gy_model *model, int32_t var)
{
    return var >= 0 && model->vars[var].type.width < 32 && model->vars[var].type.kind != GY_CHAN;
}

static gy_field *strict_fields(const gy_model *model, gy_field *fields, uint32_t count, bool *any)
{
    bool wanted = false;
    for (uint32_t f = 0; f < count; f++)
        wanted = wanted || (fields[f].kind == GY_FIELD_STORE && !fields[f].checked &&
                            may_lose(model, fields[f].var));
    if (!wanted)
        return fields;
    gy_field *made = GY_NEW_ARRAY(model->arena, gy_field, count);
    memcpy(made, fields, count * sizeof *made);
    for (uint32_t f = 0; f < count; f++)
        if (made[f].kind == GY_FIELD_STORE && may_lose(model, made[f].var))
            made[f].checked = true;
    *any = true;
    return made;
}

static gy_program *strict_program(const gy_model *model, gy_program *program, bool *any)
{
    gy_program *made = GY_NEW(model->arena, gy_program);
    made->count = program->count;
    made->actions = GY_NEW_ARRAY(model->arena, gy_action, program->count + 1);
    memcpy(made->actions, program->actions, program->count * sizeof *made->actions);
    for (uint32_t i = 0; i < made->count; i++) {
        gy_action *action = &made->actions[i];
        if (action->kind == GY_A_ASSIGN && !action->checked && may_lose(model, action->var))
            *any = action->checked = true;
        if (action->kind == GY_A_RECV || action->kind == GY_A_ASSIGN_ALL)
            action->fields = strict_fields(model, action->fields, action->field_count, any);
    }
    return made;
}

static bool make_strict(gy_model *model, gy_edge *edge)
{
    bool any = false;
    if (edge->sync == GY_SYNC_RECV)
        edge->fields = strict_fields(model, edge->fields, edge->field_count, &any);
    if (edge->effect)
        edge->effect = strict_program(model, edge->effect, &any);
    return any;
}

gy_model *gy_model_strict(const gy_model *exact, const uint8_t *reached)
{
    gy_model *model = gy_model_copy(exact);
    bool *made = gy_alloc_zero(model->edge_count + 1), any = false;
    for (uint32_t e = 0; e < model->edge_count && !gy_has_c(model); e++)
        if (reached[e] && gy_is_process(&model->templates[model->edges[e].tmpl]))
            made[e] = make_strict(model, &model->edges[e]);
    for (uint32_t v = 0; v < model->var_count; v++) {
        gy_variable *var = &model->vars[v];
        if (gy_is_wide_bit(var)) {
            var->type.width = 1;
            var->max = 1;
        }
    }
    gy_model_access(model);
    gy_model_ranges(model);
    for (uint32_t e = 0; e < model->edge_count; e++)
        any = any || (made[e] && !model->edges[e].never_fails);
    free(made);
    if (!any)
        return NULL;
    gy_model_layout(model);
    gy_model_access(model);
    gy_validate(model, GY_STAGE_COMPLETE, "the strict form");
    return model;
}
