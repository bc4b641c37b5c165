// Channels in C: questions, sends and receives on the channels of one shape.
//
// Where the identity is known, so are type and place. Otherwise the code looks them up in the
// tables channel_at, channel_type and channel_capacity, by identity. A message beyond the length
// of a channel is all zero: sending ORs nothing away, and taking the first message may shift all
// the others down, whether they are there or not.
#include "exec/native/gen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mask_of(uint32_t bits)
{
    return ~0u >> (32 - bits);
}

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
    chan = gy_bare_channel(chan);
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
        gy_text_add(g->out, "NOTHING");
    else if (set.certain) {
        const gy_channel_type *type = type_of(g, set.id);
        if (expr->op == GY_E_CAN_SEND && type->capacity && g->lossy)
            gy_text_add(&length, "0");
        else if (type->capacity)
            gy_gen_get(
                g, &length, g->s,
                (gy_gen_place){g->shape->shape->channel[set.id - 1].offset + type->length_word,
                               type->length_shift, type->length_bits, false});
        else if (expr->op == GY_E_CAN_SEND)
            gy_text_printf(&length, "(%s) != 0", g->offer);
        else
            gy_text_printf(&length, "(%s) == %d", g->offer, set.id);
        gy_text_printf(&capacity, "%u", type->capacity ? type->capacity : 1);
        question(g, expr->op, gy_text_str(&length), gy_text_str(&capacity));
    } else {
        char *text = gy_gen_text(g, expr->a);
        gy_text_printf(g->out, "(BLOCK int c_ = INDEX(%s - 1, CHANNELS) + 1; word k_ = ", text);
        gy_text_printf(g->out, "channel_capacity[c_], l_ = k_ ? ");
        if (expr->op == GY_E_CAN_SEND)
            gy_text_printf(g->out, "%s%s%s : (word)((%s) != 0); ", g->lossy ? "0" : "LENGTH(",
                           g->lossy ? "" : g->s, g->lossy ? "" : ", c_)", g->offer);
        else
            gy_text_printf(g->out, "LENGTH(%s, c_) : (word)((%s) == c_); ", g->s, g->offer);
        gy_text_add(g->out, "(void)k_; YIELD(");
        question(g, expr->op, "l_", "k_ ? k_ : 1");
        gy_text_add(g->out, ") END_BLOCK)");
        free(text);
    }
    gy_text_free(&length);
    gy_text_free(&capacity);
}

// ---- messages -------------------------------------------------------------------------

// Field f of a message of a channel in state `state`: that in slot `slot`, or the first one.
static void field_of(gy_gen *g, const gy_gen_channel *channel, const char *state, const char *slot,
                     uint32_t f)
{
    const gy_channel_type *type = channel->type;
    const gy_slot *place = &type->slots[f];
    uint32_t per = type->per_word, bits = place->bits;
    gy_text word = {0}, shift = {0};
    if (!slot && bits && isdigit(*channel->at)) {
        uint32_t first = (uint32_t)strtoul(channel->at, NULL, 10) + place->word;
        gy_gen_get(g, g->out, state, (gy_gen_place){first, place->shift, bits, place->min < 0});
        return;
    }
    gy_text_printf(&word, "%s + %u", channel->at, place->word);
    gy_text_printf(&shift, "%u", place->shift);
    if (slot && per) {
        gy_text_printf(&word, " + %s / %u", slot, per);
        gy_text_printf(&shift, " + %s %% %u * %u", slot, per, type->message_bits);
    } else if (slot)
        gy_text_printf(&word, " + %s * %u", slot, type->message_words);
    const char *w = gy_text_str(&word), *sh = gy_text_str(&shift);
    if (!bits)
        gy_text_printf(g->out, "(%d)", place->min);
    else if (bits == 32)
        gy_text_printf(g->out, "(int)WORD(%s, %s)", state, w);
    else if (place->min < 0)
        gy_text_printf(g->out, "GETS(%s, %s, %s, %u)", state, w, sh, bits);
    else
        gy_text_printf(g->out, "GET(%s, %s, %s, 0x%xu)", state, w, sh, mask_of(bits));
    gy_text_free(&word);
    gy_text_free(&shift);
}

static void length_of(const gy_gen *g, const gy_gen_channel *channel, const char *state,
                      gy_text *out)
{
    const gy_channel_type *type = channel->type;
    if (isdigit(*channel->at)) {
        uint32_t word = (uint32_t)strtoul(channel->at, NULL, 10) + type->length_word;
        gy_text_add(out, "(word)");
        gy_gen_get(g, out, state,
                   (gy_gen_place){word, type->length_shift, type->length_bits, false});
        return;
    }
    gy_text_printf(out, "(word)GET(%s, %s + %u, %u, 0x%xu)", state, channel->at, type->length_word,
                   type->length_shift, mask_of(type->length_bits));
}

static void matches(gy_gen *g, const gy_gen_channel *channel, const char *slot,
                    const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH) {
            gy_text_add(g->out, " && ");
            field_of(g, channel, g->s, slot, f);
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

// Appends statements that declare `fits`, and `slot` where a search is needed.
static void find_message(gy_gen *g, const gy_gen_channel *channel, const gy_field *fields,
                         uint32_t count, bool random)
{
    keys(g, fields, count);
    if (random) {
        gy_text_add(g->out, "word slot = 0, length_ = ");
        length_of(g, channel, g->s, g->out);
        gy_text_add(g->out, "; for (; slot < length_; slot++) if (1");
        matches(g, channel, "slot", fields, count);
        gy_text_add(g->out, ") break; int fits = slot < length_;");
    } else {
        gy_text_add(g->out, "int fits = ");
        length_of(g, channel, g->s, g->out);
        gy_text_add(g->out, " != 0");
        matches(g, channel, NULL, fields, count);
        gy_text_add(g->out, ";");
    }
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
        gy_text_add(g->out, "NOTHING");
        return;
    }
    gy_gen_channel channel = {.type = type, .id = set.certain ? set.id : 0};
    gy_text_add(g->out, "(BLOCK ");
    if (set.certain)
        snprintf(channel.at, sizeof channel.at, "%u", g->shape->shape->channel[set.id - 1].offset);
    else {
        snprintf(channel.at, sizeof channel.at, "at%u_", g->names++);
        gy_text_printf(g->out, "word %s = channel_at[INDEX(", channel.at);
        gy_gen_expr(g, expr->a);
        gy_text_add(g->out, " - 1, CHANNELS) + 1]; ");
    }
    find_message(g, &channel, expr->args, expr->arg_count, expr->random);
    gy_text_add(g->out, " YIELD(fits) END_BLOCK)");
}

// ---- transfers ------------------------------------------------------------------------

void gy_gen_send_test(gy_gen *g, const gy_gen_channel *channel)
{
    if (g->lossy)
        gy_gen_line(g, "int fits = 1;");
    else {
        gy_text length = {0};
        length_of(g, channel, g->s, &length);
        gy_gen_line(g, "int fits = %s < %u;", gy_text_str(&length), channel->type->capacity);
        gy_text_free(&length);
    }
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

// The length becomes `length`, and the messages from the one in slot `first` to the one in `last`
// have changed. Messages beyond the length are zero before and after.
static void wrote_messages(gy_gen *g, const gy_gen_channel *channel, const char *length,
                           const char *first, const char *last)
{
    const gy_channel_type *type = channel->type;
    uint32_t per = type->per_word, words = type->message_words;
    if (isdigit(*channel->at)) {
        uint32_t word = (uint32_t)strtoul(channel->at, NULL, 10) + type->length_word;
        gy_gen_put(g, (gy_gen_place){word, type->length_shift, type->length_bits, false}, length,
                   "length");
    } else
        gy_gen_line(g, "PUT_SOMEWHERE(o, %s + %u, %u, 0x%xu, %s);", channel->at, type->length_word,
                    type->length_shift, mask_of(type->length_bits), length);
    if (per && type->capacity <= per)
        gy_gen_line(g, "WROTE_RANGE(%s, %s);", channel->at, channel->at);
    else if (per)
        gy_gen_line(g, "WROTE_RANGE(%s + %s / %u, %s + %s / %u);", channel->at, first, per,
                    channel->at, last, per);
    else
        gy_gen_line(g, "WROTE_RANGE(%s + %s * %u, %s + %u + %s * %u);", channel->at, first, words,
                    channel->at, words - 1, last, words);
}

// v0_, v1_ … into slot `slot`, which is zero.
static void write_message(gy_gen *g, const gy_gen_channel *channel, const char *slot)
{
    const gy_channel_type *type = channel->type;
    uint32_t per = type->per_word, at;
    bool side_by_side = gy_gen_queue(g, channel, &at);
    if (side_by_side)
        gy_gen_line(g, "word sh_ = %u + %s * %u;", at % 64, slot, type->message_bits);
    else if (per)
        gy_gen_line(g, "word x_ = %s + %s / %u, sh_ = %s %% %u * %u;", channel->at, slot, per, slot,
                    per, type->message_bits);
    else
        gy_gen_line(g, "word x_ = %s + %s * %u;", channel->at, slot, type->message_words);
    for (uint32_t w = 0; w < type->message_words; w++) {
        gy_text line = {0};
        for (uint32_t f = 0; f < type->field_count; f++)
            if (type->slots[f].bits && type->slots[f].word == w)
                gy_text_printf(&line, "%s((word)v%u_ & 0x%xu) << %u", line.n ? " | " : "", f,
                               mask_of(type->slots[f].bits), type->slots[f].shift);
        if (side_by_side)
            gy_gen_line(g, "o->x[%u] |= (u64)(%s) << sh_;", at / 64, gy_text_str(&line));
        else
            gy_gen_line(g, "OR_WORD(o, x_ + %u, (%s)%s);", w, gy_text_str(&line),
                        per ? " << sh_" : "");
        gy_text_free(&line);
    }
}

// `place_` is where a sorted send puts its message; those from there on move up by one.
static void find_place(gy_gen *g, const gy_gen_channel *channel)
{
    const gy_channel_type *type = channel->type;
    gy_gen_line(g, "word place_ = 0;");
    gy_gen_open(g, "for (; place_ < length_; place_++)");
    for (uint32_t f = 0; f < type->field_count; f++) {
        gy_text field = {0}, *out = g->out;
        g->out = &field;
        field_of(g, channel, "o", "place_", f);
        g->out = out;
        gy_gen_line(g, "if (v%u_ > %s) continue;", f, gy_text_str(&field));
        gy_gen_line(g, "if (v%u_ < %s) break;", f, gy_text_str(&field));
        gy_text_free(&field);
    }
    gy_gen_close(g);
    if (type->per_word)
        gy_gen_line(g, "make_room(AT(o, %s), place_, length_, %u, %u, %u);", channel->at,
                    type->message_bits, type->per_word, type->capacity);
    else
        gy_gen_line(g, "make_long_room(AT(o, %s), place_, length_, %u);", channel->at,
                    type->message_words);
}

// Reports to the trace assertion message e_.
static void tell(gy_gen *g, const gy_gen_channel *channel, bool is_receive)
{
    char id[16] = "c_"; // where it is known at run time only
    if (channel->id)
        snprintf(id, sizeof id, "%d", channel->id);
    gy_gen_event(g, id, is_receive, "e_");
}

// Declares e_: the message in slot `slot` (NULL: the first), as the trace assertion sees it.
static void declare_message(gy_gen *g, const gy_gen_channel *channel, const char *slot)
{
    gy_text line = {0}, *out = g->out;
    g->out = &line;
    for (uint32_t f = 0; f < channel->type->field_count; f++) {
        field_of(g, channel, "o", slot, f);
        gy_text_add(&line, ", ");
    }
    g->out = out;
    gy_gen_line(g, "int e_[%u] = {%s0};", g->program->max_fields + 1, gy_text_str(&line));
    gy_text_free(&line);
}

void gy_gen_send(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm)
{
    const gy_channel_type *type = channel->type;
    for (uint32_t f = 0; f < type->field_count; f++) {
        char *value = comm->fields[f].expr ? gy_gen_text(g, comm->fields[f].expr) : NULL;
        gy_gen_line(g, "int v%u_ = %s; (void)v%u_;", f, value ? value : "0", f);
        free(value);
    }
    gy_text length = {0};
    length_of(g, channel, "o", &length);
    gy_gen_line(g, "word length_ = %s;", gy_text_str(&length));
    gy_text_free(&length);
    if (g->lossy)
        gy_gen_open(g, "if (length_ < %u)", type->capacity);
    const char *slot = comm->sorted ? "place_" : type->capacity > 1 ? "length_" : "0";
    if (comm->sorted)
        find_place(g, channel);
    write_message(g, channel, slot);
    wrote_messages(g, channel, "length_ + 1", slot, type->capacity > 1 ? "length_" : "0");
    if (gy_gen_watches(g, channel->id, false)) {
        declare_message(g, channel, slot);
        tell(g, channel, false);
    }
    if (g->lossy)
        gy_gen_close(g);
}

// Short messages in few words, whose place is known.
static bool has_few_words(const gy_gen_channel *channel)
{
    enum { FEW = 4 };
    const gy_channel_type *type = channel->type;
    return type->per_word && type->message_bits && type->message_bits < 32 &&
           isdigit(*channel->at) && (type->capacity - 1) / type->per_word < FEW;
}

// Removes the first of them, word by word.
static void shift_messages(gy_gen *g, const gy_gen_channel *channel)
{
    const gy_channel_type *type = channel->type;
    uint32_t at = (uint32_t)strtoul(channel->at, NULL, 10), bits = type->message_bits;
    uint32_t per = type->per_word, last = (type->capacity - 1) / per;
    for (uint32_t w = 0; w < last; w++)
        gy_gen_line(g, "SHIFT_IN(o, %u, 0x%xu, %u, 0x%xu, %u);", at + w, mask_of(per * bits), bits,
                    mask_of(bits), (per - 1) * bits);
    gy_gen_line(g, "SHIFT(o, %u, 0x%xu, %u);", at + last,
                mask_of((type->capacity - last * per) * bits), bits);
}

// Removes message `slot`.
static void remove_message(gy_gen *g, const gy_gen_channel *channel, bool random)
{
    enum { FEW = 24 };
    const gy_channel_type *type = channel->type;
    const char *slot = random ? "slot" : "0";
    gy_text length = {0};
    length_of(g, channel, "o", &length);
    gy_gen_line(g, "word last_ = %s - 1;", gy_text_str(&length));
    gy_text_free(&length);
    uint32_t at;
    if (gy_gen_queue(g, channel, &at))
        gy_gen_line(g, "drop_bits(&o->x[%u], %u, %u, %s * %u, %u);", at / 64, at % 64,
                    type->capacity * type->message_bits, slot, type->message_bits,
                    type->message_bits);
    else if (!random && !g->device && has_few_words(channel))
        shift_messages(g, channel);
    else if (type->per_word)
        gy_gen_line(g, "drop_message(AT(o, %s), %s, %u, %u, %u);", channel->at, slot,
                    type->message_bits, type->per_word, type->capacity);
    else if (!random && type->capacity * type->message_words <= FEW) // a known size is faster
        gy_gen_line(g, "drop_long_message(AT(o, %s), 0, %u, %u);", channel->at, type->capacity - 1,
                    type->message_words);
    else
        gy_gen_line(g, "drop_long_message(AT(o, %s), %s, last_, %u);", channel->at, slot,
                    type->message_words);
    wrote_messages(g, channel, "last_", slot, "last_");
}

void gy_gen_take(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm)
{
    gy_text *out = g->out;
    for (uint32_t f = 0; f < comm->field_count; f++)
        if (comm->fields[f].kind == GY_FIELD_STORE) {
            gy_text line = {0};
            g->out = &line;
            field_of(g, channel, "o", comm->random ? "slot" : NULL, f);
            g->out = out;
            gy_gen_line(g, "int m%u_ = %s;", f, gy_text_str(&line));
            gy_text_free(&line);
        }
    bool watched = !comm->keep && gy_gen_watches(g, channel->id, true);
    if (watched)
        declare_message(g, channel, comm->random ? "slot" : NULL);
    if (!comm->keep)
        remove_message(g, channel, comm->random);
    if (watched)
        tell(g, channel, true);
}

void gy_gen_store_fields(gy_gen *g, const gy_gen_comm *comm)
{
    for (uint32_t f = 0; f < comm->field_count; f++)
        if (comm->fields[f].kind == GY_FIELD_STORE) {
            char value[16];
            snprintf(value, sizeof value, "m%u_", f);
            if (comm->fields[f].checked)
                gy_gen_check(g, comm->fields[f].var, value);
            gy_gen_store(g, comm->fields[f].var, comm->fields[f].index, value);
        }
}
