#include "model/passes/enabling.h"

bool gy_may_meet(const gy_model *model, const int32_t *types, const gy_edge *edge)
{
    if (edge->sync == GY_SYNC_NONE)
        return false;
    const gy_expr *chan = gy_bare_channel(edge->chan);
    if (chan->op == GY_E_VAR && types[chan->var] != GY_NONE)
        return model->channel_types[types[chan->var]].capacity == 0;
    for (uint32_t t = 0; t < model->channel_type_count; t++)
        if (model->channel_types[t].capacity == 0)
            return true;
    return false;
}

static bool meets(const gy_enabling *e, const gy_node *node)
{
    for (int32_t k = 0; k < node->edge_count; k++)
        if (gy_may_meet(e->model, e->types, &e->model->edges[node->first_edge + k]))
            return true;
    return false;
}

// Is something possible at this node because a rendezvous is not?
static bool falls_back(const gy_enabling *e, const gy_node *node)
{
    bool falls = false;
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &e->model->edges[node->first_edge + k];
        falls = falls || edge->kind == GY_EDGE_ELSE || edge->escape > 0;
    }
    return falls && meets(e, node);
}

static bool any_falls_back(const gy_enabling *e)
{
    for (uint32_t t = 0; t < e->model->template_count; t++)
        for (uint32_t n = 0; n < e->model->templates[t].node_count; n++)
            if (falls_back(e, &e->model->templates[t].nodes[n]))
                return true;
    return false;
}

static bool sends_to_partner(const gy_enabling *e, const gy_node *node)
{
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &e->model->edges[node->first_edge + k];
        if (edge->sync == GY_SYNC_SEND && gy_may_meet(e->model, e->types, edge))
            return true;
    }
    return false;
}

// Can an atomic sequence be interrupted because a rendezvous is not enabled? (One that is to
// receive always is: the sender begins.)
static bool any_blocks_inside(const gy_enabling *e)
{
    for (uint32_t k = 0; k < e->model->edge_count; k++) {
        const gy_edge *edge = &e->model->edges[k];
        if (edge->keeps_atomic && edge->to != GY_NONE &&
            sends_to_partner(e, &e->model->templates[edge->tmpl].nodes[edge->to]))
            return true;
    }
    return false;
}

static bool labelled_meet(const gy_enabling *e)
{
    for (uint32_t k = 0; k < e->model->edge_count; k++)
        if (e->model->edges[k].fair_action && gy_may_meet(e->model, e->types, &e->model->edges[k]))
            return true;
    return false;
}

gy_enabling gy_enabling_new(const gy_model *model, const gy_watched *watched, const int32_t *types)
{
    bool labelled = watched->fair_statements && model->fair_action_count > 0;
    bool fair = labelled || watched->fair_processes;
    gy_enabling e = {.model = model, .types = types};
    e.off = fair && model->uses_priority;
    e.statements = labelled;
    e.timeout = fair && model->uses_timeout;
    e.rendezvous = watched->fair_processes || model->uses_priority ||
                   (labelled && labelled_meet(&e)) || any_falls_back(&e) || any_blocks_inside(&e);
    return e;
}

// Can a process that is here move, whatever the state? One edge does not ask for anything, or one
// is there for the case that no other can fire.
static bool never_waits(const gy_model *model, const gy_node *node)
{
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &model->edges[node->first_edge + k];
        bool free = !edge->guard || (edge->guard->op == GY_E_CONST && edge->guard->value);
        if (edge->kind == GY_EDGE_ELSE ||
            (edge->kind == GY_EDGE_NORMAL && free && edge->sync == GY_SYNC_NONE))
            return true;
    }
    return false;
}

static bool has_labelled(const gy_model *model, const gy_node *node)
{
    for (int32_t k = 0; k < node->edge_count; k++)
        if (model->edges[node->first_edge + k].fair_action)
            return true;
    return false;
}

bool gy_enabling_is_same(const gy_enabling *e, const gy_node *node)
{
    return !(e->statements && has_labelled(e->model, node)) && !(e->rendezvous && meets(e, node)) &&
           !(e->timeout && !never_waits(e->model, node));
}
