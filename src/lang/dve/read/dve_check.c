// The checker: what the names of a model stand for, and the rules that the grammar does not know.
#include "lang/dve/read/dve_parser.h"

enum { MOST_ELEMENTS = 1 << 20, MOST_CAPACITY = 255, MOST_PROCESSES = 255 };

// ---- declarations ---------------------------------------------------------------------------

static void report_twice(gy_diags *diags, const char *what, const char *name, gy_location second,
                         gy_location first)
{
    gy_diag *diag = gy_error(diags, second, "the %s `%s` is declared twice", what, name);
    diag->length = (uint32_t)strlen(name);
    gy_note(diags, first, "first declared here");
}

// The value of an initial value: variables declared before count with theirs.
static bool initial_value(const dve_expr *expr, int32_t *value)
{
    if ((expr->kind == DVE_X_NAME) && expr->var && !expr->var->is_const) {
        int32_t index = 0;
        if ((expr->a && !initial_value(expr->a, &index)) || !expr->var->values || index < 0 ||
            (uint32_t)index >= expr->var->count)
            return false;
        *value = expr->var->values[index];
        return true;
    }
    return dve_constant(expr, value);
}

static void check_size(dve_model *model, dve_process *process, dve_var *var)
{
    dve_scope scope = {.model = model, .process = process, .before = var};
    int32_t size = 1;
    if (var->size && dve_check_expr(&scope, var->size)) {
        if (!initial_value(var->size, &size))
            gy_error(model->diags, var->size->place, "the size of `%s` is not constant", var->name);
        else if (size < 1 || size > MOST_ELEMENTS)
            gy_error(model->diags, var->size->place, "`%s` cannot have %d elements (1 to %d)",
                     var->name, size, MOST_ELEMENTS);
    }
    var->count = size >= 1 && size <= MOST_ELEMENTS ? (uint32_t)size : 1;
}

static void check_initial(dve_model *model, dve_process *process, dve_var *var)
{
    dve_scope scope = {.model = model, .process = process, .before = var};
    int32_t low, high;
    dve_type_range(var->type, &low, &high);
    check_size(model, process, var);
    int32_t *values = GY_NEW_ARRAY(model->arena, int32_t, var->count);
    if (var->initial_count && var->is_array != var->has_list) {
        gy_diag *diag = gy_error(model->diags, var->place,
                                 var->is_array ? "`%s` is an array: its initial values are a list"
                                               : "`%s` is not an array: it has one initial value",
                                 var->name);
        gy_hint(diag, var->is_array ? "write { … }" : "write it without braces");
    }
    if (var->initial_count > var->count && var->has_list == var->is_array)
        gy_warn(model->diags, var->initial[var->count]->place,
                "`%s` has %u elements: further initial values are ignored", var->name, var->count);
    for (uint32_t i = 0; i < var->initial_count; i++) {
        dve_expr *expr = var->initial[i];
        int32_t value;
        if (!dve_check_expr(&scope, expr))
            continue;
        if (!initial_value(expr, &value)) {
            gy_error(model->diags, expr->place, "the initial value of `%s` is not constant",
                     var->name);
        } else if (value < low || value > high) {
            gy_diag *diag = gy_error(model->diags, expr->place,
                                     "the initial value %d of `%s` does not fit into %s", value,
                                     var->name, var->type == DVE_BYTE ? "a byte" : "an int");
            gy_hint(diag, "it holds %d to %d", low, high);
        } else if (i < var->count) {
            values[i] = value;
        }
    }
    if (var->is_const && !var->initial_count)
        gy_error(model->diags, var->place, "the constant `%s` has no value", var->name);
    var->values = values;
}

static void check_variables(dve_model *model, dve_process *process)
{
    dve_var **vars = process ? process->vars : model->vars;
    uint32_t count = process ? process->var_count : model->var_count;
    for (uint32_t i = 0; i < count; i++) {
        const dve_var *first = dve_find_var(vars, i, vars[i]->name);
        if (first)
            report_twice(model->diags, "variable", vars[i]->name, vars[i]->place, first->place);
        check_initial(model, process, vars[i]);
    }
}

static dve_channel *find_channel(const dve_model *model, const char *name, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(model->channels[i]->name, name) == 0)
            return model->channels[i];
    return NULL;
}

static void check_channels(dve_model *model)
{
    for (uint32_t i = 0; i < model->channel_count; i++) {
        dve_channel *channel = model->channels[i];
        const dve_channel *first = find_channel(model, channel->name, i);
        if (first)
            report_twice(model->diags, "channel", channel->name, channel->place, first->place);
        channel->used = channel->typed;
        if (!channel->size)
            continue;
        dve_scope scope = {.model = model};
        int32_t size;
        if (!channel->typed) {
            gy_diag *diag =
                gy_error(model->diags, channel->size->place, "an untyped channel has no capacity");
            gy_hint(diag, "write `channel {byte} %s[…];`", channel->name);
        } else if (dve_check_expr(&scope, channel->size)) {
            if (!dve_constant(channel->size, &size))
                gy_error(model->diags, channel->size->place, "the capacity of `%s` is not constant",
                         channel->name);
            else if (size < 0 || size > MOST_CAPACITY)
                gy_error(model->diags, channel->size->place,
                         "the capacity of `%s` cannot be %d (0 to %d)", channel->name, size,
                         MOST_CAPACITY);
            else
                channel->capacity = (uint32_t)size;
        }
    }
}

// ---- states ---------------------------------------------------------------------------------

static int32_t use_state(dve_model *model, const dve_process *process, gy_name name)
{
    int32_t found = dve_find_state(process, name.name);
    if (found >= 0 || !*name.name)
        return found;
    gy_diag *diag = gy_error(model->diags, name.place, "process `%s` has no state `%s`",
                             process->name, name.name);
    diag->length = (uint32_t)strlen(name.name);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < process->state_count; i++)
        gy_nearest_offer(name.name, process->states[i].name, &best, &distance);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    return -1;
}

static void check_states(dve_model *model, dve_process *process)
{
    for (uint32_t i = 0; i < process->state_count; i++) {
        dve_state *state = &process->states[i];
        int32_t first = dve_find_state(process, state->name);
        if (first < (int32_t)i)
            report_twice(model->diags, "state", state->name, state->place,
                         process->states[first].place);
    }
    if (process->init_name.name)
        process->init = use_state(model, process, process->init_name);
    else if (process->state_count) {
        gy_diag *diag = gy_error(model->diags, process->place, "process `%s` has no initial state",
                                 process->name);
        gy_hint(diag, "after its states, write `init %s;`", process->states[0].name);
    }
    for (uint32_t i = 0; i < process->commit_count; i++) {
        int32_t at = use_state(model, process, process->commits[i]);
        if (at >= 0)
            process->states[at].committed = true;
    }
    for (uint32_t i = 0; i < process->accept_count; i++) {
        int32_t at = use_state(model, process, process->accepts[i]);
        if (at >= 0)
            process->states[at].accepting = true;
    }
    if (process->accept_count && !process->is_property)
        gy_warn(model->diags, process->accepts[0].place,
                "only accepting states of the property process matter; `%s` is not that",
                process->name);
}

// ---- transitions ----------------------------------------------------------------------------

static bool check_target(const dve_scope *scope, dve_expr *target, const char *doing)
{
    gy_diags *diags = scope->model->diags;
    if (target->kind == DVE_X_REMOTE) {
        gy_error(diags, target->place, "a process cannot change variables of another one");
        return false;
    }
    if (target->kind != DVE_X_NAME) {
        gy_error(diags, target->place, "only a variable can be %s", doing);
        return false;
    }
    if (!dve_check_expr(scope, target))
        return false;
    if (target->var->is_const) {
        gy_diag *diag = gy_error(diags, target->place, "`%s` is a constant: it cannot be %s",
                                 target->name, doing);
        diag->length = target->length;
        return false;
    }
    if (scope->process->is_property && !target->var->owner) {
        gy_error(diags, target->place, "the property process cannot change `%s`: it only watches",
                 target->name);
        return false;
    }
    return true;
}

static void check_arity(dve_model *model, dve_transition *t)
{
    dve_channel *channel = t->channel;
    if (!channel->used) {
        channel->used = true;
        channel->type_count = t->value_count;
        channel->first_use = t->channel_name.place;
    } else if (channel->type_count != t->value_count) {
        gy_diag *diag =
            gy_error(model->diags, t->channel_name.place,
                     "a message of `%s` has %u value%s, not %u", channel->name, channel->type_count,
                     channel->type_count == 1 ? "" : "s", t->value_count);
        diag->length = (uint32_t)strlen(channel->name);
        gy_note(model->diags, channel->typed ? channel->place : channel->first_use,
                channel->typed ? "declared here" : "first used here");
    }
}

static void check_sync(const dve_scope *scope, dve_transition *t)
{
    dve_model *model = scope->model;
    const char *name = t->channel_name.name;
    t->channel = find_channel(model, name, model->channel_count);
    if (!t->channel) {
        gy_diag *diag =
            gy_error(model->diags, t->channel_name.place, "unknown channel `%s`", name);
        diag->length = (uint32_t)strlen(name);
        const char *best = NULL;
        unsigned distance = 0;
        for (uint32_t i = 0; i < model->channel_count; i++)
            gy_nearest_offer(name, model->channels[i]->name, &best, &distance);
        if (best)
            gy_hint(diag, "a similar name exists: `%s`", best);
    } else if (!model->synchronous) {
        check_arity(model, t);
    } else if (!model->warned_of_channels) {
        model->warned_of_channels = true;
        gy_warn(model->diags, t->channel_name.place,
                "channels have no meaning in a synchronous system: this part is ignored");
    }
    if (scope->process->is_property)
        gy_error(model->diags, t->channel_name.place, "the property process cannot use channels");
    for (uint32_t i = 0; i < t->value_count; i++) {
        if (t->sync == DVE_SEND)
            dve_check_expr(scope, t->values[i]);
        else
            check_target(scope, t->values[i], "received into");
    }
}

static void check_transition(dve_model *model, dve_process *process, dve_transition *t)
{
    dve_scope scope = {.model = model, .process = process};
    t->from = use_state(model, process, t->from_name);
    t->to = use_state(model, process, t->to_name);
    for (uint32_t i = 0; i < t->guard_count; i++)
        dve_check_expr(&scope, t->guards[i]);
    if (t->sync != DVE_NO_SYNC)
        check_sync(&scope, t);
    for (uint32_t i = 0; i < t->effect_count; i++) {
        check_target(&scope, t->effects[i].target, "assigned to");
        dve_check_expr(&scope, t->effects[i].value);
    }
}

static void check_process(dve_model *model, dve_process *process)
{
    dve_scope scope = {.model = model, .process = process};
    for (uint32_t i = 0; i < process->assert_count; i++) {
        process->asserts[i].state = use_state(model, process, process->asserts[i].at);
        dve_check_expr(&scope, process->asserts[i].expr);
    }
    if (process->is_property && process->assert_count)
        gy_error(model->diags, process->asserts[0].at.place,
                 "the property process cannot have assertions");
    if (process->is_property && process->commit_count)
        gy_error(model->diags, process->commits[0].place,
                 "the property process cannot have committed states");
    for (uint32_t i = 0; i < process->transition_count && !gy_diags_full(model->diags); i++)
        check_transition(model, process, &process->transitions[i]);
}

// ---- the system -----------------------------------------------------------------------------

static void find_property(dve_model *model)
{
    const char *name = model->property_name.name;
    if (!name)
        return;
    model->property = dve_find_process(model, name);
    if (model->property) {
        model->property->is_property = true;
        return;
    }
    gy_diag *diag =
        gy_error(model->diags, model->property_name.place, "unknown process `%s`", name);
    diag->length = (uint32_t)strlen(name);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < model->process_count; i++)
        gy_nearest_offer(name, model->processes[i]->name, &best, &distance);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
}

void dve_check(dve_model *model)
{
    find_property(model);
    uint32_t movers = model->process_count - (model->property ? 1 : 0);
    if (!movers && !gy_diags_errors(model->diags))
        gy_error(model->diags, model->system_place, "a model needs at least one process%s",
                 model->property ? " besides its property" : "");
    if (movers > MOST_PROCESSES)
        gy_error(model->diags, model->processes[MOST_PROCESSES]->place,
                 "a model cannot have more than %d processes", MOST_PROCESSES);
    check_variables(model, NULL);
    check_channels(model);
    for (uint32_t i = 0; i < model->process_count; i++) {
        dve_process *process = model->processes[i];
        const dve_process *first = dve_find_process(model, process->name);
        if (first != process)
            report_twice(model->diags, "process", process->name, process->place, first->place);
        check_variables(model, process);
        check_states(model, process);
    }
    for (uint32_t i = 0; i < model->process_count && !gy_diags_full(model->diags); i++)
        check_process(model, model->processes[i]);
}
