// The system as a whole, its signal routes and processes.
#include "lang/if/check/if_check.h"

// ---- declared once ----------------------------------------------------------------------------

static void check_twice(if_checker *c, if_symbols *symbols, const if_symbols *others)
{
    for (uint32_t i = 0; i < symbols->count; i++)
        for (uint32_t k = 0; k < i + (others ? others->count : 0); k++) {
            const if_symbol *first = k < i ? symbols->at[k] : others->at[k - i];
            if (strcmp(first->name.name, symbols->at[i]->name.name) != 0)
                continue;
            if_error(c, symbols->at[i]->name.place, (uint32_t)strlen(first->name.name),
                     "`%s` is declared twice", first->name.name);
            gy_note(c->diags, first->name.place, "first declared here");
            break;
        }
}

static void resolve_all(if_checker *c, if_symbols *symbols)
{
    for (uint32_t i = 0; i < symbols->count; i++) { // grows while enumerations are resolved
        if_symbol *symbol = symbols->at[i];
        if (symbol->kind == IF_D_CONST || symbol->kind == IF_D_TYPE || symbol->kind == IF_D_VAR)
            if_resolve_symbol(c, symbol);
    }
}

// ---- signals and routes -----------------------------------------------------------------------

static void check_signal(if_checker *c, if_signal *signal, int32_t number)
{
    signal->number = number;
    const if_type **types = GY_NEW_ARRAY(c->arena, const if_type *, signal->count + 1);
    bool good = true;
    for (uint32_t i = 0; i < signal->count; i++) {
        types[i] = if_resolve(c, signal->params[i]);
        good = good && types[i];
        signal->cells += types[i] ? types[i]->cells : 0;
    }
    if (good && signal->cells > 255) {
        if_error(c, signal->name.place, 0, "a signal has at most 255 numbers in it");
        good = false;
    }
    signal->types = good ? types : NULL;
}

static bool find_end(if_checker *c, gy_name name, const if_process **process)
{
    *process = NULL;
    if (!*name.name)
        return true;
    const if_symbol *symbol = if_find_kind(c, name, IF_D_PROCESS, "a process");
    *process = symbol ? symbol->itself : NULL;
    return symbol != NULL;
}

// What the environment sends must have values that can be tried one by one.
static bool is_small(const if_type *type)
{
    return type->kind != IF_PID && type->kind != IF_ARRAY && type->kind != IF_RECORD &&
           (type->kind != IF_NUMBER || (int64_t)type->high - type->low < 256);
}

static bool check_from_env(if_checker *c, const if_route *route, const if_signal *signal,
                           gy_location place)
{
    uint64_t combinations = 1;
    for (uint32_t i = 0; route->source == NULL && signal->types && i < signal->count; i++) {
        const if_type *type = signal->types[i];
        bool small = is_small(type);
        combinations *= !small ? 1
                        : type->kind == IF_BOOLEAN
                            ? 2
                            : (uint64_t)((int64_t)type->high - type->low + 1);
        if (small && combinations <= 256)
            continue;
        gy_diag *diag = if_error(c, place, (uint32_t)strlen(signal->name.name),
                                 "the environment cannot send `%s`: its arguments have too many "
                                 "values",
                                 signal->name.name);
        gy_hint(diag, "booleans, enums and ranges with at most 256 combinations");
        return false;
    }
    return true;
}

static void check_route(if_checker *c, if_route *route)
{
    bool good = if_check_number(c, route->number, 1, IF_MOST_INSTANCES, "the number of routes",
                                &route->instances);
    route->capacity = IF_DEFAULT_QUEUE;
    if (route->size)
        good = if_check_number(c, route->size, 1, 16, "the size of the buffer", &route->capacity) &&
               good;
    if (route->size && !route->multiset) {
        if_error(c, route->size->place, route->size->length,
                 "only a #multiset route has a buffer of its own");
        good = false;
    }
    good = find_end(c, route->from, &route->source) && good;
    good = find_end(c, route->to, &route->target) && good;
    const if_signal **list = GY_NEW_ARRAY(c->arena, const if_signal *, route->signal_count + 1);
    for (uint32_t i = 0; i < route->signal_count; i++) {
        const if_symbol *symbol = if_find_kind(c, route->signals[i], IF_D_SIGNAL, "a signal");
        list[i] = symbol ? symbol->signal : NULL;
        good = good && symbol && list[i]->types &&
               check_from_env(c, route, list[i], route->signals[i].place);
    }
    if (good && !route->source && !route->target) {
        if_error(c, route->name.place, (uint32_t)strlen(route->name.name),
                 "a route from the environment to itself does nothing");
        good = false;
    }
    route->carries = good ? list : NULL;
}

// ---- processes --------------------------------------------------------------------------------

static bool check_input(if_checker *c, if_transition *t)
{
    const if_symbol *symbol = if_find_kind(c, t->input, IF_D_SIGNAL, "a signal");
    t->signal = symbol ? symbol->signal : NULL;
    if (!t->signal || !t->signal->types)
        return false;
    if (t->inputs.count != t->signal->count) {
        if_error(c, t->input.place, (uint32_t)strlen(t->input.name),
                 "`%s` has %u argument%s, but here %s %u", t->input.name, t->signal->count,
                 t->signal->count == 1 ? "" : "s", t->inputs.count == 1 ? "is" : "are",
                 t->inputs.count);
        return false;
    }
    bool good = true;
    for (uint32_t i = 0; i < t->inputs.count; i++) {
        if_expr *target = t->inputs.at[i];
        const if_type *type = t->signal->types[i];
        if (!if_check_target(c, target)) {
            good = false;
        } else if (!if_fits(type, target->type)) {
            if_error(c, target->place, target->length, "the argument is %s, but this is %s",
                     if_type_text(type), if_type_text(target->type));
            good = false;
        }
        if (good && !(target->kind == IF_X_NAME && if_is_within(type, target->type)))
            symbol->signal->converted = true;
    }
    return good;
}

static void check_transition(if_checker *c, uint32_t from, if_transition *t)
{
    if_process *process = c->process;
    if (t->provided)
        if_check_expr_as(c, t->provided, c->system->boolean, "the condition");
    if (t->has_input)
        check_input(c, t);
    if_check_block(c, &t->body);
    process->stops = process->stops || t->stops;
    t->target_number = from;
    if (t->stops || strcmp(t->target.name, "-") == 0)
        return;
    int32_t number = if_find_state(process, t->target.name);
    if (number >= 0) {
        t->target_number = (uint32_t)number;
        return;
    }
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < process->state_count; i++)
        gy_nearest_offer(t->target.name, process->states[i].name.name, &best, &distance);
    gy_diag *diag =
        if_error(c, t->target.place, (uint32_t)strlen(t->target.name),
                 "the process `%s` has no state `%s`", process->name.name, t->target.name);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
}

static void check_states(if_checker *c, if_process *process)
{
    uint32_t starts = 0;
    for (uint32_t i = 0; i < process->state_count; i++) {
        const if_state *state = &process->states[i];
        int32_t first = if_find_state(process, state->name.name);
        if (first != (int32_t)i) {
            if_error(c, state->name.place, (uint32_t)strlen(state->name.name),
                     "there are two states `%s`", state->name.name);
            gy_note(c->diags, process->states[first].name.place, "first declared here");
        }
        if (!state->start)
            continue;
        process->start = i;
        if (++starts == 2)
            if_error(c, state->name.place, (uint32_t)strlen(state->name.name),
                     "a process has one #start state");
    }
    if (starts == 0) {
        gy_diag *diag = if_error(c, process->name.place, (uint32_t)strlen(process->name.name),
                                 "the process `%s` has no #start state", process->name.name);
        gy_hint(diag, "state idle #start;");
    }
}

static void check_numbers(if_checker *c, if_process *process)
{
    process->capacity = IF_DEFAULT_QUEUE;
    if (process->number)
        if_check_number(c, process->number, 0, IF_MOST_INSTANCES, "the number of instances",
                        &process->initial_count);
    if (process->queue)
        if_check_number(c, process->queue, 1, IF_MOST_QUEUE, "the length of the queue",
                        &process->capacity);
    if (process->most &&
        if_check_number(c, process->most, 1, IF_MOST_INSTANCES, "the number of instances",
                        &process->most_count) &&
        process->most_count < process->initial_count)
        if_error(c, process->most->place, process->most->length,
                 "`%s` has more instances at the start (%d)", process->name.name,
                 process->initial_count);
}

// How many instances there can be, once it is known who is forked.
static void count_instances(if_checker *c)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < c->system->process_count; i++) {
        if_process *p = c->system->processes[i];
        if (!p->most_count)
            p->most_count = p->forked && p->initial_count < IF_DEFAULT_INSTANCES
                                ? IF_DEFAULT_INSTANCES
                                : p->initial_count;
        if (!p->forked)
            p->most_count = p->initial_count;
        p->first = (uint32_t)total;
        total += p->most_count;
        p->killed = p->killed || c->system->kills_any;
    }
    int64_t instances = total;
    for (uint32_t i = 0; i < c->system->route_count; i++)
        if (c->system->routes[i]->multiset)
            total += c->system->routes[i]->instances;
    if (total > IF_MOST_INSTANCES && !gy_diags_errors(c->diags))
        if_error(c, c->system->name.place, 0,
                 "there are %lld instances of processes and buffering routes (the limit is %d)",
                 (long long)total, IF_MOST_INSTANCES);
    else if (instances == 0 && !gy_diags_errors(c->diags))
        if_error(c, c->system->name.place, (uint32_t)strlen(c->system->name.name),
                 "this system has no process");
    ((if_type *)c->system->pid)->high = 1 + (int32_t)instances;
}

static void check_process(if_checker *c, if_process *process)
{
    c->process = process;
    check_states(c, process);
    for (uint32_t i = 0; i < process->state_count; i++)
        for (uint32_t k = 0; k < process->states[i].count && !gy_diags_full(c->diags); k++)
            check_transition(c, i, process->states[i].transitions[k]);
    for (uint32_t i = 0; i < process->symbols.count; i++)
        if (process->symbols.at[i]->kind == IF_D_PROCEDURE)
            if_check_procedure(c, process->symbols.at[i]->procedure);
    c->process = NULL;
}

// ---- the system -------------------------------------------------------------------------------

static if_type *scalar(if_system *system, if_type_kind kind, const char *name, int32_t low,
                       int32_t high)
{
    if_type *type = GY_NEW(system->arena, if_type);
    *type = (if_type){.kind = kind, .name = name, .low = low, .high = high, .cells = 1};
    return type;
}

// Lists of what there is of each kind.
static void sort_out(if_system *system)
{
    uint32_t n = system->symbols.count, inner = 0;
    for (uint32_t i = 0; i < n; i++)
        if (system->symbols.at[i]->kind == IF_D_PROCESS)
            inner += system->symbols.at[i]->itself->symbols.count;
    system->processes = GY_NEW_ARRAY(system->arena, if_process *, n + 1);
    system->routes = GY_NEW_ARRAY(system->arena, if_route *, n + 1);
    system->signals = GY_NEW_ARRAY(system->arena, if_signal *, n + 1);
    system->procedures = GY_NEW_ARRAY(system->arena, if_procedure *, n + inner + 1);
    for (uint32_t i = 0; i < n; i++) {
        if_symbol *symbol = system->symbols.at[i];
        if (symbol->kind == IF_D_SIGNAL)
            system->signals[system->signal_count++] = symbol->signal;
        else if (symbol->kind == IF_D_ROUTE)
            system->routes[system->route_count++] = symbol->route;
        else if (symbol->kind == IF_D_PROCEDURE)
            system->procedures[system->procedure_count++] = symbol->procedure;
        else if (symbol->kind == IF_D_PROCESS) {
            if_process *process = symbol->itself;
            system->processes[system->process_count++] = process;
            for (uint32_t k = 0; k < process->symbols.count; k++)
                if (process->symbols.at[k]->kind == IF_D_PROCEDURE)
                    system->procedures[system->procedure_count++] =
                        process->symbols.at[k]->procedure;
        }
    }
}

static void warn_of_defines(const if_checker *c)
{
    for (const char *const *d = c->defines; d && *d; d++) {
        size_t n = strcspn(*d, "=");
        bool used = false;
        for (uint32_t i = 0; i < c->system->symbols.count; i++) {
            const if_symbol *symbol = c->system->symbols.at[i];
            used |= symbol->kind == IF_D_CONST && strlen(symbol->name.name) == n &&
                    memcmp(symbol->name.name, *d, n) == 0;
        }
        if (!used)
            gy_warn(c->diags, 0, "-D %s: no `const %.*s` in this file", *d, (int)n, *d);
    }
}

static void check_declarations(if_checker *c)
{
    if_system *system = c->system;
    check_twice(c, &system->symbols, NULL);
    resolve_all(c, &system->symbols);
    for (uint32_t i = 0; i < system->process_count; i++) {
        c->process = system->processes[i];
        check_twice(c, &c->process->symbols, NULL);
        check_twice(c, &c->process->vars, &c->process->symbols);
        resolve_all(c, &c->process->symbols);
        resolve_all(c, &c->process->vars);
        for (uint32_t v = 0; v < c->process->vars.count; v++)
            c->process->vars.at[v]->number = (int32_t)v;
        c->process = NULL;
        check_numbers(c, system->processes[i]);
    }
    for (uint32_t i = 0; i < system->signal_count; i++)
        check_signal(c, system->signals[i], (int32_t)i + 1);
    for (uint32_t i = 0; i < system->route_count; i++)
        if (system->routes[i]->signal_count) // it was understood
            check_route(c, system->routes[i]);
}

bool if_check(if_system *system, const char *const *defines)
{
    if_checker c = {
        .system = system, .arena = system->arena, .diags = system->diags, .defines = defines};
    system->boolean = scalar(system, IF_BOOLEAN, "boolean", 0, 1);
    system->integer = scalar(system, IF_NUMBER, "integer", INT32_MIN, INT32_MAX);
    system->pid = scalar(system, IF_PID, "pid", 1, 255);
    sort_out(system);
    check_declarations(&c);
    for (uint32_t i = 0; i < system->symbols.count; i++)
        if (system->symbols.at[i]->kind == IF_D_PROCEDURE)
            if_check_procedure(&c, system->symbols.at[i]->procedure);
    for (uint32_t i = 0; i < system->process_count && !gy_diags_full(c.diags); i++)
        check_process(&c, system->processes[i]);
    count_instances(&c);
    warn_of_defines(&c);
    return gy_diags_errors(system->diags) == 0;
}

bool if_check_text(if_system *system, if_expr *expr, bool temporal)
{
    if_checker c = {
        .system = system, .arena = system->arena, .diags = system->diags, .in_formula = true};
    if (temporal)
        return if_check_expr_as(&c, expr, system->boolean, "a formula");
    if (!if_check_expr(&c, expr))
        return false;
    if (expr->type->kind != IF_ARRAY && expr->type->kind != IF_RECORD)
        return true;
    if_error(&c, expr->place, expr->length, "this is %s, not a single value",
             if_type_text(expr->type));
    return false;
}
