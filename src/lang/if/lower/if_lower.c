// The system: variables, queues and instances, then the code of each.
#include "lang/if/lower/if_lower.h"
#include "lang/if/check/if_check.h"

// ---- what there is ------------------------------------------------------------------------------

static const char *instance_name(if_lowering *l, gy_name name, int32_t count, int32_t number)
{
    return count > 1 ? gy_arena_printf(l->model->arena, "{%s}%d", name.name, number) : name.name;
}

static void add_instance(if_lowering *l, if_instance instance)
{
    instance.queue = instance.state = instance.stopped = instance.length = GY_NONE;
    instance.code = IF_FIRST_PID + (int32_t)l->instance_count;
    instance.pid = instance.tmpl = (int32_t)l->instance_count;
    l->instances[l->instance_count++] = instance;
}

static void list_instances(if_lowering *l)
{
    const if_system *system = l->system;
    l->instances = GY_NEW_ARRAY(l->arena, if_instance, 2 * IF_MOST_INSTANCES);
    for (uint32_t i = 0; i < system->process_count; i++) {
        const if_process *p = system->processes[i];
        for (int32_t n = 0; n < p->most_count; n++)
            add_instance(l, (if_instance){.process = p,
                                          .name = instance_name(l, p->name, p->most_count, n),
                                          .mobile = p->forked || p->killed,
                                          .locations = IF_FIRST_STATE + (int32_t)p->state_count});
    }
    l->process_instances = l->instance_count;
    bool env = false;
    for (uint32_t i = 0; i < system->route_count; i++) {
        if_route *route = system->routes[i];
        route->first = l->instance_count;
        env = env || !route->source;
        for (int32_t n = 0; route->multiset && n < route->instances; n++)
            add_instance(l,
                         (if_instance){.route = route,
                                       .name = instance_name(l, route->name, route->instances, n)});
    }
    if (env)
        add_instance(l, (if_instance){.name = "env"});
}

// ---- messages -----------------------------------------------------------------------------------

static bool is_same_scalar(gy_type a, gy_type b)
{
    return a.kind == b.kind && a.width == b.width && a.is_signed == b.is_signed &&
           a.subtype == b.subtype;
}

// One form for all messages: the signal, then fields for cells. Cells of different signals share a
// field if they have the same type.
static void make_fields(if_lowering *l)
{
    const if_system *system = l->system;
    GY_VEC(gy_type) fields = {0};
    gy_type number = {GY_MTYPE, 8, false, "signal"};
    gy_vec_push(&fields, number);
    for (uint32_t s = 0; s < system->signal_count; s++) {
        if_signal *signal = system->signals[s];
        bool taken[256] = {true};
        uint32_t cell = 0;
        signal->slots = GY_NEW_ARRAY(l->arena, uint32_t, signal->cells + 1);
        for (uint32_t i = 0; i < signal->count; i++)
            for (uint32_t k = 0; k < signal->types[i]->cells; k++) {
                gy_type type = if_scalar_type(l, if_cell_type(signal->types[i], k));
                uint32_t f = 1;
                while (f < fields.n && (taken[f] || !is_same_scalar(fields.at[f], type)))
                    f++;
                if (f == fields.n && f < 255)
                    gy_vec_push(&fields, type);
                else if (f == fields.n)
                    if_too_large(l, signal->name.place);
                f = f < fields.n ? f : 1;
                taken[f] = true;
                signal->slots[cell++] = f;
            }
    }
    gy_keep(l->arena, &fields, gy_type, l->fields, l->field_count);
}

static bool has_direct(const if_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const if_statement *s = block->at[i];
        if ((s->kind == IF_S_OUTPUT && !s->route) || has_direct(&s->first) ||
            has_direct(&s->second))
            return true;
    }
    return false;
}

// Whether anything can be put into a queue of this process, or is taken from one.
static bool has_queue(const if_lowering *l, const if_process *process)
{
    for (uint32_t i = 0; i < l->system->route_count; i++)
        if (l->system->routes[i]->target == process)
            return true;
    for (uint32_t p = 0; p < l->system->process_count; p++) {
        const if_process *other = l->system->processes[p];
        for (uint32_t i = 0; i < other->state_count; i++)
            for (uint32_t k = 0; k < other->states[i].count; k++) {
                const if_transition *t = other->states[i].transitions[k];
                if (has_direct(&t->body) || (other == process && t->has_input))
                    return true;
            }
    }
    return false;
}

// ---- variables ----------------------------------------------------------------------------------

static void make_store(if_lowering *l, if_symbol *symbol, const char *prefix, if_home home)
{
    const char *name = gy_arena_printf(l->model->arena, "%s%s", prefix, symbol->name.name);
    symbol->store = if_new_store(l, symbol->type, name, symbol->name.place, home, GY_NONE);
}

static void make_hidden(if_lowering *l)
{
    const if_system *system = l->system;
    for (uint32_t i = 0; i < system->procedure_count; i++) {
        if_procedure *procedure = system->procedures[i];
        const char *prefix = gy_arena_printf(l->model->arena, "%s.", procedure->name.name);
        for (uint32_t v = 0; v < procedure->vars.count; v++)
            make_store(l, procedure->vars.at[v], prefix, IF_HIDDEN);
        if (procedure->result)
            make_store(l, procedure->result, "result of ", IF_HIDDEN);
    }
    for (uint32_t i = 0; i < system->signal_count; i++) {
        if_signal *signal = system->signals[i];
        signal->room = GY_NEW_ARRAY(l->arena, if_store *, signal->count + 1);
        for (uint32_t k = 0; signal->converted && k < signal->count; k++)
            signal->room[k] =
                if_new_store(l, signal->types[k],
                             gy_arena_printf(l->model->arena, "%s(%u)", signal->name.name, k),
                             signal->name.place, IF_HIDDEN, GY_NONE);
    }
}

static void make_buffer(if_lowering *l, if_instance *buffer)
{
    uint32_t capacity = (uint32_t)buffer->route->capacity;
    l->place = buffer->route->name.place;
    buffer->columns = GY_NEW_ARRAY(l->arena, int32_t, l->field_count);
    buffer->length = if_new_variable(l, gy_arena_printf(l->model->arena, "%s.length", buffer->name),
                                     gy_type_bits(8, false), 0, (gy_range){0, (int32_t)capacity});
    for (uint32_t c = 0; c < l->field_count; c++) {
        const char *name = c ? gy_arena_printf(l->model->arena, "%s.argument%u", buffer->name, c)
                             : gy_arena_printf(l->model->arena, "%s.signal", buffer->name);
        gy_range range;
        gy_type_range(l->fields[c], &range.min, &range.max);
        buffer->columns[c] = if_new_variable(l, name, l->fields[c], capacity, range);
    }
}

static void make_queue(if_lowering *l, if_instance *instance)
{
    if (!has_queue(l, instance->process))
        return;
    const char *name = gy_arena_printf(l->model->arena, "%s.queue", instance->name);
    l->b->place = instance->process->name.place;
    int32_t type = gy_build_channel_type(l->b, GY_NONE, name, (uint32_t)instance->process->capacity,
                                         l->fields, l->field_count);
    instance->queue = gy_build_channel(l->b, name, type);
}

// The state and the variables of an instance that others change.
static void make_mobile(if_lowering *l, if_instance *instance)
{
    const if_process *process = instance->process;
    l->place = process->name.place;
    instance->state =
        if_new_variable(l, instance->name, (gy_type){GY_MTYPE, 8, false, process->name.name}, 0,
                        (gy_range){0, 255});
    instance->vars = GY_NEW_ARRAY(l->arena, if_store *, process->vars.count + 1);
    for (uint32_t v = 0; v < process->vars.count; v++) {
        const if_symbol *var = process->vars.at[v];
        instance->vars[v] = if_new_store(
            l, var->type, gy_arena_printf(l->model->arena, "%s.%s", instance->name, var->name.name),
            var->name.place, IF_GLOBAL, GY_NONE);
        l->effect = &l->b->init;
        if_reset(l, instance->vars[v], var, false);
    }
    bool alive = instance->code - IF_FIRST_PID - (int32_t)process->first < process->initial_count;
    l->effect = &l->b->init;
    if_set(l, instance->state,
           if_const(l, alive ? IF_FIRST_STATE + (int32_t)process->start : IF_DEAD));
}

static void make_globals(if_lowering *l)
{
    for (uint32_t i = 0; i < l->system->symbols.count; i++) {
        if_symbol *symbol = l->system->symbols.at[i];
        if (symbol->kind != IF_D_VAR)
            continue;
        make_store(l, symbol, "", IF_GLOBAL);
        l->effect = &l->b->init;
        if_reset(l, symbol->store, symbol, false);
    }
    make_hidden(l);
    l->ignored =
        if_new_store(l, l->system->integer, "ignored", l->system->name.place, IF_HIDDEN, GY_NONE)
            ->var;
    make_fields(l);
    for (uint32_t i = 0; i < l->instance_count; i++) {
        if_instance *instance = &l->instances[i];
        if (instance->process)
            make_queue(l, instance);
        if (instance->mobile)
            make_mobile(l, instance);
        if (instance->route)
            make_buffer(l, instance);
    }
}

// ---- templates ----------------------------------------------------------------------------------

static void make_nodes(if_lowering *l, if_instance *instance)
{
    const if_process *process = instance->process;
    for (uint32_t s = 0; s < process->state_count; s++) {
        l->b->place = process->states[s].name.place;
        gy_build_node(l->b, instance->tmpl, process->states[s].name.name);
    }
    gy_built_template(l->b, instance->tmpl)->initial = (int32_t)process->start;
    if (process->stops) {
        instance->stopped = gy_build_node(l->b, instance->tmpl, NULL);
        gy_built_node(l->b, instance->tmpl, instance->stopped)->flags |= GY_NODE_END;
    }
}

static void make_template(if_lowering *l, if_instance *instance)
{
    const if_process *process = instance->process;
    l->place = l->b->place = process           ? process->name.place
                             : instance->route ? instance->route->name.place
                                               : l->system->name.place;
    instance->tmpl = gy_build_template(l->b, instance->name, GY_TMPL_PROCESS);
    if (!process || instance->mobile) {
        int32_t node = gy_build_node(l->b, instance->tmpl, NULL);
        if (process)
            gy_built_template(l->b, instance->tmpl)->rests = if_is_at(l, instance, IF_DEAD);
        else
            gy_built_node(l->b, instance->tmpl, node)->flags |= GY_NODE_END;
        return;
    }
    instance->vars = GY_NEW_ARRAY(l->arena, if_store *, process->vars.count + 1);
    for (uint32_t v = 0; v < process->vars.count; v++) {
        const if_symbol *var = process->vars.at[v];
        instance->vars[v] =
            if_new_store(l, var->type, var->name.name, var->name.place, IF_LOCAL, instance->tmpl);
        l->effect = gy_built_template_init(l->b, instance->tmpl);
        if_reset(l, instance->vars[v], var, false);
    }
    make_nodes(l, instance);
}

// ---- names of values ----------------------------------------------------------------------------

static void add_name(if_lowering *l, const char *name, const char *subtype, int32_t value)
{
    gy_mtype_name made = {name, subtype, value};
    gy_vec_push(&l->names, made);
}

// A location between two states has no name: it is identified by its number.
static void name_locations(if_lowering *l, const if_process *process)
{
    const if_instance *first = &l->instances[process->first];
    if (!process->most_count || !first->mobile)
        return;
    add_name(l, "dead", process->name.name, IF_DEAD);
    for (int32_t s = 0; IF_FIRST_STATE + s < first->locations; s++)
        add_name(l,
                 (uint32_t)s < process->state_count
                     ? process->states[s].name.name
                     : gy_arena_printf(l->model->arena, "between%d",
                                       s - (int32_t)process->state_count + 1),
                 process->name.name, IF_FIRST_STATE + s);
    if (first->locations > 250) {
        gy_error(l->diags, process->name.place,
                 "the process `%s` has too many states and outputs to be forked or killed",
                 process->name.name);
        l->failed = true;
    }
}

static void name_values(if_lowering *l)
{
    const if_system *system = l->system;
    add_name(l, "nil", "pid", IF_NIL);
    for (uint32_t i = 0; i < l->process_instances; i++)
        add_name(l, l->instances[i].name, "pid", l->instances[i].code);
    for (uint32_t i = 0; i < system->signal_count; i++)
        add_name(l, system->signals[i]->name.name, "signal", system->signals[i]->number);
    for (uint32_t i = 0; i < system->process_count; i++)
        name_locations(l, system->processes[i]);
    l->model->mtype_count = (uint32_t)l->names.n;
    l->model->mtypes = GY_NEW_ARRAY(l->model->arena, gy_mtype_name, l->names.n);
    memcpy(l->model->mtypes, l->names.at, l->names.n * sizeof *l->names.at);
}

// ---- the model ----------------------------------------------------------------------------------

static void reserve_names(if_lowering *l)
{
    static const if_type other = {.kind = IF_NUMBER};
    gy_vec_push(&l->named, &other);
    gy_vec_push(&l->subtypes, "pid");
    gy_vec_push(&l->named, &other);
    gy_vec_push(&l->subtypes, "signal");
    for (uint32_t i = 0; i < l->system->process_count; i++) {
        gy_vec_push(&l->named, &other);
        gy_vec_push(&l->subtypes, l->system->processes[i]->name.name);
    }
}

static void lower_code(if_lowering *l)
{
    for (uint32_t i = 0; i < l->instance_count && !l->failed; i++) {
        if_instance *instance = &l->instances[i];
        if (instance->process)
            if_lower_process(l, instance);
        else if (instance->route)
            if_lower_buffer(l, instance);
        else
            if_lower_env(l);
        gy_build_start(l->b, instance->tmpl);
    }
    l->at = NULL;
}

bool if_lower(if_system *system, gy_model *model)
{
    if_lowering *l = GY_NEW(model->arena, if_lowering);
    *l = (if_lowering){
        .system = system, .model = model, .arena = model->arena, .diags = system->diags};
    system->lowering = l;
    model->syntax = system;
    l->b = gy_build_new(model);
    list_instances(l);
    reserve_names(l);
    make_globals(l);
    for (uint32_t i = 0; i < l->instance_count; i++)
        make_template(l, &l->instances[i]);
    lower_code(l);
    name_values(l);
    if (l->failed)
        gy_build_abandon(l->b);
    else
        gy_build_finish(l->b);
    l->b = NULL;
    gy_vec_free(&l->returns);
    gy_vec_free(&l->exits);
    gy_vec_free(&l->names);
    gy_vec_free(&l->named);
    gy_vec_free(&l->subtypes);
    return !l->failed && gy_diags_errors(system->diags) == 0;
}
