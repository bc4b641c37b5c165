// Transitions of an instance. A transition is one atomic sequence: its condition, its input and the
// statements up to the first output are one edge, each output begins another.
#include "lang/if/check/if_check.h"
#include "lang/if/lower/if_lower.h"

static int32_t location_of(const if_instance *instance, uint32_t state)
{
    return (int32_t)state + (instance->mobile ? IF_FIRST_STATE : 0);
}

static void say_statement(if_lowering *l, gy_edge *edge, const if_statement *s)
{
    gy_text text = {0};
    if_statement_text(s, &text);
    if_say(l, edge, gy_text_str(&text));
    gy_text_free(&text);
}

// ---- inputs -----------------------------------------------------------------------------------

static bool is_direct(const if_transition *t, uint32_t i)
{
    return t->inputs.at[i]->kind == IF_X_NAME &&
           if_is_within(t->signal->types[i], t->inputs.at[i]->type);
}

// What does not fit at once goes through a hidden variable.
static void take_arguments(if_lowering *l, const if_transition *t, gy_field *fields)
{
    uint32_t cell = 0;
    for (uint32_t i = 0; i < t->signal->count; i++)
        for (uint32_t k = 0; k < t->signal->types[i]->cells; k++)
            fields[t->signal->slots[cell++]] = is_direct(t, i)
                                                   ? if_target_cell(l, t->inputs.at[i], k)
                                                   : if_store_cell(l, t->signal->room[i], k);
}

static void convert_arguments(if_lowering *l, const if_transition *t)
{
    for (uint32_t i = 0; i < t->signal->count; i++)
        for (uint32_t k = 0; !is_direct(t, i) && k < t->signal->types[i]->cells; k++) {
            const if_expr *target = t->inputs.at[i];
            gy_expr *value =
                if_fit(l, if_read_cell(l, t->signal->room[i], k),
                       if_cell_type(t->signal->types[i], k), if_cell_type(target->type, k));
            gy_field field = if_target_cell(l, target, k);
            gy_action *action = if_action(l, GY_A_ASSIGN);
            action->var = field.var;
            action->index = field.index;
            action->expr = value;
        }
}

static void say_input(if_lowering *l, gy_edge *edge, const if_transition *t)
{
    gy_text text = {0};
    gy_text_printf(&text, "input %s(", t->input.name);
    for (uint32_t i = 0; i < t->inputs.count; i++) {
        gy_text_add(&text, i ? ", " : "");
        if_expr_text(t->inputs.at[i], &text);
    }
    gy_text_char(&text, ')');
    if_say(l, edge, gy_text_str(&text));
    gy_text_free(&text);
}

static void lower_input(if_lowering *l, if_flow *flow, const if_transition *t)
{
    gy_edge *edge = if_flow_effect(l, flow);
    gy_field *fields = gy_build_fields(l->b, l->field_count);
    for (uint32_t f = 0; f < l->field_count; f++)
        fields[f].kind = GY_FIELD_IGNORE;
    fields[0].kind = GY_FIELD_MATCH;
    fields[0].expr = if_const(l, t->signal->number);
    take_arguments(l, t, fields);
    gy_build_receive(l->b, edge, if_read(l, l->at->queue, NULL), fields, l->field_count);
    say_input(l, edge, t);
    convert_arguments(l, t);
}

// ---- statements with outputs in them ----------------------------------------------------------

static void lower_block(if_lowering *l, if_flow *flow, const if_block *block);

static void lower_output(if_lowering *l, if_flow *flow, const if_statement *s)
{
    gy_text text = {0};
    if_statement_text(s, &text);
    if_message message = {.signal = s->signal,
                          .output = s,
                          .text = gy_arena_strdup(l->model->arena, gy_text_str(&text))};
    gy_text_free(&text);
    if_send(l, flow, &message, s->route, s->route_number);
}

static void move_ends(if_flow *from, if_flow *to)
{
    for (size_t i = 0; i < from->ends.n; i++)
        gy_vec_push(&to->ends, from->ends.at[i]);
    gy_vec_free(&from->ends);
}

// From a location, under a condition; what comes after it in `flow`.
static void lower_branch(if_lowering *l, if_flow *flow, int32_t from, gy_expr *guard,
                         const if_statement *s, bool holds)
{
    gy_expr *condition = if_lower_expr(l, s->value);
    if (!holds)
        condition = if_unary(l, GY_E_NOT, condition);
    l->place = s->place;
    gy_edge *edge =
        if_new_edge(l, from, guard ? if_binary(l, GY_E_AND, guard, condition) : condition);
    gy_text text = {0};
    gy_text_add(&text, s->kind == IF_S_IF ? "if " : "while ");
    gy_text_add(&text, holds ? "" : "not (");
    if_expr_text(s->value, &text);
    gy_text_add(&text, holds ? "" : ")");
    if_say(l, edge, gy_text_str(&text));
    gy_text_free(&text);
    if_flow branch = {0};
    gy_vec_push(&branch.ends, edge);
    lower_block(l, &branch, holds ? &s->first : &s->second);
    move_ends(&branch, flow);
}

static void lower_if(if_lowering *l, if_flow *flow, const if_statement *s)
{
    gy_expr *guard;
    int32_t from = if_flow_join(l, flow, &guard);
    lower_branch(l, flow, from, if_copy(l, guard), s, true);
    lower_branch(l, flow, from, guard, s, false);
}

static void lower_while(if_lowering *l, if_flow *flow, const if_statement *s)
{
    gy_edge *before = flow->fresh ? if_flow_effect(l, flow) : NULL;
    if (before)
        if_say(l, before, "while …");
    int32_t head = if_new_location(l);
    if_flow_to(l, flow, head, true);
    if_flow body = {0};
    lower_branch(l, &body, head, NULL, s, true);
    if_flow_to(l, &body, head, true);
    lower_branch(l, flow, head, NULL, s, false);
}

static void lower_block(if_lowering *l, if_flow *flow, const if_block *block)
{
    for (uint32_t i = 0; i < block->count && !l->failed; i++) {
        const if_statement *s = block->at[i];
        l->place = s->place;
        if (s->kind == IF_S_OUTPUT) {
            lower_output(l, flow, s);
        } else if (s->first.waits || s->second.waits) {
            if (s->kind == IF_S_IF)
                lower_if(l, flow, s);
            else
                lower_while(l, flow, s);
        } else {
            gy_edge *edge = if_flow_effect(l, flow);
            say_statement(l, edge, s);
            if_lower_effect(l, s);
        }
    }
}

// ---- transitions ------------------------------------------------------------------------------

// What the first edges of a transition say before anything else.
static const char *condition_text(if_lowering *l, const if_transition *t)
{
    if (!t->provided)
        return NULL;
    gy_text text = {0};
    gy_text_add(&text, "provided ");
    if_expr_text(t->provided, &text);
    const char *kept = gy_arena_strdup(l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
    return kept;
}

static void lower_end(if_lowering *l, if_flow *flow, const if_transition *t)
{
    const if_instance *at = l->at;
    const if_state *target = &at->process->states[t->target_number];
    if (!t->stops) {
        if (flow->fresh)
            if_say(l, if_flow_effect(l, flow),
                   gy_arena_printf(l->model->arena, "nextstate %s", target->name.name));
        if_flow_to(l, flow, location_of(at, t->target_number), target->unstable);
        return;
    }
    gy_edge *edge = if_flow_effect(l, flow);
    if_say(l, edge, "stop");
    l->place = t->target.place;
    if_bury(l, at);
    if_flow_to(l, flow, at->mobile ? IF_DEAD : at->stopped, false);
}

static void lower_transition(if_lowering *l, const if_state *state, const if_transition *t)
{
    const if_instance *at = l->at;
    int32_t from = location_of(at, (uint32_t)(state - at->process->states));
    l->place = t->place;
    gy_expr *guard = t->provided ? if_lower_expr(l, t->provided) : NULL;
    if (guard && guard->op == GY_E_CONST && guard->value)
        guard = NULL;
    l->place = t->place;
    if_flow flow = if_flow_at(from, guard);
    l->said = condition_text(l, t);
    l->said_from = from;
    if (t->has_input)
        lower_input(l, &flow, t);
    lower_block(l, &flow, &t->body);
    lower_end(l, &flow, t);
    l->said = NULL;
    gy_vec_free(&flow.ends);
}

void if_lower_process(if_lowering *l, const if_instance *instance)
{
    const if_process *process = instance->process;
    l->at = instance;
    for (uint32_t i = 0; i < process->state_count; i++)
        for (uint32_t k = 0; k < process->states[i].count && !l->failed; k++)
            lower_transition(l, &process->states[i], process->states[i].transitions[k]);
}
