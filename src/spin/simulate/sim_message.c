// What is reported of messages, and what the model itself prints.
#include "spin/simulate/sim.h"

// ---- messages -----------------------------------------------------------------------------

static bool is_hidden(const pml_sim *sim, int queue)
{
    for (size_t i = 0; i < sim->options.hidden_count; i++)
        if (sim->options.hidden[i] == queue)
            return true;
    return false;
}

static void put_channel(pml_sim *sim, const pml_ref *channel, gy_text *out)
{
    for (uint32_t i = 0; i < channel->part_count; i++) {
        gy_text_printf(out, "%s%s", i ? "." : "", channel->parts[i].var->name);
        if (channel->parts[i].index)
            gy_text_printf(out, "[%d]", (int)sim_eval(sim, channel->parts[i].index));
    }
}

static void talk_columns(pml_sim *sim, const sim_event *event, uint32_t field, int32_t value)
{
    bool sends = strncmp(event->word, "Sen", 3) == 0, tests = event->word[0] == '[';
    gy_text *out = &sim->out;
    if (sim->first_row) {
        gy_text_add(out, "q\\p");
        int live = sim->created - sim->stopped - sim->has_claim + sim->skips_claim;
        for (int i = 0; i < live; i++)
            gy_text_printf(out, " %3d", i);
        gy_text_char(out, '\n');
        sim->first_row = false;
    }
    if (field == 0) {
        gy_text_printf(out, "%3d", event->queue->id);
        for (int i = 0; i < sim->x->pid - sim->has_claim; i++)
            gy_text_add(out, "   .");
        gy_text_add(out, "   ");
        put_channel(sim, event->channel, out);
        gy_text_char(out, sends ? '!' : '?');
    } else {
        gy_text_char(out, ',');
    }
    if (tests)
        gy_text_char(out, '[');
    sim_message_value(sim, value, event->queue->types[field], out);
    if (field + 1 == event->queue->fields)
        gy_text_add(out, tests ? "]\n" : "\n");
}

static void talk_chart(pml_sim *sim, const sim_event *event, uint32_t field, int32_t value)
{
    bool sends = strncmp(event->word, "Sen", 3) == 0, tests = event->word[0] == '[';
    gy_text *out = &sim->message;
    if (field == 0) {
        gy_text_clear(out);
        put_channel(sim, event->channel, out);
        gy_text_char(out, sends ? '!' : '?');
    } else {
        gy_text_char(out, ',');
    }
    if (tests)
        gy_text_char(out, '[');
    sim_message_value(sim, value, event->queue->types[field], out);
    if (field + 1 < event->queue->fields)
        return;
    if (tests)
        gy_text_char(out, ']');
    sim_mark_text(sim, sim->options.guided ? sim->pno : sim->x->pid - sim->has_claim,
                  gy_text_str(out));
}

void sim_talk_field(pml_sim *sim, const sim_event *event, uint32_t field, int32_t value)
{
    bool sends = strncmp(event->word, "Sen", 3) == 0, last = field + 1 == event->queue->fields;
    gy_text *out = &sim->out;
    if (is_hidden(sim, event->queue->id))
        return;
    if (sim->options.columns) {
        if (sim->options.columns == PML_CHART)
            talk_chart(sim, event, field, value);
        else
            talk_columns(sim, event, field, value);
        return;
    }
    if (field == 0) {
        gy_location_info place = gy_location_user(sim->tree->sources, event->place);
        sim_who(sim, true);
        gy_text_printf(out, "%s:%u ", gy_source_name(sim->tree->sources, place.file), place.line);
        bool values = (sim->show & PML_SHOW_STATEMENTS) && event->word[0] != '[';
        if (sim->options.for_xspin)
            gy_text_printf(out, "(state -)\t[%s%d%c", values ? "values: " : "", event->queue->id,
                           sends ? '!' : '?');
        else
            gy_text_add(out, event->word);
    } else {
        gy_text_char(out, ',');
    }
    sim_message_value(sim, value, event->queue->types[field], out);
    if (!last)
        return;
    if (sim->options.for_xspin) {
        gy_text_add(out, sim->show & PML_SHOW_STATEMENTS ? "]\n" : "]\n\n");
        return;
    }
    gy_text_printf(out, "\t%s queue %d (", sends ? "->" : "<-", event->queue->id);
    put_channel(sim, event->channel, out);
    gy_text_add(out, ")\n");
}

// ---- printf -------------------------------------------------------------------------------

static const pml_type *type_of(const pml_expr *expr)
{
    static const pml_type plain = {.kind = PML_TY_MTYPE};
    if (expr->kind != PML_X_VAR)
        return &plain;
    const pml_type *type = &expr->ref.parts[expr->ref.part_count - 1].var->type;
    return type->kind == PML_TY_MTYPE ? type : &plain;
}

// %e of a constant: the name that it was written as says which list it is of.
static void put_name(pml_sim *sim, const pml_expr *expr, int32_t value, gy_text *out)
{
    if (expr->kind == PML_X_NUMBER && expr->mtype)
        gy_text_add(out, expr->mtype);
    else
        sim_message_value(sim, value, type_of(expr), out);
}

static void put_argument(pml_sim *sim, char letter, const pml_expr *expr, gy_text *out)
{
    int32_t value = sim_eval(sim, expr);
    switch (letter) {
    case 'c':
        gy_text_char(out, (char)value);
        break;
    case 'd':
        gy_text_printf(out, "%d", (int)value);
        break;
    case 'e':
        put_name(sim, expr, value, out);
        break;
    case 'o':
        gy_text_printf(out, "%o", (unsigned)value);
        break;
    case 'u':
        gy_text_printf(out, "%u", (unsigned)value);
        break;
    case 'x':
        gy_text_printf(out, "%x", (unsigned)value);
        break;
    default:
        sim_error(sim, "bad print cmd: '%%%c'", letter);
        break;
    }
}

static void put_format(pml_sim *sim, const pml_stmt *stmt, gy_text *out)
{
    uint32_t argument = 0;
    for (const char *at = stmt->format; *at; at++) {
        if (*at == '"')
            continue;
        if (*at == '\\' && at[1]) {
            at++;
            gy_text_char(out, (char)(*at == 't' ? '\t' : *at == 'n' ? '\n' : *at));
        } else if (*at == '%' && at[1]) {
            at++;
            if (*at == '%')
                gy_text_char(out, '%');
            else if (argument >= stmt->arg_count)
                sim_error(sim, "too few print args %s", stmt->format);
            else
                put_argument(sim, *at, stmt->args[argument++], out);
        } else {
            gy_text_char(out, *at);
        }
    }
}

void sim_print(pml_sim *sim, const pml_stmt *stmt)
{
    gy_text text = {0};
    if (sim->options.no_printf || (sim->options.guided && sim->depth < sim->options.skip))
        return;
    if (stmt->kind == PML_S_PRINTM)
        put_name(sim, stmt->expr, sim_eval(sim, stmt->expr), &text);
    else
        put_format(sim, stmt, &text);
    sim_tag(sim, gy_text_str(&text), true);
    gy_text_free(&text);
}
