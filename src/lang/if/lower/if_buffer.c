// Routes that buffer (#multiset). A buffer is kept sorted, so that its order says nothing: a column
// for the signal and one for each cell of a message, and how many messages there are. The route is
// a process of the model that takes any of them and delivers it.
#include "lang/if/lower/if_lower.h"

static gy_expr *element(if_lowering *l, const if_instance *buffer, uint32_t column, uint32_t row)
{
    return if_read(l, buffer->columns[column], if_const(l, (int32_t)row));
}

static void set_element(if_lowering *l, const if_instance *buffer, uint32_t column, gy_expr *row,
                        gy_expr *value)
{
    gy_action *action = if_action(l, GY_A_ASSIGN);
    action->var = buffer->columns[column];
    action->index = row;
    action->expr = value;
}

// Row a precedes row b: by the first column in which they differ.
static gy_expr *is_less(if_lowering *l, const if_instance *buffer, uint32_t a, uint32_t b)
{
    gy_expr *less = if_const(l, 0);
    for (uint32_t c = l->field_count; c-- > 0;) {
        gy_expr *same = if_binary(l, GY_E_EQ, element(l, buffer, c, a), element(l, buffer, c, b));
        gy_expr *below = if_binary(l, GY_E_LT, element(l, buffer, c, a), element(l, buffer, c, b));
        gy_expr *later = less->op == GY_E_CONST ? NULL : if_binary(l, GY_E_AND, same, less);
        less = later ? if_binary(l, GY_E_OR, below, later) : below;
    }
    return less;
}

static void swap(if_lowering *l, const if_instance *buffer, uint32_t a, uint32_t b)
{
    gy_action *action = if_action(l, GY_A_ASSIGN_ALL);
    action->field_count = 2 * l->field_count;
    action->fields = gy_build_fields(l->b, action->field_count);
    for (uint32_t f = 0; f < action->field_count; f++) {
        uint32_t c = f / 2, to = f % 2 ? a : b, from = f % 2 ? b : a;
        action->fields[f] = (gy_field){.kind = GY_FIELD_STORE,
                                       .var = buffer->columns[c],
                                       .index = if_const(l, (int32_t)to),
                                       .expr = element(l, buffer, c, from)};
    }
}

static void insert(if_lowering *l, const if_message *message, const if_instance *buffer)
{
    uint32_t capacity = (uint32_t)buffer->route->capacity;
    for (uint32_t c = 0; c < l->field_count; c++) {
        gy_expr *value = if_message_cell(l, message, c);
        gy_expr *row = if_unary(l, GY_E_INDEX, if_read(l, buffer->length, NULL));
        row->value = (int32_t)capacity;
        set_element(l, buffer, c, row, value);
    }
    if_set(l, buffer->length,
           if_binary(l, GY_E_ADD, if_read(l, buffer->length, NULL), if_const(l, 1)));
    for (uint32_t row = capacity; --row > 0;) {
        gy_expr *there =
            if_binary(l, GY_E_LT, if_const(l, (int32_t)row), if_read(l, buffer->length, NULL));
        uint32_t test = if_test(l, if_binary(l, GY_E_AND, there, is_less(l, buffer, row, row - 1)));
        swap(l, buffer, row, row - 1);
        if_otherwise(l, test, if_here(l));
    }
}

void if_put(if_lowering *l, if_flow *flow, const if_message *message, const if_instance *buffer)
{
    gy_expr *guard, *room = if_binary(l, GY_E_LT, if_read(l, buffer->length, NULL),
                                      if_const(l, buffer->route->capacity));
    int32_t from = if_flow_join(l, flow, &guard);
    gy_location place = l->place;
    if (buffer->route->lossy && message->output) {
        gy_edge *lost = if_new_edge(l, from, guard ? if_copy(l, guard) : NULL);
        if_say(l, lost, gy_arena_printf(l->model->arena, "%s (lost)", message->text));
        if_compute(l, lost, message);
        gy_vec_push(&flow->ends, lost);
    }
    gy_edge *edge = if_new_edge(l, from, guard ? if_binary(l, GY_E_AND, guard, room) : room);
    if_say(l, edge, message->text);
    l->effect = gy_built_effect(edge);
    l->place = place;
    insert(l, message, buffer);
    gy_vec_push(&flow->ends, edge);
}

// ---- the route itself ---------------------------------------------------------------------------

// There is a message in this row, and not the same one as before it.
static gy_expr *is_taken(if_lowering *l, const if_instance *buffer, uint32_t row)
{
    gy_expr *there =
        if_binary(l, GY_E_LT, if_const(l, (int32_t)row), if_read(l, buffer->length, NULL));
    gy_expr *differs = NULL;
    for (uint32_t c = 0; row > 0 && c < l->field_count; c++) {
        gy_expr *one =
            if_binary(l, GY_E_NE, element(l, buffer, c, row), element(l, buffer, c, row - 1));
        differs = differs ? if_binary(l, GY_E_OR, differs, one) : one;
    }
    return differs ? if_binary(l, GY_E_AND, there, differs) : there;
}

static void remove_row(if_lowering *l, const if_instance *buffer, uint32_t row)
{
    uint32_t capacity = (uint32_t)buffer->route->capacity;
    for (uint32_t c = 0; c < l->field_count; c++) {
        for (uint32_t r = row; r + 1 < capacity; r++)
            set_element(l, buffer, c, if_const(l, (int32_t)r), element(l, buffer, c, r + 1));
        set_element(l, buffer, c, if_const(l, (int32_t)capacity - 1), if_const(l, 0));
    }
    if_set(l, buffer->length,
           if_binary(l, GY_E_SUB, if_read(l, buffer->length, NULL), if_const(l, 1)));
}

void if_lower_buffer(if_lowering *l, const if_instance *buffer)
{
    const if_route *route = buffer->route;
    l->at = buffer;
    for (uint32_t row = 0; row < (uint32_t)route->capacity && !l->failed; row++) {
        l->place = route->name.place;
        if_message message = {.buffer = buffer, .at = row};
        message.text = gy_arena_printf(l->model->arena, "deliver message %u", row);
        if_flow flow = if_flow_at(0, is_taken(l, buffer, row));
        if_deliver(l, &flow, &message, route,
                   (int32_t)(buffer - l->instances) - (int32_t)route->first);
        if_flow_effect(l, &flow);
        remove_row(l, buffer, row);
        if_flow_to(l, &flow, 0, false);
    }
}

// ---- the environment ----------------------------------------------------------------------------

static void add_value(const if_type *type, int32_t value, gy_text *out)
{
    if (type->kind == IF_BOOLEAN)
        gy_text_add(out, value ? "true" : "false");
    else if (type->kind == IF_ENUM)
        gy_text_add(out, type->names[value - 1].name);
    else
        gy_text_printf(out, "%d", value);
}

static void lower_stimulus(if_lowering *l, const if_route *route, int32_t n,
                           const if_signal *signal, const int32_t *values)
{
    gy_text text = {0};
    gy_text_printf(&text, "output %s(", signal->name.name);
    for (uint32_t i = 0; i < signal->count; i++) {
        gy_text_add(&text, i ? ", " : "");
        add_value(signal->types[i], values[i], &text);
    }
    gy_text_printf(&text, ") via ");
    gy_text_printf(&text, route->instances > 1 ? "{%s}%d" : "%s", route->name.name, n);
    if_message message = {.signal = signal,
                          .values = values,
                          .text = gy_arena_strdup(l->model->arena, gy_text_str(&text))};
    gy_text_free(&text);
    l->place = route->name.place;
    if_flow flow = if_flow_at(0, NULL);
    if_send(l, &flow, &message, route, n);
    if_flow_to(l, &flow, 0, false);
}

// The next valuation of the arguments; false: it was the last one.
static bool advance(const if_signal *signal, int32_t *values)
{
    for (uint32_t i = 0; i < signal->count; i++) {
        if (values[i]++ < signal->types[i]->high)
            return true;
        values[i] = signal->types[i]->low;
    }
    return false;
}

static void lower_stimuli(if_lowering *l, const if_route *route, int32_t n, const if_signal *signal)
{
    int32_t *values = GY_NEW_ARRAY(l->arena, int32_t, signal->count + 1);
    for (uint32_t i = 0; i < signal->count; i++)
        values[i] = signal->types[i]->low;
    do
        lower_stimulus(l, route, n, signal, values);
    while (!l->failed && advance(signal, values));
}

void if_lower_env(if_lowering *l)
{
    l->at = &l->instances[l->instance_count - 1];
    for (uint32_t r = 0; r < l->system->route_count && !l->failed; r++) {
        const if_route *route = l->system->routes[r];
        int32_t each = route->peer || route->multiset ? route->instances : 1;
        for (int32_t n = 0; !route->source && n < each; n++)
            for (uint32_t s = 0; s < route->signal_count; s++)
                lower_stimuli(l, route, n, route->carries[s]);
    }
}
