// What steps do to the spans of variables and message fields.
#include "base/vec.h"
#include "model/passes/range_facts.h"

enum { ROUNDS_BEFORE_WIDENING = 4 };

static bool store(gy_ranging *r, int32_t tmpl, gy_interval *env, int32_t var, gy_interval value)
{
    const gy_variable *v = &r->model->vars[var];
    if (gy_interval_is_empty(value))
        return false;
    value = gy_interval_truncate(v->type, value);
    gy_facts_add(r, &r->next->var[var], value, v->type);
    if (env && gy_is_tracked(r, tmpl, var)) {
        gy_interval *cell = &env[gy_env_index(r, tmpl, var)];
        *cell = v->count > 1 ? gy_interval_join(*cell, value) : value;
    }
    return true;
}

// ---- messages ---------------------------------------------------------------------------

// Could the expression name a channel of this type?
static bool may_be(const gy_ranging *r, const gy_expr *chan, uint32_t type)
{
    chan = gy_bare_channel(chan);
    bool known = chan->op == GY_E_VAR && r->channel_types[chan->var] != GY_NONE;
    return !known || r->channel_types[chan->var] == (int32_t)type;
}

static bool send(gy_ranging *r, int32_t tmpl, const gy_interval *env, const gy_expr *chan,
                 const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (gy_interval_is_empty(gy_range_of(r, tmpl, env, fields[f].expr)))
            return false;
    for (uint32_t t = 0; t < r->model->channel_type_count; t++) {
        const gy_channel_type *type = &r->model->channel_types[t];
        for (uint32_t f = 0; f < type->field_count && may_be(r, chan, t); f++) {
            gy_interval value =
                f < count ? gy_range_of(r, tmpl, env, fields[f].expr) : gy_interval_of(0);
            gy_facts_add(r, &r->next->field[r->first_field[t] + f],
                         gy_interval_truncate(type->fields[f], value), type->fields[f]);
        }
    }
    return true;
}

static gy_interval sent(const gy_ranging *r, uint32_t type, uint32_t f)
{
    bool there = f < r->model->channel_types[type].field_count;
    return there ? r->now.field[r->first_field[type] + f] : gy_interval_of(0);
}

// Can a message of this type be one that is waited for?
static bool can_match(const gy_ranging *r, int32_t tmpl, const gy_interval *env, uint32_t type,
                      const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < r->model->channel_types[type].field_count; f++)
        if (gy_interval_is_empty(sent(r, type, f)))
            return false;
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH &&
            gy_interval_is_empty(
                gy_interval_meet(sent(r, type, f), gy_range_of(r, tmpl, env, fields[f].expr))))
            return false;
    return true;
}

static gy_interval range_of_type(gy_type type)
{
    gy_interval span;
    gy_type_range(type, &span.low, &span.high);
    return span;
}

// What is stored of a value: one that does not fit into a checked field is not.
static gy_interval fitting(const gy_ranging *r, const gy_field *field, gy_interval value)
{
    return field->checked ? gy_interval_meet(value, range_of_type(r->model->vars[field->var].type))
                          : value;
}

static bool receive(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_expr *chan,
                    const gy_field *fields, uint32_t count)
{
    bool any = false;
    GY_VEC(gy_interval) values = {0};
    for (uint32_t f = 0; f < count; f++)
        gy_vec_push(&values, GY_INTERVAL_NONE);
    for (uint32_t t = 0; t < r->model->channel_type_count; t++)
        if (may_be(r, chan, t) && can_match(r, tmpl, env, t, fields, count)) {
            any = true;
            for (uint32_t f = 0; f < count; f++)
                values.at[f] = gy_interval_join(values.at[f], sent(r, t, f));
        }
    for (uint32_t f = 0; any && f < count; f++)
        if (fields[f].kind == GY_FIELD_STORE)
            any = store(r, tmpl, env, fields[f].var, fitting(r, &fields[f], values.at[f]));
    gy_vec_free(&values);
    return any;
}

// ---- actions ----------------------------------------------------------------------------

static bool start(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_action *action)
{
    const gy_template *made = &r->model->templates[action->tmpl];
    for (uint32_t p = 0; p < made->param_count; p++) {
        int32_t var = made->first_var + (int32_t)p;
        gy_type type = r->model->vars[var].type;
        gy_interval value = p < action->field_count
                                ? gy_range_of(r, tmpl, env, action->fields[p].expr)
                                : gy_interval_of(0);
        if (gy_interval_is_empty(value))
            return false;
        value = gy_interval_truncate(type, value);
        gy_facts_add(r, &r->next->given[var], value, type);
        gy_facts_add(r, &r->next->var[var], value, type);
    }
    r->changed = r->changed || !r->next->running[action->tmpl];
    r->next->running[action->tmpl] = true;
    return action->var == GY_NONE || store(r, tmpl, env, action->var, r->pid[action->tmpl]);
}

// All values are of the environment before.
static bool store_all(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_action *action)
{
    GY_VEC(gy_interval) values = {0};
    bool good = true;
    for (uint32_t f = 0; f < action->field_count; f++)
        gy_vec_push(&values, gy_range_of(r, tmpl, env, action->fields[f].expr));
    for (uint32_t f = 0; f < action->field_count; f++)
        good = store(r, tmpl, env, action->fields[f].var,
                     fitting(r, &action->fields[f], values.at[f])) &&
               good;
    gy_vec_free(&values);
    return good;
}

static bool act(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_action *action)
{
    switch (action->kind) {
    case GY_A_ASSIGN: {
        gy_interval value = gy_range_of(r, tmpl, env, action->expr);
        if (action->checked)
            value = gy_interval_meet(value, range_of_type(r->model->vars[action->var].type));
        return store(r, tmpl, env, action->var, value);
    }
    case GY_A_SEND:
        return send(r, tmpl, env, action->chan, action->fields, action->field_count);
    case GY_A_RECV:
        return receive(r, tmpl, env, action->chan, action->fields, action->field_count);
    case GY_A_RUN:
        return start(r, tmpl, env, action);
    case GY_A_NEW_CHANNEL:
        r->made++;
        if (action->var == GY_NONE)
            return true;
        return store(r, tmpl, env, action->var,
                     tmpl == GY_NONE && r->made <= 255 ? gy_interval_of(r->made)
                                                       : (gy_interval){1, 255});
    case GY_A_TEST:
        return gy_range_assume(r, tmpl, env, action->expr, true);
    case GY_A_ASSIGN_ALL:
        return store_all(r, tmpl, env, action);
    case GY_A_CHOOSE: {
        gy_interval first = gy_range_of(r, tmpl, env, action->fields[0].expr);
        gy_interval last = gy_range_of(r, tmpl, env, action->fields[1].expr);
        if (first.low > last.high) // there is never anything to choose from
            return false;
        return store(r, tmpl, env, action->var, (gy_interval){first.low, last.high});
    }
    default:
        return true;
    }
}

// ---- programs ---------------------------------------------------------------------------

// Environments before each action of a program that has choices; `count` is its end.
typedef struct flow {
    gy_ranging *r;
    int32_t tmpl;
    uint32_t width;
    gy_interval *env;
    bool *reached, changed, widening;
} flow;

static gy_type type_at(const gy_ranging *r, int32_t tmpl, uint32_t i)
{
    uint32_t globals = r->model->global_count;
    uint32_t var = i < globals ? i : (uint32_t)r->model->templates[tmpl].first_var + i - globals;
    return r->model->vars[var].type;
}

static void go_to(flow *f, uint32_t target, const gy_interval *env)
{
    gy_interval *row = f->env + (size_t)target * f->width;
    for (uint32_t i = 0; f->reached[target] && i < f->width; i++) {
        gy_interval joined = gy_interval_join(row[i], env[i]);
        if (gy_interval_equal(joined, row[i]))
            continue;
        row[i] = f->widening ? gy_interval_widen(f->r, row[i], joined, type_at(f->r, f->tmpl, i))
                             : joined;
        f->changed = true;
    }
    if (f->reached[target])
        return;
    memcpy(row, env, f->width * sizeof *row);
    f->reached[target] = f->changed = true;
}

static void choose(flow *f, const gy_action *action, gy_interval *env, gy_interval *branch)
{
    bool possible = true;
    for (uint32_t k = 0; possible && k < action->option_count; k++) {
        const gy_option *option = &action->options[k];
        memcpy(branch, env, f->width * sizeof *env);
        if (!option->when || gy_range_assume(f->r, f->tmpl, branch, option->when, true))
            go_to(f, option->target, branch);
        possible = option->when && gy_range_assume(f->r, f->tmpl, env, option->when, false);
    }
}

static void pass(flow *f, const gy_program *program, uint32_t at, gy_interval *env,
                 gy_interval *branch)
{
    const gy_action *action = &program->actions[at];
    memcpy(env, f->env + (size_t)at * f->width, f->width * sizeof *env);
    if (action->kind == GY_A_SELECT)
        choose(f, action, env, branch);
    else if (action->kind == GY_A_JUMP)
        go_to(f, action->target, env);
    else if (act(f->r, f->tmpl, env, action))
        go_to(f, at + 1, env);
}

static bool branching_program(gy_ranging *r, int32_t tmpl, gy_interval *env,
                              const gy_program *program)
{
    uint32_t width = tmpl == GY_NONE ? r->model->global_count : r->width[tmpl];
    flow f = {.r = r, .tmpl = tmpl, .width = width};
    f.env = gy_alloc((program->count + 3) * (size_t)width * sizeof *f.env + 1);
    f.reached = gy_alloc_zero(program->count + 1);
    gy_interval *work = f.env + (program->count + 1) * (size_t)width, *branch = work + width;
    go_to(&f, 0, env);
    for (int round = 0; f.changed; round++) {
        f.changed = false;
        f.widening = round >= ROUNDS_BEFORE_WIDENING;
        for (uint32_t at = 0; at < program->count; at++)
            if (f.reached[at])
                pass(&f, program, at, work, branch);
    }
    bool ends = f.reached[program->count];
    if (ends)
        memcpy(env, f.env + program->count * (size_t)width, width * sizeof *env);
    free(f.env);
    free(f.reached);
    return ends;
}

bool gy_range_program(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_program *program)
{
    if (!program)
        return true;
    if (!gy_program_is_straight(program))
        return branching_program(r, tmpl, env, program);
    for (uint32_t i = 0; i < program->count; i++)
        if (!act(r, tmpl, env, &program->actions[i]))
            return false;
    return true;
}

// ---- edges ------------------------------------------------------------------------------

// `else`: no edge before it can fire (one behind it may: an `if` that begins an option of a `do`
// shares its node with the options that follow); for one that only asks a question, its guard
// fails.
static bool assume_others_fail(const gy_ranging *r, const gy_edge *edge, gy_interval *env)
{
    const gy_node *node = &r->model->templates[edge->tmpl].nodes[edge->from];
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *other = &r->model->edges[node->first_edge + k];
        if (other == edge)
            break;
        if (other->guard && other->sync == GY_SYNC_NONE && other->kind == GY_EDGE_NORMAL &&
            !other->escape && !gy_range_assume(r, edge->tmpl, env, other->guard, false))
            return false;
    }
    return true;
}

// In a joint rendezvous, the receiver's effect comes between the sender's guard and its effect.
static void forget_others(const gy_ranging *r, int32_t tmpl, gy_interval *env)
{
    for (uint32_t g = 0; g < r->model->global_count; g++)
        if (!r->own[tmpl][g])
            env[g] = r->now.var[g];
}

void gy_range_edge(gy_ranging *r, const gy_edge *edge, gy_interval *env)
{
    int32_t tmpl = edge->tmpl;
    if (edge->guard && !gy_range_assume(r, tmpl, env, edge->guard, true))
        return;
    if (edge->kind == GY_EDGE_ELSE && !assume_others_fail(r, edge, env))
        return;
    if (edge->sync == GY_SYNC_SEND &&
        !send(r, tmpl, env, edge->chan, edge->fields, edge->field_count))
        return;
    if (edge->sync == GY_SYNC_SEND && r->model->joint_rendezvous)
        forget_others(r, tmpl, env);
    if (edge->sync == GY_SYNC_RECV &&
        !receive(r, tmpl, env, edge->chan, edge->fields, edge->field_count))
        return;
    if (gy_range_program(r, tmpl, env, edge->effect) && edge->to != GY_NONE)
        gy_range_arrive(r, tmpl, edge->to, env);
}
