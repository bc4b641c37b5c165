// What a transition does, as options of an `if` or `do`.
#include "lang/dve/convert/dve_convert_internal.h"
#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

enum { WIDE = 100 };

// One option under construction.
typedef struct option {
    gy_text guard;   // conditions, with ` && ` between them
    gy_text actions; // statements, each with `; ` after it
} option;

static void require(option *o, const char *condition)
{
    gy_text_printf(&o->guard, "%s%s", o->guard.n ? " && " : "", condition);
}

// ---- conditions -----------------------------------------------------------------------------

static void require_guards(const dve_conversion *c, const dve_process *process,
                           const dve_transition *t, option *o)
{
    dve_viewer viewer = {.self = process, .place = t->from};
    for (uint32_t i = 0; i < t->guard_count; i++) {
        gy_text text = {0};
        if (t->guard_count == 1 && !o->guard.n)
            dve_put_expr(c, &viewer, t->guards[i], &text);
        else
            dve_put_operand(c, &viewer, t->guards[i], &text);
        require(o, gy_text_str(&text));
        gy_text_free(&text);
    }
}

static void require_place(const dve_conversion *c, const dve_process *process, int32_t state,
                          option *o)
{
    const dve_shape *shape = dve_shape_of(c, process);
    gy_text text = {0};
    gy_text_printf(&text, "%s == %s", shape->at, shape->places[state]);
    require(o, gy_text_str(&text));
    gy_text_free(&text);
}

// ---- actions --------------------------------------------------------------------------------

static const char *temporary(dve_conversion *c, size_t number)
{
    while (c->temporaries.n <= number) {
        const char *name = dve_unique_name(c, "got");
        gy_vec_push(&c->temporaries, name);
    }
    return c->temporaries.at[number];
}

static void add_move(const dve_conversion *c, const dve_process *process, const dve_transition *t,
                     option *o)
{
    const dve_shape *shape = dve_shape_of(c, process);
    dve_viewer viewer = {.self = process, .place = t->to};
    if (shape->at && t->from != t->to)
        gy_text_printf(&o->actions, "%s = %s; ", shape->at, shape->places[t->to]);
    for (uint32_t i = 0; i < t->effect_count; i++)
        dve_put_assignment(c, &viewer, t->effects[i].target, &viewer, t->effects[i].value,
                           &o->actions);
}

static void add_buffered_send(const dve_conversion *c, const dve_viewer *viewer,
                              const dve_transition *t, option *o)
{
    gy_text_printf(&o->actions, "%s!", dve_name_of(c, t->channel));
    for (uint32_t i = 0; i < t->value_count; i++) {
        gy_text_add(&o->actions, i ? "," : "");
        dve_put_expr(c, viewer, t->values[i], &o->actions);
    }
    gy_text_add(&o->actions, "; ");
}

// A value may arrive that does not fit: it is examined before it is stored.
static void add_buffered_receive(dve_conversion *c, const dve_viewer *viewer,
                                 const dve_transition *t, option *o)
{
    size_t used = 0;
    gy_text stores = {0};
    gy_text_printf(&o->actions, "%s?", dve_name_of(c, t->channel));
    for (uint32_t i = 0; i < t->value_count; i++) {
        const dve_expr *target = t->values[i];
        gy_text_add(&o->actions, i ? "," : "");
        if (t->channel->types[i] == target->var->type || target->var->type == DVE_INT) {
            dve_put_expr(c, viewer, target, &o->actions);
            continue;
        }
        const char *name = temporary(c, used++);
        gy_text_add(&o->actions, name);
        dve_put_fit(target->var->type, true, true, name, &stores);
        dve_put_expr(c, viewer, target, &stores);
        gy_text_printf(&stores, " = %s; %s = 0; ", name, name);
    }
    gy_text_printf(&o->actions, "; %s", gy_text_str(&stores));
    gy_text_free(&stores);
}

static void make_buffered(dve_conversion *c, const dve_process *process, const dve_transition *t,
                          option *o)
{
    dve_viewer viewer = {.self = process, .place = t->from};
    gy_text ready = {0};
    bool send = t->sync == DVE_SEND;
    gy_text_printf(&ready, "len(%s) ", dve_name_of(c, t->channel));
    if (send)
        gy_text_printf(&ready, "< %u", t->channel->capacity);
    else
        gy_text_add(&ready, "> 0");
    require(o, gy_text_str(&ready));
    gy_text_free(&ready);
    require_guards(c, process, t, o);
    if (send)
        add_buffered_send(c, &viewer, t, o);
    else
        add_buffered_receive(c, &viewer, t, o);
    add_move(c, process, t, o);
}

// ---- joint rendezvous -----------------------------------------------------------------------

static bool reads(const dve_expr *expr, const dve_var *var)
{
    return expr && (expr->var == var || reads(expr->a, var) || reads(expr->b, var));
}

// Does a value of the message depend on what an earlier one is stored in?
static bool is_tangled(const dve_transition *send, const dve_transition *receive)
{
    for (uint32_t i = 1; i < send->value_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (reads(send->values[i], receive->values[k]->var))
                return true;
    return false;
}

// The value as it comes out of the channel, and between which bounds it is.
static dve_bounds put_value(const dve_conversion *c, const dve_viewer *viewer,
                            const dve_transition *send, uint32_t i, gy_text *out)
{
    dve_bounds bounds = dve_expr_bounds(send->values[i]);
    const dve_channel *channel = send->channel;
    bool cut = channel->typed && !dve_fits(bounds, channel->types[i]);
    if (cut) {
        int32_t least, most;
        dve_type_range(channel->types[i], &least, &most);
        bounds = (dve_bounds){least, most};
    }
    bool is_byte = cut && channel->types[i] == DVE_BYTE;
    gy_text_add(out, !cut ? "" : is_byte ? "(" : "(((");
    if (cut)
        dve_put_operand(c, viewer, send->values[i], out);
    else
        dve_put_expr(c, viewer, send->values[i], out);
    gy_text_add(out, !cut ? "" : is_byte ? " & 255)" : " + 32768) & 65535) - 32768)");
    return bounds;
}

static void add_message(dve_conversion *c, const dve_process *sender, const dve_transition *send,
                        const dve_process *receiver, const dve_transition *receive, option *o)
{
    dve_viewer from = {.self = sender, .place = send->from};
    dve_viewer to = {.self = receiver, .place = receive->from};
    bool tangled = is_tangled(send, receive);
    gy_text stores = {0};
    for (uint32_t i = 0; i < send->value_count; i++) {
        const dve_var *var = receive->values[i]->var;
        gy_text value = {0};
        int32_t least, most;
        dve_type_range(var->type, &least, &most);
        dve_bounds bounds = put_value(c, &from, send, i, &value);
        const char *source = gy_text_str(&value);
        if (tangled) {
            const char *name = temporary(c, i);
            gy_text_printf(&o->actions, "%s = %s; ", name, source);
            source = name;
        }
        gy_text wrapped = {0};
        gy_text_printf(&wrapped, tangled || !strchr(source, ' ') ? "%s" : "(%s)", source);
        dve_put_fit(var->type, bounds.low<least, bounds.high> most, gy_text_str(&wrapped), &stores);
        dve_put_expr(c, &to, receive->values[i], &stores);
        gy_text_printf(&stores, " = %s; ", source);
        if (tangled)
            gy_text_printf(&stores, "%s = 0; ", source);
        gy_text_free(&wrapped);
        gy_text_free(&value);
    }
    gy_text_add(&o->actions, gy_text_str(&stores));
    gy_text_free(&stores);
}

// ---- writing --------------------------------------------------------------------------------

// Statements, the last without a semicolon, each on a line of its own if they are many.
static void put_actions(const char *actions, bool tall, gy_text *out)
{
    while (*actions) {
        const char *end = strstr(actions, "; ");
        gy_text_add(out, tall ? "\n               " : " ");
        gy_text_bytes(out, actions, (size_t)(end - actions));
        actions = end + 2;
        gy_text_add(out, *actions ? ";" : "");
    }
}

// One assignment, which needs no d_step.
static bool is_single(const option *o)
{
    const char *actions = gy_text_str(&o->actions), *end = strstr(actions, "; ");
    return !o->guard.n && end && !end[2] && strncmp(actions, "assert(", 7) != 0;
}

static void put_option(const dve_conversion *c, const dve_process *process, const dve_transition *t,
                       option *o, gy_text *out)
{
    const dve_shape *shape = dve_shape_of(c, process);
    bool loop = t->from == t->to, idle = !o->actions.n;
    bool tall = o->guard.n + o->actions.n > WIDE - 30;
    gy_text_add(out, "    :: ");
    if (idle && !loop && !shape->driven) {
        gy_text_add(out, o->guard.n ? gy_text_str(&o->guard) : "true");
        gy_text_add(out, " ->");
    } else if (is_single(o)) {
        gy_text_bytes(out, gy_text_str(&o->actions), o->actions.n - 1); // without the space
    } else {
        if (idle)
            gy_text_add(&o->actions, "skip; ");
        gy_text_add(out, "d_step {");
        if (o->guard.n || idle)
            gy_text_printf(out, "%s%s ->", tall ? "\n               " : " ",
                           o->guard.n ? gy_text_str(&o->guard) : "true");
        put_actions(gy_text_str(&o->actions), tall, out);
        gy_text_add(out, tall ? "\n           }" : " }");
        gy_text_add(out, shape->driven ? "" : ";");
    }
    if (!shape->driven)
        gy_text_printf(out, "%sgoto %s", tall && !idle ? "\n           " : " ",
                       shape->labels[t->to]);
    gy_text_char(out, '\n');
    gy_text_free(&o->guard);
    gy_text_free(&o->actions);
}

static void begin_option(const dve_conversion *c, const dve_process *process,
                         const dve_transition *t, bool held, option *o)
{
    *o = (option){0};
    if (dve_shape_of(c, process)->driven)
        require_place(c, process, t->from, o);
    if (held)
        require(o, "!committed");
}

static void put_joint(dve_conversion *c, const dve_process *process, const dve_transition *t,
                      gy_text *out)
{
    bool own = process->states[t->from].committed;
    for (uint32_t p = 0; p < c->tree->process_count; p++) {
        const dve_process *other = c->tree->processes[p];
        for (uint32_t i = 0; other != process && i < other->transition_count; i++) {
            const dve_transition *u = &other->transitions[i];
            if (u->channel != t->channel || u->sync != DVE_RECEIVE ||
                other->states[u->from].committed != own)
                continue; // or one is committed and keeps the other from executing
            option o;
            begin_option(c, process, t, c->committed && !own, &o);
            require_place(c, other, u->from, &o);
            require_guards(c, process, t, &o);
            require_guards(c, other, u, &o);
            add_message(c, process, t, other, u, &o);
            add_move(c, other, u, &o);
            add_move(c, process, t, &o);
            gy_text_printf(out, "    /* %s, with %s */\n", t->channel_name.name,
                           dve_shape_of(c, other)->name);
            put_option(c, process, t, &o, out);
        }
    }
}

// A message and nothing else.
static void put_plain(const dve_conversion *c, const dve_process *process, const dve_transition *t,
                      gy_text *out)
{
    dve_viewer viewer = {.self = process, .place = t->from};
    bool send = t->sync == DVE_SEND;
    gy_text_printf(out, "    :: %s%c", dve_name_of(c, t->channel), send ? '!' : '?');
    if (!t->value_count)
        gy_text_add(out, send ? "0" : "_");
    for (uint32_t i = 0; i < t->value_count; i++) {
        gy_text_add(out, i ? "," : "");
        dve_put_expr(c, &viewer, t->values[i], out);
    }
    gy_text_printf(out, " -> goto %s\n", dve_shape_of(c, process)->labels[t->to]);
}

void dve_put_options(dve_conversion *c, const dve_process *process, const dve_transition *t,
                     gy_text *out)
{
    option o;
    bool held = c->committed && !process->states[t->from].committed;
    if (t->sync != DVE_NO_SYNC && !t->channel->capacity) {
        if (!dve_is_joint(c, t->channel))
            put_plain(c, process, t, out);
        else if (t->sync == DVE_SEND)
            put_joint(c, process, t, out);
        return;
    }
    begin_option(c, process, t, held, &o);
    if (t->sync != DVE_NO_SYNC) {
        make_buffered(c, process, t, &o);
    } else {
        require_guards(c, process, t, &o);
        add_move(c, process, t, &o);
    }
    put_option(c, process, t, &o, out);
}
