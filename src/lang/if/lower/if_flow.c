// Locations and edges. A location is a node; of a mobile instance, a value of the variable that
// holds its state.
#include "lang/if/lower/if_lower.h"

if_flow if_flow_at(int32_t location, gy_expr *guard)
{
    return (if_flow){.fresh = true, .from = location, .guard = guard};
}

int32_t if_new_location(if_lowering *l)
{
    if_instance *at = (if_instance *)l->at;
    l->b->place = l->place;
    return at->mobile ? at->locations++ : gy_build_node(l->b, at->tmpl, NULL);
}

gy_edge *if_new_edge(if_lowering *l, int32_t from, gy_expr *guard)
{
    const if_instance *at = l->at;
    l->b->place = l->place;
    gy_edge *edge = gy_build_edge(l->b, at->tmpl, at->mobile ? 0 : from, at->mobile ? 0 : from);
    edge->guard = guard;
    edge->text = from == l->said_from ? l->said : NULL;
    if (at->mobile) {
        gy_expr *here = if_is_at(l, at, from);
        edge->guard = guard ? if_binary(l, GY_E_AND, here, guard) : here;
    }
    return edge;
}

static void start(if_lowering *l, if_flow *flow)
{
    if (!flow->fresh)
        return;
    gy_edge *edge = if_new_edge(l, flow->from, flow->guard);
    gy_vec_push(&flow->ends, edge);
    flow->fresh = false;
}

void if_flow_to(if_lowering *l, if_flow *flow, int32_t location, bool atomic)
{
    start(l, flow);
    for (size_t i = 0; i < flow->ends.n; i++) {
        gy_edge *edge = flow->ends.at[i];
        edge->keeps_atomic = atomic;
        if (!l->at->mobile) {
            edge->to = location;
            continue;
        }
        l->effect = gy_built_effect(edge);
        if_set(l, l->at->state, if_const(l, location));
        for (; l->exits.n && l->exits.at[l->exits.n - 1].effect == l->effect; l->exits.n--)
            l->effect->at[l->exits.at[l->exits.n - 1].jump].target = if_here(l);
    }
    gy_vec_free(&flow->ends);
    flow->ends.at = NULL;
    flow->ends.n = 0;
}

int32_t if_flow_join(if_lowering *l, if_flow *flow, gy_expr **guard)
{
    *guard = NULL;
    if (flow->fresh) {
        *guard = flow->guard;
        flow->fresh = false;
        return flow->from;
    }
    int32_t location = if_new_location(l);
    if_flow_to(l, flow, location, true);
    return location;
}

gy_edge *if_flow_effect(if_lowering *l, if_flow *flow)
{
    start(l, flow);
    if (flow->ends.n != 1) {
        gy_expr *guard;
        int32_t location = if_flow_join(l, flow, &guard);
        *flow = if_flow_at(location, NULL);
        start(l, flow);
    }
    l->effect = gy_built_effect(flow->ends.at[0]);
    return flow->ends.at[0];
}

void if_say(if_lowering *l, gy_edge *edge, const char *text)
{
    enum { MOST_TEXT = 300 };
    if (!edge->text)
        edge->text = gy_arena_strdup(l->model->arena, text);
    else if (strlen(edge->text) < MOST_TEXT)
        edge->text = gy_arena_printf(l->model->arena, "%s; %s", edge->text, text);
}
