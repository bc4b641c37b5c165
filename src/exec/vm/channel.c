// Representation: see gy_channel_type. Messages beyond the length are all zero, so that equal
// contents are equal words. A rendezvous channel has no block: the message in flight is in
// m->message and m->offer names the channel.
#include "exec/vm/channel.h"

#include "exec/vm/inline_fields.h"

static const gy_state_layout_channel *find(const gy_machine *m, int32_t id)
{
    return id > 0 && (uint32_t)id <= m->shape->channel_count ? &m->shape->channel[id - 1] : NULL;
}

static const gy_channel_type *type_of(const gy_machine *m, const gy_state_layout_channel *channel)
{
    return &m->model->channel_types[channel->type];
}

static void raise_none(gy_machine *m, const char *what)
{
    gy_raise(m, GY_FAULT_CHANNEL, "%s a channel that was not initialised", what);
}

int32_t gy_chan_length(gy_machine *m, int32_t id)
{
    const gy_state_layout_channel *channel = find(m, id);
    if (!channel) {
        if (id > 0)
            return 0;
        raise_none(m, "length of");
        return GY_RUN_FAULT;
    }
    const gy_channel_type *type = type_of(m, channel);
    if (type->capacity == 0)
        return m->offer == id;
    return (int32_t)gy_chan_len(m->s + channel->offset, type);
}

int32_t gy_chan_is_full(gy_machine *m, int32_t id)
{
    int32_t length = gy_chan_length(m, id);
    const gy_state_layout_channel *channel = find(m, id);
    if (length < 0 || !channel)
        return length;
    uint32_t capacity = type_of(m, channel)->capacity;
    return (uint32_t)length >= (capacity ? capacity : 1);
}

int32_t gy_chan_send_test(gy_machine *m, int32_t id)
{
    const gy_state_layout_channel *channel = find(m, id);
    if (!channel) {
        if (id > 0)
            gy_raise(m, GY_FAULT_CHANNEL, "sending to channel %d, which no longer exists", id);
        else
            raise_none(m, "sending to");
        return GY_RUN_FAULT;
    }
    const gy_channel_type *type = type_of(m, channel);
    if (type->capacity == 0)
        return m->offer ? 0 : 2;
    return m->vm->lossy || gy_chan_len(m->s + channel->offset, type) < type->capacity;
}

static void raise_fields(gy_machine *m, const char *what, uint32_t given,
                         const gy_channel_type *type)
{
    gy_raise(m, GY_FAULT_FIELDS, "%s with %u field%s, but messages of %s have %u", what, given,
             given == 1 ? "" : "s", type->name ? type->name : "this channel", type->field_count);
}

// Where a sorted send puts its message: before the first that is greater. Spin compares the
// values as they are given, before they are cut to the width of their fields.
static uint32_t sorted_place(const gy_word *block, const gy_channel_type *type, uint32_t length,
                             const int32_t *values)
{
    for (uint32_t i = 0; i < length; i++) {
        for (uint32_t f = 0; f < type->field_count; f++) {
            int32_t there = gy_chan_field(block, type, i, f);
            if (values[f] > there)
                break;
            if (values[f] < there)
                return i;
        }
    }
    return length;
}

// ---- messages in a block ----------------------------------------------------------------

static uint32_t low_bits(uint32_t count) // 0 .. 32
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

// The bits of word w that belong to messages; the length may be above them.
static uint32_t message_mask(const gy_channel_type *type, uint32_t w)
{
    uint32_t last = (type->capacity - 1) / type->per_word;
    uint32_t count = w < last ? type->per_word : type->capacity - last * type->per_word;
    return low_bits(count * type->message_bits);
}

// Moves the messages from `place` on up by one.
static void make_room(gy_word *block, const gy_channel_type *type, uint32_t place, uint32_t length)
{
    uint32_t per = type->per_word, bits = type->message_bits, words = type->message_words;
    if (!per) {
        gy_word *at = block + (size_t)place * words;
        memmove(at + words, at, (size_t)(length - place) * words * sizeof *at);
        memset(at, 0, words * sizeof *at);
        return;
    }
    for (uint32_t w = length / per;; w--) {
        bool first = w == place / per;
        uint32_t mask = message_mask(type, w), kept = first ? low_bits(place % per * bits) : 0;
        uint32_t messages = block[w] & mask;
        uint32_t in = first ? 0 : block[w - 1] >> (per - 1) * bits & low_bits(bits);
        block[w] =
            (block[w] & ~mask) | (messages & kept) | ((messages & ~kept) << bits & mask) | in;
        if (first)
            break;
    }
}

// Moves the messages after `slot` down by one; the last place becomes zero.
static void remove_message(gy_word *block, const gy_channel_type *type, uint32_t slot,
                           uint32_t length)
{
    uint32_t per = type->per_word, bits = type->message_bits, words = type->message_words;
    if (!per) {
        gy_word *at = block + (size_t)slot * words;
        size_t behind = (size_t)(length - 1 - slot) * words;
        memmove(at, at + words, behind * sizeof *at);
        memset(at + behind, 0, words * sizeof *at);
        return;
    }
    uint32_t last = (length - 1) / per;
    for (uint32_t w = slot / per; w <= last; w++) {
        uint32_t mask = message_mask(type, w),
                 kept = w == slot / per ? low_bits(slot % per * bits) : 0;
        uint32_t messages = block[w] & mask;
        uint32_t in = w < last ? (block[w + 1] & low_bits(bits)) << (per - 1) * bits : 0;
        block[w] = (block[w] & ~mask) | (messages & kept) | (messages >> bits & mask & ~kept) | in;
    }
}

// Into a place that is zero.
static void write_message(gy_word *block, const gy_channel_type *type, uint32_t place,
                          const int32_t *values)
{
    uint32_t per = type->per_word;
    gy_word *at = block + (per ? place / per : place * type->message_words);
    uint32_t shift = per ? place % per * type->message_bits : 0;
    for (uint32_t f = 0; f < type->field_count; f++) {
        const gy_slot *slot = &type->slots[f];
        at[slot->word] |= ((uint32_t)values[f] & low_bits(slot->bits)) << (shift + slot->shift);
    }
}

static void offer_message(gy_machine *m, const gy_channel_type *type, const int32_t *values)
{
    for (uint32_t f = 0; f < type->field_count; f++)
        m->message[f] = gy_type_truncate(type->fields[f], values[f]);
    m->offer = m->channel;
}

bool gy_chan_send(gy_machine *m, const int32_t *values, uint32_t count, uint32_t flags)
{
    const gy_state_layout_channel *channel = find(m, m->channel);
    const gy_channel_type *type = type_of(m, channel);
    if (count != type->field_count) { // what is missing is 0, what is too much is lost
        raise_fields(m, "send", count, type);
        for (uint32_t f = 0; f < type->field_count; f++)
            m->padded[f] = f < count ? values[f] : 0;
        values = m->padded;
        count = type->field_count;
    }
    if (type->capacity == 0) {
        if (flags & GY_SEND_IN_D_STEP) {
            gy_raise(m, GY_FAULT_D_STEP_RENDEZVOUS, "rendezvous inside a d_step");
            return false;
        }
        offer_message(m, type, values);
        return m->model->trace == GY_NONE || gy_vm_event(m, m->channel, false, m->message);
    }
    gy_word *block = m->s + channel->offset;
    uint32_t length = gy_chan_len(block, type);
    if (length >= type->capacity)
        return true; // lost
    uint32_t place = length;
    if (flags & GY_SEND_SORTED) {
        place = sorted_place(block, type, length, values);
        make_room(block, type, place, length);
    }
    write_message(block, type, place, values);
    gy_chan_set_len(block, type, length + 1);
    if (m->model->trace == GY_NONE)
        return true;
    for (uint32_t f = 0; f < count; f++)
        m->taken[f] = gy_chan_field(block, type, place, f);
    return gy_vm_event(m, m->channel, false, m->taken);
}

static bool matches(const gy_word *block, const gy_channel_type *type, uint32_t slot,
                    const uint16_t *list, uint32_t n, const int32_t *values)
{
    for (uint32_t i = 0; i < n; i++) {
        int32_t there = list[i] < type->field_count ? gy_chan_field(block, type, slot, list[i]) : 0;
        if (there != values[i])
            return false;
    }
    return true;
}

// The message that a receive would take, or -1.
static int64_t search(const gy_word *block, const gy_channel_type *type, const uint16_t *list,
                      uint32_t n, const int32_t *values, bool random)
{
    uint32_t length = gy_chan_len(block, type);
    if (!random && length > 1)
        length = 1;
    for (uint32_t slot = 0; slot < length; slot++)
        if (matches(block, type, slot, list, n, values))
            return slot;
    return -1;
}

int32_t gy_chan_receive_test(gy_machine *m, int32_t id, const uint16_t *list, uint32_t n,
                             const int32_t *values, uint32_t flags)
{
    const gy_state_layout_channel *channel = find(m, id);
    if (!channel) {
        if (id > 0)
            return 0;
        raise_none(m, "receiving from");
        return GY_RUN_FAULT;
    }
    const gy_channel_type *type = type_of(m, channel);
    m->channel = id;
    if (type->capacity > 0) {
        const gy_word *block = m->s + channel->offset;
        int64_t slot = m->offer ? -1 : search(block, type, list, n, values, flags & GY_RECV_RANDOM);
        m->slot = slot < 0 ? 0 : (uint32_t)slot;
        return slot >= 0;
    }
    if (flags & GY_RECV_KEEP) {
        gy_raise(m, GY_FAULT_CHANNEL, "a receive that keeps the message, on rendezvous channel %s",
                 type->name ? type->name : "");
        return GY_RUN_FAULT;
    }
    if (m->offer != id)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if ((list[i] < type->field_count ? m->message[list[i]] : 0) != values[i])
            return 0;
    return 1;
}

int32_t gy_chan_poll(gy_machine *m, int32_t id, const uint16_t *list, uint32_t n,
                     const int32_t *values, bool random)
{
    const gy_state_layout_channel *channel = find(m, id);
    if (!channel) {
        if (id > 0)
            return 0;
        raise_none(m, "polling");
        return GY_RUN_FAULT;
    }
    const gy_channel_type *type = type_of(m, channel);
    if (type->capacity == 0) {
        gy_raise(m, GY_FAULT_CHANNEL, "polling rendezvous channel %s",
                 type->name ? type->name : "");
        return GY_RUN_FAULT;
    }
    return search(m->s + channel->offset, type, list, n, values, random) >= 0;
}

bool gy_chan_take(gy_machine *m, uint32_t count, uint32_t flags)
{
    const gy_state_layout_channel *channel = find(m, m->channel);
    const gy_channel_type *type = type_of(m, channel);
    bool keep = flags & GY_RECV_KEEP;
    if (count > type->field_count || (count < type->field_count && !keep))
        raise_fields(m, "receive", count, type);
    memset(m->taken, 0, m->program->max_fields * sizeof *m->taken);
    if (type->capacity == 0) {
        memcpy(m->taken, m->message, type->field_count * sizeof *m->taken);
        m->offer = 0;
        return m->model->trace == GY_NONE || gy_vm_event(m, m->channel, true, m->taken);
    }
    gy_word *block = m->s + channel->offset;
    for (uint32_t f = 0; f < type->field_count; f++)
        m->taken[f] = gy_chan_field(block, type, m->slot, f);
    if (keep)
        return true;
    uint32_t length = gy_chan_len(block, type);
    remove_message(block, type, m->slot, length);
    gy_chan_set_len(block, type, length - 1);
    return m->model->trace == GY_NONE || gy_vm_event(m, m->channel, true, m->taken);
}
