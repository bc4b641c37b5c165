#include "report/steps/shown_values.h"

#include "report/json.h"
#include "report/style.h"

enum { GOOD_COLUMNS = 100 };

// "x = 1", "a = [0, 2]"
static void assignment(const gy_binding *binding, gy_text *out)
{
    gy_text_printf(out, "%s = %s", binding->name, binding->is_list ? "[" : "");
    for (uint32_t i = 0; i < binding->count; i++)
        gy_text_printf(out, "%s%s", i > 0 ? ", " : "", binding->values[i].text);
    if (binding->is_list)
        gy_text_char(out, ']');
}

static void contents(const gy_channel_value *channel, gy_text *out)
{
    gy_text_printf(out, "%s %s", channel->name, channel->message_count ? "holds" : "is empty");
    for (uint32_t m = 0; m < channel->message_count; m++)
        gy_text_printf(out, " %s", channel->messages[m]);
}

// Adds one clause to a paragraph of so many columns. *column is 0 at the start.
static void add_wrapped(gy_text *out, size_t indent, size_t columns, size_t *column,
                        gy_text *clause)
{
    size_t width = gy_columns(gy_text_str(clause));
    if (*column > 0 && *column + 2 + width + 1 > columns) {
        gy_text_add(out, ",\n");
        *column = 0;
    }
    if (*column == 0) {
        gy_blanks(out, indent);
        *column = indent;
    } else {
        gy_text_add(out, ", ");
        *column += 2;
    }
    gy_text_add(out, gy_text_str(clause));
    *column += width;
    gy_text_free(clause);
}

void gy_values_globals(const gy_final *state, size_t indent, size_t columns, gy_text *out)
{
    size_t column = 0;
    columns = columns ? columns : GOOD_COLUMNS;
    for (uint32_t i = 0; i < state->global_count; i++) {
        gy_text clause = {0};
        if (state->globals[i].values[0].kind == GY_VALUE_CHANNEL)
            continue;
        assignment(&state->globals[i], &clause);
        add_wrapped(out, indent, columns, &column, &clause);
    }
    for (uint32_t c = 0; c < state->channel_count; c++) {
        gy_text clause = {0};
        if (state->channels[c].capacity == 0)
            continue;
        contents(&state->channels[c], &clause);
        add_wrapped(out, indent, columns, &column, &clause);
    }
    if (column > 0)
        gy_text_char(out, '\n');
}

void gy_values_locals(const gy_process_value *process, gy_text *out)
{
    bool first = true;
    for (uint32_t i = 0; i < process->local_count; i++) {
        if (process->locals[i].is_own)
            continue;
        if (!first)
            gy_text_add(out, ", ");
        first = false;
        assignment(&process->locals[i], out);
    }
}

json_t *gy_value_json(const gy_value *value)
{
    switch (value->kind) {
    case GY_VALUE_BOOL:
        return json_boolean(value->number != 0);
    case GY_VALUE_NAME:
    case GY_VALUE_CHANNEL:
        return gy_json_string(value->text);
    case GY_VALUE_NUMBER:
        break;
    }
    return json_integer(value->number);
}

json_t *gy_values_json(const gy_binding *bindings, uint32_t count)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < count; i++) {
        const gy_binding *binding = &bindings[i];
        json_t *value = binding->is_list ? json_array() : gy_value_json(&binding->values[0]);
        for (uint32_t k = 0; binding->is_list && k < binding->count; k++)
            json_array_append_new(value, gy_value_json(&binding->values[k]));
        json_object_set_new(object, binding->name, value);
    }
    return object;
}

json_t *gy_message_json(const gy_message *message)
{
    json_t *list = json_array();
    for (uint32_t f = 0; f < message->count; f++)
        json_array_append_new(list, gy_value_json(&message->fields[f]));
    return list;
}

json_t *gy_messages_json(const gy_message *messages, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t m = 0; m < count; m++)
        json_array_append_new(list, gy_message_json(&messages[m]));
    return list;
}

json_t *gy_channel_json(const gy_channel_value *channel)
{
    json_t *item = json_object(), *messages = json_array();
    json_object_set_new(item, "name", gy_json_string(channel->name));
    json_object_set_new(item, "capacity", json_integer(channel->capacity));
    for (uint32_t m = 0; m < channel->message_count; m++)
        json_array_append_new(messages, gy_json_string(channel->messages[m]));
    json_object_set_new(item, "messages", messages);
    json_object_set_new(item, "values",
                        gy_messages_json(channel->contents, channel->message_count));
    return item;
}

json_t *gy_channels_json(const gy_final *state)
{
    json_t *list = json_array();
    for (uint32_t c = 0; c < state->channel_count; c++)
        json_array_append_new(list, gy_channel_json(&state->channels[c]));
    return list;
}
