// Channels in C: questions, sends and receives on the channels of one shape.
//
// Where the identity is known, so are type and place. Otherwise the code looks them up in the
// tables channel_at, channel_type and channel_capacity, by identity. A message beyond the length
// of a channel is all zero: sending ORs nothing away, and taking the first message may shift all
// the others down, whether they are there or not.
#include "exec/native_gen.h"

#include <stdio.h>

static const gy_channel_type *type_of(const gy_gen *g, int32_t id)
{
    return &g->model->channel_types[g->shape->shape->channel[id - 1].type];
}

void gy_gen_channels_of(gy_gen *g, const gy_expr *chan, gy_gen_channels *set)
{
    int32_t count = (int32_t)g->shape->shape->channel_count, value;
    memset(set, 0, sizeof *set);
    if (gy_gen_constant(g, chan, &value)) {
        if (value > 0 && value <= count) {
            set->may[value] = 1;
            set->count = 1;
            set->certain = true;
            set->id = value;
        }
        return;
    }
    bool of_array = chan->op == GY_E_VAR && !g->facts->assigned[chan->var] &&
                    g->model->vars[chan->var].owner == GY_NONE;
    for (uint32_t i = 0; of_array && i < g->model->vars[chan->var].count; i++) {
        value = g->facts->globals[g->facts->element[chan->var] + i];
        if (value > 0 && value <= count)
            set->may[value] = 1;
    }
    for (int32_t id = count; id > 0; id--) {
        set->may[id] |= !of_array;
        set->count += set->may[id];
        if (set->may[id])
            set->id = id;
    }
}

// ---- questions ------------------------------------------------------------------------

static void question(gy_gen *g, gy_expr_op op, const char *length, const char *capacity)
{
    switch (op) {
    case GY_E_LEN:
        gy_text_printf(g->out, "(int)(%s)", length);
        break;
    case GY_E_EMPTY:
        gy_text_printf(g->out, "((%s) == 0)", length);
        break;
    case GY_E_NEMPTY:
        gy_text_printf(g->out, "((%s) != 0)", length);
        break;
    case GY_E_FULL:
        gy_text_printf(g->out, "((%s) >= (%s))", length, capacity);
        break;
    default:
        gy_text_printf(g->out, "((%s) < (%s))", length, capacity);
    }
}

void gy_gen_channel_question(gy_gen *g, const gy_expr *expr)
{
    gy_gen_channels set;
    gy_text length = {0}, capacity = {0};
    gy_gen_channels_of(g, expr->a, &set);
    if (set.count == 0)
        gy_text_add(g->out, "({ goto vm; 0; })");
    else if (set.certain) {
        const gy_channel_type *type = type_of(g, set.id);
        if (expr->op == GY_E_CAN_SEND && type->capacity && g->lossy)
            gy_text_add(&length, "0");
        else if (type->capacity)
            gy_text_printf(&length, "%s[%u]", g->s, g->shape->shape->channel[set.id - 1].offset);
        else if (expr->op == GY_E_CAN_SEND)
            gy_text_printf(&length, "(%s) != 0", g->offer);
        else
            gy_text_printf(&length, "(%s) == %d", g->offer, set.id);
        gy_text_printf(&capacity, "%u", type->capacity ? type->capacity : 1);
        question(g, expr->op, gy_text_str(&length), gy_text_str(&capacity));
    } else {
        char *text = gy_gen_text(g, expr->a);
        gy_text_printf(g->out, "({ int c_ = INDEX(%s - 1, CHANNELS) + 1; word k_ = ", text);
        gy_text_printf(g->out, "channel_capacity[c_], l_ = k_ ? ");
        if (expr->op == GY_E_CAN_SEND)
            gy_text_printf(g->out, "%s%s : (word)((%s) != 0); ", g->lossy ? "0" : g->s,
                           g->lossy ? "" : "[channel_at[c_]]", g->offer);
        else
            gy_text_printf(g->out, "%s[channel_at[c_]] : (word)((%s) == c_); ", g->s, g->offer);
        gy_text_add(g->out, "(void)k_; ");
        question(g, expr->op, "l_", "k_ ? k_ : 1");
        gy_text_add(g->out, "; })");
        free(text);
    }
    gy_text_free(&length);
    gy_text_free(&capacity);
}

// ---- messages -------------------------------------------------------------------------

static uint32_t mask_of(uint32_t bits)
{
    return ~0u >> (32 - bits);
}

void gy_gen_field(gy_gen *g, const gy_channel_type *type, const char *state, const char *at,
                  uint32_t f)
{
    uint32_t bits = type->fields[f].width, shift = type->field_shift[f];
    if (bits == 32)
        gy_text_printf(g->out, "(int)%s[%s + %u]", state, at, type->field_word[f]);
    else if (type->fields[f].is_signed)
        gy_text_printf(g->out, "GETS(%s, %s + %u, %u, %u)", state, at, type->field_word[f], shift,
                       bits);
    else
        gy_text_printf(g->out, "GET(%s, %s + %u, %u, 0x%xu)", state, at, type->field_word[f], shift,
                       mask_of(bits));
}

static void matches(gy_gen *g, const gy_channel_type *type, const char *at, const gy_field *fields,
                    uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH) {
            gy_text_add(g->out, " && ");
            gy_gen_field(g, type, g->s, at, f);
            gy_text_printf(g->out, " == k%u_", f);
        }
}

static void keys(gy_gen *g, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH) {
            gy_text_printf(g->out, "int k%u_ = ", f);
            gy_gen_expr(g, fields[f].expr);
            gy_text_add(g->out, "; ");
        }
}

static void message_at(const gy_gen_channel *channel, const char *slot, gy_text *out)
{
    gy_text_printf(out, "%s + %u", channel->at, channel->type->first_word);
    if (slot)
        gy_text_printf(out, " + %s * %u", slot, channel->type->message_words);
}

// Appends statements that declare `fits`, and `slot` where a search is needed.
static void find_message(gy_gen *g, const gy_gen_channel *channel, const gy_field *fields,
                         uint32_t count, bool random)
{
    gy_text at = {0};
    message_at(channel, random ? "slot" : NULL, &at);
    keys(g, fields, count);
    if (random) {
        gy_text_printf(g->out, "word slot = 0, length_ = %s[%s]; ", g->s, channel->at);
        gy_text_add(g->out, "for (; slot < length_; slot++) if (1");
        matches(g, channel->type, gy_text_str(&at), fields, count);
        gy_text_add(g->out, ") break; int fits = slot < length_;");
    } else {
        gy_text_printf(g->out, "int fits = %s[%s] != 0", g->s, channel->at);
        matches(g, channel->type, gy_text_str(&at), fields, count);
        gy_text_add(g->out, ";");
    }
    gy_text_free(&at);
}

void gy_gen_poll(gy_gen *g, const gy_expr *expr)
{
    gy_gen_channels set;
    gy_gen_channels_of(g, expr->a, &set);
    const gy_channel_type *type = set.count ? type_of(g, set.id) : NULL;
    bool same = set.count > 0;
    for (int32_t id = 1; id <= (int32_t)g->shape->shape->channel_count; id++)
        same = same && (!set.may[id] || type_of(g, id) == type);
    for (uint32_t f = 0; same && f < expr->arg_count; f++)
        same = expr->args[f].kind != GY_FIELD_MATCH || f < type->field_count;
    if (!same || !type->capacity) {
        gy_text_add(g->out, "({ goto vm; 0; })");
        return;
    }
    gy_gen_channel channel = {.type = type, .id = set.certain ? set.id : 0};
    gy_text_add(g->out, "({ ");
    if (set.certain)
        snprintf(channel.at, sizeof channel.at, "%u", g->shape->shape->channel[set.id - 1].offset);
    else {
        snprintf(channel.at, sizeof channel.at, "at%u_", g->names++);
        gy_text_printf(g->out, "word %s = channel_at[INDEX(", channel.at);
        gy_gen_expr(g, expr->a);
        gy_text_add(g->out, " - 1, CHANNELS) + 1]; ");
    }
    find_message(g, &channel, expr->args, expr->arg_count, expr->random);
    gy_text_add(g->out, " fits; })");
}

// ---- transfers ------------------------------------------------------------------------

void gy_gen_send_test(gy_gen *g, const gy_gen_channel *channel)
{
    if (g->lossy)
        gy_gen_line(g, "int fits = 1;");
    else
        gy_gen_line(g, "int fits = %s[%s] < %u;", g->s, channel->at, channel->type->capacity);
}

void gy_gen_receive_test(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm)
{
    gy_text line = {0}, *out = g->out;
    g->out = &line;
    find_message(g, channel, comm->fields, comm->field_count, comm->random);
    g->out = out;
    gy_gen_line(g, "%s", gy_text_str(&line));
    gy_text_free(&line);
}

// The length has changed, and the messages from the one in slot `first` to the one in `last`.
// Messages beyond the length are zero before and after.
static void wrote_messages(gy_gen *g, const gy_gen_channel *channel, const char *first,
                           const char *last)
{
    uint32_t words = channel->type->message_words, start = channel->type->first_word;
    gy_gen_line(g, "WROTE(%s);", channel->at);
    if (words)
        gy_gen_line(g, "WROTE_RANGE(%s + %u + %s * %u, %s + %u + %s * %u);", channel->at, start,
                    first, words, channel->at, start + words - 1, last, words);
}

static void write_message(gy_gen *g, const gy_channel_type *type)
{
    for (uint32_t w = 0; w < type->message_words; w++) {
        gy_text line = {0};
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type->field_word[f] == w)
                gy_text_printf(&line, "%s((word)v%u_ & 0x%xu) << %u", line.n ? " | " : "", f,
                               mask_of(type->fields[f].width), type->field_shift[f]);
        gy_gen_line(g, "x_[%u] = %s;", w, line.n ? line.at : "0");
        gy_text_free(&line);
    }
}

void gy_gen_send(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm)
{
    const gy_channel_type *type = channel->type;
    uint32_t words = type->message_words;
    for (uint32_t f = 0; f < type->field_count; f++) {
        char *value = comm->fields[f].expr ? gy_gen_text(g, comm->fields[f].expr) : NULL;
        gy_gen_line(g, "int v%u_ = %s;", f, value ? value : "0");
        free(value);
    }
    gy_gen_line(g, "word length_ = o[%s];", channel->at);
    if (g->lossy)
        gy_gen_open(g, "if (length_ < %u)", type->capacity);
    gy_gen_line(g, "word *x_ = o + %s + %u;", channel->at, type->first_word);
    if (comm->sorted) {
        gy_gen_line(g, "word place_ = 0;");
        gy_gen_open(g, "for (; place_ < length_; place_++, x_ += %u)", words);
        for (uint32_t f = 0; f < type->field_count; f++) {
            gy_text field = {0}, *out = g->out;
            g->out = &field;
            gy_gen_field(g, type, "x_", "0", f);
            g->out = out;
            gy_gen_line(g, "if (v%u_ > %s) continue;", f, gy_text_str(&field));
            gy_gen_line(g, "if (v%u_ < %s) break;", f, gy_text_str(&field));
            gy_text_free(&field);
        }
        gy_gen_close(g);
        gy_gen_line(g, "memmove(x_ + %u, x_, (length_ - place_) * %u * sizeof(word));", words,
                    words);
    } else if (type->capacity > 1)
        gy_gen_line(g, "x_ += length_ * %u;", words);
    write_message(g, type);
    gy_gen_line(g, "o[%s] = length_ + 1;", channel->at);
    wrote_messages(g, channel,
                   comm->sorted         ? "place_"
                   : type->capacity > 1 ? "length_"
                                        : "0",
                   comm->sorted || type->capacity > 1 ? "length_" : "0");
    if (g->lossy)
        gy_gen_close(g);
}

// Removes message `slot`.
static void remove_message(gy_gen *g, const gy_gen_channel *channel, bool random)
{
    enum { FEW = 24 };
    const gy_channel_type *type = channel->type;
    uint32_t words = type->message_words, rest = (type->capacity - 1) * words;
    gy_gen_line(g, "word *x_ = o + %s + %u;", channel->at, type->first_word);
    if (!random && rest <= FEW) {
        if (rest)
            gy_gen_line(g, "memmove(x_, x_ + %u, %u * sizeof(word));", words, rest);
        for (uint32_t w = 0; w < words; w++)
            gy_gen_line(g, "x_[%u] = 0;", rest + w);
    } else {
        gy_gen_line(g, "word left_ = o[%s] - 1;", channel->at);
        gy_gen_line(g,
                    "memmove(x_ + %s * %u, x_ + (%s + 1) * %u, (left_ - %s) * %u * sizeof(word));",
                    random ? "slot" : "0", words, random ? "slot" : "0", words,
                    random ? "slot" : "0", words);
        for (uint32_t w = 0; w < words; w++)
            gy_gen_line(g, "x_[left_ * %u + %u] = 0;", words, w);
    }
    gy_gen_line(g, "word last_ = --o[%s];", channel->at);
    wrote_messages(g, channel, random ? "slot" : "0", "last_");
}

void gy_gen_take(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm)
{
    gy_text at = {0}, *out = g->out;
    message_at(channel, comm->random ? "slot" : NULL, &at);
    for (uint32_t f = 0; f < comm->field_count; f++)
        if (comm->fields[f].kind == GY_FIELD_STORE) {
            gy_text line = {0};
            g->out = &line;
            gy_gen_field(g, channel->type, "o", gy_text_str(&at), f);
            g->out = out;
            gy_gen_line(g, "int m%u_ = %s;", f, gy_text_str(&line));
            gy_text_free(&line);
        }
    gy_text_free(&at);
    if (!comm->keep)
        remove_message(g, channel, comm->random);
}

void gy_gen_store_fields(gy_gen *g, const gy_gen_comm *comm)
{
    for (uint32_t f = 0; f < comm->field_count; f++)
        if (comm->fields[f].kind == GY_FIELD_STORE) {
            char value[16];
            snprintf(value, sizeof value, "m%u_", f);
            gy_gen_store(g, comm->fields[f].var, comm->fields[f].index, value);
        }
}
