#include "exec/describe/naming.h"

#include <ctype.h>
#include <string.h>

void gy_decoded_state_open(gy_decoded_state *scene, gy_worker *worker, const gy_word *state,
                           uint32_t words)
{
    scene->model = worker->system->model;
    scene->worker = worker;
    scene->state = state;
    scene->words = words;
    gy_state_view_state(worker, state, words, &scene->view);
}

const char *gy_template_name(const gy_template *tmpl)
{
    return tmpl->kind == GY_TMPL_INIT ? "init" : tmpl->name;
}

void gy_name_process(const gy_model *model, int32_t tmpl, int32_t pid, gy_text *out)
{
    gy_text_printf(out, "%s(%d)", gy_template_name(&model->templates[tmpl]), pid);
}

void gy_name_scene_process(const gy_decoded_state *scene, int32_t pid, gy_text *out)
{
    if (pid >= 0 && (uint32_t)pid < scene->view.process_count)
        gy_name_process(scene->model, scene->view.processes[pid].tmpl, pid, out);
    else
        gy_text_printf(out, "process %d", pid);
}

void gy_name_place(const gy_model *model, gy_location place, gy_text *out)
{
    if (place == 0) {
        gy_text_add(out, model->name);
        return;
    }
    gy_location_info info = gy_location_user(model->sources, place);
    gy_text_printf(out, "%s:%u", gy_source_name(model->sources, info.file), info.line);
}

const char *gy_base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void gy_name_place_short(const gy_model *model, gy_location place, gy_text *out)
{
    gy_text whole = {0};
    gy_name_place(model, place, &whole);
    gy_text_add(out, gy_base_name(gy_text_str(&whole)));
    gy_text_free(&whole);
}

// Variables of one name in several blocks of a process: x, x'2, x'3. `from`: where the name begins.
static void add_ordinal(const gy_model *model, int32_t var, size_t from, gy_text *out)
{
    const gy_variable *variable = &model->vars[var];
    unsigned ordinal = 1;
    if (variable->owner == GY_NONE)
        return;
    for (int32_t v = model->templates[variable->owner].first_var; v < var; v++)
        ordinal += strcmp(model->vars[v].name, variable->name) == 0;
    if (ordinal == 1)
        return;
    size_t at = from + strcspn(gy_text_str(out) + from, "[. ");
    gy_text rest = {0};
    gy_text_add(&rest, gy_text_str(out) + at);
    out->n = at;
    gy_text_printf(out, "'%u%s", ordinal, gy_text_str(&rest));
    gy_text_free(&rest);
}

void gy_name_variable(const gy_model *model, int32_t var, uint32_t element, gy_text *out)
{
    size_t from = out->n;
    gy_variable_name(&model->vars[var], element, out);
    add_ordinal(model, var, from, out);
}

void gy_name_list(const gy_model *model, int32_t var, gy_text *out)
{
    size_t from = out->n;
    gy_text_add(out, model->vars[var].name);
    add_ordinal(model, var, from, out);
}

void gy_name_element(const gy_decoded_state *scene, int32_t var, uint32_t element, int32_t pid,
                     int32_t reader, gy_text *out)
{
    const gy_variable *variable = &scene->model->vars[var];
    if (variable->owner != GY_NONE && pid != reader) {
        gy_name_process(scene->model, variable->owner, pid, out);
        gy_text_char(out, ':');
    }
    gy_name_variable(scene->model, var, element, out);
}

// Does an element of this variable hold the channel `identity`? Then its index is in *element.
static bool holds_channel(const gy_decoded_state *scene, int32_t var, int32_t pid, int32_t identity,
                          uint32_t *element)
{
    const gy_variable *variable = &scene->model->vars[var];
    if (variable->type.kind != GY_CHAN || variable->hidden)
        return false;
    for (uint32_t i = 0; i < variable->count; i++) {
        int32_t value = pid < 0 ? gy_state_view_global(scene->model, scene->state, var, i)
                                : gy_state_view_local(scene->model, scene->state, &scene->view,
                                                      (uint32_t)pid, var, i);
        if (value == identity) {
            *element = i;
            return true;
        }
    }
    return false;
}

void gy_name_channel(const gy_decoded_state *scene, uint32_t channel, gy_text *out)
{
    const gy_model *model = scene->model;
    const gy_state_view_channel *live = &scene->view.channels[channel];
    const char *name = model->channel_types[live->type].name;
    int32_t identity = (int32_t)channel + 1;
    int32_t pid = live->creator;
    uint32_t element;
    bool known = pid >= 0 && (uint32_t)pid < scene->view.process_count;
    int32_t first = 0, count = (int32_t)model->global_count;
    if (known) {
        const gy_template *tmpl = &model->templates[scene->view.processes[pid].tmpl];
        first = tmpl->first_var;
        count = tmpl->var_count;
    }
    for (int32_t v = first; v < first + count; v++) {
        if (strcmp(model->vars[v].name, name) != 0)
            continue;
        if (holds_channel(scene, v, known ? pid : -1, identity, &element)) {
            gy_name_element(scene, v, element, pid, -1, out);
            return;
        }
    }
    // Its variable was given another channel meanwhile.
    if (known) {
        gy_name_scene_process(scene, pid, out);
        gy_text_char(out, ':');
    }
    gy_text_printf(out, "%s#%u", name, channel + 1);
}

void gy_value_text(const gy_decoded_state *scene, gy_type type, int32_t value, gy_text *out)
{
    const char *name;
    switch (type.kind) {
    case GY_BOOL:
        gy_text_add(out, value ? "true" : "false");
        return;
    case GY_MTYPE:
        name = gy_mtype_text(scene->model, type.subtype, value);
        if (name) {
            gy_text_add(out, name);
            return;
        }
        break;
    case GY_CHAN:
        if (value == 0) {
            gy_text_add(out, "no channel");
            return;
        }
        if (value > 0 && (uint32_t)value <= scene->view.channel_count) {
            gy_name_channel(scene, (uint32_t)value - 1, out);
            return;
        }
        break;
    default:
        break;
    }
    gy_text_printf(out, "%d", value);
}

void gy_message_text(const gy_decoded_state *scene, uint32_t channel, uint32_t message,
                     gy_text *out)
{
    const gy_channel_type *type = &scene->model->channel_types[scene->view.channels[channel].type];
    gy_text_char(out, '[');
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (f > 0)
            gy_text_char(out, ',');
        gy_value_text(
            scene, type->fields[f],
            gy_state_view_field(scene->model, scene->state, &scene->view, channel, message, f),
            out);
    }
    gy_text_char(out, ']');
}

void gy_channel_text(const gy_decoded_state *scene, uint32_t channel, gy_text *out)
{
    uint32_t length = scene->view.channels[channel].length;
    if (length == 0)
        gy_text_add(out, "empty");
    for (uint32_t m = 0; m < length; m++) {
        if (m > 0)
            gy_text_char(out, ' ');
        gy_message_text(scene, channel, m, out);
    }
}

void gy_name_statement(const char *statement, size_t limit, gy_text *out)
{
    gy_text line = {0};
    bool blank = false;
    for (const char *at = statement ? statement : ""; *at; at++) {
        if (isspace((unsigned char)*at)) {
            blank = line.n > 0;
            continue;
        }
        if (blank)
            gy_text_char(&line, ' ');
        blank = false;
        gy_text_char(&line, *at);
    }
    const char *text = gy_text_str(&line);
    if (limit == 0 || gy_columns(text) <= limit) {
        gy_text_add(out, text);
    } else {
        size_t columns = 0, n = 0;
        while (text[n]) { // whole characters only
            columns += ((unsigned char)text[n] & 0xC0) != 0x80;
            if (columns == limit)
                break;
            n++;
        }
        gy_text_bytes(out, text, n);
        gy_text_add(out, "…");
    }
    gy_text_free(&line);
}

void gy_name_next(const gy_edge *edge, size_t limit, gy_text *out)
{
    if (edge->kind == GY_EDGE_END)
        gy_text_add(out, "terminates");
    else
        gy_name_statement(edge->text, limit, out);
}
