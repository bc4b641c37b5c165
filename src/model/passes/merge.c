// First the nodes whose edges are all private (is_private), then, depth-first, those of them that
// close a cycle are taken out, and those through which too many ways lead.
#include "model/passes/merge.h"

#include "base/fatal.h"
#include "base/vec.h"
#include "model/channels.h"
#include "model/passes/enabling.h"
#include "model/sharing.h"
#include "model/uses.h"
#include "model/visit.h"

#include <stdlib.h>

// Ways through the nodes that are passed in one step, and steps on each.
enum { MAX_WAYS = 16, MAX_LENGTH = 24 };

typedef struct merger {
    gy_model *model;
    gy_sharing *sharing;
    gy_enabling enabling;
    const gy_template *tmpl;
    int32_t number; // of the template
    bool *passed;   // by node
    uint32_t *ways, *length;
} merger;

// ---- private edges ----------------------------------------------------------------------

static bool is_scratch(const merger *m, int32_t var)
{
    return var != GY_NONE && m->model->vars[var].hidden && !m->model->vars[var].removed;
}

// Touches say nothing of hidden variables and of C code.
static gy_visit_next stop_unless_plain(void *user, const gy_expr *expr)
{
    bool plain = expr->op != GY_E_C && expr->op != GY_E_TIMEOUT && expr->op != GY_E_PC_VALUE &&
                 expr->op != GY_E_REMOTE_LABEL && expr->op != GY_E_REMOTE_VAR &&
                 !(expr->op == GY_E_VAR && is_scratch(user, expr->var));
    return plain ? GY_VISIT_PARTS : GY_VISIT_STOP;
}

static bool is_plain(const merger *m, const gy_edge *edge)
{
    const gy_program *effect = edge->effect;
    for (uint32_t i = 0; effect && i < effect->count; i++) {
        gy_action_kind kind = effect->actions[i].kind;
        if (kind == GY_A_C || kind == GY_A_RUN || kind == GY_A_CHOOSE ||
            is_scratch(m, effect->actions[i].var))
            return false;
    }
    return !gy_visit_edge(&(gy_visitor){.user = (void *)m, .expr = stop_unless_plain}, edge);
}

// With priorities, every edge depends on which other processes are enabled. A merged step may have
// been kept waiting by others in between, but they could not notice; and no process of lower
// priority is enabled while it is possible, which it stays. (Where a process of higher priority is
// enabled, it is not taken at once: priorities hold inside atomic sequences.)
static bool is_by_priority(const merger *m, const gy_touch *touch)
{
    return m->model->uses_priority && !touch->write &&
           (touch->kind == GY_TOUCH_CONTROL || (touch->kind == GY_TOUCH_SYSTEM && !touch->exact));
}

static bool is_private_touch(const merger *m, const gy_touch *touch)
{
    if (is_by_priority(m, touch))
        return true;
    return touch->kind == GY_TOUCH_VAR && gy_only_writer(m->sharing, m->number, touch->var) &&
           (!touch->write || gy_only_reader(m->sharing, m->number, touch->var));
}

static bool is_private(const merger *m, const gy_edge *edge)
{
    if (edge->kind == GY_EDGE_END || edge->sync != GY_SYNC_NONE || edge->escape ||
        edge->to == GY_NONE || gy_edge_can_fail(m->model, edge) || !is_plain(m, edge))
        return false;
    for (uint32_t i = 0; i < edge->touch_count; i++)
        if (!is_private_touch(m, &edge->touches[i]))
            return false;
    return true;
}

// Could anybody notice that a process is at this node, or comes from it?
static bool is_marked(const merger *m, int32_t node)
{
    return (m->tmpl->nodes[node].flags & (GY_NODE_ACCEPT | GY_NODE_PROGRESS)) ||
           m->sharing->seen[m->number][node];
}

static bool can_pass(const merger *m, int32_t number)
{
    const gy_node *node = &m->tmpl->nodes[number];
    if (node->edge_count == 0 || is_marked(m, number) || !gy_enabling_is_same(&m->enabling, node))
        return false;
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &m->model->edges[node->first_edge + k];
        if (!is_private(m, edge) || is_marked(m, edge->to) ||
            !gy_enabling_is_same(&m->enabling, &m->tmpl->nodes[edge->to]))
            return false;
    }
    return true;
}

// ---- bounds -----------------------------------------------------------------------------

// `x == constant`: the variable, or GY_NONE.
static int32_t compared_variable(const gy_expr *guard, int32_t *value)
{
    if (!guard || guard->op != GY_E_EQ || guard->a->op != GY_E_VAR || guard->a->a ||
        guard->b->op != GY_E_CONST)
        return GY_NONE;
    *value = guard->b->value;
    return guard->a->var;
}

static bool exclude_each_other(const gy_expr *a, const gy_expr *b)
{
    int32_t x = 0, y = 0;
    int32_t var = compared_variable(a, &x);
    return var != GY_NONE && compared_variable(b, &y) == var && x != y;
}

// Can at most one edge of the node fire?
static bool is_decided(const merger *m, const gy_node *node)
{
    const gy_edge *edges = &m->model->edges[node->first_edge];
    for (int32_t i = 0; i < node->edge_count; i++)
        for (int32_t k = i + 1; k < node->edge_count; k++)
            if (edges[k].kind != GY_EDGE_ELSE &&
                !exclude_each_other(edges[i].guard, edges[k].guard))
                return false;
    return true;
}

// Ways and steps from here to where the process stops, if this node is passed. False: too many.
static bool measure(merger *m, int32_t number)
{
    const gy_node *node = &m->tmpl->nodes[number];
    bool decided = is_decided(m, node);
    uint32_t ways = 0, length = 0;
    for (int32_t k = 0; k < node->edge_count; k++) {
        int32_t to = m->model->edges[node->first_edge + k].to;
        uint32_t on = m->passed[to] ? m->ways[to] : 1, far = m->passed[to] ? m->length[to] : 0;
        ways = decided && ways > on ? ways : decided ? on : ways + on;
        length = length > far + 1 ? length : far + 1;
    }
    m->ways[number] = ways;
    m->length[number] = length;
    return ways <= MAX_WAYS && length <= MAX_LENGTH;
}

// ---- which nodes are passed -------------------------------------------------------------

// Depth-first over the nodes that could be passed: whatever the path comes back to, and whatever
// exceeds a bound, is not passed.
static void choose(merger *m)
{
    enum { UNSEEN, OPEN, CLOSED };
    uint32_t count = m->tmpl->node_count;
    uint8_t *colour = gy_alloc_zero(count + 1);
    int32_t *next = gy_alloc_zero((count + 1) * sizeof *next);
    GY_VEC(int32_t) path = {0};
    for (uint32_t root = 0; root < count; root++) {
        if (!m->passed[root] || colour[root] != UNSEEN)
            continue;
        colour[root] = OPEN;
        gy_vec_push(&path, (int32_t)root);
        while (path.n) {
            int32_t at = path.at[path.n - 1];
            const gy_node *node = &m->tmpl->nodes[at];
            if (next[at] == node->edge_count) {
                m->passed[at] = m->passed[at] && measure(m, at);
                colour[at] = CLOSED;
                path.n--;
                continue;
            }
            int32_t to = m->model->edges[node->first_edge + next[at]++].to;
            if (!m->passed[to])
                continue;
            if (colour[to] == OPEN)
                m->passed[to] = false;
            else if (colour[to] == UNSEEN) {
                colour[to] = OPEN;
                gy_vec_push(&path, to);
            }
        }
    }
    gy_vec_free(&path);
    free(colour);
    free(next);
}

// An edge that goes on inside an atomic sequence would carry the merged step into it.
static void drop_entries(merger *m)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = 0; e < m->tmpl->edge_count; e++) {
            const gy_edge *edge = &m->model->edges[m->tmpl->first_edge + e];
            if (m->passed[edge->from] && edge->keeps_atomic && !m->passed[edge->to]) {
                m->passed[edge->from] = false;
                changed = true;
            }
        }
    }
}

// ---- the edges --------------------------------------------------------------------------

// After a rendezvous it is the receiver that goes on, not the sender.
static bool may_hand_over(const merger *m, const gy_edge *edge)
{
    return edge->sync == GY_SYNC_SEND && gy_may_meet(m->model, m->enabling.types, edge);
}

static uint32_t merge_template(merger *m)
{
    uint32_t count = m->tmpl->node_count, merged = 0;
    m->passed = gy_alloc_zero(count + 1);
    m->ways = gy_alloc_zero((count + 1) * sizeof *m->ways);
    m->length = gy_alloc_zero((count + 1) * sizeof *m->length);
    for (uint32_t n = 0; n < count; n++)
        m->passed[n] = can_pass(m, (int32_t)n);
    choose(m);
    drop_entries(m);
    for (int32_t e = 0; e < m->tmpl->edge_count; e++) {
        gy_edge *edge = &m->model->edges[m->tmpl->first_edge + e];
        if (edge->to != GY_NONE && m->passed[edge->to] && !edge->keeps_atomic &&
            !may_hand_over(m, edge)) {
            edge->keeps_atomic = true;
            merged++;
        }
    }
    free(m->passed);
    free(m->ways);
    free(m->length);
    return merged;
}

// `timeout` that must be false is the one thing that a private step can switch off.
static bool denies_timeout(const gy_expr *expr)
{
    if (!expr || expr->op == GY_E_TIMEOUT)
        return false;
    if (expr->op == GY_E_AND || expr->op == GY_E_OR)
        return denies_timeout(expr->a) || denies_timeout(expr->b);
    return gy_expr_mentions(expr, GY_E_TIMEOUT);
}

static gy_visit_next stop_at_timeout(void *user, const gy_expr *expr)
{
    (void)user;
    return expr->op == GY_E_TIMEOUT ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static bool asks_outside_guard(const gy_model *model, const gy_edge *edge)
{
    const gy_expr *provided = model->templates[edge->tmpl].provided;
    gy_visitor visitor = {.expr = stop_at_timeout};
    return gy_visit_expr(&visitor, provided) ||
           (!edge->needs_timeout && gy_visit_edge(&visitor, edge));
}

// What can distinguish one step from two, or reads things that no edge writes down.
static bool is_off(const merger *m)
{
    const gy_model *model = m->model;
    if (model->uses_last || model->uses_np || m->sharing->all_seen || m->enabling.off)
        return true;
    for (uint32_t e = 0; model->uses_timeout && e < model->edge_count; e++)
        if (denies_timeout(model->edges[e].guard) || asks_outside_guard(model, &model->edges[e]))
            return true;
    return false;
}

static bool counts_steps(const gy_formula *formula)
{
    return formula &&
           (formula->op == GY_F_NEXT || counts_steps(formula->a) || counts_steps(formula->b));
}

uint32_t gy_model_merge(gy_model *model, const gy_watched *watched)
{
    const gy_formula *const *formulas = watched->formulas;
    size_t count = watched->formula_count;
    for (size_t i = 0; i < count; i++)
        if (counts_steps(formulas[i]))
            return 0;
    int32_t *types = gy_model_channel_types(model);
    merger m = {.model = model,
                .sharing = gy_sharing_new(model, formulas, count, false),
                .enabling = gy_enabling_new(model, watched, types)};
    uint32_t merged = 0;
    for (uint32_t t = 0; t < model->template_count && !is_off(&m); t++) {
        m.tmpl = &model->templates[t];
        m.number = (int32_t)t;
        if (gy_is_process(m.tmpl) && !m.tmpl->provided)
            merged += merge_template(&m);
    }
    free(types);
    gy_sharing_free(m.sharing);
    return merged;
}
