// All variables and channels of a state.
#include "verify/explain/explain.h"

static int32_t value_of(const gy_decoded_state *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_state_view_global(scene->model, scene->state, var, element);
    return gy_state_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var,
                               element);
}

gy_value gy_tell_value(gy_arena *arena, const gy_decoded_state *scene, gy_type type, int32_t value)
{
    gy_text text = {0};
    gy_value told = {.number = value};
    told.kind = type.kind == GY_BOOL    ? GY_VALUE_BOOL
                : type.kind == GY_MTYPE ? GY_VALUE_NAME
                : type.kind == GY_CHAN  ? GY_VALUE_CHANNEL
                                        : GY_VALUE_NUMBER;
    gy_value_text(scene, type, value, &text);
    told.text = gy_keep(arena, &text);
    return told;
}

gy_value gy_tell_set(gy_arena *arena, const gy_decoded_state *scene, int32_t var, uint32_t first,
                     int32_t pid)
{
    const gy_variable *variable = &scene->model->vars[var];
    uint32_t dim = variable->dim_count - 1;
    const char *const *names = variable->index_names ? variable->index_names[dim] : NULL;
    gy_text text = {0};
    bool any = false;
    gy_text_char(&text, '{');
    for (uint32_t i = 0; i < variable->dims[dim]; i++) {
        if (!value_of(scene, var, first + i, pid))
            continue;
        gy_text_add(&text, any ? ", " : "");
        if (names)
            gy_text_add(&text, names[i]);
        else
            gy_text_printf(&text, "%u", i);
        any = true;
    }
    gy_text_char(&text, '}');
    return (gy_value){GY_VALUE_NAME, 0, gy_keep(arena, &text)};
}

void gy_set_name(const gy_model *model, int32_t var, uint32_t first, gy_text *out)
{
    gy_name_variable(model, var, first, out);
    const char *sign = strstr(gy_text_str(out), " ∋ ");
    if (sign) {
        out->n = (size_t)(sign - out->at);
        out->at[out->n] = 0;
    }
}

// "a = [0, 2]" is possible if there is one index and it comes last.
static bool is_list(const gy_variable *variable)
{
    size_t n = variable->format ? strlen(variable->format) : 0;
    return (variable->is_array || variable->count != 1) && variable->dim_count <= 1 &&
           !variable->index_names && (n < 3 || strcmp(variable->format + n - 3, "[%]") == 0);
}

// A chan variable that holds the channel that was made for it says nothing new.
static bool holds_its_own(const gy_decoded_state *scene, int32_t var, int32_t pid)
{
    const gy_variable *variable = &scene->model->vars[var];
    if (variable->type.kind != GY_CHAN || variable->count != 1)
        return false;
    int32_t identity = value_of(scene, var, 0, pid);
    if (identity <= 0 || (uint32_t)identity > scene->view.channel_count)
        return false;
    const gy_state_view_channel *channel = &scene->view.channels[identity - 1];
    return channel->creator == pid &&
           strcmp(scene->model->channel_types[channel->type].name, variable->name) == 0;
}

typedef GY_VEC(gy_binding) binding_list;

static void bind_sets(gy_arena *arena, const gy_decoded_state *scene, int32_t var, int32_t pid,
                      binding_list *list)
{
    const gy_variable *variable = &scene->model->vars[var];
    uint32_t members = variable->dims[variable->dim_count - 1];
    for (uint32_t i = 0; members && i < variable->count; i += members) {
        gy_value *value = GY_NEW(arena, gy_value);
        gy_text name = {0};
        *value = gy_tell_set(arena, scene, var, i, pid);
        gy_set_name(scene->model, var, i, &name);
        gy_binding binding = {.name = gy_keep(arena, &name), .values = value, .count = 1};
        gy_vec_push(list, binding);
    }
}

static void bind(gy_arena *arena, const gy_decoded_state *scene, int32_t var, int32_t pid,
                 binding_list *list)
{
    const gy_variable *variable = &scene->model->vars[var];
    gy_value *values = GY_NEW_ARRAY(arena, gy_value, variable->count);
    gy_binding binding = {.is_own = holds_its_own(scene, var, pid), .count = 1};
    for (uint32_t i = 0; i < variable->count; i++)
        values[i] = gy_tell_value(arena, scene, variable->type, value_of(scene, var, i, pid));
    if (is_list(variable)) {
        gy_text name = {0};
        gy_name_list(scene->model, var, &name);
        binding.name = gy_keep(arena, &name);
        binding.is_list = true;
        binding.values = values;
        binding.count = variable->count;
        gy_vec_push(list, binding);
        return;
    }
    for (uint32_t i = 0; i < variable->count; i++) { // scalars, and arrays inside structures
        gy_text name = {0};
        if (variable->is_array || variable->count != 1)
            gy_name_variable(scene->model, var, i, &name);
        else
            gy_name_list(scene->model, var, &name);
        binding.name = gy_keep(arena, &name);
        binding.values = &values[i];
        gy_vec_push(list, binding);
    }
}

const gy_binding *gy_tell_variables(gy_arena *arena, const gy_decoded_state *scene, int32_t pid,
                                    uint32_t *count)
{
    const gy_model *model = scene->model;
    int32_t first = 0, end = (int32_t)model->global_count;
    binding_list list = {0};
    if (pid >= 0) {
        const gy_template *tmpl = &model->templates[scene->view.processes[pid].tmpl];
        first = tmpl->first_var;
        end = first + tmpl->var_count;
    }
    for (int32_t v = first; v < end; v++)
        if (model->vars[v].is_set && !model->vars[v].hidden)
            bind_sets(arena, scene, v, pid, &list);
        else if (!model->vars[v].hidden)
            bind(arena, scene, v, pid, &list);
    gy_binding *kept = GY_NEW_ARRAY(arena, gy_binding, list.n + 1);
    if (list.n)
        memcpy(kept, list.at, list.n * sizeof *kept);
    *count = (uint32_t)list.n;
    gy_vec_free(&list);
    return kept;
}

const gy_message *gy_tell_messages(gy_arena *arena, const gy_decoded_state *scene, uint32_t channel)
{
    const gy_state_view_channel *live = &scene->view.channels[channel];
    const gy_channel_type *type = &scene->model->channel_types[live->type];
    gy_message *list = GY_NEW_ARRAY(arena, gy_message, live->length + 1);
    for (uint32_t m = 0; m < live->length; m++) {
        gy_value *fields = GY_NEW_ARRAY(arena, gy_value, type->field_count + 1);
        for (uint32_t f = 0; f < type->field_count; f++)
            fields[f] = gy_tell_value(
                arena, scene, type->fields[f],
                gy_state_view_field(scene->model, scene->state, &scene->view, channel, m, f));
        list[m] = (gy_message){fields, type->field_count};
    }
    return list;
}

gy_channel_value gy_tell_channel(gy_arena *arena, const gy_decoded_state *scene, uint32_t channel)
{
    const gy_state_view_channel *live = &scene->view.channels[channel];
    const char **messages = GY_NEW_ARRAY(arena, const char *, live->length + 1);
    gy_text text = {0};
    gy_name_channel(scene, channel, &text);
    gy_channel_value told = {
        .name = gy_keep(arena, &text),
        .capacity = (uint32_t)scene->model->channel_types[live->type].capacity,
        .messages = messages,
        .message_count = live->length,
        .contents = gy_tell_messages(arena, scene, channel),
    };
    for (uint32_t m = 0; m < live->length; m++) {
        gy_message_text(scene, channel, m, &text);
        messages[m] = gy_keep(arena, &text);
    }
    return told;
}

const gy_channel_value *gy_tell_channels(gy_arena *arena, const gy_decoded_state *scene,
                                         uint32_t *count)
{
    gy_channel_value *list = GY_NEW_ARRAY(arena, gy_channel_value, scene->view.channel_count + 1);
    for (uint32_t c = 0; c < scene->view.channel_count; c++)
        list[c] = gy_tell_channel(arena, scene, c);
    *count = scene->view.channel_count;
    return list;
}

gy_position gy_tell_position(gy_arena *arena, const gy_decoded_state *scene, int32_t pid)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &scene->model->templates[process->tmpl];
    gy_location place = tmpl->nodes[process->node].place;
    gy_location_info info = gy_location_user(scene->model->sources, place);
    const char *file = place ? gy_source_name(scene->model->sources, info.file) : NULL;
    return (gy_position){.pid = pid,
                         .state = process->node,
                         .file = gy_arena_strdup(arena, file ? file : scene->model->name),
                         .line = info.line,
                         .column = info.line ? info.column : 0};
}

gy_process_value gy_tell_process(gy_arena *arena, const gy_decoded_state *scene, int32_t pid)
{
    const gy_template *tmpl = &scene->model->templates[scene->view.processes[pid].tmpl];
    gy_position position = gy_tell_position(arena, scene, pid);
    gy_process_value told = {.pid = pid,
                             .type = gy_arena_strdup(arena, gy_template_name(tmpl)),
                             .file = position.file,
                             .line = position.line,
                             .column = position.column,
                             .state = position.state};
    told.process = gy_arena_printf(arena, "%s(%d)", told.type, pid);
    told.locals = gy_tell_variables(arena, scene, pid, &told.local_count);
    return told;
}
