// Which templates have interchangeable processes. See symmetry.h.
#include "reduce/symmetry.h"

#include "base/text.h"
#include "base/vec.h"
#include "exec/orbit.h"
#include "exec/vm/state_layout.h"
#include "model/atoms.h"
#include "model/instances.h"
#include "reduce/facts.h"

// What is known about a template.
typedef struct traits {
    bool asks_pid, uses_slots; // `_pid`; `a[_pid]` where a is a set of slots
    gy_location asked_at;      // the first `_pid`
    bool looked_at;            // by remote references
    bool makes_channels;
    bool may_end;
    bool is_started; // by `run`
} traits;

// A global array is a set of slots if every use of it is `a[_pid]`. Which ones are is found out in
// a first look at everything; in a second one, `_pid` is fine there and nowhere else.
typedef struct analysis {
    const gy_model *model;
    gy_arena *arena;
    traits *templates;
    traits *current;         // of the template being examined
    const char *refusal;     // of the whole model
    bool counts;             // something reads the number of processes
    bool looks;              // something reads processes by number
    bool started_differ;     // what is started later has a use for its pid, or makes channels
    uint8_t *no_slots;       // by variable: it is used in another way
    uint8_t *is_slots;       // … and it is used
    uint8_t *stored;         // by variable: a statement stores into it
    bool lasting;            // processes that may end keep their places
    const gy_atom *observed; // what is read from outside
    uint32_t observed_count;
} analysis;

// ---- expressions --------------------------------------------------------------------

static void look_at(analysis *a, const gy_expr *expr);

// An element of a variable that is read or written.
static void look_at_element(analysis *a, int32_t var, const gy_expr *index)
{
    const gy_variable *v = var == GY_NONE ? NULL : &a->model->vars[var];
    bool own = v && v->owner == GY_NONE && (!v->hidden || v->removed) && index &&
               index->op == GY_E_INDEX && index->a->op == GY_E_PID;
    if (own && !a->no_slots[var]) {
        a->is_slots[var] = 1;
        a->current->uses_slots = true;
        return;
    }
    if (v && !own)
        a->no_slots[var] = 1;
    look_at(a, index);
}

static void look_at_fields(analysis *a, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++) {
        look_at(a, fields[f].expr);
        if (fields[f].kind != GY_FIELD_STORE)
            continue;
        look_at_element(a, fields[f].var, fields[f].index);
        if (fields[f].var != GY_NONE)
            a->stored[fields[f].var] = 1;
    }
}

static void look_at(analysis *a, const gy_expr *expr)
{
    if (!expr)
        return;
    switch (expr->op) {
    case GY_E_VAR:
        look_at_element(a, expr->var, expr->a);
        return;
    case GY_E_PID:
        if (!a->current->asks_pid)
            a->current->asked_at = expr->place;
        a->current->asks_pid = true;
        break;
    case GY_E_NR_PR:
        a->counts = true;
        break;
    case GY_E_EXCLUSIVE: // the same to all who hold the channel, as long as they are there
        a->counts = true;
        look_at(a, expr->a);
        return;
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
        a->looks = true;
        if (expr->tmpl == GY_NONE)
            a->refusal = "the model has remote references";
        else
            a->templates[expr->tmpl].looked_at = true;
        break;
    case GY_E_LAST:
        a->refusal = "the model uses _last";
        break;
    case GY_E_ENABLED:
    case GY_E_PC_VALUE:
        a->refusal = "the model uses enabled() or pc_value()";
        break;
    case GY_E_GET_PRIORITY:
        a->refusal = "the model uses get_priority()";
        break;
    default:
        break;
    }
    look_at_fields(a, expr->args, expr->arg_count);
    look_at(a, expr->a);
    look_at(a, expr->b);
    look_at(a, expr->c);
}

// ---- programs -----------------------------------------------------------------------

// What is printed is seen by nothing in the model.
static void look_at_print(analysis *a, const gy_action *action)
{
    for (uint32_t f = 0; f < action->field_count; f++)
        if (action->fields[f].expr && action->fields[f].expr->op != GY_E_PID)
            look_at(a, action->fields[f].expr);
}

static void look_at_action(analysis *a, const gy_action *action)
{
    if (action->kind == GY_A_PRINTF)
        look_at_print(a, action);
    else
        look_at_fields(a, action->fields, action->field_count);
    if (action->kind == GY_A_SET_PRIORITY && action->expr->op != GY_E_PID)
        a->refusal = "processes set the priorities of others";
    if (action->kind != GY_A_SET_PRIORITY) // its own is in its block
        look_at(a, action->expr);
    look_at(a, action->chan);
    for (uint32_t k = 0; k < action->option_count; k++)
        look_at(a, action->options[k].when);
    look_at_element(a, action->var, action->index);
    if (action->var != GY_NONE)
        a->stored[action->var] = 1;
    if (action->kind == GY_A_NEW_CHANNEL)
        a->current->makes_channels = true;
    if (action->kind == GY_A_RUN) {
        a->templates[action->tmpl].is_started = true;
        a->counts |= action->var != GY_NONE && !a->model->vars[action->var].removed;
    }
}

static void look_at_program(analysis *a, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        look_at_action(a, &program->actions[i]);
}

static void look_at_edge(analysis *a, const gy_edge *edge)
{
    look_at(a, edge->guard);
    look_at(a, edge->chan);
    look_at_fields(a, edge->fields, edge->field_count);
    look_at_program(a, edge->effect);
}

// ---- templates ----------------------------------------------------------------------

static bool can_end(const gy_model *model, const gy_template *tmpl)
{
    bool *seen = gy_alloc_zero((tmpl->node_count + 1) * sizeof *seen);
    int32_t *stack = gy_alloc((tmpl->node_count + 1) * sizeof *stack);
    uint32_t n = 0;
    bool found = false;
    seen[stack[n++] = tmpl->initial] = true;
    while (n && !found) {
        const gy_node *node = &tmpl->nodes[stack[--n]];
        found = node->flags & GY_NODE_FINAL;
        for (int32_t k = 0; k < node->edge_count; k++) {
            int32_t to = model->edges[node->first_edge + k].to;
            if (to != GY_NONE && !seen[to])
                seen[stack[n++] = to] = true;
        }
    }
    free(seen);
    free(stack);
    return found;
}

static void look_at_templates(analysis *a)
{
    const gy_model *model = a->model;
    a->templates = GY_NEW_ARRAY(a->arena, traits, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->kind == GY_TMPL_NEVER) // moves in products only
            continue;
        a->current = &a->templates[t];
        look_at(a, tmpl->provided);
        look_at_program(a, tmpl->init);
        for (int32_t k = 0; k < tmpl->edge_count; k++)
            look_at_edge(a, &model->edges[tmpl->first_edge + k]);
        a->current->may_end = gy_is_process(tmpl) && can_end(model, tmpl);
    }
    a->current = &a->templates[model->template_count]; // nobody's
    for (uint32_t i = 0; i < a->observed_count; i++)
        look_at(a, gy_atom_expr(a->model, a->observed[i]));
    for (uint32_t t = 0; t < model->template_count; t++) {
        const traits *is = &a->templates[t];
        a->started_differ |=
            is->is_started && (is->asks_pid || is->uses_slots || is->makes_channels);
    }
}

// ---- is it worth it? ----------------------------------------------------------------

static bool same_argument(const gy_expr *a, const gy_expr *b)
{
    return a->op == b->op &&
           (a->op == GY_E_CONST ? a->value == b->value
                                : a->op == GY_E_VAR && a->var == b->var && !a->a && !b->a);
}

// Does this argument keep its value, for all that is known?
static bool is_fixed(const analysis *a, const gy_expr *expr)
{
    return expr->op == GY_E_CONST ||
           (expr->op == GY_E_VAR && !expr->a && a->model->vars[expr->var].owner == GY_NONE &&
            !a->stored[expr->var]);
}

// Are two processes that are started by these `run`s the same at first, or can they become it?
static bool start_alike(const analysis *a, const gy_action *run, const gy_action *other)
{
    const gy_template *tmpl = &a->model->templates[run->tmpl];
    for (uint32_t i = 0; i < tmpl->param_count && i < run->field_count; i++) {
        int32_t var = tmpl->first_var + (int32_t)i;
        if (a->stored[var] || a->model->vars[var].removed)
            continue;
        if (!is_fixed(a, run->fields[i].expr) ||
            !same_argument(run->fields[i].expr, other->fields[i].expr))
            return false;
    }
    return true;
}

// Can there be two processes of this template that nothing distinguishes?
static bool has_twins(const analysis *a, int32_t t)
{
    const gy_model *model = a->model;
    GY_VEC(const gy_action *) starts = {0};
    bool found = model->templates[t].active > 1;
    for (uint32_t e = 0; e < model->edge_count && !found; e++) {
        const gy_edge *edge = &model->edges[e];
        for (uint32_t i = 0; edge->effect && i < edge->effect->count && !found; i++) {
            const gy_action *run = &edge->effect->actions[i];
            if (run->kind != GY_A_RUN || run->tmpl != t)
                continue;
            found = start_alike(a, run, run) &&
                    (gy_edge_is_on_cycle(model, edge) || !gy_template_is_single(model, edge->tmpl));
            for (size_t k = 0; k < starts.n && !found; k++)
                found = start_alike(a, run, starts.at[k]);
            gy_vec_push(&starts, run);
        }
    }
    gy_vec_free(&starts);
    return found;
}

// ---- the answer ---------------------------------------------------------------------

// Why processes of this template cannot change places, or NULL: they can. "… of type P" follows.
static const char *objection(const analysis *a, uint32_t t)
{
    const traits *is = &a->templates[t];
    if (is->asks_pid)
        return "the behaviour of a process depends on _pid";
    if (is->looked_at)
        return "remote references distinguish the processes";
    if (is->may_end && a->lasting)
        return "processes terminate";
    if (is->makes_channels)
        return "each process creates its own channels, which distinguish them";
    if (is->may_end && is->uses_slots)
        return "processes terminate, and others may use their array elements";
    if (is->may_end && a->counts)
        return "processes terminate, and the model reads their number";
    if (is->may_end && a->looks)
        return "processes terminate, and the model has remote references";
    if (is->may_end && a->started_differ)
        return "processes terminate, and the pids of processes started later matter";
    return has_twins(a, (int32_t)t) ? NULL : "no two processes are started with equal parameters";
}

static const char *refusal_of(const gy_model *model)
{
    if (model->uses_last)
        return "the model uses _last";
    if (model->uses_choice)
        return "the model chooses values";
    return gy_has_c(model) ? "the model has embedded C" : NULL;
}

static void find_slots(const analysis *a, gy_orbits *orbits)
{
    int32_t *slots = gy_alloc_zero((a->model->global_count + 1) * sizeof *slots);
    orbits->slot_limit = UINT32_MAX;
    for (uint32_t v = 0; v < a->model->global_count; v++) {
        if (!a->is_slots[v] || a->no_slots[v])
            continue;
        if (!a->model->vars[v].removed) // else it can be indexed wrongly, and that is all
            slots[orbits->slot_count++] = (int32_t)v;
        if (a->model->vars[v].count < orbits->slot_limit)
            orbits->slot_limit = a->model->vars[v].count;
    }
    orbits->slots = slots;
}

static void explain(const analysis *a, uint32_t t, const char *reason, gy_text *why)
{
    const gy_model *model = a->model;
    gy_text_printf(why, "%s (process type %s", reason, model->templates[t].name);
    if (a->templates[t].asks_pid && a->templates[t].asked_at) {
        gy_location_info at = gy_location_user(model->sources, a->templates[t].asked_at);
        gy_text_printf(
            why,
            ", %s:%u; supported: _pid only as the index of arrays that are indexed in no other way",
            gy_source_name(model->sources, at.file), at.line);
    }
    gy_text_char(why, ')');
}

static gy_symmetry *decide(const analysis *a, const gy_state_layouts *shapes, gy_text *why)
{
    const gy_model *model = a->model;
    gy_symmetry *s = gy_alloc_zero(sizeof *s);
    uint8_t *alike = gy_alloc_zero(model->template_count + 1);
    s->orbits = gy_alloc(sizeof *s->orbits);
    *s->orbits = (gy_orbits){.model = model, .shapes = shapes, .alike = alike};
    for (uint32_t t = 0; t < model->template_count; t++) {
        if (model->templates[t].kind != GY_TMPL_PROCESS || gy_template_is_single(model, (int32_t)t))
            continue;
        const char *reason = objection(a, t);
        alike[t] = !reason;
        s->types += !reason;
        s->may_end |= !reason && a->templates[t].may_end;
        if (reason && !why->n)
            explain(a, t, reason, why);
    }
    if (s->types) {
        find_slots(a, s->orbits);
        return s;
    }
    if (!why->n)
        gy_text_add(why, "no process type has several identical processes");
    gy_symmetry_free(s);
    return NULL;
}

static gy_symmetry *find(gy_system *system, const gy_atom *observed, uint32_t count, bool lasting,
                         char **why)
{
    bool lossy;
    const gy_state_layouts *shapes = gy_system_layouts(system, &lossy);
    const char *refusal = shapes ? refusal_of(system->model) : "the model is a shared object";
    gy_symmetry *s = NULL;
    gy_text text = {0};
    if (!refusal) {
        analysis a = {.model = system->model,
                      .arena = gy_arena_new(),
                      .lasting = lasting,
                      .observed = observed,
                      .observed_count = count};
        a.no_slots = GY_NEW_ARRAY(a.arena, uint8_t, a.model->var_count + 1);
        a.is_slots = GY_NEW_ARRAY(a.arena, uint8_t, a.model->var_count + 1);
        a.stored = GY_NEW_ARRAY(a.arena, uint8_t, a.model->var_count + 1);
        look_at_templates(&a);
        look_at_templates(&a);
        refusal = a.refusal;
        s = refusal ? NULL : decide(&a, shapes, &text);
        gy_arena_free(a.arena);
    }
    if (refusal)
        gy_text_add(&text, refusal);
    *why = s ? NULL : gy_text_take(&text);
    gy_text_free(&text);
    return s;
}

gy_symmetry *gy_symmetry_new(gy_system *system, char **why)
{
    return find(system, NULL, 0, false, why);
}

gy_symmetry *gy_symmetry_new_observed(gy_system *system, const gy_atom *observed, uint32_t count,
                                      char **why)
{
    return find(system, observed, count, true, why);
}

void gy_symmetry_free(gy_symmetry *s)
{
    if (!s)
        return;
    free((void *)s->orbits->alike);
    free((void *)s->orbits->slots);
    free(s->orbits);
    free(s);
}

void gy_symmetry_fold(const gy_symmetry *s, gy_worker *worker)
{
    gy_worker_fold(worker, s->orbits);
}

uint64_t gy_symmetry_folded(const gy_worker *worker)
{
    return gy_worker_folded(worker);
}

void gy_symmetry_note_ends(const gy_symmetry *s, const gy_worker *worker, uint8_t *reached)
{
    const gy_model *model = s->orbits->model;
    const uint8_t *ends = gy_worker_ends(worker);
    for (uint32_t e = 0; ends && reached && e < model->edge_count; e++)
        if (model->edges[e].kind == GY_EDGE_END && ends[model->edges[e].tmpl])
            reached[e] = 1;
}
