#include "model/passes/dead_stores.h"

#include "model/uses.h"

static bool is_lost(const gy_model *model, const gy_action *action)
{
    return action->kind == GY_A_ASSIGN && !action->checked && model->vars[action->var].removed;
}

// The effect belongs to the exact model too: it is replaced, not changed.
static void drop(gy_model *model, gy_edge *edge)
{
    uint32_t count = edge->effect->count;
    gy_program *kept = GY_NEW(model->arena, gy_program);
    kept->actions = GY_NEW_ARRAY(model->arena, gy_action, count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!is_lost(model, &edge->effect->actions[i]))
            kept->actions[kept->count++] = edge->effect->actions[i];
    if (kept->count < count)
        edge->effect = kept->count ? kept : NULL;
}

void gy_model_drop_lost(gy_model *model)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        gy_edge *edge = &model->edges[e];
        if (edge->effect && gy_program_is_straight(edge->effect) &&
            gy_is_process(&model->templates[edge->tmpl]) && !gy_edge_can_fail(model, edge))
            drop(model, edge);
    }
}
