#include "model/exclusive.h"

#include "base/vec.h"
#include "model/channels.h"
#include "model/instances.h"
#include "model/points_to.h"

#include <stdlib.h>
#include <string.h>

// ---- what the text shows ----------------------------------------------------------------

typedef struct checker {
    const gy_model *model;
    const int32_t *channels; // by variable: the channel that it always holds, or 0
    const gy_exclusive_use *use;
} checker;

static bool is_that_channel(const checker *c, const gy_expr *chan)
{
    return chan && chan->op == GY_E_VAR && !chan->a &&
           c->channels[chan->var] == c->channels[c->use->var];
}

// Where the edge does what only one process should do, or 0.
static gy_location use_in_edge(const checker *c, const gy_edge *edge)
{
    gy_sync sync = c->use->receive ? GY_SYNC_RECV : GY_SYNC_SEND;
    gy_action_kind kind = c->use->receive ? GY_A_RECV : GY_A_SEND;
    if (edge->sync == sync && is_that_channel(c, edge->chan))
        return edge->place;
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        if (action->kind == kind && is_that_channel(c, action->chan))
            return action->place;
    }
    return 0;
}

static gy_location use_in_template(const checker *c, int32_t tmpl)
{
    const gy_template *t = &c->model->templates[tmpl];
    gy_location place = 0;
    if (!gy_is_process(t))
        return 0;
    for (int32_t k = 0; k < t->edge_count && !place; k++)
        place = use_in_edge(c, &c->model->edges[t->first_edge + k]);
    return place;
}

static uint32_t started(const gy_model *model, int32_t tmpl)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->started_count; i++)
        count += model->started[i] == tmpl;
    return count;
}

static void check_use(const checker *c, gy_diags *diags)
{
    const gy_model *model = c->model;
    const char *name = model->vars[c->use->var].name;
    const char *keyword = c->use->receive ? "xr" : "xs";
    const char *does = c->use->receive ? "receives from" : "sends to";
    const gy_template *owner = &model->templates[c->use->tmpl];
    gy_location own = use_in_template(c, c->use->tmpl);
    if (!started(model, c->use->tmpl))
        return;
    for (uint32_t t = 0; t < model->template_count; t++) {
        bool other = (int32_t)t != c->use->tmpl;
        gy_location place = other ? use_in_template(c, (int32_t)t) : own;
        if (!place || started(model, (int32_t)t) < (other ? 1 : 2))
            continue;
        gy_error(diags, c->use->place, "`%s %s`: %s is not the only process that %s it", keyword,
                 name, owner->name, does);
        if (other)
            gy_note(diags, place, "%s %s `%s` here", model->templates[t].name, does, name);
        if (own)
            gy_note(diags, own, "%s %s `%s` here%s", owner->name, does, name,
                    other ? "" : ", in more than one instance");
        return;
    }
}

// ---- what is left to run time -----------------------------------------------------------

enum { RECEIVES = 1, SENDS = 2 };

typedef struct wrapper {
    gy_model *model;
    const gy_points_to *held;
    const gy_channel_set *claimed; // by claim: the channels it may be about
    int32_t tmpl;                  // that is examined
} wrapper;

static gy_expr *claimed_variable(const wrapper *w, uint32_t claim)
{
    const gy_exclusive_use *use = &w->model->exclusive[claim];
    bool global = w->model->vars[use->var].owner == GY_NONE;
    gy_expr *expr = gy_expr_new(w->model->arena, global ? GY_E_VAR : GY_E_REMOTE_VAR, use->place);
    expr->value = (int32_t)claim;
    expr->var = use->var;
    expr->tmpl = use->tmpl;
    return expr;
}

// May a process of the current template break the claim by using one of these channels?
static bool may_break(const wrapper *w, uint32_t claim, gy_channel_set used, unsigned kinds)
{
    const gy_exclusive_use *use = &w->model->exclusive[claim];
    if (!(kinds & (use->receive ? RECEIVES : SENDS)) || use->var == GY_NONE ||
        !gy_channel_sets_meet(used, w->claimed[claim]))
        return false;
    return use->tmpl != w->tmpl || !gy_template_is_single(w->model, w->tmpl);
}

static void wrap(const wrapper *w, gy_expr **chan, unsigned kinds)
{
    gy_model *model = w->model;
    GY_VEC(gy_field) claims = {0};
    if ((*chan)->op == GY_E_EXCLUSIVE) // shared by two edges
        return;
    gy_channel_set used = gy_points_to_by(w->held, *chan);
    for (uint32_t i = 0; i < model->exclusive_count; i++)
        if (may_break(w, i, used, kinds)) {
            gy_field claim = {
                .kind = GY_FIELD_MATCH, .expr = claimed_variable(w, i), .var = GY_NONE};
            gy_vec_push(&claims, claim);
        }
    if (claims.n) {
        gy_expr *expr = gy_expr_new(model->arena, GY_E_EXCLUSIVE, (*chan)->place);
        expr->a = *chan;
        expr->arg_count = (uint32_t)claims.n;
        expr->args = GY_NEW_ARRAY(model->arena, gy_field, claims.n);
        memcpy(expr->args, claims.at, claims.n * sizeof *claims.at);
        *chan = expr;
    }
    gy_vec_free(&claims);
}

static void wrap_in(const wrapper *w, gy_expr *expr);

static void wrap_in_fields(const wrapper *w, gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++) {
        wrap_in(w, fields[f].expr);
        wrap_in(w, fields[f].index);
    }
}

// Whose business a question about a channel is: what a receiver takes away, or a sender adds,
// changes the answer. As in Spin, `nempty` and `nfull` are fine next to the other end.
static unsigned kinds_of(const gy_expr *expr)
{
    switch (expr->op) {
    case GY_E_POLL:
        return expr->value ? RECEIVES : RECEIVES | SENDS;
    case GY_E_LEN:
    case GY_E_EMPTY:
    case GY_E_FULL:
        return RECEIVES | SENDS;
    case GY_E_NEMPTY:
        return RECEIVES;
    case GY_E_NFULL:
    case GY_E_CAN_SEND:
        return SENDS;
    default:
        return 0;
    }
}

static void wrap_in(const wrapper *w, gy_expr *expr)
{
    if (!expr || expr->op == GY_E_EXCLUSIVE)
        return;
    wrap_in(w, expr->a);
    wrap_in(w, expr->b);
    wrap_in(w, expr->c);
    wrap_in_fields(w, expr->args, expr->arg_count);
    if (kinds_of(expr))
        wrap(w, &expr->a, kinds_of(expr));
}

static void wrap_in_program(const wrapper *w, gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        gy_action *action = &program->actions[i];
        wrap_in(w, action->expr);
        wrap_in(w, action->index);
        wrap_in(w, action->chan);
        wrap_in_fields(w, action->fields, action->field_count);
        for (uint32_t k = 0; k < action->option_count; k++)
            wrap_in(w, action->options[k].when);
        if (action->kind == GY_A_SEND || action->kind == GY_A_RECV)
            wrap(w, &action->chan, action->kind == GY_A_RECV ? RECEIVES : SENDS);
    }
}

static void wrap_in_template(const wrapper *w)
{
    const gy_template *tmpl = &w->model->templates[w->tmpl];
    if (!gy_is_process(tmpl))
        return;
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        gy_edge *edge = &w->model->edges[tmpl->first_edge + k];
        wrap_in(w, edge->guard);
        wrap_in(w, edge->chan);
        wrap_in_fields(w, edge->fields, edge->field_count);
        wrap_in_program(w, edge->effect);
        if (edge->sync != GY_SYNC_NONE)
            wrap(w, &edge->chan, edge->sync == GY_SYNC_RECV ? RECEIVES : SENDS);
    }
}

static void wrap_uses(gy_model *model)
{
    gy_points_to *held = gy_points_to_new(model);
    gy_channel_set *claimed = gy_alloc((model->exclusive_count + 1) * sizeof *claimed);
    for (uint32_t i = 0; i < model->exclusive_count; i++) {
        gy_expr var = {.op = GY_E_VAR, .var = model->exclusive[i].var};
        if (var.var != GY_NONE)
            claimed[i] = gy_points_to_by(held, &var);
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        wrap_in_template(&(wrapper){model, held, claimed, (int32_t)t});
    free(claimed);
    gy_points_to_free(held);
}

void gy_model_check_exclusive(gy_model *model, gy_diags *diags)
{
    if (!model->exclusive_count)
        return;
    int32_t *channels = gy_model_static_channels(model);
    for (uint32_t i = 0; i < model->exclusive_count; i++) {
        checker c = {model, channels, &model->exclusive[i]};
        if (!c.use->index && c.use->var != GY_NONE && channels[c.use->var])
            check_use(&c, diags);
    }
    free(channels);
    if (!gy_diags_errors(diags))
        wrap_uses(model);
}
