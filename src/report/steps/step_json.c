// A step for programs. docs/json.md lists every name; names once published do not change.
#include "report/json.h"
#include "report/steps/shown_step.h"
#include "report/steps/shown_values.h"

void gy_actor_json(const gy_actor *actor, json_t *item)
{
    json_object_set_new(item, "process", gy_json_string(actor->type ? actor->type : ""));
    json_object_set_new(item, "pid", json_integer(actor->pid));
    json_object_set_new(item, "file", gy_json_string(actor->file));
    json_object_set_new(item, "line", json_integer(actor->line));
    if (actor->column)
        json_object_set_new(item, "column", json_integer(actor->column));
    json_object_set_new(item, "text", gy_json_string(actor->text));
    if (actor->call_count == 0)
        return;
    json_t *calls = json_array();
    for (uint32_t i = 0; i < actor->call_count; i++) {
        const gy_inline_call *call = &actor->calls[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "inline", gy_json_string(call->name));
        json_object_set_new(entry, "file", gy_json_string(call->file));
        json_object_set_new(entry, "line", json_integer(call->line));
        json_object_set_new(entry, "column", json_integer(call->column));
        json_array_append_new(calls, entry);
    }
    json_object_set_new(item, "calls", calls);
}

json_t *gy_position_json(const gy_position *position)
{
    json_t *item = json_object();
    json_object_set_new(item, "pid", json_integer(position->pid));
    json_object_set_new(item, "state", json_integer(position->state));
    json_object_set_new(item, "file", gy_json_string(position->file));
    json_object_set_new(item, "line", json_integer(position->line));
    if (position->column)
        json_object_set_new(item, "column", json_integer(position->column));
    return item;
}

// Where a process begins, and with which values.
static json_t *first_values(const gy_process_value *process)
{
    gy_position position = {process->pid, process->state, process->file, process->line,
                            process->column};
    json_t *item = gy_position_json(&position);
    json_object_set_new(item, "locals", gy_values_json(process->locals, process->local_count));
    return item;
}

static json_t *change_json(const gy_change *change)
{
    static const char *const events[GY_CHANGE_RENAMED + 1] = {
        [GY_CHANGE_STARTS] = "starts",       [GY_CHANGE_ENDS] = "ends",
        [GY_CHANGE_NEW_CHANNEL] = "created", [GY_CHANGE_NO_CHANNEL] = "removed",
        [GY_CHANGE_RENAMED] = "renamed",
    };
    json_t *item = json_object();
    json_object_set_new(item, "name", gy_json_string(change->name));
    if (change->pid >= 0)
        json_object_set_new(item, "pid", json_integer(change->pid));
    if (change->kind == GY_CHANGE_VALUE || change->kind == GY_CHANGE_CONTENTS) {
        json_object_set_new(item, "old", gy_value_json(&change->before));
        json_object_set_new(item, "new", gy_value_json(&change->after));
    }
    if (change->kind == GY_CHANGE_CONTENTS) {
        json_object_set_new(item, "old_messages",
                            gy_messages_json(change->old_messages, change->old_count));
        json_object_set_new(item, "new_messages",
                            gy_messages_json(change->new_messages, change->new_count));
    }
    if (events[change->kind])
        json_object_set_new(item, "event", json_string(events[change->kind]));
    if (change->kind == GY_CHANGE_RENAMED)
        json_object_set_new(item, "to", gy_json_string(change->after.text));
    if (change->channel)
        json_object_update_new(item, gy_channel_json(change->channel));
    if (change->process)
        json_object_update_new(item, first_values(change->process));
    return item;
}

json_t *gy_step_json(const gy_report_step *told)
{
    json_t *item = json_object(), *changes = json_array(), *positions = json_array();
    json_object_set_new(item, "step", json_integer((json_int_t)told->number));
    gy_actor_json(&told->actor, item);
    json_object_set_new(item, "edge", json_integer(told->step.edge));
    for (uint32_t i = 0; i < told->change_count + told->quiet_count; i++)
        json_array_append_new(changes, change_json(&told->changes[i]));
    json_object_set_new(item, "changes", changes);
    for (uint32_t i = 0; i < told->position_count; i++)
        json_array_append_new(positions, gy_position_json(&told->positions[i]));
    json_object_set_new(item, "positions", positions);
    if (told->partner) {
        json_t *partner = json_object();
        gy_actor_json(told->partner, partner);
        json_object_set_new(partner, "edge", json_integer(told->step.partner_edge));
        json_object_set_new(item, "partner", partner);
    }
    if (told->moved) {
        json_t *message = json_object();
        json_object_set_new(message, "kind",
                            json_string(told->moved->rendezvous ? "rendezvous"
                                        : told->moved->is_send  ? "send"
                                                                : "receive"));
        json_object_set_new(message, "channel", gy_json_string(told->moved->channel));
        json_object_set_new(message, "contents", gy_json_string(told->moved->contents));
        json_object_set_new(message, "fields", gy_message_json(&told->moved->message));
        json_object_set_new(item, "message", message);
    }
    if (told->print_count > 0) {
        json_t *output = json_array();
        for (uint32_t i = 0; i < told->print_count; i++)
            json_array_append_new(output, gy_json_string(told->prints[i]));
        json_object_set_new(item, "output", output);
    }
    json_object_set_new(item, "atomic", json_boolean(told->atomic));
    if (told->fault) {
        json_t *fault = json_object();
        json_object_set_new(fault, "kind", json_string(told->fault));
        json_object_set_new(fault, "message", gy_json_string(told->message));
        json_object_set_new(item, "fault", fault);
    }
    return item;
}
