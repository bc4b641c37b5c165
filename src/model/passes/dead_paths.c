// For each cell and node, the values with which the cell may still be read: backward data flow
// over boxes, in rounds until nothing is added. What does not fit into boxes makes them wider, and
// so the cell live where it need not be.
//
// Each reset is sound for itself, in whatever state the process comes to the node: so they may
// follow each other in any order, if each examines the values that the ones before it have left.
#include "model/passes/dead_paths.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 8, MOST_WORK = 1 << 20, ROUNDS_BEFORE_GIVING_UP = 24 };

typedef struct cell_flow {
    gy_cell cell;
    gy_boxes *at; // by node
    bool *stores; // by edge of the template: something in the cell
} cell_flow;

struct gy_dead_paths {
    const gy_model *model;
    int32_t number;
    const gy_template *tmpl;
    const uint64_t *own;
    const gy_liveness *live;
    uint64_t *deciders, *work;
    gy_edge_boxes b;
    gy_box *firing; // by edge of the template
    bool *fires;
    GY_VEC(cell_flow) flows; // of the cells that are dead somewhere where their variable is not
};

// ---- data flow --------------------------------------------------------------------------

static bool add(const gy_dead_paths *p, gy_boxes *boxes, gy_box box, gy_cell cell, bool giving_up)
{
    gy_box_forget(&box, cell.var);
    bool grew = gy_boxes_add(p->model, boxes, &box);
    if (grew && giving_up)
        gy_boxes_fill(boxes);
    return grew;
}

// What is in the box after the edge and was not overwritten by it.
static bool flow_back(const gy_dead_paths *p, const gy_edge *edge, const gy_cell_use *use,
                      const gy_box *after, cell_flow *flow, bool giving_up)
{
    gy_boxes *before = &flow->at[edge->from];
    gy_cell cell = flow->cell;
    gy_box box = *after, below, above;
    if (!gy_box_before(&p->b, edge, &p->firing[edge->id - p->tmpl->first_edge], &box))
        return false;
    if (use->index == GY_NONE)
        return add(p, before, box, cell, giving_up);
    int32_t element = (int32_t)cell.element;
    bool grew = false;
    below = above = box;
    if (gy_box_narrow(&below, use->index, (gy_interval){INT32_MIN, element - 1}))
        grew |= add(p, before, below, cell, giving_up);
    if (gy_box_narrow(&above, use->index, (gy_interval){element + 1, INT32_MAX}))
        grew |= add(p, before, above, cell, giving_up);
    return grew;
}

static bool pass_edge(const gy_dead_paths *p, const gy_edge *edge, const gy_cell_use *use,
                      cell_flow *flow, bool giving_up)
{
    gy_boxes *before = &flow->at[edge->from];
    bool grew = false;
    for (uint32_t i = 0; i < use->reads.count; i++)
        grew |= add(p, before, use->reads.boxes[i], flow->cell, giving_up);
    if (edge->to == GY_NONE || use->overwrites)
        return grew;
    gy_boxes after = flow->at[edge->to]; // perhaps the same node
    for (uint32_t i = 0; i < after.count; i++)
        grew |= flow_back(p, edge, use, &after.boxes[i], flow, giving_up);
    return grew;
}

static void solve(const gy_dead_paths *p, cell_flow *flow)
{
    uint32_t count = (uint32_t)p->tmpl->edge_count;
    gy_cell_use *uses = gy_alloc((count + 1) * sizeof *uses);
    const gy_edge *edges = &p->model->edges[p->tmpl->first_edge];
    gy_cell_asks asks = {&p->b, p->live, p->own, p->work};
    for (uint32_t e = 0; e < count; e++)
        gy_cell_use_find(&asks, &edges[e], &p->firing[e], flow->cell, &uses[e]);
    for (uint32_t e = 0; e < count; e++)
        flow->stores[e] = uses[e].may_store;
    bool grew = true;
    for (int round = 0; grew; round++) {
        grew = false;
        for (uint32_t e = count; e-- > 0;)
            if (p->fires[e])
                grew |= pass_edge(p, &edges[e], &uses[e], flow, round >= ROUNDS_BEFORE_GIVING_UP);
    }
    free(uses);
}

static void flow_free(const cell_flow *flow)
{
    free(flow->at);
    free(flow->stores);
}

static bool is_of_use(const gy_dead_paths *p, const cell_flow *flow)
{
    for (uint32_t n = 0; n < p->tmpl->node_count; n++)
        if (!gy_boxes_are_all(&flow->at[n]) && gy_live_at(p->live, (int32_t)n, flow->cell.var))
            return true;
    return false;
}

// ---- which cells ------------------------------------------------------------------------

static void find_deciders(gy_dead_paths *p, const uint64_t *followed)
{
    for (uint32_t v = 0; v < p->model->var_count; v++) {
        const gy_variable *var = &p->model->vars[v];
        if (var->count == 1 && !var->is_array && !var->hidden &&
            (var->owner == p->number || gy_bits_has(followed, (int32_t)v)))
            gy_bits_add(p->deciders, (int32_t)v);
    }
}

// The start gives a global its value before there are values to decide by.
static bool is_given_early(const gy_dead_paths *p, int32_t var)
{
    memset(p->work, 0, p->live->words * sizeof *p->work);
    gy_program_writes(p->model->init, p->work);
    return p->model->vars[var].owner == GY_NONE && gy_bits_has(p->work, var);
}

static void find_flows(gy_dead_paths *p, const uint64_t *followed)
{
    size_t bytes = (p->tmpl->node_count + 1) * sizeof(gy_boxes);
    for (uint32_t v = 0; v < p->model->var_count; v++) {
        uint32_t elements = p->model->vars[v].count;
        if (!gy_bits_has(followed, (int32_t)v) || elements > MOST_ELEMENTS ||
            is_given_early(p, (int32_t)v))
            continue;
        for (uint32_t i = 0; i < elements; i++) {
            cell_flow flow = {{(int32_t)v, i},
                              gy_alloc_zero(bytes),
                              gy_alloc_zero((uint32_t)p->tmpl->edge_count + 1)};
            solve(p, &flow);
            if (is_of_use(p, &flow))
                gy_vec_push(&p->flows, flow);
            else
                flow_free(&flow);
        }
    }
}

gy_dead_paths *gy_dead_paths_find(const gy_model *model, int32_t tmpl, const uint64_t *own,
                                  const uint64_t *followed, const gy_liveness *live)
{
    const gy_template *t = &model->templates[tmpl];
    if ((uint64_t)t->edge_count * model->var_count > MOST_WORK)
        return NULL;
    gy_dead_paths *p = gy_alloc_zero(sizeof *p);
    *p = (gy_dead_paths){.model = model, .number = tmpl, .tmpl = t, .own = own, .live = live};
    p->deciders = gy_alloc_zero(live->words * sizeof *p->deciders);
    p->work = gy_alloc_zero(live->words * sizeof *p->work);
    p->firing = gy_alloc(((uint32_t)t->edge_count + 1) * sizeof *p->firing);
    p->fires = gy_alloc((uint32_t)t->edge_count + 1);
    p->b = (gy_edge_boxes){model, p->deciders};
    find_deciders(p, followed);
    for (int32_t e = 0; e < t->edge_count; e++)
        p->fires[e] = gy_edge_box(&p->b, &model->edges[t->first_edge + e], &p->firing[e]);
    find_flows(p, followed);
    return p;
}

// ---- resets -----------------------------------------------------------------------------

// What of a condition on the values after the edge is left to be asked. Variables that have been
// reset since are not known any more.
static gy_boxes left_to_ask(const gy_dead_paths *p, const gy_edge *edge, const gy_boxes *live,
                            const uint64_t *was_reset)
{
    const gy_box *firing = &p->firing[edge->id - p->tmpl->first_edge];
    gy_boxes left = {0};
    for (uint32_t i = 0; i < live->count; i++) {
        gy_box box = {0};
        bool possible = true;
        for (uint32_t k = 0; possible && k < live->boxes[i].count; k++) {
            const gy_side *side = &live->boxes[i].sides[k];
            gy_interval known = gy_decider_span(p->model, side->var);
            int32_t value;
            if (gy_bits_has(was_reset, side->var))
                ;
            else if (gy_edge_constant(p->model, edge, side->var, &value))
                known = gy_interval_of(value);
            else if (!gy_edge_changes(edge, side->var))
                known = gy_box_span(firing, side->var, known);
            possible = !gy_interval_is_empty(gy_interval_meet(known, side->span));
            if (known.low < side->span.low || known.high > side->span.high)
                gy_box_narrow(&box, side->var, side->span);
        }
        if (possible)
            gy_boxes_add(p->model, &left, &box);
    }
    return left;
}

// Was the cell's value, where the edge begins, already what it has to be where it ends?
static bool is_settled(const gy_edge *edge, const cell_flow *flow, bool may_store)
{
    const gy_boxes *from = &flow->at[edge->from], *to = &flow->at[edge->to];
    if (may_store)
        return false;
    if (from->count == 0)
        return true;
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t k = 0; k < to->boxes[i].count; k++)
            if (gy_edge_changes(edge, to->boxes[i].sides[k].var))
                return false;
    return gy_boxes_equal(from, to);
}

static bool reset_on_edge(const gy_dead_paths *p, gy_model *model, gy_edge *edge,
                          const cell_flow *flow, const uint64_t *was_reset)
{
    if (edge->to == GY_NONE || gy_boxes_are_all(&flow->at[edge->to]) ||
        !gy_live_at(p->live, edge->to, flow->cell.var) ||
        is_settled(edge, flow, flow->stores[edge->id - p->tmpl->first_edge]))
        return false;
    gy_boxes left = left_to_ask(p, edge, &flow->at[edge->to], was_reset);
    if (gy_boxes_are_all(&left))
        return false;
    edge->effect =
        gy_program_with_reset_unless(model, edge->effect, flow->cell, &left, edge->place);
    return true;
}

static bool reset_at_start(const gy_dead_paths *p, gy_model *model, const cell_flow *flow)
{
    const gy_variable *v = &model->vars[flow->cell.var];
    gy_template *tmpl = &model->templates[p->number];
    const gy_boxes *live = &flow->at[tmpl->initial];
    memset(p->work, 0, p->live->words * sizeof *p->work);
    gy_program_writes(tmpl->init, p->work);
    if (v->owner == GY_NONE || gy_boxes_are_all(live) ||
        !gy_live_at(p->live, tmpl->initial, flow->cell.var) ||
        !(v->is_param || gy_bits_has(p->work, flow->cell.var)))
        return false;
    tmpl->init = gy_program_with_reset_unless(model, tmpl->init, flow->cell, live, v->place);
    return true;
}

void gy_dead_paths_reset(gy_dead_paths *p, gy_model *model, gy_saved *saved)
{
    if (!p)
        return;
    uint64_t *was_reset = gy_alloc_zero(p->live->words * sizeof *was_reset);
    for (size_t i = 0; i < p->flows.n; i++) {
        const cell_flow *flow = &p->flows.at[i];
        uint32_t resets = reset_at_start(p, model, flow);
        for (int32_t e = 0; e < p->tmpl->edge_count; e++)
            if (p->fires[e])
                resets += reset_on_edge(p, model, &model->edges[p->tmpl->first_edge + e], flow,
                                        was_reset);
        if (resets && !gy_bits_has(was_reset, flow->cell.var))
            saved->path_variables++;
        if (resets)
            gy_bits_add(was_reset, flow->cell.var);
        saved->path_resets += resets;
        flow_free(flow);
    }
    free(was_reset);
    free(p->deciders);
    free(p->work);
    free(p->firing);
    free(p->fires);
    gy_vec_free(&p->flows);
    free(p);
}
