#include "model/exclusive.h"

#include "model/channels.h"

#include <stdlib.h>

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
static gy_place use_in_edge(const checker *c, const gy_edge *edge)
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

static gy_place use_in_template(const checker *c, int32_t tmpl)
{
    const gy_template *t = &c->model->templates[tmpl];
    gy_place place = 0;
    if (t->kind != GY_TMPL_PROCESS && t->kind != GY_TMPL_INIT)
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
    gy_place own = use_in_template(c, c->use->tmpl);
    for (uint32_t t = 0; t < model->template_count; t++) {
        bool other = (int32_t)t != c->use->tmpl;
        gy_place place = other ? use_in_template(c, (int32_t)t) : own;
        if (!place || (!other && started(model, c->use->tmpl) < 2))
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

void gy_model_check_exclusive(const gy_model *model, gy_diags *diags)
{
    int32_t *channels = gy_model_static_channels(model);
    for (uint32_t i = 0; i < model->exclusive_count; i++) {
        checker c = {model, channels, &model->exclusive[i]};
        if (!c.use->index && c.use->var != GY_NONE && channels[c.use->var])
            check_use(&c, diags);
    }
    free(channels);
}
