#include "model/matrix.h"

#include "base/fatal.h"
#include "model/channels.h"

#include <stdlib.h>

// Where the slots of each kind are.
typedef struct index_of_slots {
    int32_t *variable, *channel; // by variable, or GY_NONE
    uint32_t control;            // of template 0
    uint32_t system;
} index_of_slots;

static uint32_t add_slot(gy_matrix *m, gy_slot_kind kind, int32_t var, int32_t tmpl)
{
    m->slot[m->slots] = (gy_matrix_slot){kind, var, tmpl};
    return m->slots++;
}

static index_of_slots make_slots(gy_matrix *m, const gy_model *model)
{
    index_of_slots at = {0};
    int32_t *known = gy_model_static_channels(model);
    size_t bytes = (model->var_count + 1) * sizeof *at.variable;
    m->slot =
        gy_alloc((2 * (size_t)model->var_count + model->template_count + 2) * sizeof *m->slot);
    at.variable = gy_alloc(bytes);
    at.channel = gy_alloc(bytes);
    for (int32_t v = 0; v < (int32_t)model->var_count; v++)
        at.variable[v] = model->vars[v].hidden
                             ? GY_NONE
                             : (int32_t)add_slot(m, GY_SLOT_VARIABLE, v, model->vars[v].owner);
    at.control = m->slots;
    for (uint32_t t = 0; t < model->template_count; t++)
        add_slot(m, GY_SLOT_CONTROL, GY_NONE, (int32_t)t);
    for (int32_t v = 0; v < (int32_t)model->var_count; v++)
        at.channel[v] = known[v] ? (int32_t)add_slot(m, GY_SLOT_CHANNEL, v, GY_NONE) : GY_NONE;
    add_slot(m, GY_SLOT_CHANNELS, GY_NONE, GY_NONE);
    at.system = add_slot(m, GY_SLOT_SYSTEM, GY_NONE, GY_NONE);
    free(known);
    return at;
}

static void mark_channels(uint8_t *row, const gy_matrix *m, const index_of_slots *at,
                          const gy_touch *touch, uint8_t how)
{
    if (touch->exact && touch->var != GY_NONE && at->channel[touch->var] != GY_NONE) {
        row[at->channel[touch->var]] |= how;
        return;
    }
    for (uint32_t s = 0; s < m->slots; s++)
        if (m->slot[s].kind == GY_SLOT_CHANNEL || m->slot[s].kind == GY_SLOT_CHANNELS)
            row[s] |= how;
}

static void mark(uint8_t *row, const gy_matrix *m, const index_of_slots *at, const gy_touch *touch)
{
    uint8_t how = touch->write ? GY_WRITES : GY_READS;
    switch (touch->kind) {
    case GY_TOUCH_VAR:
    case GY_TOUCH_REMOTE:
        if (at->variable[touch->var] != GY_NONE)
            row[at->variable[touch->var]] |= how;
        break;
    case GY_TOUCH_CHANNELS:
        mark_channels(row, m, at, touch, how);
        break;
    case GY_TOUCH_CONTROL:
        row[at->control + (uint32_t)touch->tmpl] |= how;
        break;
    case GY_TOUCH_SYSTEM:
        row[at->system] |= how;
        for (uint32_t s = 0; !touch->exact && s < m->slots; s++)
            row[s] |= how; // it depends on all that the others depend on
        break;
    }
}

gy_matrix *gy_matrix_new(const gy_model *model)
{
    gy_matrix *m = gy_alloc_zero(sizeof *m);
    index_of_slots at = make_slots(m, model);
    m->edges = model->edge_count;
    m->cells = gy_alloc_zero((size_t)m->edges * m->slots + 1);
    for (uint32_t e = 0; e < m->edges; e++) {
        const gy_edge *edge = &model->edges[e];
        uint8_t *row = m->cells + (size_t)e * m->slots;
        row[at.control + (uint32_t)edge->tmpl] = GY_READS | GY_WRITES;
        for (uint32_t i = 0; i < edge->touch_count; i++)
            mark(row, m, &at, &edge->touches[i]);
        for (uint32_t s = 0; gy_has_c(model) && s < m->slots; s++)
            row[s] = GY_READS | GY_WRITES;
    }
    free(at.variable);
    free(at.channel);
    return m;
}

void gy_matrix_free(gy_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->slot);
    free(matrix->cells);
    free(matrix);
}

void gy_matrix_slot_name(const gy_model *model, const gy_matrix_slot *slot, gy_text *out)
{
    const char *name = slot->var == GY_NONE ? "" : model->vars[slot->var].name;
    switch (slot->kind) {
    case GY_SLOT_VARIABLE:
        if (slot->tmpl != GY_NONE)
            gy_text_printf(out, "%s:", model->templates[slot->tmpl].name);
        gy_text_add(out, name);
        break;
    case GY_SLOT_CONTROL:
        gy_text_printf(out, "%s@", model->templates[slot->tmpl].name);
        break;
    case GY_SLOT_CHANNEL:
        gy_text_printf(out, "%s{}", name);
        break;
    case GY_SLOT_CHANNELS:
        gy_text_add(out, "channels");
        break;
    case GY_SLOT_SYSTEM:
        gy_text_add(out, "system");
        break;
    }
}
