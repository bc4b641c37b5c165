// What each edge reads and writes.
//
// An edge reads what decides whether it can fire (its guard, the channel it synchronises on,
// the `provided` clause of its template; for an `else`, all that the other edges of its node
// read) and what its effect reads; it writes what its synchronisation and effect store.
// A system touch that is not exact stands for all that anybody's steps depend on, locations too.
// A channel is touched as GY_TOUCH_CHANNELS: exact, with `var` the chan variable, if that
// variable always holds the same channel; otherwise it may be any channel.
#include "model/access.h"

#include "base/vec.h"
#include "model/channels.h"
#include "model/instances.h"
#include "model/operators.h"
#include "model/visit.h"

#include <string.h>

typedef struct collector {
    const gy_model *model;
    const int32_t *channels;
    GY_VEC(gy_touch) touches;
    bool all_control; // the locations of all templates are among them
} collector;

static bool same_place(const gy_touch *a, const gy_touch *b)
{
    return a->kind == b->kind && a->write == b->write && a->var == b->var && a->tmpl == b->tmpl;
}

static void add(collector *c, gy_touch touch)
{
    for (size_t i = 0; i < c->touches.n; i++) {
        gy_touch *old = &c->touches.at[i];
        if (!same_place(old, &touch))
            continue;
        if (old->first <= touch.first && old->last >= touch.last && (!old->exact || touch.exact))
            return;
        if (!touch.exact && touch.first <= old->first && touch.last >= old->last) {
            *old = touch;
            return;
        }
    }
    gy_vec_push(&c->touches, touch);
}

static void add_system(collector *c, bool write, bool exact)
{
    add(c, (gy_touch){GY_TOUCH_SYSTEM, write, exact, GY_NONE, GY_NONE, 0, 0});
}

static void add_control(collector *c, int32_t tmpl)
{
    add(c, (gy_touch){GY_TOUCH_CONTROL, false, false, GY_NONE, tmpl, 0, 0});
}

static void add_all_control(collector *c)
{
    if (c->all_control)
        return;
    c->all_control = true;
    for (uint32_t i = 0; i < c->model->template_count; i++)
        add_control(c, (int32_t)i);
}

static void add_pid_control(collector *c, const gy_expr *pid)
{
    int32_t tmpl = gy_template_of_pid(c->model, pid);
    if (tmpl == GY_NONE)
        add_all_control(c);
    else
        add_control(c, tmpl);
}

static bool constant_element(const gy_expr *index, uint32_t *element)
{
    if (index && index->op == GY_E_INDEX)
        index = index->a;
    *element = index && index->op == GY_E_CONST ? (uint32_t)index->value : 0;
    return !index || index->op == GY_E_CONST;
}

static void add_variable(collector *c, gy_touch_kind kind, int32_t var, const gy_expr *index,
                         bool write)
{
    if (var == GY_NONE || c->model->vars[var].hidden)
        return;
    uint32_t element;
    bool exact = constant_element(index, &element);
    uint32_t last = exact ? element : c->model->vars[var].count - 1;
    add(c, (gy_touch){kind, write, exact && kind == GY_TOUCH_VAR, var,
                      kind == GY_TOUCH_REMOTE ? c->model->vars[var].owner : GY_NONE,
                      exact ? element : 0, last});
}

static void add_channel(collector *c, const gy_expr *chan, bool write)
{
    chan = gy_bare_channel(chan);
    bool known = chan->op == GY_E_VAR && !chan->a && c->channels[chan->var];
    add(c, (gy_touch){GY_TOUCH_CHANNELS, write, known, known ? chan->var : GY_NONE, GY_NONE, 0, 0});
}

static gy_visit_next note_read(void *user, const gy_expr *expr)
{
    collector *c = user;
    if (gy_op_asks_channel(expr->op))
        add_channel(c, expr->a, false);
    switch (expr->op) {
    case GY_E_VAR:
        add_variable(c, GY_TOUCH_VAR, expr->var, expr->a, false);
        break;
    case GY_E_EXCLUSIVE: // which processes are there
    case GY_E_NR_PR:
    case GY_E_LAST:
    case GY_E_GET_PRIORITY:
    case GY_E_PRIORITY:
        add_system(c, false, true);
        break;
    case GY_E_TIMEOUT:
    case GY_E_ENABLED: // depends on all that the others depend on
        add_system(c, false, false);
        break;
    case GY_E_NP:
        add_all_control(c);
        break;
    case GY_E_PC_VALUE:
        add_pid_control(c, expr->a);
        break;
    case GY_E_REMOTE_LABEL:
        add_control(c, expr->tmpl);
        break;
    case GY_E_REMOTE_VAR:
        add_variable(c, GY_TOUCH_REMOTE, expr->var, expr->b, false);
        break;
    default:
        break;
    }
    return GY_VISIT_PARTS;
}

static void note_write(void *user, int32_t var, const gy_expr *index)
{
    add_variable(user, GY_TOUCH_VAR, var, index, true);
}

static gy_visitor visitor_of(collector *c)
{
    return (gy_visitor){.user = c, .expr = note_read, .store = note_write};
}

static void read_expr(collector *c, const gy_expr *expr)
{
    gy_visitor visitor = visitor_of(c);
    gy_visit_expr(&visitor, expr);
}

static void use_channel(collector *c, const gy_expr *chan)
{
    add_channel(c, chan, false);
    add_channel(c, chan, true);
    if (c->model->trace != GY_NONE)
        add_system(c, true, true); // the trace automaton takes a transition
}

// What an action does besides reading and storing.
static void visit_kind(collector *c, const gy_action *action)
{
    if (action->kind == GY_A_SEND || action->kind == GY_A_RECV)
        use_channel(c, action->chan);
    if (action->kind == GY_A_RUN || action->kind == GY_A_NEW_CHANNEL ||
        action->kind == GY_A_SET_PRIORITY || action->kind == GY_A_C) {
        add_system(c, false, true);
        add_system(c, true, true);
    }
}

// What decides whether the edge can fire.
static void visit_guard(collector *c, const gy_edge *edge)
{
    read_expr(c, edge->guard);
    if (edge->sync != GY_SYNC_NONE) {
        read_expr(c, edge->chan);
        add_channel(c, edge->chan, false);
        for (uint32_t f = 0; f < edge->field_count; f++)
            if (edge->fields[f].kind == GY_FIELD_MATCH)
                read_expr(c, edge->fields[f].expr);
    }
}

static void visit_edge(collector *c, const gy_edge *edge)
{
    const gy_model *model = c->model;
    const gy_template *tmpl = &model->templates[edge->tmpl];
    read_expr(c, tmpl->provided);
    visit_guard(c, edge);
    bool looks = edge->kind == GY_EDGE_ELSE || edge->alone;
    if (looks || edge->escape == 0) {
        // `else` examines its neighbours; what escapes may cover examines the escapes
        const gy_node *node = &tmpl->nodes[edge->from];
        for (int32_t k = 0; k < node->edge_count; k++) {
            const gy_edge *other = &model->edges[node->first_edge + k];
            if (other != edge && (looks || other->escape > 0))
                visit_guard(c, other);
        }
    }
    gy_visitor visitor = visitor_of(c);
    gy_visit_edge(&visitor, edge);
    if (edge->sync != GY_SYNC_NONE)
        use_channel(c, edge->chan);
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++)
        visit_kind(c, &edge->effect->actions[i]);
    if (edge->kind == GY_EDGE_END) {
        add_system(c, false, true);
        add_system(c, true, true);
    }
    if (model->uses_last)
        add_system(c, true, true);
    if (model->uses_priority)
        add_system(c, false, false);
}

void gy_model_access(gy_model *model)
{
    int32_t *channels = gy_model_static_channels(model);
    for (uint32_t i = 0; i < model->edge_count; i++) {
        collector c = {.model = model, .channels = channels};
        visit_edge(&c, &model->edges[i]);
        gy_edge *edge = &model->edges[i];
        edge->touch_count = (uint32_t)c.touches.n;
        edge->touches = GY_NEW_ARRAY(model->arena, gy_touch, c.touches.n + 1);
        if (c.touches.n)
            memcpy(edge->touches, c.touches.at, c.touches.n * sizeof *c.touches.at);
        gy_vec_free(&c.touches);
    }
    free(channels);
}
