// One set, over all variables and whatever the order of execution: rounds over all actions until
// nothing is added. What an assignment computes is wanted if the variable is in the set.
#include "model/passes/slice.h"

#include "base/fatal.h"
#include "model/passes/fields.h"
#include "model/uses.h"
#include "model/watched.h"

#include <stdlib.h>
#include <string.h>

typedef struct slicer {
    gy_model *model;
    uint64_t *wanted;
    gy_fields *fields;
    bool fields_grew;
} slicer;

static void want(slicer *s, const gy_expr *expr)
{
    gy_expr_reads(s->model, expr, s->wanted);
}

static void compute(slicer *s, const gy_expr *expr, bool wanted)
{
    if (wanted)
        gy_expr_reads(s->model, expr, s->wanted);
    else
        gy_expr_fault_reads(s->model, expr, s->wanted);
}

static bool is_wanted(const slicer *s, int32_t var)
{
    return var != GY_NONE && gy_bits_has(s->wanted, var);
}

static void send(slicer *s, const gy_expr *chan, const gy_field *fields, uint32_t count)
{
    want(s, chan);
    for (uint32_t f = 0; f < count; f++) {
        bool wanted = gy_fields_wanted(s->fields, chan, f);
        if (wanted) // then in all channels that it may go to: half a field would only add values
            s->fields_grew |= gy_fields_want(s->fields, chan, f);
        compute(s, fields[f].expr, wanted);
    }
}

static void receive(slicer *s, const gy_expr *chan, const gy_field *fields, uint32_t count)
{
    want(s, chan);
    for (uint32_t f = 0; f < count; f++) {
        want(s, fields[f].expr);
        want(s, fields[f].index);
        if (fields[f].kind == GY_FIELD_STORE && (fields[f].checked || is_wanted(s, fields[f].var)))
            s->fields_grew |= gy_fields_want(s->fields, chan, f);
    }
}

static void start(slicer *s, const gy_action *action)
{
    const gy_template *tmpl = &s->model->templates[action->tmpl];
    for (uint32_t f = 0; f < action->field_count; f++)
        compute(s, action->fields[f].expr,
                f >= tmpl->param_count || is_wanted(s, tmpl->first_var + (int32_t)f));
}

static void act(slicer *s, const gy_action *action)
{
    switch (action->kind) {
    case GY_A_ASSIGN:
        compute(s, action->expr, action->checked || is_wanted(s, action->var));
        want(s, action->index);
        break;
    case GY_A_RUN:
        start(s, action);
        want(s, action->index);
        break;
    case GY_A_PRINTF:
        for (uint32_t f = 0; f < action->field_count; f++)
            compute(s, action->fields[f].expr, false);
        break;
    case GY_A_SEND:
        send(s, action->chan, action->fields, action->field_count);
        break;
    case GY_A_RECV:
        receive(s, action->chan, action->fields, action->field_count);
        break;
    case GY_A_PRINTM:
        compute(s, action->expr, false);
        break;
    case GY_A_ASSIGN_ALL:
        for (uint32_t f = 0; f < action->field_count; f++) {
            compute(s, action->fields[f].expr,
                    action->fields[f].checked || is_wanted(s, action->fields[f].var));
            want(s, action->fields[f].index);
        }
        break;
    case GY_A_CHOOSE: // how many successors there are depends on the bounds
        want(s, action->index);
        for (uint32_t f = 0; f < action->field_count; f++)
            want(s, action->fields[f].expr);
        break;
    default:
        want(s, action->expr);
        want(s, action->index);
        want(s, action->chan);
        for (uint32_t o = 0; o < action->option_count; o++)
            want(s, action->options[o].when);
    }
}

static void run(slicer *s, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        act(s, &program->actions[i]);
}

static void step(slicer *s, const gy_edge *edge)
{
    want(s, edge->guard);
    if (edge->sync == GY_SYNC_SEND)
        send(s, edge->chan, edge->fields, edge->field_count);
    if (edge->sync == GY_SYNC_RECV)
        receive(s, edge->chan, edge->fields, edge->field_count);
    run(s, edge->effect);
}

// What a claim assigns to is a part of where it is, though it is a variable of the model.
static void keep_changed_by_claims(slicer *s)
{
    for (uint32_t e = 0; e < s->model->edge_count; e++) {
        const gy_edge *edge = &s->model->edges[e];
        if (s->model->templates[edge->tmpl].kind != GY_TMPL_NEVER)
            continue;
        for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
            const gy_action *action = &edge->effect->actions[i];
            if (action->kind != GY_A_ASSIGN || s->model->vars[action->var].owner != GY_NONE)
                continue;
            gy_bits_add(s->wanted, action->var);
            want(s, action->expr);
            want(s, action->index);
        }
    }
}

static void find_wanted(slicer *s)
{
    uint32_t words = gy_bits_words(s->model->var_count);
    uint64_t *before = gy_alloc_zero(words * sizeof *before);
    do {
        s->fields_grew = false;
        run(s, s->model->init);
        for (uint32_t t = 0; t < s->model->template_count; t++)
            run(s, s->model->templates[t].init);
        for (uint32_t e = 0; e < s->model->edge_count; e++)
            if (gy_is_process(&s->model->templates[s->model->edges[e].tmpl]))
                step(s, &s->model->edges[e]);
    } while (gy_bits_join(before, s->wanted, words) || s->fields_grew);
    free(before);
}

void gy_model_slice(gy_model *model, const gy_watched *watched, gy_saved *saved)
{
    slicer s = {.model = model, .fields = gy_fields_new(model, watched)};
    s.wanted = gy_alloc_zero(gy_bits_words(model->var_count) * sizeof *s.wanted);
    gy_watched_reads(model, watched, s.wanted);
    keep_changed_by_claims(&s);
    find_wanted(&s);
    for (uint32_t v = 0; v < model->var_count; v++) {
        gy_variable *var = &model->vars[v];
        if (gy_bits_has(s.wanted, (int32_t)v))
            continue;
        var->removed = true;
        if (var->hidden) // it was not in the state; now it need not even be computed
            continue;
        var->hidden = true;
        saved->sliced_variables++;
        saved->sliced_bits += (uint64_t)var->bits * var->count;
    }
    saved->sliced_fields = gy_fields_clear(s.fields, model);
    gy_fields_free(s.fields);
    free(s.wanted);
}
