// A synchronous system: in every step all processes take one transition each, and all of them
// read the state before the step. Channels and committed states do not matter there.
//
// The system is one template with one node. The states of processes are variables, and an edge is
// a choice of one transition per process. No two processes assign the same variable (that is
// refused), so the order of their effects matters only where one reads what another assigns: such a
// variable is assigned through a copy, which is stored back when all effects are done.
#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

enum { MOST_STEPS = 20000 };

typedef GY_VEC(const dve_transition *) choice;

// ---- who assigns what -----------------------------------------------------------------------

static const dve_process *assigner_of(const dve_model *tree, const dve_var *var,
                                      const dve_process *before, gy_location *place)
{
    for (uint32_t p = 0; p < tree->process_count && tree->processes[p] != before; p++) {
        const dve_process *process = tree->processes[p];
        for (uint32_t t = 0; t < process->transition_count; t++)
            for (uint32_t e = 0; e < process->transitions[t].effect_count; e++)
                if (process->transitions[t].effects[e].target->var == var) {
                    *place = process->transitions[t].effects[e].place;
                    return process;
                }
    }
    return NULL;
}

static bool check_assignments(const dve_lowering *l)
{
    const dve_model *tree = l->tree;
    for (uint32_t p = 0; p < tree->process_count; p++) {
        const dve_process *process = tree->processes[p];
        for (uint32_t t = 0; t < process->transition_count; t++)
            for (uint32_t e = 0; e < process->transitions[t].effect_count; e++) {
                const dve_assignment *a = &process->transitions[t].effects[e];
                gy_location first;
                const dve_process *other = assigner_of(tree, a->target->var, process, &first);
                if (!other)
                    continue;
                gy_error(tree->diags, a->place,
                         "in a synchronous system, `%s` and `%s` cannot both assign `%s`",
                         other->name, process->name, a->target->name);
                gy_note(tree->diags, first, "the other assignment");
                return false;
            }
    }
    return true;
}

static bool reads(const dve_expr *expr, const dve_var *var)
{
    return expr && (expr->var == var || reads(expr->a, var) || reads(expr->b, var));
}

static bool transition_reads(const dve_transition *t, const dve_var *var)
{
    for (uint32_t e = 0; e < t->effect_count; e++)
        if (reads(t->effects[e].value, var) || reads(t->effects[e].target->a, var))
            return true;
    return false;
}

// ---- copies ---------------------------------------------------------------------------------

static void copy_elements(dve_lowering *l, const dve_var *var, int32_t from, int32_t to,
                          dve_action_list *actions)
{
    for (uint32_t i = 0; i < var->count; i++) {
        gy_expr *value = dve_new_expr(l->arena, GY_E_VAR, var->place);
        value->var = from;
        value->a = var->is_array ? dve_new_const(l->arena, var->place, (int32_t)i) : NULL;
        gy_expr *index = var->is_array ? dve_new_const(l->arena, var->place, (int32_t)i) : NULL;
        gy_vec_push(actions, dve_assign(to, index, value, var->place));
    }
}

// Gives copies to the variables that transition `own` of the choice assigns and another one reads.
static void make_copies(dve_lowering *l, const dve_process *process, const choice *step, size_t own,
                        dve_action_list *actions)
{
    const dve_transition *t = step->at[own];
    for (uint32_t e = 0; e < t->effect_count; e++) {
        dve_var *var = t->effects[e].target->var;
        bool read = false;
        for (size_t i = 0; i < step->n; i++)
            read = read || (i != own && transition_reads(step->at[i], var));
        if (!read || var->copied_for)
            continue;
        var->copied_for = process;
        copy_elements(l, var, var->lowered, var->copy, actions);
    }
}

// An array that is stored element by element looks to the analyses as if its old values could still
// be read, and so its copy may become part of the state: then it must be the same in all states.
static void clear_copy(dve_lowering *l, const dve_var *var, dve_action_list *actions)
{
    for (uint32_t i = 0; var->is_array && i < var->count; i++)
        gy_vec_push(actions, dve_assign(var->copy, dve_new_const(l->arena, var->place, (int32_t)i),
                                        dve_new_const(l->arena, var->place, 0), var->place));
}

static void store_copies(dve_lowering *l, const choice *step, dve_action_list *actions)
{
    for (size_t i = 0; i < step->n; i++)
        for (uint32_t e = 0; e < step->at[i]->effect_count; e++) {
            dve_var *var = step->at[i]->effects[e].target->var;
            if (var->copied_for) {
                copy_elements(l, var, var->copy, var->lowered, actions);
                clear_copy(l, var, actions);
            }
            var->copied_for = NULL;
        }
}

// ---- steps ----------------------------------------------------------------------------------

static gy_expr *step_guard(dve_lowering *l, const dve_process *process, const dve_transition *t)
{
    dve_expr at = {.kind = DVE_X_AT, .place = t->place, .state = t->from};
    at.process = (dve_process *)process;
    gy_expr *guard = dve_lower_expr(l, &at);
    for (uint32_t g = 0; g < t->guard_count; g++)
        guard = dve_new_binary(l->arena, GY_E_AND, guard, dve_lower_expr(l, t->guards[g]));
    return guard;
}

static void add_effects(dve_lowering *l, const dve_process *process, const dve_transition *t,
                        dve_action_list *actions)
{
    l->self = process;
    l->moved = process;
    l->moved_to = t->to;
    for (uint32_t e = 0; e < t->effect_count; e++)
        gy_vec_push(actions, dve_lower_assignment(l, &t->effects[e]));
    l->self = l->moved = NULL;
}

static gy_edge lower_step(dve_lowering *l, const dve_process *const *movers, const choice *step)
{
    gy_edge edge = {.id = (int32_t)l->edges.n};
    dve_action_list actions = {0};
    gy_text text = {0};
    edge.place = step->at[0]->place;
    for (size_t i = 0; i < step->n; i++) {
        edge.guard =
            dve_new_binary(l->arena, GY_E_AND, edge.guard, step_guard(l, movers[i], step->at[i]));
        gy_text_printf(&text, "%s%s: ", i ? " || " : "", movers[i]->name);
        dve_transition_text(step->at[i], &text);
    }
    for (size_t i = 0; i < step->n; i++)
        make_copies(l, movers[i], step, i, &actions);
    for (size_t i = 0; i < step->n; i++)
        add_effects(l, movers[i], step->at[i], &actions);
    store_copies(l, step, &actions);
    for (size_t i = 0; i < step->n; i++)
        if (step->at[i]->from != step->at[i]->to)
            gy_vec_push(&actions,
                        dve_assign(movers[i]->location, NULL,
                                   dve_new_const(l->arena, step->at[i]->place, step->at[i]->to),
                                   step->at[i]->place));
    edge.effect = dve_keep_program(l, &actions);
    edge.text = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    return edge;
}

// All choices of one transition per process, the last process fastest.
static void lower_steps(dve_lowering *l, const dve_process *const *movers, uint32_t count)
{
    uint64_t steps = 1;
    for (uint32_t i = 0; i < count; i++) {
        steps *= movers[i]->transition_count;
        if (steps > MOST_STEPS) {
            gy_error(l->tree->diags, l->tree->system_place,
                     "this synchronous system has too many combinations of transitions (more than "
                     "%d)",
                     MOST_STEPS);
            return;
        }
    }
    choice step = {0};
    for (uint64_t n = 0; n < steps; n++) {
        uint64_t left = n;
        step.n = 0;
        gy_vec_reserve(&step, count);
        step.n = count;
        for (uint32_t i = count; i-- > 0; left /= movers[i]->transition_count)
            step.at[i] = &movers[i]->transitions[left % movers[i]->transition_count];
        gy_vec_push(&l->edges, lower_step(l, movers, &step));
    }
    gy_vec_free(&step);
}

bool dve_lower_synchronous(dve_lowering *l, gy_template *tmpl)
{
    dve_model *tree = l->tree;
    if (!check_assignments(l))
        return false;
    const dve_process **movers = GY_NEW_ARRAY(l->arena, const dve_process *, tree->process_count);
    uint32_t count = 0;
    for (uint32_t p = 0; p < tree->process_count; p++)
        if (!tree->processes[p]->is_property)
            movers[count++] = tree->processes[p];
    *tmpl = (gy_template){.name = "system",
                          .place = tree->system_place,
                          .kind = GY_TMPL_PROCESS,
                          .active = 1,
                          .priority = 1,
                          .first_var = (int32_t)l->vars.n,
                          .node_count = 1};
    tmpl->nodes = GY_NEW_ARRAY(l->arena, gy_node, 1);
    tmpl->nodes[0].place = tree->system_place;
    lower_steps(l, movers, count);
    tmpl->nodes[0].edge_count = tmpl->edge_count = (int32_t)l->edges.n;
    return true;
}
