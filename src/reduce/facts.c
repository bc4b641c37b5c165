// Facts about a model: cells, stable variables, channels, what lies ahead of a node.
//
// A variable is stable if nothing but the initialisation of its process (or, for a global, of the
// system) ever stores into it: parameters, mostly. Array indices and channels that are named by
// stable variables are known for each process, which tells processes of one type apart.
#include "reduce/facts.h"

#include "exec/system.h"
#include "model/atoms.h"
#include "model/instances.h"
#include "model/visit.h"
#include "reduce/triggers.h"

#include <string.h>

// ---- traversal ------------------------------------------------------------------------

void gy_conjunct_each(const gy_expr *expr, gy_expr_visit *visit, void *user)
{
    if (expr && expr->op == GY_E_AND) {
        gy_conjunct_each(expr->a, visit, user);
        gy_conjunct_each(expr->b, visit, user);
    } else if (expr) {
        visit(user, expr);
    }
}

// ---- what cannot be reduced ----------------------------------------------------------

typedef struct refusal {
    const gy_model *model;
    const char *why;
    uint32_t timeouts; // met anywhere
    bool observed;     // it is the property that is examined
} refusal;

static gy_visit_next look_for_refusal(void *user, const gy_expr *expr)
{
    refusal *r = user;
    switch (expr->op) {
    case GY_E_LAST:
        if (r->observed || !r->model->last_fades)
            r->why = "the property depends on _last, which every step may change";
        break;
    case GY_E_NP:
        r->why = "np_ is used";
        break;
    case GY_E_ENABLED:
        if (r->observed)
            r->why = "the property depends on enabled(), which every step may change";
        break;
    case GY_E_C:
        r->why = "the model has embedded C";
        break;
    case GY_E_TIMEOUT:
        r->timeouts++;
        break;
    default:
        break;
    }
    // Who may be woken by a step (triggers.h) is read off the variables that they read.
    if (r->model->uses_priority &&
        (expr->op == GY_E_ENABLED || expr->op == GY_E_PC_VALUE || expr->op == GY_E_LAST))
        r->why = "the model uses priorities with enabled(), pc_value() or _last";
    return GY_VISIT_PARTS;
}

static void count_timeout(void *user, const gy_expr *expr)
{
    uint32_t *count = user;
    *count += expr->op == GY_E_TIMEOUT;
}

static gy_visit_next stop_at_far_look(void *user, const gy_expr *expr)
{
    (void)user;
    bool far = expr->op == GY_E_ENABLED || expr->op == GY_E_PC_VALUE || expr->op == GY_E_LAST;
    return far ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

bool gy_looks_far(const gy_model *model)
{
    bool found = false;
    for (uint32_t i = 0; i < model->template_count; i++)
        found |=
            gy_is_process(&model->templates[i]) &&
            gy_visit_template(&(gy_visitor){.expr = stop_at_far_look}, model, &model->templates[i]);
    return found;
}

// Statements times places of a process: a bit for each is kept.
static const uint64_t MOST_FLOW = 1ull << 28;

// A timeout that is a conjunct of a guard never holds while any process is enabled: states in which
// it does are expanded fully. Anywhere else it would depend on everything.
static const char *refusal_of(const gy_model *model, const gy_reduce_needs *needs)
{
    refusal r = {.model = model};
    gy_visitor looks = {.user = &r, .expr = look_for_refusal};
    uint32_t fine = 0;
    r.why = gy_triggers_refusal(model);
    if (r.why)
        return r.why;
    if (model->uses_last && !model->last_fades)
        return "the model reads _last, which every step may change";
    if (model->uses_choice) // stable variables may differ from one initial state to the next
        return "the model chooses values";
    if (gy_has_c(model))
        return "the model has embedded C";
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        if (!gy_is_process(tmpl))
            continue;
        if ((uint64_t)tmpl->edge_count * tmpl->node_count > MOST_FLOW)
            return "a process has too many statements";
        gy_visit_template(&looks, model, tmpl);
        for (int32_t k = 0; k < tmpl->edge_count; k++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            gy_conjunct_each(edge->guard, count_timeout, &fine);
        }
    }
    r.observed = true;
    for (uint32_t i = 0; needs && i < needs->observed_count; i++)
        gy_visit_expr(&looks, gy_atom_expr(r.model, needs->observed[i]));
    if (!r.why && r.timeouts != fine)
        r.why = "timeout is used inside a larger expression";
    return r.why;
}

// ---- stable variables ---------------------------------------------------------------

static void unsettle(void *user, int32_t var, const gy_expr *index)
{
    gy_reduction *r = user;
    (void)index;
    r->stable[var] = 0;
}

// A global that the start of a process changes.
static void unsettle_global(void *user, int32_t var, const gy_expr *index)
{
    gy_reduction *r = user;
    if (r->model->vars[var].owner == GY_NONE)
        unsettle(user, var, index);
}

static void unsettle_channel(void *user, int32_t var, const gy_expr *index)
{
    gy_reduction *r = user;
    (void)index;
    r->channel_once[var] = 0;
}

static bool forgets(const gy_action *action)
{
    return action->kind == GY_A_ASSIGN && action->expr->op == GY_E_CONST &&
           action->expr->value == 0;
}

// Parameters that name a channel: no edge stores anything but 0, which is none. Claims are about
// what variables name, so none with these.
static void find_channels_once(gy_reduction *r)
{
    const gy_model *model = r->model;
    gy_visitor stores = {.user = r, .store = unsettle_channel};
    r->channel_once = GY_NEW_ARRAY(r->arena, uint8_t, model->var_count + 1);
    for (uint32_t v = 0; v < model->var_count && !model->exclusive_count; v++)
        r->channel_once[v] = model->vars[v].is_param && !model->vars[v].is_array &&
                             !model->vars[v].hidden && model->vars[v].type.kind == GY_CHAN;
    for (uint32_t i = 0; i < model->edge_count; i++) {
        const gy_edge *edge = &model->edges[i];
        gy_visit_fields(&stores, edge->fields, edge->field_count);
        for (uint32_t k = 0; edge->effect && k < edge->effect->count; k++)
            if (!forgets(&edge->effect->actions[k]))
                gy_visit_action(&stores, &edge->effect->actions[k]);
    }
}

static void find_stable(gy_reduction *r)
{
    const gy_model *model = r->model;
    gy_visitor edges = {.user = r, .store = unsettle};
    gy_visitor starts = {.user = r, .store = unsettle_global};
    r->stable = GY_NEW_ARRAY(r->arena, uint8_t, model->var_count + 1);
    memset(r->stable, 1, model->var_count);
    for (uint32_t i = 0; i < model->edge_count; i++)
        gy_visit_edge(&edges, &model->edges[i]);
    for (uint32_t i = 0; i < model->template_count; i++)
        gy_visit_program(&starts, model->templates[i].init);
}

// ---- channels -----------------------------------------------------------------------

// `tmpl` is the template whose instances begin with this program, or GY_NONE.
static void find_later_channels(gy_reduction *r, const gy_program *program, int32_t tmpl)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind != GY_A_NEW_CHANNEL)
            continue;
        bool rendezvous = r->model->channel_types[action->channel_type].capacity == 0;
        r->made_later = true;
        r->later_rendezvous |= rendezvous;
        r->later_buffered |= !rendezvous;
        const gy_variable *var = action->var == GY_NONE ? NULL : &r->model->vars[action->var];
        if (tmpl != GY_NONE && var && var->owner == tmpl && !var->is_array && !var->hidden &&
            r->stable[action->var] && r->own_type[action->var] == GY_NONE &&
            gy_program_is_straight(program))
            r->own_type[action->var] = action->channel_type;
        else
            r->made_at_large = true;
    }
}

static void find_channels(gy_reduction *r)
{
    const gy_model *model = r->model;
    bool straight = gy_program_is_straight(model->init);
    r->own_type = GY_NEW_ARRAY(r->arena, int32_t, model->var_count + 1);
    for (uint32_t i = 0; i < model->var_count; i++)
        r->own_type[i] = GY_NONE;
    for (uint32_t i = 0; i < model->template_count; i++)
        find_later_channels(r, model->templates[i].init, (int32_t)i);
    for (uint32_t i = 0; i < model->edge_count; i++)
        find_later_channels(r, model->edges[i].effect, GY_NONE);
    if (!straight)
        find_later_channels(r, model->init, GY_NONE);
    uint32_t count = model->init && straight ? model->init->count : 0;
    r->static_type = GY_NEW_ARRAY(r->arena, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (model->init->actions[i].kind == GY_A_NEW_CHANNEL) {
            int32_t type = model->init->actions[i].channel_type;
            bool rendezvous = model->channel_types[type].capacity == 0;
            r->static_type[r->static_count++] = type;
            r->some_rendezvous |= rendezvous;
            r->some_buffered |= !rendezvous;
        }
    r->some_rendezvous |= r->later_rendezvous;
    r->some_buffered |= r->later_buffered;
    r->channels =
        r->made_later || r->static_count > GY_MAX_CHANNELS ? GY_MAX_CHANNELS : r->static_count;
}

// ---- cells --------------------------------------------------------------------------

static void watch_all(gy_reduction *r, uint32_t tmpl)
{
    r->control_cell[tmpl] = 0;
    memset(r->watched[tmpl], 1, r->model->templates[tmpl].node_count);
}

// pc_value() looks where a process is, of whatever template if that is not known.
static void watch_process(gy_reduction *r, const gy_expr *pid)
{
    int32_t tmpl = gy_template_of_pid(r->model, pid);
    if (tmpl != GY_NONE)
        watch_all(r, (uint32_t)tmpl);
    for (uint32_t t = 0; tmpl == GY_NONE && t < r->model->template_count; t++)
        watch_all(r, t);
}

static gy_visit_next note_remote(void *user, const gy_expr *expr)
{
    gy_reduction *r = user;
    r->claims_matter |= expr->op == GY_E_EXCLUSIVE;
    if (expr->op == GY_E_ENABLED)
        r->step_cell = 0;
    if (expr->op == GY_E_PC_VALUE)
        watch_process(r, expr->a);
    if (expr->op == GY_E_REMOTE_VAR && expr->var != GY_NONE)
        r->var_cell[expr->var] = 0;
    if (expr->op == GY_E_REMOTE_LABEL && expr->tmpl != GY_NONE) {
        r->control_cell[expr->tmpl] = 0;
        if (expr->node >= 0)
            r->watched[expr->tmpl][expr->node] = 1;
    }
    return GY_VISIT_PARTS;
}

static uint32_t new_cells(gy_reduction *r, uint32_t count)
{
    uint32_t first = r->cells;
    r->cells += count;
    return first;
}

static void find_remote_references(gy_reduction *r, const gy_reduce_needs *needs)
{
    const gy_model *model = r->model;
    gy_visitor remote = {.user = r, .expr = note_remote};
    for (uint32_t i = 0; i < model->template_count; i++) {
        r->watched[i] = GY_NEW_ARRAY(r->arena, uint8_t, model->templates[i].node_count + 1);
        r->control_cell[i] = GY_NO_CELL;
    }
    for (uint32_t i = 0; i < model->template_count; i++) {
        const gy_template *tmpl = &model->templates[i];
        if (gy_is_process(tmpl))
            gy_visit_template(&remote, model, tmpl);
    }
    for (uint32_t i = 0; needs && i < needs->observed_count; i++)
        gy_visit_expr(&remote, gy_atom_expr(r->model, needs->observed[i]));
}

static void find_cells(gy_reduction *r, const gy_reduce_needs *needs)
{
    const gy_model *model = r->model;
    r->var_cell = GY_NEW_ARRAY(r->arena, uint32_t, model->var_count + 1);
    r->control_cell = GY_NEW_ARRAY(r->arena, uint32_t, model->template_count + 1);
    r->watched = GY_NEW_ARRAY(r->arena, uint8_t *, model->template_count + 1);
    memset(r->var_cell, 0xff, (model->var_count + 1) * sizeof *r->var_cell);
    r->step_cell = model->last_fades ? 0 : GY_NO_CELL;
    find_remote_references(r, needs);
    for (uint32_t v = 0; v < model->var_count; v++) {
        const gy_variable *var = &model->vars[v];
        bool shared = var->owner == GY_NONE || r->var_cell[v] != GY_NO_CELL;
        if (shared && !var->hidden)
            r->var_cell[v] = new_cells(r, var->count <= r->split_limit ? var->count : 1);
        else
            r->var_cell[v] = GY_NO_CELL;
    }
    for (uint32_t i = 0; i < model->template_count; i++)
        if (r->control_cell[i] != GY_NO_CELL)
            r->control_cell[i] = new_cells(r, 1);
    r->system_cell = new_cells(r, 1);
    r->trace_cell = new_cells(r, 1);
    r->post_cell = new_cells(r, 1);
    if (r->step_cell != GY_NO_CELL)
        r->step_cell = new_cells(r, 1);
    r->head_cell = new_cells(r, 2 * (r->channels + 1));
    r->claim_cell = r->claims_matter ? new_cells(r, 2 * (r->channels + 1)) : GY_NO_CELL;
    r->words = gy_bits_words(r->cells);
}

// ---- control flow -------------------------------------------------------------------

// The edges that lie ahead of each node: a fixed point over the graph, all nodes at once.
static void find_reach(gy_reduction *r, uint32_t t)
{
    const gy_model *model = r->model;
    const gy_template *tmpl = &model->templates[t];
    uint32_t words = gy_bits_words((uint32_t)tmpl->edge_count);
    uint64_t *reach = GY_NEW_ARRAY(r->arena, uint64_t, (size_t)words * (tmpl->node_count + 1));
    bool changed = true;
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        gy_bits_add(reach + (size_t)model->edges[tmpl->first_edge + k].from * words, (uint32_t)k);
    while (changed) {
        changed = false;
        for (int32_t k = tmpl->edge_count - 1; k >= 0; k--) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            if (edge->to == GY_NONE)
                continue;
            uint64_t *from = reach + (size_t)edge->from * words;
            const uint64_t *to = reach + (size_t)edge->to * words;
            for (uint32_t w = 0; w < words; w++) {
                changed |= (to[w] & ~from[w]) != 0;
                from[w] |= to[w];
            }
        }
    }
    r->reach[t] = reach;
    r->reach_words[t] = words;
}

static void find_flow(gy_reduction *r)
{
    uint32_t count = r->model->template_count;
    r->reach = GY_NEW_ARRAY(r->arena, uint64_t *, count + 1);
    r->reach_words = GY_NEW_ARRAY(r->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (gy_is_process(&r->model->templates[i]))
            find_reach(r, i);
}

static void find_positions(gy_reduction *r)
{
    const gy_model *model = r->model;
    r->position = GY_NEW_ARRAY(r->arena, uint8_t, model->edge_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++) {
            const gy_node *node = &model->templates[t].nodes[n];
            for (int32_t k = 0; k < node->edge_count; k++)
                r->position[node->first_edge + k] = (uint8_t)(k < 255 ? k : 255);
        }
}

// ---- the start ----------------------------------------------------------------------

static int copy_globals(void *user, const gy_transition *transition)
{
    gy_reduction *r = user;
    if (transition->state) {
        r->start = GY_NEW_ARRAY(r->arena, gy_word, r->model->global_words + 1);
        memcpy(r->start, transition->state, r->model->global_words * sizeof *r->start);
    }
    return 1;
}

gy_reduction *gy_facts_new(gy_system *system, const gy_reduce_needs *needs, const char **why)
{
    bool lossy;
    const gy_state_layouts *shapes = gy_system_layouts(system, &lossy);
    *why = shapes ? refusal_of(system->model, needs) : "the model is a shared object";
    if (*why)
        return NULL;
    gy_arena *arena = gy_arena_new();
    gy_reduction *r = GY_NEW(arena, gy_reduction);
    r->arena = arena;
    r->model = system->model;
    r->shapes = shapes;
    r->lossy = lossy;
    r->split_limit = needs && needs->split_limit ? needs->split_limit : GY_SPLIT_LIMIT;
    gy_worker *worker = gy_worker_new(system);
    gy_initial(worker, copy_globals, r);
    gy_worker_free(worker);
    if (!r->start) {
        *why = "the model has no initial state";
        gy_arena_free(arena);
        return NULL;
    }
    find_stable(r);
    find_channels_once(r);
    find_channels(r);
    find_cells(r, needs);
    find_flow(r);
    find_positions(r);
    r->triggers = gy_triggers_find(r->model, arena);
    return r;
}
