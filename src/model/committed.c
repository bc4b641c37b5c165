#include "model/committed.h"

static gy_expr *both(gy_model *model, gy_expr *a, gy_expr *b)
{
    if (!a || !b)
        return a ? a : b;
    gy_expr *expr = gy_expr_new(model->arena, GY_E_AND, a->place);
    expr->a = a;
    expr->b = b;
    return expr;
}

// Process number pid of the start is not at this node.
static gy_expr *is_not_at(gy_model *model, uint32_t pid, uint32_t node, gy_location place)
{
    gy_expr *label = gy_expr_new(model->arena, GY_E_REMOTE_LABEL, place);
    gy_expr *expr = gy_expr_new(model->arena, GY_E_NOT, place);
    label->tmpl = model->started[pid];
    label->node = (int32_t)node;
    label->a = gy_expr_new(model->arena, GY_E_CONST, place);
    label->a->value = (int32_t)pid;
    expr->a = label;
    return expr;
}

// What an edge of this template asks that leaves no committed node. Its own process is not at one:
// if there is no other of its kind, nothing need be asked about it. NULL: nothing at all.
static gy_expr *nobody_is_committed(gy_model *model, int32_t asks)
{
    gy_expr *all = NULL;
    for (uint32_t pid = 0; pid < model->started_count; pid++) {
        const gy_template *tmpl = &model->templates[model->started[pid]];
        bool itself = model->started[pid] == asks && tmpl->active == 1;
        for (uint32_t n = 0; n < tmpl->node_count && !itself; n++)
            if (tmpl->nodes[n].flags & GY_NODE_COMMITTED)
                all = both(model, all, is_not_at(model, pid, n, model->templates[asks].place));
    }
    return all;
}

bool gy_model_has_committed(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++)
            if (model->templates[t].nodes[n].flags & GY_NODE_COMMITTED)
                return true;
    return false;
}

void gy_model_lower_committed(gy_model *model)
{
    if (!gy_model_has_committed(model))
        return;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        gy_expr *nobody = gy_is_process(tmpl) ? nobody_is_committed(model, (int32_t)t) : NULL;
        for (int32_t e = 0; e < tmpl->edge_count; e++) {
            gy_edge *edge = &model->edges[tmpl->first_edge + e];
            if (!(tmpl->nodes[edge->from].flags & GY_NODE_COMMITTED))
                edge->guard = both(model, nobody, edge->guard);
        }
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++)
            model->templates[t].nodes[n].flags &= ~(uint32_t)GY_NODE_COMMITTED;
}
