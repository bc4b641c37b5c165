// A global chan keeps what the start gave it if nothing else is ever stored in it. The n-th
// channel made at the start has identity n, since none can die before the first process starts.
#include "model/channels.h"

#include "base/fatal.h"
#include "model/visit.h"

#include <stdlib.h>

static void lose(int32_t *channels, int32_t var)
{
    if (var != GY_NONE)
        channels[var] = -1;
}

static void lose_stored(void *channels, int32_t var, const gy_expr *index)
{
    (void)index;
    lose(channels, var);
}

static int32_t *find(const gy_model *model, bool want_types)
{
    int32_t *channels = gy_alloc_zero((model->var_count + 1) * sizeof *channels);
    int32_t *types = gy_alloc_zero((model->var_count + 1) * sizeof *types);
    gy_visitor stores = {.user = channels, .store = lose_stored};
    int32_t made = 0;
    uint32_t count = model->init && gy_program_is_straight(model->init) ? model->init->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const gy_action *action = &model->init->actions[i];
        bool is_new = action->kind == GY_A_NEW_CHANNEL;
        made += is_new;
        if (!gy_action_has_result(action)) {
            gy_visit_action(&stores, action);
            continue;
        }
        if (is_new && !action->index && !model->vars[action->var].is_array &&
            channels[action->var] == 0) {
            channels[action->var] = made;
            types[action->var] = action->channel_type;
        } else
            lose(channels, action->var);
    }
    for (uint32_t i = 0; i < model->edge_count; i++)
        gy_visit_edge(&stores, &model->edges[i]);
    for (uint32_t i = 0; i < model->template_count; i++)
        gy_visit_program(&stores, model->templates[i].init);
    for (uint32_t i = 0; i < model->var_count; i++) {
        bool known = channels[i] > 0 && made <= 255;
        channels[i] = known ? channels[i] : 0;
        types[i] = known ? types[i] : GY_NONE;
    }
    free(want_types ? channels : types);
    return want_types ? types : channels;
}

int32_t *gy_model_static_channels(const gy_model *model)
{
    return find(model, false);
}

int32_t *gy_model_static_channel_types(const gy_model *model)
{
    return find(model, true);
}

// ---- types of all that a variable can hold ------------------------------------------------

enum { UNSET = -2, UNKNOWN = GY_NONE };

static void unknown_stored(int32_t *types, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_STORE)
            types[fields[f].var] = UNKNOWN;
}

static void learn_from(int32_t *types, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        unknown_stored(types, action->fields, action->field_count);
        if (action->var == GY_NONE)
            continue;
        bool fits = types[action->var] == UNSET || types[action->var] == action->channel_type;
        types[action->var] =
            action->kind == GY_A_NEW_CHANNEL && fits ? action->channel_type : UNKNOWN;
    }
}

int32_t *gy_model_channel_types(const gy_model *model)
{
    int32_t *types = gy_alloc((model->var_count + 1) * sizeof *types);
    for (uint32_t v = 0; v < model->var_count; v++)
        types[v] = model->vars[v].is_param ? UNKNOWN : UNSET;
    learn_from(types, model->init);
    for (uint32_t t = 0; t < model->template_count; t++)
        learn_from(types, model->templates[t].init);
    for (uint32_t e = 0; e < model->edge_count; e++) {
        unknown_stored(types, model->edges[e].fields, model->edges[e].field_count);
        learn_from(types, model->edges[e].effect);
    }
    for (uint32_t v = 0; v < model->var_count; v++)
        types[v] = types[v] == UNSET ? UNKNOWN : types[v];
    return types;
}
