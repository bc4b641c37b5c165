// Text of states and steps, and what printf and printm of a model write.
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/spin_numbers.h"

#include <string.h>

static void add_value(const gy_model *model, gy_type type, int32_t value, gy_text *out)
{
    const char *name =
        type.kind == GY_MTYPE && value ? gy_mtype_text(model, type.subtype, value) : NULL;
    if (name)
        gy_text_add(out, name);
    else
        gy_text_printf(out, "%d", value);
}

// ---- printf -----------------------------------------------------------------------------

static char escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    default:
        return c;
    }
}

// Of the set that the expression is of, where it is a variable; else of the one without a name, or
// of any.
static void add_mtype(const gy_model *model, const gy_expr *expr, int32_t value, gy_text *out)
{
    const char *set = expr && expr->op == GY_E_VAR ? model->vars[expr->var].type.subtype : NULL;
    const char *name = gy_mtype_text(model, set, value);
    if (!name)
        name = gy_mtype_text(model, NULL, value);
    for (uint32_t i = 0; !name && i < model->mtype_count; i++)
        if (model->mtypes[i].value == value)
            name = model->mtypes[i].name;
    if (name)
        gy_text_add(out, name);
    else
        gy_text_printf(out, "%d", value);
}

static void add_converted(gy_machine *m, char conversion, const gy_expr *expr, int32_t value,
                          gy_text *out)
{
    switch (conversion) {
    case 'c':
        gy_text_char(out, (char)value);
        break;
    case 'e':
        add_mtype(m->model, expr, value, out);
        break;
    case 'u':
        gy_text_printf(out, "%u", (uint32_t)value);
        break;
    case 'x':
        gy_text_printf(out, "%x", (uint32_t)value);
        break;
    case 'o':
        gy_text_printf(out, "%o", (uint32_t)value);
        break;
    default:
        gy_text_printf(out, "%d", value);
    }
}

void gy_vm_print(gy_machine *m, const gy_action *action, const int32_t *values, uint32_t count)
{
    gy_text out = {0};
    if (action->kind == GY_A_PRINTM)
        add_mtype(m->model, action->expr, values[0], &out);
    uint32_t next = 0;
    for (const char *c = action->kind == GY_A_PRINTF ? action->text : NULL; c && *c; c++) {
        if (*c == '\\' && c[1])
            gy_text_char(&out, escaped(*++c));
        else if (*c != '%' || !c[1])
            gy_text_char(&out, *c);
        else if (*++c == '%')
            gy_text_char(&out, '%');
        else {
            const gy_expr *expr = next < action->field_count ? action->fields[next].expr : NULL;
            add_converted(m, *c, expr, next < count ? values[next] : 0, &out);
            next++;
        }
    }
    m->print(m->print_user, m->pid, gy_text_str(&out));
    gy_text_free(&out);
}

// ---- states -----------------------------------------------------------------------------

static void add_variable(const gy_model *model, const gy_variable *var, const gy_word *block,
                         const char *prefix, gy_text *out)
{
    for (uint32_t i = 0; i < var->count && !var->hidden; i++) {
        gy_text_add(out, prefix);
        gy_variable_name(var, i, out);
        gy_text_add(out, " = ");
        add_value(model, var->type, gy_get_var(block, var, i), out);
        gy_text_char(out, '\n');
    }
}

static void add_channel(const gy_machine *m, uint32_t number, gy_text *out)
{
    const gy_state_layout_channel *channel = &m->shape->channel[number];
    const gy_channel_type *type = &m->model->channel_types[channel->type];
    if (!type->capacity)
        return;
    const gy_word *block = m->s + channel->offset;
    gy_text_printf(out, "channel %u (%s) =", number + 1, type->name ? type->name : "");
    for (uint32_t i = 0; i < gy_chan_len(block, type); i++) {
        gy_text_add(out, " [");
        for (uint32_t f = 0; f < type->field_count; f++) {
            gy_text_add(out, f ? "," : "");
            add_value(m->model, type->fields[f], gy_chan_field(block, type, i, f), out);
        }
        gy_text_char(out, ']');
    }
    gy_text_char(out, '\n');
}

static void add_process(const gy_machine *m, uint32_t pid, gy_text *out)
{
    const gy_state_layout_process *process = &m->shape->process[pid];
    const gy_template *tmpl = &m->model->templates[process->tmpl];
    const gy_node *node = &tmpl->nodes[gy_machine_node(m, (int32_t)pid)];
    gy_text prefix = {0};
    gy_text_printf(&prefix, "%s(%u)", tmpl->name, pid);
    gy_text_printf(out, "%s at = ", gy_text_str(&prefix));
    if (node->place && m->model->sources)
        gy_text_printf(out, "line %u", gy_location_user(m->model->sources, node->place).line);
    else
        gy_text_printf(out, "%d",
                       gy_spin_state(m->model, process->tmpl, gy_machine_node(m, (int32_t)pid)));
    gy_text_add(out, node->flags & GY_NODE_FINAL ? " (end)\n" : "\n");
    gy_text_char(&prefix, ':');
    for (int32_t v = 0; v < tmpl->var_count; v++)
        add_variable(m->model, &m->model->vars[tmpl->first_var + v], m->s + process->offset,
                     gy_text_str(&prefix), out);
    gy_text_free(&prefix);
}

char *gy_vm_state_text(void *worker, const gy_word *state, uint32_t words)
{
    gy_machine *m = worker;
    gy_text out = {0};
    gy_machine_look(m, state, gy_state_layout_of(m->vm, state, words));
    for (uint32_t v = 0; v < m->model->global_count; v++)
        add_variable(m->model, &m->model->vars[v], state, "", &out);
    for (uint32_t i = 0; i < m->shape->channel_count; i++)
        add_channel(m, i, &out);
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++)
        add_process(m, pid, &out);
    return out.at ? gy_text_take(&out) : strdup("");
}

static void add_half_step(const gy_model *model, int32_t pid, int32_t number, gy_text *out)
{
    const gy_edge *edge = &model->edges[number];
    uint32_t line =
        edge->place && model->sources ? gy_location_user(model->sources, edge->place).line : 0;
    gy_text_printf(out, "%s(%d) line %u: %s", model->templates[edge->tmpl].name, pid, line,
                   edge->text ? edge->text : "");
}

char *gy_vm_step_text(void *worker, const gy_step *step)
{
    const gy_model *model = ((gy_machine *)worker)->model;
    gy_text out = {0};
    add_half_step(model, step->pid, step->edge, &out);
    if (step->partner >= 0) {
        gy_text_add(&out, " with ");
        add_half_step(model, step->partner, step->partner_edge, &out);
    }
    return gy_text_take(&out);
}
