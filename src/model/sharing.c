// Who uses a variable is read off the touches of all edges. Programs that run when a process is
// made are run by the code that makes it, so the globals that they use belong to several.
#include "model/sharing.h"

#include "base/fatal.h"
#include "base/vec.h"
#include "model/instances.h"
#include "model/visit.h"

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

// What is examined by others than one process at its own time: `by_others`: and so are all
// globals.
typedef struct looker {
    gy_sharing *s;
    bool by_others;
} looker;

static bool is_global(const looker *l, int32_t var)
{
    return l->by_others && l->s->model->vars[var].owner == GY_NONE;
}

// pc_value() and enabled() look where a process is.
static void see_process(gy_sharing *s, const gy_expr *pid)
{
    int32_t tmpl = gy_template_of_pid(s->model, pid);
    if (tmpl == GY_NONE)
        s->all_seen = true;
    else
        memset(s->seen[tmpl], true, s->model->templates[tmpl].node_count * sizeof *s->seen[tmpl]);
}

// Whether a process is enabled may depend on where others are, which it does not name: at a
// rendezvous, or nowhere where they are enabled (timeout), or move before it (priorities).
static bool is_intricate(const gy_model *model)
{
    bool so = model->uses_priority;
    for (uint32_t i = 0; i < model->channel_type_count; i++)
        so |= model->channel_types[i].capacity == 0;
    for (uint32_t e = 0; e < model->edge_count; e++)
        so |= model->edges[e].needs_timeout;
    return so;
}

static gy_visit_next look_at(void *user, const gy_expr *expr)
{
    const looker *l = user;
    switch (expr->op) {
    case GY_E_VAR:
        if (is_global(l, expr->var))
            l->s->reader[expr->var] = GY_SEVERAL;
        break;
    case GY_E_REMOTE_VAR:
        l->s->reader[expr->var] = GY_SEVERAL;
        break;
    case GY_E_REMOTE_LABEL:
        if (expr->node != GY_NONE) // a label that no process can be at
            l->s->seen[expr->tmpl][expr->node] = true;
        break;
    case GY_E_TIMEOUT: // a process knows when it is asked for, others see that a step is left
        l->s->all_seen |= l->by_others;
        break;
    case GY_E_ENABLED:
        l->s->all_seen |= is_intricate(l->s->model);
        see_process(l->s, expr->a);
        break;
    case GY_E_PC_VALUE:
        see_process(l->s, expr->a);
        break;
    case GY_E_NP:
    case GY_E_C:
        l->s->all_seen = true;
        break;
    default:
        break;
    }
    return GY_VISIT_PARTS;
}

static void look_at_store(void *user, int32_t var, const gy_expr *index)
{
    const looker *l = user;
    (void)index;
    if (is_global(l, var))
        l->s->writer[var] = GY_SEVERAL;
}

static void look_for_c(gy_sharing *s, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        s->all_seen |= program->actions[i].kind == GY_A_C;
}

static void look_edge(gy_sharing *s, const gy_edge *edge)
{
    looker l = {s, !gy_is_process(&s->model->templates[edge->tmpl])};
    gy_visit_edge(&(gy_visitor){.user = &l, .expr = look_at, .store = look_at_store}, edge);
    look_for_c(s, edge->effect);
    for (uint32_t i = 0; i < edge->touch_count; i++) {
        const gy_touch *touch = &edge->touches[i];
        if (touch->kind == GY_TOUCH_VAR)
            add_user(touch->write ? s->writer : s->reader, touch->var, edge->tmpl);
    }
}

// ---- instances --------------------------------------------------------------------------

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
            bool once = gy_program_is_straight(effect) && !gy_edge_is_on_cycle(s->model, edge);
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
    looker itself = {s, false}, others = {s, true};
    gy_visitor by_itself = {.user = &itself, .expr = look_at};
    gy_visitor by_others = {.user = &others, .expr = look_at, .store = look_at_store};
    s->all_seen = gy_has_c(model);
    for (uint32_t e = 0; e < model->edge_count; e++)
        if (claims || model->templates[model->edges[e].tmpl].kind != GY_TMPL_NEVER)
            look_edge(s, &model->edges[e]);
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_visit_expr(&by_itself, model->templates[t].provided);
        gy_visit_program(&by_others, model->templates[t].init);
        look_for_c(s, model->templates[t].init);
    }
    for (size_t i = 0; i < count; i++)
        gy_visit_formula(&by_others, model, formulas[i]);
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
