#include "model/validate.h"

#include "base/fatal.h"
#include "model/atoms.h"
#include "model/committed.h"
#include "model/validate_internal.h"
#include "model/visit.h"

#include <stdarg.h>
#include <stdlib.h>

bool gy_is_invalid(gy_validation *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_printf(v->why, "%s: ", gy_text_str(&v->where));
    gy_text_vprintf(v->why, format, args);
    va_end(args);
    return false;
}

static void at(gy_validation *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void at(gy_validation *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(&v->where);
    gy_text_vprintf(&v->where, format, args);
    va_end(args);
}

// ---- variables and channels -------------------------------------------------------------

static bool type_fits(gy_validation *v, gy_type type)
{
    return ((unsigned)type.kind <= GY_CHAN && type.width >= 1 && type.width <= 32) ||
           gy_is_invalid(v, "a type of %u bits", type.width);
}

static bool variable_fits(gy_validation *v, const gy_variable *var)
{
    int32_t min, max;
    uint64_t elements = 1;
    if (!var->name || !var->format)
        return gy_is_invalid(v, "it has no name");
    if (!type_fits(v, var->type))
        return false;
    for (uint32_t d = 0; d < var->dim_count; d++)
        elements *= var->dims[d];
    if (var->count < 1 || (!var->is_array && var->count != 1) ||
        (var->dim_count && elements != var->count))
        return gy_is_invalid(v, "%u elements", var->count);
    gy_type_range(var->type, &min, &max);
    if (var->min > var->max || var->min < min || var->max > max)
        return gy_is_invalid(v, "the range %d..%d of a %s", var->min, var->max,
                             gy_type_text(var->type));
    return !var->removed || var->hidden || gy_is_invalid(v, "removed, but not hidden");
}

// Globals first, then template by template, parameters first.
static bool owners_fit(gy_validation *v)
{
    const gy_model *model = v->model;
    uint32_t next = model->global_count;
    at(v, "variables");
    for (uint32_t i = 0; i < model->global_count && i < model->var_count; i++)
        if (model->vars[i].owner != GY_NONE)
            return gy_is_invalid(v, "`%s` is among the globals", model->vars[i].name);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->var_count < 0 || tmpl->first_var != (int32_t)next ||
            tmpl->param_count > (uint32_t)tmpl->var_count)
            return gy_is_invalid(v, "those of `%s` are not behind those of the template before",
                                 tmpl->name);
        next += (uint32_t)tmpl->var_count;
        for (int32_t k = 0; k < tmpl->var_count && next <= model->var_count; k++) {
            const gy_variable *var = &model->vars[tmpl->first_var + k];
            if (var->owner != (int32_t)t || var->is_param != (k < (int32_t)tmpl->param_count))
                return gy_is_invalid(v, "`%s` is not where it belongs", var->name);
        }
    }
    return next == model->var_count || gy_is_invalid(v, "%u, not %u", model->var_count, next);
}

static bool variables_fit(gy_validation *v)
{
    if (!owners_fit(v))
        return false;
    for (uint32_t i = 0; i < v->model->var_count; i++) {
        at(v, "variable %u (%s)", i, v->model->vars[i].name ? v->model->vars[i].name : "");
        if (!variable_fits(v, &v->model->vars[i]))
            return false;
    }
    return true;
}

static bool channel_types_fit(gy_validation *v)
{
    for (uint32_t t = 0; t < v->model->channel_type_count; t++) {
        const gy_channel_type *type = &v->model->channel_types[t];
        at(v, "channel type %u", t);
        if (type->owner != GY_NONE && !gy_is_number(type->owner, v->model->template_count))
            return gy_is_invalid(v, "made by template %d", type->owner);
        for (uint32_t f = 0; f < type->field_count; f++) {
            int32_t min, max;
            if (!type_fits(v, type->fields[f]))
                return false;
            gy_type_range(type->fields[f], &min, &max);
            if (type->ranges && (type->ranges[f].min < min || type->ranges[f].max > max ||
                                 type->ranges[f].min > type->ranges[f].max))
                return gy_is_invalid(v, "the range of field %u", f);
        }
    }
    return true;
}

// ---- templates and edges ----------------------------------------------------------------

static bool synchronisation_fits(gy_validation *v, const gy_edge *edge)
{
    gy_template_kind kind = v->model->templates[edge->tmpl].kind;
    if (edge->sync == GY_SYNC_NONE)
        return (!edge->chan && !edge->field_count) ||
               gy_is_invalid(v, "a message that is neither sent nor received");
    if (!edge->chan)
        return gy_is_invalid(v, "a message without a channel");
    if (kind == GY_TMPL_TRACE || kind == GY_TMPL_NOTRACE)
        return true; // events, which only constants of matter
    return gy_validate_message(v, edge->fields, edge->field_count, edge->sync == GY_SYNC_SEND,
                               edge->tmpl);
}

static bool edge_fits(gy_validation *v, const gy_edge *edge)
{
    const gy_model *model = v->model;
    const gy_template *tmpl = &model->templates[edge->tmpl];
    if (edge->kind == GY_EDGE_END ? edge->to != GY_NONE : !gy_is_number(edge->to, tmpl->node_count))
        return gy_is_invalid(v, "it goes to node %d", edge->to);
    if (edge->needs_timeout != gy_expr_mentions(edge->guard, GY_E_TIMEOUT))
        return gy_is_invalid(v, "needs_timeout is not what the guard says");
    if ((edge->needs_timeout && !model->uses_timeout) || (edge->escape && !model->has_escapes))
        return gy_is_invalid(v, "a flag of the model is not set");
    if (edge->fair_action > model->fair_action_count)
        return gy_is_invalid(v, "there is no fair action %u", edge->fair_action);
    return synchronisation_fits(v, edge) && gy_validate_expr(v, edge->guard, edge->tmpl) &&
           gy_validate_expr(v, edge->chan, edge->tmpl) &&
           gy_validate_program(v, edge->effect, edge->tmpl);
}

// Escapes first.
static bool order_fits(gy_validation *v, const gy_node *node)
{
    const gy_edge *edges = v->model->edges + node->first_edge;
    for (int32_t k = 1; k < node->edge_count; k++)
        if (edges[k].escape && !edges[k - 1].escape)
            return gy_is_invalid(v, "an escape comes behind what it escapes from");
    return true;
}

static bool node_fits(gy_validation *v, uint32_t t, uint32_t n, int32_t *next)
{
    const gy_model *model = v->model;
    const gy_node *node = &model->templates[t].nodes[n];
    at(v, "node %u of %s", n, model->templates[t].name);
    if (node->first_edge != *next || node->edge_count < 0 ||
        (uint32_t)(node->first_edge + node->edge_count) > model->edge_count)
        return gy_is_invalid(v, "its edges are not behind those of the node before");
    *next += node->edge_count;
    for (int32_t e = node->first_edge; e < *next; e++) {
        const gy_edge *edge = &model->edges[e];
        at(v, "edge %d of %s", e, model->templates[t].name);
        if (edge->id != e || edge->tmpl != (int32_t)t || edge->from != (int32_t)n)
            return gy_is_invalid(v, "it is not where it belongs");
        if (!edge_fits(v, edge))
            return false;
    }
    at(v, "node %u of %s", n, model->templates[t].name);
    return order_fits(v, node);
}

static bool template_fits(gy_validation *v, uint32_t t, int32_t *next)
{
    const gy_model *model = v->model;
    const gy_template *tmpl = &model->templates[t];
    uint32_t started = 0;
    at(v, "template %u (%s)", t, tmpl->name);
    if (!gy_is_number(tmpl->initial, tmpl->node_count))
        return gy_is_invalid(v, "it begins at node %d of %u", tmpl->initial, tmpl->node_count);
    for (uint32_t i = 0; i < tmpl->label_count; i++)
        if (!gy_is_number(tmpl->labels[i].node, tmpl->node_count))
            return gy_is_invalid(v, "the label `%s` is nowhere", tmpl->labels[i].name);
    for (uint32_t i = 0; i < model->started_count; i++)
        started += model->started[i] == (int32_t)t;
    if (started != tmpl->active)
        return gy_is_invalid(v, "%u are started, %u should be", started, tmpl->active);
    if (!gy_validate_expr(v, tmpl->provided, (int32_t)t) ||
        !gy_validate_expr(v, tmpl->rests, GY_NONE) ||
        !gy_validate_program(v, tmpl->init, (int32_t)t))
        return false;
    if (tmpl->first_edge != *next)
        return gy_is_invalid(v, "its edges are not behind those of the template before");
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        if (!node_fits(v, t, n, next))
            return false;
    at(v, "template %u (%s)", t, tmpl->name);
    return tmpl->edge_count == *next - tmpl->first_edge || gy_is_invalid(v, "its number of edges");
}

static bool templates_fit(gy_validation *v)
{
    const gy_model *model = v->model;
    int32_t next = 0;
    at(v, "the start");
    for (uint32_t i = 0; i < model->started_count; i++) {
        if (!gy_is_number(model->started[i], model->template_count))
            return gy_is_invalid(v, "there is no template %d", model->started[i]);
        gy_template_kind kind = model->templates[model->started[i]].kind;
        if (kind != GY_TMPL_PROCESS && kind != GY_TMPL_INIT)
            return gy_is_invalid(v, "`%s` is no process", model->templates[model->started[i]].name);
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        if (!template_fits(v, t, &next))
            return false;
    at(v, "edges");
    return next == (int32_t)model->edge_count ||
           gy_is_invalid(v, "%u, not %d", model->edge_count, next);
}

// ---- the rest ---------------------------------------------------------------------------

static gy_visit_next stop_at_unflagged(void *user, const gy_expr *expr)
{
    const gy_model *model = user;
    bool fine = (expr->op != GY_E_LAST || model->uses_last) &&
                (expr->op != GY_E_NP || model->uses_np) &&
                (expr->op != GY_E_ENABLED || model->uses_enabled);
    return fine ? GY_VISIT_PARTS : GY_VISIT_STOP;
}

static bool runs(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_RUN)
            return true;
    return false;
}

// What committed.h can turn into guards.
static bool committed_fits(gy_validation *v)
{
    const gy_model *model = v->model;
    if (!gy_model_has_committed(model))
        return true;
    at(v, "committed nodes");
    if (v->stage == GY_STAGE_COMPLETE)
        return gy_is_invalid(v, "they should be guards by now");
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++)
            if (model->templates[t].nodes[n].flags & GY_NODE_COMMITTED &&
                !gy_is_process(&model->templates[t]))
                return gy_is_invalid(v, "`%s` is no process", model->templates[t].name);
    for (uint32_t c = 0; c < model->channel_type_count && !model->joint_rendezvous; c++)
        if (!model->channel_types[c].capacity)
            return gy_is_invalid(v, "a rendezvous that is not joint");
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        const gy_template *tmpl = &model->templates[edge->tmpl];
        if (runs(edge->effect) || runs(tmpl->init) || runs(model->init))
            return gy_is_invalid(v, "a process starts later than the others");
        if (edge->kind == GY_EDGE_ELSE && gy_is_process(tmpl) &&
            !(tmpl->nodes[edge->from].flags & GY_NODE_COMMITTED))
            return gy_is_invalid(v, "an `else` that would not wait");
    }
    return true;
}

static bool rest_fits(gy_validation *v)
{
    const gy_model *model = v->model;
    at(v, "the initial program");
    if (!gy_validate_program(v, model->init, GY_NONE))
        return false;
    for (uint32_t i = 0; i < model->ltl_count; i++) {
        at(v, "property %s", model->ltls[i].name ? model->ltls[i].name : "");
        if (!gy_validate_formula(v, model->ltls[i].formula))
            return false;
    }
    at(v, "the model");
    if (!gy_atoms_are_unchanged(model))
        return gy_is_invalid(v, "an expression has changed since it got a number");
    if (model->trace != GY_NONE && (!gy_is_number(model->trace, model->template_count) ||
                                    (model->templates[model->trace].kind != GY_TMPL_TRACE &&
                                     model->templates[model->trace].kind != GY_TMPL_NOTRACE)))
        return gy_is_invalid(v, "template %d is no trace assertion", model->trace);
    for (uint32_t i = 0; i < model->exclusive_count; i++)
        if (!gy_is_number(model->exclusive[i].tmpl, model->template_count))
            return gy_is_invalid(v, "a claim of template %d", model->exclusive[i].tmpl);
    gy_visitor flags = {.user = (void *)model, .expr = stop_at_unflagged};
    return !gy_visit_model(&flags, model) ||
           gy_is_invalid(v, "uses_last, uses_np or uses_enabled is not set");
}

static bool is_valid(gy_validation *v)
{
    at(v, "the model");
    if (v->model->global_count > v->model->var_count)
        return gy_is_invalid(v, "more globals than variables");
    return variables_fit(v) && channel_types_fit(v) && templates_fit(v) && committed_fits(v) &&
           rest_fits(v) && (v->stage == GY_STAGE_BUILT || gy_validate_layout(v));
}

bool gy_model_invalid(const gy_model *model, gy_model_stage stage, gy_text *why)
{
    gy_validation v = {.model = model, .stage = stage, .why = why};
    bool valid = is_valid(&v);
    gy_text_free(&v.where);
    return !valid;
}

void gy_model_must_be_valid(const gy_model *model, gy_model_stage stage, const char *after)
{
    gy_text why = {0};
    if (gy_model_invalid(model, stage, &why))
        gy_fatal("the model is broken after %s: %s", after, gy_text_str(&why));
    gy_text_free(&why);
}
