// A cell is a chan variable or an element of one (large arrays are one cell), or a field of the
// messages in a channel. Each holds a set of channels, and every assignment, receive and start of a
// process says that one set contains another: the smallest sets that satisfy all of this are found
// by going over the model until nothing grows. A channel that comes out of arithmetic, out of a
// variable or field of another type, or out of C code, may be any.
#include "model/points_to.h"

#include "base/bits.h"
#include "base/fatal.h"

#include <stdlib.h>

enum { OTHERS = 64 * GY_HELD_WORDS - 1, SPLIT_LIMIT = 64 };

struct gy_points_to {
    const gy_model *model;
    uint32_t *first; // by variable: its first cell
    gy_channel_set *cells;
    uint32_t field_count;    // of the longest message
    gy_channel_set *content; // by channel of a set, by field
    int32_t types[OTHERS];   // of the channels of the start
    uint32_t start_count;
    uint8_t *others_other; // by field: of some channel made later, it is no chan
    bool any;              // nothing is known: there is C code
    bool grew;
};

static gy_channel_set all_channels(void)
{
    gy_channel_set set;
    for (uint32_t w = 0; w < GY_HELD_WORDS; w++)
        set.word[w] = ~(uint64_t)0;
    return set;
}

static bool has(const gy_channel_set *set, uint32_t channel)
{
    return gy_bits_has(set->word, channel);
}

bool gy_channel_sets_meet(gy_channel_set a, gy_channel_set b)
{
    uint64_t both = 0;
    for (uint32_t w = 0; w < GY_HELD_WORDS; w++)
        both |= a.word[w] & b.word[w];
    return both != 0;
}

static void join(gy_channel_set *to, gy_channel_set from)
{
    for (uint32_t w = 0; w < GY_HELD_WORDS; w++)
        to->word[w] |= from.word[w];
}

static void grow(gy_points_to *h, gy_channel_set *to, gy_channel_set from)
{
    for (uint32_t w = 0; w < GY_HELD_WORDS; w++) {
        h->grew |= (from.word[w] & ~to->word[w]) != 0;
        to->word[w] |= from.word[w];
    }
}

// ---- variables --------------------------------------------------------------------------

static uint32_t cell_count(const gy_variable *var)
{
    return var->count <= SPLIT_LIMIT ? var->count : 1;
}

static bool known_cell(const gy_points_to *h, int32_t var, const gy_expr *index, uint32_t *cell)
{
    uint32_t count = cell_count(&h->model->vars[var]);
    if (index && index->op == GY_E_INDEX)
        index = index->a;
    bool known = count == 1 || !index || index->op == GY_E_CONST;
    *cell = h->first[var] + (count > 1 && known && index ? (uint32_t)index->value % count : 0);
    return known;
}

static gy_channel_set read_variable(const gy_points_to *h, int32_t var, const gy_expr *index)
{
    const gy_variable *v = &h->model->vars[var];
    uint32_t cell;
    if (v->type.kind != GY_CHAN)
        return all_channels();
    if (known_cell(h, var, index, &cell))
        return h->cells[cell];
    gy_channel_set set = {{0}};
    for (uint32_t i = 0; i < cell_count(v); i++)
        join(&set, h->cells[h->first[var] + i]);
    return set;
}

static void write_variable(gy_points_to *h, int32_t var, const gy_expr *index, gy_channel_set set)
{
    uint32_t cell;
    if (var == GY_NONE || h->model->vars[var].type.kind != GY_CHAN)
        return;
    if (known_cell(h, var, index, &cell)) {
        grow(h, &h->cells[cell], set);
        return;
    }
    for (uint32_t i = 0; i < cell_count(&h->model->vars[var]); i++)
        grow(h, &h->cells[h->first[var] + i], set);
}

gy_channel_set gy_points_to_by(const gy_points_to *h, const gy_expr *expr)
{
    gy_channel_set set = {{0}};
    if (h->any)
        return all_channels();
    switch (expr->op) {
    case GY_E_CONST:
        return expr->value ? all_channels() : set;
    case GY_E_VAR:
        return read_variable(h, expr->var, expr->a);
    case GY_E_EXCLUSIVE:
        return gy_points_to_by(h, expr->a);
    case GY_E_COND:
        set = gy_points_to_by(h, expr->b);
        join(&set, gy_points_to_by(h, expr->c));
        return set;
    default:
        return all_channels();
    }
}

// ---- messages ---------------------------------------------------------------------------

static gy_channel_set *content_of(const gy_points_to *h, uint32_t channel, uint32_t field)
{
    return &h->content[channel * h->field_count + field];
}

static void send(gy_points_to *h, const gy_expr *chan, const gy_field *fields, uint32_t count)
{
    gy_channel_set to = gy_points_to_by(h, chan);
    for (uint32_t f = 0; f < count && f < h->field_count; f++) {
        gy_channel_set sent = gy_points_to_by(h, fields[f].expr);
        for (uint32_t c = 0; c <= OTHERS; c++)
            if (has(&to, c))
                grow(h, content_of(h, c, f), sent);
    }
}

// Is field f of this channel, if it has one, a chan?
static bool keeps_channels(const gy_points_to *h, uint32_t channel, uint32_t f)
{
    if (channel == OTHERS)
        return !h->others_other[f];
    if (channel >= h->start_count)
        return true; // there is no such channel
    const gy_channel_type *type = &h->model->channel_types[h->types[channel]];
    return f >= type->field_count || type->fields[f].kind == GY_CHAN;
}

static void receive(gy_points_to *h, const gy_expr *chan, const gy_field *fields, uint32_t count)
{
    gy_channel_set from = gy_points_to_by(h, chan);
    for (uint32_t f = 0; f < count && f < h->field_count; f++)
        for (uint32_t c = 0; fields[f].kind == GY_FIELD_STORE && c <= OTHERS; c++)
            if (has(&from, c))
                write_variable(h, fields[f].var, fields[f].index,
                               keeps_channels(h, c, f) ? *content_of(h, c, f) : all_channels());
}

// ---- the model --------------------------------------------------------------------------

static void start_process(gy_points_to *h, const gy_action *action)
{
    const gy_template *tmpl = &h->model->templates[action->tmpl];
    for (uint32_t i = 0; i < action->field_count && i < tmpl->param_count; i++)
        write_variable(h, tmpl->first_var + (int32_t)i, NULL,
                       gy_points_to_by(h, action->fields[i].expr));
}

static gy_channel_set only(uint32_t channel)
{
    gy_channel_set set = {{0}};
    if (channel > OTHERS)
        channel = OTHERS;
    gy_bits_add(set.word, channel);
    return set;
}

// `made`: channels that were made before, or NULL: their number is not known.
static void visit_program(gy_points_to *h, const gy_program *program, uint32_t *made)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_ASSIGN)
            write_variable(h, action->var, action->index, gy_points_to_by(h, action->expr));
        else if (action->kind == GY_A_NEW_CHANNEL)
            write_variable(h, action->var, action->index, only(made ? (*made)++ : OTHERS));
        else if (action->kind == GY_A_SEND)
            send(h, action->chan, action->fields, action->field_count);
        else if (action->kind == GY_A_RECV)
            receive(h, action->chan, action->fields, action->field_count);
        else if (action->kind == GY_A_RUN)
            start_process(h, action);
        else if (action->kind == GY_A_ASSIGN_ALL)
            for (uint32_t f = 0; f < action->field_count; f++)
                write_variable(h, action->fields[f].var, action->fields[f].index,
                               gy_points_to_by(h, action->fields[f].expr));
        else if (action->kind == GY_A_CHOOSE)
            write_variable(h, action->var, action->index, all_channels());
    }
}

static void visit_model(gy_points_to *h)
{
    const gy_model *model = h->model;
    uint32_t made = 0;
    visit_program(h, model->init, gy_program_is_straight(model->init) ? &made : NULL);
    for (uint32_t t = 0; t < model->template_count; t++)
        visit_program(h, model->templates[t].init, NULL);
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        gy_template_kind kind = model->templates[edge->tmpl].kind;
        bool is_process = kind == GY_TMPL_PROCESS || kind == GY_TMPL_INIT;
        if (edge->sync == GY_SYNC_SEND && is_process)
            send(h, edge->chan, edge->fields, edge->field_count);
        if (edge->sync == GY_SYNC_RECV && is_process)
            receive(h, edge->chan, edge->fields, edge->field_count);
        visit_program(h, edge->effect, NULL);
    }
}

static void note_later_types(gy_points_to *h, const gy_program *program, bool at_start)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind != GY_A_NEW_CHANNEL)
            continue;
        const gy_channel_type *type = &h->model->channel_types[action->channel_type];
        if (at_start && h->start_count < OTHERS) {
            h->types[h->start_count++] = action->channel_type;
            continue;
        }
        for (uint32_t f = 0; f < type->field_count; f++)
            h->others_other[f] |= type->fields[f].kind != GY_CHAN;
    }
}

gy_points_to *gy_points_to_new(const gy_model *model)
{
    gy_points_to *h = gy_alloc_zero(sizeof *h);
    uint32_t cells = 0;
    h->model = model;
    h->any = gy_has_c(model);
    h->first = gy_alloc((model->var_count + 1) * sizeof *h->first);
    for (uint32_t v = 0; v < model->var_count; v++) {
        h->first[v] = cells;
        cells += cell_count(&model->vars[v]);
    }
    for (uint32_t t = 0; t < model->channel_type_count; t++)
        if (model->channel_types[t].field_count > h->field_count)
            h->field_count = model->channel_types[t].field_count;
    h->cells = gy_alloc_zero((cells + 1) * sizeof *h->cells);
    h->content = gy_alloc_zero(((OTHERS + 1) * h->field_count + 1) * sizeof *h->content);
    h->others_other = gy_alloc_zero(h->field_count + 1);
    note_later_types(h, model->init, gy_program_is_straight(model->init));
    for (uint32_t t = 0; t < model->template_count; t++)
        note_later_types(h, model->templates[t].init, false);
    for (uint32_t e = 0; e < model->edge_count; e++)
        note_later_types(h, model->edges[e].effect, false);
    do {
        h->grew = false;
        visit_model(h);
    } while (h->grew);
    return h;
}

void gy_points_to_free(gy_points_to *held)
{
    if (!held)
        return;
    free(held->first);
    free(held->cells);
    free(held->content);
    free(held->others_other);
    free(held);
}
