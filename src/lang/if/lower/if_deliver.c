// Signals on their way: from an output, the environment or a buffer into the queues of receivers.
#include "lang/if/lower/if_lower.h"

gy_expr *if_message_cell(if_lowering *l, const if_message *m, uint32_t field)
{
    if (m->buffer)
        return if_read(l, m->buffer->columns[field], if_const(l, (int32_t)m->at));
    if (field == 0)
        return if_const(l, m->signal->number);
    uint32_t k = 0;
    while (k < m->signal->cells && m->signal->slots[k] != field)
        k++;
    for (uint32_t i = 0; i < m->signal->count; i++) {
        const if_type *type = m->signal->types[i];
        if (k >= type->cells) {
            k -= type->cells;
            continue;
        }
        if (!m->output)
            return if_const(l, m->values[i]);
        const if_expr *arg = m->output->args.at[i];
        return if_fit(l, if_cell(l, arg, k), if_cell_type(arg->type, k), if_cell_type(type, k));
    }
    return if_const(l, 0);
}

static bool can_fail(const gy_expr *expr)
{
    return expr && (expr->op == GY_E_INDEX || expr->op == GY_E_DIV || expr->op == GY_E_MOD ||
                    can_fail(expr->a) || can_fail(expr->b) || can_fail(expr->c));
}

void if_compute(if_lowering *l, gy_edge *edge, const if_message *message)
{
    l->effect = gy_built_effect(edge);
    for (uint32_t f = 1; f < l->field_count; f++) {
        gy_expr *value = if_message_cell(l, message, f);
        if (can_fail(value))
            if_set(l, l->ignored, value);
    }
}

typedef struct delivery {
    if_lowering *l;
    if_flow *flow;
    const if_message *message;
    int32_t from;
    gy_expr *guard; // of the sender; each edge has a tree of its own
} delivery;

static gy_edge *add_edge(delivery *d, int32_t from, gy_expr *guard, const char *remark)
{
    if_lowering *l = d->l;
    gy_expr *all = from == d->from ? if_copy(l, d->guard) : NULL;
    if (all && guard)
        all = if_binary(l, GY_E_AND, all, guard);
    else if (guard)
        all = guard;
    gy_edge *edge = if_new_edge(l, from, all);
    if_say(l, edge, gy_arena_printf(l->model->arena, "%s%s", d->message->text, remark));
    return edge;
}

// It is lost, leaves the system, or finds no receiver.
static gy_edge *add_loss(delivery *d, int32_t from, gy_expr *guard, const char *remark)
{
    gy_edge *edge = add_edge(d, from, guard, remark);
    if_compute(d->l, edge, d->message);
    return edge;
}

static gy_edge *add_send(delivery *d, int32_t from, gy_expr *guard, const if_instance *to,
                         const char *remark)
{
    if_lowering *l = d->l;
    gy_edge *edge = add_edge(d, from, guard, remark);
    gy_field *fields = gy_build_fields(l->b, l->field_count);
    for (uint32_t f = 0; f < l->field_count; f++) {
        fields[f].kind = GY_FIELD_VALUE;
        fields[f].expr = if_message_cell(l, d->message, f);
    }
    return gy_build_send(l->b, edge, if_read(l, to->queue, NULL), fields, l->field_count);
}

static void end(delivery *d, gy_edge *edge)
{
    gy_vec_push(&d->flow->ends, edge);
}

// ---- to all -----------------------------------------------------------------------------------

static gy_expr *room_for_all(delivery *d, const if_process *process)
{
    if_lowering *l = d->l;
    gy_expr *all = NULL;
    for (int32_t i = 0; i < process->most_count; i++) {
        const if_instance *to = &l->instances[process->first + (uint32_t)i];
        gy_expr *room = if_unary(l, GY_E_NFULL, if_read(l, to->queue, NULL));
        gy_expr *alive = if_alive(l, to);
        if (alive)
            room = if_binary(l, GY_E_OR, if_unary(l, GY_E_NOT, alive), room);
        all = if_binary(l, GY_E_AND, all, room);
    }
    return all;
}

// One after the other, but only if all have room: nothing can come between.
static void deliver_to_all(delivery *d, const if_process *process)
{
    if_lowering *l = d->l;
    int32_t from = d->from;
    for (int32_t i = 0; i < process->most_count && !l->failed; i++) {
        const if_instance *to = &l->instances[process->first + (uint32_t)i];
        bool first = i == 0, last = i + 1 == process->most_count;
        gy_expr *alive = if_alive(l, to);
        gy_expr *guard = first ? room_for_all(d, process) : NULL;
        if (alive)
            guard = guard ? if_binary(l, GY_E_AND, guard, alive) : alive;
        const char *remark =
            last && first ? "" : gy_arena_printf(l->model->arena, " (to %s)", to->name);
        end(d, add_send(d, from, guard, to, remark));
        if (if_alive(l, to)) {
            guard = if_unary(l, GY_E_NOT, if_alive(l, to));
            if (first)
                guard = if_binary(l, GY_E_AND, room_for_all(d, process), guard);
            end(d, add_loss(d, from, guard,
                            gy_arena_printf(l->model->arena, " (%s is dead)", to->name)));
        }
        if (!last) {
            from = if_new_location(l);
            if_flow_to(l, d->flow, from, true);
        }
    }
    if (process->most_count == 0)
        end(d, add_loss(d, from, NULL, " (no instance exists)"));
}

// ---- to one -----------------------------------------------------------------------------------

// Whether an instance is the one that is meant, and alive; NULL: it certainly is.
static gy_expr *is_receiver(delivery *d, const if_expr *to, const if_instance *instance)
{
    if_lowering *l = d->l;
    gy_expr *meant =
        to ? if_binary(l, GY_E_EQ, if_lower_expr(l, to), if_const(l, instance->code)) : NULL;
    gy_expr *alive = if_alive(l, instance);
    if (meant && meant->op == GY_E_CONST && meant->value)
        meant = NULL;
    return meant && alive ? if_binary(l, GY_E_AND, meant, alive) : meant ? meant : alive;
}

static bool is_candidate(const if_instance *instance, const if_process *process,
                         const if_route *route, int32_t n, bool named)
{
    if (process && instance->process != process)
        return false;
    bool peer = route && route->peer && !named;
    return !peer || instance->code - IF_FIRST_PID - (int32_t)instance->process->first == n;
}

static void deliver_to_one(delivery *d, const if_process *process, const if_route *route, int32_t n)
{
    if_lowering *l = d->l;
    const if_expr *to = d->message->output ? d->message->output->to : NULL;
    gy_expr *nobody = NULL;
    bool surely = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->process_instances; i++)
        count += is_candidate(&l->instances[i], process, route, n, to != NULL);
    for (uint32_t i = 0; i < l->process_instances && !l->failed; i++) {
        const if_instance *instance = &l->instances[i];
        if (!is_candidate(instance, process, route, n, to != NULL))
            continue;
        gy_expr *is = is_receiver(d, to, instance);
        if (is && is->op == GY_E_CONST && !is->value)
            continue;
        const char *remark = count > 1 && (!to || is)
                                 ? gy_arena_printf(l->model->arena, " (to %s)", instance->name)
                                 : "";
        end(d, add_send(d, d->from, is, instance, remark));
        gy_expr *again = is_receiver(d, to, instance);
        surely = surely || !again;
        if (again)
            nobody = nobody ? if_binary(l, GY_E_OR, nobody, again) : again;
    }
    if (!surely)
        end(d, add_loss(d, d->from, nobody ? if_unary(l, GY_E_NOT, nobody) : NULL,
                        " (no instance exists)"));
}

void if_deliver(if_lowering *l, if_flow *flow, const if_message *message, const if_route *route,
                int32_t n)
{
    delivery d = {.l = l, .flow = flow, .message = message};
    d.from = if_flow_join(l, flow, &d.guard);
    const if_statement *output = message->output;
    const if_process *process = route ? route->target : output->process;
    if (route && !process)
        end(&d, add_loss(&d, d.from, NULL, ""));
    else if (route && route->multicast && !(output && output->to))
        deliver_to_all(&d, process);
    else
        deliver_to_one(&d, process, route, n);
    if (route && route->lossy && output)
        end(&d, add_loss(&d, d.from, NULL, " (lost)"));
}

void if_send(if_lowering *l, if_flow *flow, const if_message *message, const if_route *route,
             int32_t n)
{
    if (!route || !route->multiset) {
        if_deliver(l, flow, message, route, n);
        return;
    }
    if_put(l, flow, message, &l->instances[route->first + (uint32_t)n]);
}
