// Classic backward liveness of one variable over each template's graph; edges are summed up as
// "reads it before writing it" and "surely writes it".
#include "model/scratch.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RESET_ELEMENTS = 64 };

static bool fields_read(const gy_field *fields, uint32_t count, int32_t var);

static bool expr_reads(const gy_expr *expr, int32_t var)
{
    if (!expr)
        return false;
    if (expr->op == GY_E_VAR && expr->var == var)
        return true;
    if (expr->op == GY_E_C)
        return true; // C code may look at anything
    return expr_reads(expr->a, var) || expr_reads(expr->b, var) || expr_reads(expr->c, var) ||
           fields_read(expr->args, expr->arg_count, var);
}

// Values and indices; a store is no read.
static bool fields_read(const gy_field *fields, uint32_t count, int32_t var)
{
    for (uint32_t i = 0; i < count; i++)
        if (expr_reads(fields[i].expr, var) || expr_reads(fields[i].index, var))
            return true;
    return false;
}

static bool action_reads(const gy_action *action, int32_t var)
{
    if (action->kind == GY_A_C || expr_reads(action->index, var) || expr_reads(action->expr, var) ||
        expr_reads(action->chan, var) || fields_read(action->fields, action->field_count, var))
        return true;
    for (uint32_t i = 0; i < action->option_count; i++)
        if (expr_reads(action->options[i].when, var))
            return true;
    return false;
}

static bool fields_write(const gy_field *fields, uint32_t count, int32_t var)
{
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].kind == GY_FIELD_STORE && fields[i].var == var)
            return true;
    return false;
}

static bool action_writes(const gy_action *action, int32_t var)
{
    bool stores =
        action->kind == GY_A_ASSIGN || action->kind == GY_A_RUN || action->kind == GY_A_NEW_CHANNEL;
    return (stores && action->var == var) ||
           (action->kind == GY_A_RECV && fields_write(action->fields, action->field_count, var));
}

typedef struct summary {
    bool reads;  // what it was before may be read
    bool writes; // it may be written
    bool kills;  // it is surely overwritten, as a whole, unless it is read first
} summary;

static summary summarise(const gy_edge *edge, const gy_variable *v, int32_t var)
{
    summary s = {0};
    bool scalar = v->count == 1;
    s.reads = expr_reads(edge->guard, var) || expr_reads(edge->chan, var) ||
              fields_read(edge->fields, edge->field_count, var);
    if (edge->sync == GY_SYNC_RECV && fields_write(edge->fields, edge->field_count, var)) {
        s.writes = true;
        s.kills = scalar;
    }
    if (!edge->effect)
        return s;
    bool straight = gy_program_is_straight(edge->effect);
    for (uint32_t i = 0; i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        if (action_reads(action, var) && !s.kills)
            s.reads = true;
        if (action_writes(action, var)) {
            s.writes = true;
            s.kills |= straight && scalar;
        }
    }
    return s;
}

// Per node: may the value still be read from here on?
static void find_live(const gy_model *model, const gy_template *tmpl, int32_t var, bool *live,
                      bool *touched)
{
    const gy_variable *v = &model->vars[var];
    memset(live, 0, tmpl->node_count * sizeof *live);
    *touched = expr_reads(tmpl->provided, var);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = tmpl->edge_count; e-- > 0;) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + e];
            summary s = summarise(edge, v, var);
            *touched |= s.reads || s.writes;
            bool now = s.reads || (edge->to != GY_NONE && live[edge->to] && !s.kills);
            if (now && !live[edge->from])
                live[edge->from] = changed = true;
        }
    }
    if (expr_reads(tmpl->provided, var)) // asked for in every state
        memset(live, 1, tmpl->node_count * sizeof *live);
}

// Can a state be seen in which an instance of the template is at this node? Not if it always
// comes here inside an atomic sequence and can't block.
static bool is_stable(const gy_model *model, const gy_template *tmpl, uint32_t node)
{
    if ((int32_t)node == tmpl->initial || tmpl->provided || model->uses_priority)
        return true;
    for (int32_t e = 0; e < tmpl->edge_count; e++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + e];
        if (edge->to == (int32_t)node && !edge->keeps_atomic)
            return true;
    }
    const gy_node *at = &tmpl->nodes[node];
    for (int32_t e = 0; e < at->edge_count; e++) {
        const gy_edge *edge = &model->edges[at->first_edge + e];
        if (edge->kind == GY_EDGE_NORMAL && !edge->guard && edge->sync == GY_SYNC_NONE)
            return false;
    }
    return true;
}

static bool formula_reads(const gy_formula *formula, int32_t var)
{
    return formula && (expr_reads(formula->atom, var) || formula_reads(formula->a, var) ||
                       formula_reads(formula->b, var));
}

// Claims and formulas look at every state.
static bool is_observed(const gy_model *model, int32_t var)
{
    for (uint32_t i = 0; i < model->ltl_count; i++)
        if (formula_reads(model->ltls[i].formula, var))
            return true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->kind != GY_TMPL_NEVER)
            continue;
        for (int32_t e = 0; e < tmpl->edge_count; e++)
            if (summarise(&model->edges[tmpl->first_edge + e], &model->vars[var], var).reads)
                return true;
    }
    return false;
}

static bool is_run(const gy_model *model, int32_t tmpl)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_program *effect = model->edges[e].effect;
        for (uint32_t i = 0; effect && i < effect->count; i++)
            if (effect->actions[i].kind == GY_A_RUN && effect->actions[i].tmpl == tmpl)
                return true;
    }
    return false;
}

static void append_resets(gy_model *model, gy_edge *edge, int32_t var)
{
    const gy_variable *v = &model->vars[var];
    uint32_t before = edge->effect ? edge->effect->count : 0;
    gy_program *program = GY_NEW(model->arena, gy_program);
    program->count = before + v->count;
    program->actions = GY_NEW_ARRAY(model->arena, gy_action, program->count);
    if (before)
        memcpy(program->actions, edge->effect->actions, before * sizeof *program->actions);
    for (uint32_t i = 0; i < v->count; i++) {
        gy_expr *zero = GY_NEW(model->arena, gy_expr), *index = GY_NEW(model->arena, gy_expr);
        zero->op = index->op = GY_E_CONST;
        zero->var = zero->tmpl = zero->node = index->var = index->tmpl = index->node = GY_NONE;
        index->value = (int32_t)i;
        program->actions[before + i] = (gy_action){.kind = GY_A_ASSIGN,
                                                   .place = edge->place,
                                                   .var = var,
                                                   .index = v->is_array ? index : NULL,
                                                   .expr = zero,
                                                   .tmpl = GY_NONE,
                                                   .channel_type = GY_NONE};
    }
    edge->effect = program;
}

// `live` is that of the only process that uses the variable.
static void reset_when_dead(gy_model *model, const gy_template *tmpl, int32_t var, const bool *live)
{
    for (int32_t e = 0; e < tmpl->edge_count; e++) {
        gy_edge *edge = &model->edges[tmpl->first_edge + e];
        bool dies = edge->to == GY_NONE || !live[edge->to];
        bool had = live[edge->from] || summarise(edge, &model->vars[var], var).writes;
        if (dies && had)
            append_resets(model, edge, var);
    }
}

static void decide(gy_model *model, int32_t var)
{
    bool observed = is_observed(model, var), crosses = observed;
    int32_t user = GY_NONE;
    uint32_t users = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        bool *live = gy_alloc(tmpl->node_count * sizeof *live), touched;
        find_live(model, tmpl, var, live, &touched);
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            crosses |= live[n] && is_stable(model, tmpl, n);
        if (touched) {
            user = (int32_t)t;
            users++;
        }
        free(live);
    }
    if (!crosses)
        return;
    model->vars[var].hidden = false;
    const gy_template *tmpl = user == GY_NONE ? NULL : &model->templates[user];
    if (observed || users != 1 || tmpl->active != 1 || is_run(model, user) ||
        model->vars[var].count > MAX_RESET_ELEMENTS)
        return;
    bool *live = gy_alloc(tmpl->node_count * sizeof *live), touched;
    find_live(model, tmpl, var, live, &touched);
    reset_when_dead(model, tmpl, var, live);
    free(live);
}

void gy_model_scratch(gy_model *model)
{
    for (uint32_t i = 0; i < model->global_count; i++)
        if (model->vars[i].hidden)
            decide(model, (int32_t)i);
}
