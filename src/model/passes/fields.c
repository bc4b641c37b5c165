#include "model/passes/fields.h"

#include "base/fatal.h"
#include "model/channels.h"
#include "model/uses.h"
#include "model/visit.h"
#include "model/watched.h"

#include <stdlib.h>
#include <string.h>

struct gy_fields {
    const gy_model *model;
    int32_t *types;  // of the channels that a variable can hold, GY_NONE: any
    uint32_t *first; // by channel type: where its fields begin in `wanted`
    bool *wanted;
    bool cleared; // something is sent as 0 that was not
};

// ---- which fields -----------------------------------------------------------------------

static bool may_be(const gy_fields *s, const gy_expr *chan, uint32_t type)
{
    chan = gy_bare_channel(chan);
    return chan->op != GY_E_VAR || s->types[chan->var] == GY_NONE ||
           s->types[chan->var] == (int32_t)type;
}

bool gy_fields_want(gy_fields *s, const gy_expr *chan, uint32_t field)
{
    bool news = false;
    for (uint32_t t = 0; t < s->model->channel_type_count; t++) {
        if (field >= s->model->channel_types[t].field_count || !may_be(s, chan, t))
            continue;
        news |= !s->wanted[s->first[t] + field];
        s->wanted[s->first[t] + field] = true;
    }
    return news;
}

bool gy_fields_wanted(const gy_fields *s, const gy_expr *chan, uint32_t field)
{
    for (uint32_t t = 0; t < s->model->channel_type_count; t++)
        if (field < s->model->channel_types[t].field_count && may_be(s, chan, t) &&
            s->wanted[s->first[t] + field])
            return true;
    return false;
}

// ---- comparisons ------------------------------------------------------------------------

static void want_matches(gy_fields *s, const gy_expr *chan, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH || fields[f].kind == GY_FIELD_VALUE)
            gy_fields_want(s, chan, f);
}

// What must be computed since it can fail, and what messages are sorted by, stays.
static void want_sent(gy_fields *s, const gy_expr *chan, bool sorted, const gy_field *fields,
                      uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (sorted || gy_expr_can_fail(s->model, fields[f].expr))
            gy_fields_want(s, chan, f);
}

static gy_visit_next find_poll(void *user, const gy_expr *expr)
{
    if (expr->op == GY_E_POLL)
        want_matches(user, expr->a, expr->args, expr->arg_count);
    return GY_VISIT_PARTS;
}

static void find_in_program(gy_fields *s, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_RECV)
            want_matches(s, action->chan, action->fields, action->field_count);
        if (action->kind == GY_A_SEND)
            want_sent(s, action->chan, action->sorted, action->fields, action->field_count);
    }
}

static void find_in_edge(gy_fields *s, const gy_edge *edge)
{
    if (edge->sync == GY_SYNC_RECV)
        want_matches(s, edge->chan, edge->fields, edge->field_count);
    if (edge->sync == GY_SYNC_SEND)
        want_sent(s, edge->chan, edge->sorted, edge->fields, edge->field_count);
    find_in_program(s, edge->effect);
}

gy_fields *gy_fields_new(const gy_model *model, const gy_watched *watched)
{
    gy_fields *s = gy_alloc_zero(sizeof *s);
    uint32_t count = 0;
    s->model = model;
    s->types = gy_model_channel_types(model);
    s->first = gy_alloc((model->channel_type_count + 1) * sizeof *s->first);
    for (uint32_t t = 0; t < model->channel_type_count; t++) {
        s->first[t] = count;
        count += model->channel_types[t].field_count;
    }
    s->wanted = gy_alloc(count + 1);
    memset(s->wanted, model->trace != GY_NONE, count + 1);
    gy_visitor polls = {.user = s, .expr = find_poll};
    gy_visit_model(&polls, model);
    find_in_program(s, model->init);
    for (uint32_t t = 0; t < model->template_count; t++)
        find_in_program(s, model->templates[t].init);
    for (uint32_t e = 0; e < model->edge_count; e++)
        find_in_edge(s, &model->edges[e]);
    for (size_t i = 0; i < watched->formula_count; i++)
        gy_visit_formula(&polls, model, watched->formulas[i]);
    return s;
}

void gy_fields_free(gy_fields *s)
{
    free(s->types);
    free(s->first);
    free(s->wanted);
    free(s);
}

// ---- sends ------------------------------------------------------------------------------

static bool is_useless(const gy_fields *s, const gy_expr *chan, const gy_field *field, uint32_t f)
{
    bool is_zero = field->expr->op == GY_E_CONST && field->expr->value == 0;
    return !is_zero && !gy_fields_wanted(s, chan, f);
}

// The fields themselves if there is nothing to clear.
static gy_field *cleared(gy_fields *s, gy_model *model, const gy_expr *chan, gy_field *fields,
                         uint32_t count)
{
    gy_field *copy = fields;
    for (uint32_t f = 0; f < count; f++) {
        if (!is_useless(s, chan, &fields[f], f))
            continue;
        if (copy == fields) {
            copy = GY_NEW_ARRAY(model->arena, gy_field, count);
            memcpy(copy, fields, count * sizeof *copy);
        }
        s->cleared = true;
        copy[f].expr = gy_expr_new(model->arena, GY_E_CONST, fields[f].expr->place);
    }
    return copy;
}

static gy_program *cleared_program(gy_fields *s, gy_model *model, gy_program *program)
{
    gy_program *copy = program;
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind != GY_A_SEND)
            continue;
        gy_field *fields = cleared(s, model, action->chan, action->fields, action->field_count);
        if (fields == action->fields)
            continue;
        if (copy == program) {
            copy = GY_NEW(model->arena, gy_program);
            copy->count = program->count;
            copy->actions = GY_NEW_ARRAY(model->arena, gy_action, program->count);
            memcpy(copy->actions, program->actions, program->count * sizeof *copy->actions);
        }
        copy->actions[i].fields = fields;
    }
    return copy;
}

uint32_t gy_fields_clear(gy_fields *s, gy_model *model)
{
    uint32_t unwanted = 0;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        gy_edge *edge = &model->edges[e];
        if (!gy_is_process(&model->templates[edge->tmpl]))
            continue; // the events of a trace automaton
        if (edge->sync == GY_SYNC_SEND)
            edge->fields = cleared(s, model, edge->chan, edge->fields, edge->field_count);
        edge->effect = cleared_program(s, model, edge->effect);
    }
    for (uint32_t t = 0; t < model->channel_type_count; t++)
        for (uint32_t f = 0; f < model->channel_types[t].field_count; f++)
            unwanted += s->cleared && !s->wanted[s->first[t] + f];
    return unwanted;
}
