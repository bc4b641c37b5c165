// The message that a send or receive step moved.
#include "verify/explain/explain.h"

// The slot that a receive took from: the first one that changed, or the last of the old ones.
static uint32_t slot_taken(const gy_decoded_state *before, const gy_decoded_state *now,
                           uint32_t channel, const gy_edge *edge)
{
    uint32_t length = before->view.channels[channel].length;
    if (!edge->random || edge->keep || channel >= now->view.channel_count)
        return 0;
    uint32_t fields = before->model->channel_types[before->view.channels[channel].type].field_count;
    uint32_t left = now->view.channels[channel].length;
    for (uint32_t m = 0; m < left && m < length; m++)
        for (uint32_t f = 0; f < fields; f++)
            if (gy_state_view_field(before->model, before->state, &before->view, channel, m, f) !=
                gy_state_view_field(now->model, now->state, &now->view, channel, m, f))
                return m;
    return length > 0 ? length - 1 : 0;
}

// The fields of a message that is sent, as far as they can be evaluated.
static gy_message message_sent(gy_arena *arena, const gy_decoded_state *before, int32_t pid,
                               const gy_edge *edge, const gy_channel_type *type)
{
    gy_value *fields = GY_NEW_ARRAY(arena, gy_value, type->field_count + 1);
    uint32_t count = edge->field_count < type->field_count ? edge->field_count : type->field_count;
    for (uint32_t f = 0; f < count; f++) {
        int32_t value;
        if (!gy_state_view_eval(before->worker, before->state, before->words, pid,
                                edge->fields[f].expr, &value))
            fields[f] = (gy_value){.kind = GY_VALUE_NAME, .text = "?"};
        else
            fields[f] = gy_tell_value(arena, before, type->fields[f],
                                      gy_type_truncate(type->fields[f], value));
    }
    return (gy_message){fields, count};
}

static const char *contents_of(gy_arena *arena, const gy_message *message)
{
    gy_text text = {0};
    for (uint32_t f = 0; f < message->count; f++)
        gy_text_printf(&text, "%s%s", f ? "," : "", message->fields[f].text);
    return gy_keep(arena, &text);
}

const gy_message_event *gy_tell_message(gy_arena *arena, const gy_decoded_state *before,
                                        const gy_decoded_state *now, const gy_step *step)
{
    int32_t identity;
    if (!before->model || step->edge < 0)
        return NULL;
    const gy_edge *edge = &before->model->edges[step->edge];
    if (edge->sync == GY_SYNC_NONE || !edge->chan ||
        !gy_state_view_eval(before->worker, before->state, before->words, step->pid, edge->chan,
                            &identity) ||
        identity <= 0 || (uint32_t)identity > before->view.channel_count)
        return NULL;
    uint32_t channel = (uint32_t)identity - 1;
    const gy_channel_type *type =
        &before->model->channel_types[before->view.channels[channel].type];
    gy_message_event *moved = GY_NEW(arena, gy_message_event);
    gy_text text = {0};
    moved->is_send = edge->sync == GY_SYNC_SEND;
    moved->rendezvous = step->partner >= 0;
    moved->keeps = edge->keep;
    gy_name_channel(before, channel, &text);
    moved->channel = gy_keep(arena, &text);
    if (moved->is_send)
        moved->message = message_sent(arena, before, step->pid, edge, type);
    else
        moved->message =
            gy_tell_messages(arena, before, channel)[slot_taken(before, now, channel, edge)];
    moved->contents = contents_of(arena, &moved->message);
    return moved;
}
