// Who uses a variable is read off the touches of all edges. Programs that run when a process is
// made are run by whoever makes it, so the globals that they use belong to several.
#include "model/sharing.h"

#include "base/fatal.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

// ---- users of variables -----------------------------------------------------------------

static void add_user(int32_t *users, int32_t var, int32_t tmpl)
{
    if (users[var] == GY_NONE)
        users[var] = tmpl;
    else if (users[var] != tmpl)
        users[var] = GY_SEVERAL;
}

static void look(gy_sharing *s, const gy_expr *expr, bool by_others);

static void look_fields(gy_sharing *s, const gy_field *fields, uint32_t count, bool by_others)
{
    for (uint32_t f = 0; f < count; f++) {
        look(s, fields[f].expr, by_others);
        look(s, fields[f].index, by_others);
    }
}

// What the expression notices of other processes; `by_others`: and of all globals.
static void look(gy_sharing *s, const gy_expr *expr, bool by_others)
{
    if (!expr)
        return;
    switch (expr->op) {
    case GY_E_VAR:
        if (by_others && s->model->vars[expr->var].owner == GY_NONE)
            s->reader[expr->var] = GY_SEVERAL;
        break;
    case GY_E_REMOTE_VAR:
        s->reader[expr->var] = GY_SEVERAL;
        break;
    case GY_E_REMOTE_LABEL:
        if (expr->node != GY_NONE) // a label that no process can be at
            s->seen[expr->tmpl][expr->node] = true;
        break;
    case GY_E_TIMEOUT: // a process knows when it is asked for, others see that a step is left
        s->all_seen = s->all_seen || by_others;
        break;
    case GY_E_NP:
    case GY_E_ENABLED:
    case GY_E_PC_VALUE:
    case GY_E_C:
        s->all_seen = true;
        break;
    default:
        break;
    }
    look_fields(s, expr->args, expr->arg_count, by_others);
    look(s, expr->a, by_others);
    look(s, expr->b, by_others);
    look(s, expr->c, by_others);
}

static void look_program(gy_sharing *s, const gy_program *program, bool by_others)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_C)
            s->all_seen = true;
        look(s, action->index, by_others);
        look(s, action->expr, by_others);
        look(s, action->chan, by_others);
        look_fields(s, action->fields, action->field_count, by_others);
        for (uint32_t k = 0; k < action->option_count; k++)
            look(s, action->options[k].when, by_others);
        if (by_others && action->var != GY_NONE && s->model->vars[action->var].owner == GY_NONE)
            s->writer[action->var] = GY_SEVERAL;
    }
}

static void look_formula(gy_sharing *s, const gy_formula *formula)
{
    if (!formula)
        return;
    look(s, formula->atom, true);
    look_formula(s, formula->a);
    look_formula(s, formula->b);
}

static bool is_process(const gy_template *tmpl)
{
    return tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_INIT;
}

static void look_edge(gy_sharing *s, const gy_edge *edge)
{
    bool by_others = !is_process(&s->model->templates[edge->tmpl]);
    look(s, edge->guard, by_others);
    look(s, edge->chan, by_others);
    look_fields(s, edge->fields, edge->field_count, by_others);
    look_program(s, edge->effect, by_others);
    for (uint32_t i = 0; i < edge->touch_count; i++) {
        const gy_touch *touch = &edge->touches[i];
        if (touch->kind == GY_TOUCH_VAR)
            add_user(touch->write ? s->writer : s->reader, touch->var, edge->tmpl);
    }
}

// ---- instances --------------------------------------------------------------------------

// Can control come back to where this edge starts once it was taken?
static bool is_on_cycle(const gy_model *model, const gy_edge *edge)
{
    const gy_template *tmpl = &model->templates[edge->tmpl];
    bool *reached = gy_alloc_zero(tmpl->node_count + 1);
    GY_VEC(int32_t) todo = {0};
    if (edge->to != GY_NONE)
        gy_vec_push(&todo, edge->to);
    while (todo.n && !reached[edge->from]) {
        int32_t at = todo.at[--todo.n];
        if (reached[at])
            continue;
        reached[at] = true;
        const gy_node *node = &tmpl->nodes[at];
        for (int32_t k = 0; k < node->edge_count; k++) {
            int32_t to = model->edges[node->first_edge + k].to;
            if (to != GY_NONE && !reached[to])
                gy_vec_push(&todo, to);
        }
    }
    bool back = reached[edge->from];
    gy_vec_free(&todo);
    free(reached);
    return back;
}

static void add_instances(int32_t *total, int32_t more)
{
    if (*total != GY_SEVERAL)
        *total = more == GY_SEVERAL || *total + more > 255 ? GY_SEVERAL : *total + more;
}

// What the runs on one edge add, given how many instances of its own template there are.
static void add_runs(const gy_sharing *s, const gy_edge *edge, int32_t *total)
{
    const gy_program *effect = edge->effect;
    for (uint32_t i = 0; effect && i < effect->count; i++)
        if (effect->actions[i].kind == GY_A_RUN) {
            bool once = gy_program_is_straight(effect) && !is_on_cycle(s->model, edge);
            int32_t runners = s->instances[edge->tmpl];
            add_instances(&total[effect->actions[i].tmpl],
                          runners == 0 || once ? runners : GY_SEVERAL);
        }
}

// A process that is made while another one is made: rare enough to give up on.
static void add_nested_runs(const gy_program *program, int32_t *total)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_RUN)
            add_instances(&total[program->actions[i].tmpl], GY_SEVERAL);
}

// From "no bound" downwards: each round uses only bounds that are proven already.
static void count_instances(gy_sharing *s)
{
    const gy_model *model = s->model;
    size_t bytes = (model->template_count + 1) * sizeof(int32_t);
    int32_t *total = gy_alloc(bytes);
    for (uint32_t t = 0; t < model->template_count; t++)
        s->instances[t] = GY_SEVERAL;
    for (bool changed = true; changed;) {
        memset(total, 0, bytes);
        for (uint32_t i = 0; i < model->started_count; i++)
            add_instances(&total[model->started[i]], 1);
        for (uint32_t e = 0; e < model->edge_count; e++)
            add_runs(s, &model->edges[e], total);
        add_nested_runs(model->init, total);
        for (uint32_t t = 0; t < model->template_count; t++)
            add_nested_runs(model->templates[t].init, total);
        changed = memcmp(total, s->instances, model->template_count * sizeof *total) != 0;
        memcpy(s->instances, total, model->template_count * sizeof *total);
    }
    free(total);
}

// ---- the whole --------------------------------------------------------------------------

gy_sharing *gy_sharing_new(const gy_model *model, const gy_formula *const *formulas, size_t count,
                           bool claims)
{
    gy_sharing *s = gy_alloc_zero(sizeof *s);
    s->model = model;
    s->reader = gy_alloc((model->var_count + 1) * sizeof *s->reader);
    s->writer = gy_alloc((model->var_count + 1) * sizeof *s->writer);
    s->instances = gy_alloc_zero((model->template_count + 1) * sizeof *s->instances);
    s->seen = gy_alloc_zero((model->template_count + 1) * sizeof *s->seen);
    for (uint32_t v = 0; v < model->var_count; v++)
        s->reader[v] = s->writer[v] = GY_NONE;
    for (uint32_t t = 0; t < model->template_count; t++)
        s->seen[t] = gy_alloc_zero(model->templates[t].node_count + 1);
    s->all_seen = model->c_code_count > 0 || model->c_unit_count > 0;
    for (uint32_t e = 0; e < model->edge_count; e++)
        if (claims || model->templates[model->edges[e].tmpl].kind != GY_TMPL_NEVER)
            look_edge(s, &model->edges[e]);
    for (uint32_t t = 0; t < model->template_count; t++) {
        look(s, model->templates[t].provided, false);
        look_program(s, model->templates[t].init, true);
    }
    for (size_t i = 0; i < count; i++)
        look_formula(s, formulas[i]);
    count_instances(s);
    return s;
}

void gy_sharing_free(gy_sharing *sharing)
{
    if (!sharing)
        return;
    for (uint32_t t = 0; t < sharing->model->template_count; t++)
        free(sharing->seen[t]);
    free(sharing->seen);
    free(sharing->reader);
    free(sharing->writer);
    free(sharing->instances);
    free(sharing);
}

static bool is_own(const gy_sharing *s, const int32_t *users, int32_t tmpl, int32_t var)
{
    if (users[var] == GY_NONE)
        return true;
    bool local = s->model->vars[var].owner == tmpl;
    return users[var] == tmpl && (local || (s->instances[tmpl] >= 0 && s->instances[tmpl] <= 1));
}

bool gy_only_writer(const gy_sharing *sharing, int32_t tmpl, int32_t var)
{
    return is_own(sharing, sharing->writer, tmpl, var);
}

bool gy_only_reader(const gy_sharing *sharing, int32_t tmpl, int32_t var)
{
    return is_own(sharing, sharing->reader, tmpl, var);
}
