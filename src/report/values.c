#include "report/values.h"

#include "report/json.h"
#include "report/style.h"

enum { LINE_COLUMNS = 100 };

static int32_t value_of(const gy_scene *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_view_global(scene->model, scene->state, var, element);
    return gy_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var, element);
}

// "x = 1", or for an array of plain elements "a = [0, 2]".
static void assignment(const gy_scene *scene, int32_t var, int32_t pid, gy_text *out)
{
    const gy_variable *variable = &scene->model->vars[var];
    if (!variable->is_array && variable->count == 1) {
        gy_variable_name(variable, 0, out);
        gy_text_add(out, " = ");
        gy_value_text(scene, variable->type, value_of(scene, var, 0, pid), out);
        return;
    }
    gy_text_printf(out, "%s = [", variable->name);
    for (uint32_t i = 0; i < variable->count; i++) {
        if (i > 0)
            gy_text_add(out, ", ");
        gy_value_text(scene, variable->type, value_of(scene, var, i, pid), out);
    }
    gy_text_char(out, ']');
}

// Adds one clause to a paragraph that is wrapped at LINE_COLUMNS. *column is 0 at the start.
static void add_wrapped(gy_text *out, size_t indent, size_t *column, gy_text *clause)
{
    size_t width = gy_columns(gy_text_str(clause));
    if (*column > 0 && *column + 2 + width > LINE_COLUMNS) {
        gy_text_add(out, ",\n");
        *column = 0;
    }
    if (*column == 0) {
        gy_blanks(out, indent);
        *column = indent;
    } else {
        gy_text_add(out, ", ");
        *column += 2;
    }
    gy_text_add(out, gy_text_str(clause));
    *column += width;
    gy_text_free(clause);
}

void gy_values_globals(const gy_scene *scene, size_t indent, gy_text *out)
{
    size_t column = 0;
    for (uint32_t v = 0; v < scene->model->global_count; v++) {
        gy_text clause = {0};
        if (scene->model->vars[v].hidden || scene->model->vars[v].type.kind == GY_CHAN)
            continue;
        assignment(scene, (int32_t)v, -1, &clause);
        add_wrapped(out, indent, &column, &clause);
    }
    for (uint32_t c = 0; c < scene->view.channel_count; c++) {
        gy_text clause = {0};
        if (scene->model->channel_types[scene->view.channels[c].type].capacity == 0)
            continue;
        gy_name_channel(scene, c, &clause);
        gy_text_add(&clause, scene->view.channels[c].length ? " holds " : " is ");
        gy_channel_text(scene, c, &clause);
        add_wrapped(out, indent, &column, &clause);
    }
    if (column > 0)
        gy_text_char(out, '\n');
}

void gy_values_locals(const gy_scene *scene, int32_t pid, gy_text *out)
{
    const gy_template *tmpl = &scene->model->templates[scene->view.processes[pid].tmpl];
    bool first = true;
    for (int32_t v = tmpl->first_var; v < tmpl->first_var + tmpl->var_count; v++) {
        if (scene->model->vars[v].hidden)
            continue;
        if (!first)
            gy_text_add(out, ", ");
        first = false;
        assignment(scene, v, pid, out);
    }
}

static void locals_line(const gy_scene *scene, int32_t pid, size_t indent, gy_text *out)
{
    gy_text line = {0};
    if (pid < 0 || (uint32_t)pid >= scene->view.process_count)
        return;
    gy_values_locals(scene, pid, &line);
    if (line.n > 0) {
        gy_blanks(out, indent);
        gy_name_scene_process(scene, pid, out);
        gy_text_printf(out, ": %s\n", gy_text_str(&line));
    }
    gy_text_free(&line);
}

void gy_values_text(gy_worker *worker, const gy_moment *moment, bool globals, bool locals,
                    size_t indent, gy_text *out)
{
    gy_scene *scene = gy_alloc(sizeof *scene);
    gy_scene_open(scene, worker, moment->state, moment->words);
    if (globals)
        gy_values_globals(scene, indent, out);
    if (locals) {
        locals_line(scene, moment->step.pid, indent, out);
        locals_line(scene, moment->step.partner, indent, out);
    }
    free(scene);
}

static json_t *element_json(const gy_scene *scene, gy_type type, int32_t value)
{
    gy_text text = {0};
    switch (type.kind) {
    case GY_BOOL:
        return json_boolean(value != 0);
    case GY_MTYPE:
    case GY_CHAN:
        gy_value_text(scene, type, value, &text);
        return gy_json_take(&text);
    default:
        return json_integer(value);
    }
}

json_t *gy_values_json(const gy_scene *scene, int32_t pid)
{
    const gy_model *model = scene->model;
    int32_t first = 0, count = (int32_t)model->global_count;
    if (pid >= 0) {
        const gy_template *tmpl = &model->templates[scene->view.processes[pid].tmpl];
        first = tmpl->first_var;
        count = tmpl->var_count;
    }
    json_t *object = json_object();
    for (int32_t v = first; v < first + count; v++) {
        const gy_variable *variable = &model->vars[v];
        if (variable->hidden)
            continue;
        json_t *value;
        if (variable->is_array || variable->count > 1) {
            value = json_array();
            for (uint32_t i = 0; i < variable->count; i++)
                json_array_append_new(
                    value, element_json(scene, variable->type, value_of(scene, v, i, pid)));
        } else {
            value = element_json(scene, variable->type, value_of(scene, v, 0, pid));
        }
        json_object_set_new(object, variable->name, value);
    }
    return object;
}

json_t *gy_channels_json(const gy_scene *scene)
{
    json_t *list = json_array();
    for (uint32_t c = 0; c < scene->view.channel_count; c++) {
        const gy_view_channel *live = &scene->view.channels[c];
        json_t *item = json_object(), *messages = json_array();
        gy_text text = {0};
        gy_name_channel(scene, c, &text);
        json_object_set_new(item, "name", gy_json_take(&text));
        json_object_set_new(item, "capacity",
                            json_integer(scene->model->channel_types[live->type].capacity));
        for (uint32_t m = 0; m < live->length; m++) {
            gy_message_text(scene, c, m, &text);
            json_array_append_new(messages, gy_json_take(&text));
        }
        json_object_set_new(item, "messages", messages);
        json_array_append_new(list, item);
    }
    return list;
}
