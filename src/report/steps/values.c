#include "report/steps/values.h"

#include "report/json.h"
#include "report/style.h"

enum { LINE_COLUMNS = 100 };

static int32_t value_of(const gy_scene *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_view_global(scene->model, scene->state, var, element);
    return gy_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var, element);
}

// "a = [0, 2]" is possible if there is one index and it comes last.
static bool is_list(const gy_variable *variable)
{
    size_t n = variable->format ? strlen(variable->format) : 0;
    return variable->dim_count <= 1 && (n < 3 || strcmp(variable->format + n - 3, "[%]") == 0);
}

static bool is_scalar(const gy_variable *variable)
{
    return !variable->is_array && variable->count == 1;
}

static void assign_element(const gy_scene *scene, int32_t var, uint32_t element, int32_t pid,
                           gy_text *out)
{
    gy_variable_name(&scene->model->vars[var], element, out);
    gy_text_add(out, " = ");
    gy_value_text(scene, scene->model->vars[var].type, value_of(scene, var, element, pid), out);
}

// "x = 1", "a = [0, 2]", or, for arrays inside structures, "s[0].f = 1, s[1].f = 2".
static void assignment(const gy_scene *scene, int32_t var, int32_t pid, gy_text *out)
{
    const gy_variable *variable = &scene->model->vars[var];
    bool list = !is_scalar(variable) && is_list(variable);
    if (list)
        gy_text_printf(out, "%s = [", variable->name);
    for (uint32_t i = 0; i < variable->count; i++) {
        if (i > 0)
            gy_text_add(out, ", ");
        if (list)
            gy_value_text(scene, variable->type, value_of(scene, var, i, pid), out);
        else
            assign_element(scene, var, i, pid, out);
    }
    if (list)
        gy_text_char(out, ']');
}

// A chan variable that holds the channel that was made for it says nothing new.
static bool holds_its_own(const gy_scene *scene, int32_t var, int32_t pid)
{
    const gy_variable *variable = &scene->model->vars[var];
    if (variable->type.kind != GY_CHAN || variable->count != 1)
        return false;
    int32_t identity = value_of(scene, var, 0, pid);
    if (identity <= 0 || (uint32_t)identity > scene->view.channel_count)
        return false;
    const gy_view_channel *channel = &scene->view.channels[identity - 1];
    return channel->creator == pid &&
           strcmp(scene->model->channel_types[channel->type].name, variable->name) == 0;
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
        if (scene->model->vars[v].hidden || holds_its_own(scene, v, pid))
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
        if (is_scalar(variable)) {
            json_object_set_new(object, variable->name,
                                element_json(scene, variable->type, value_of(scene, v, 0, pid)));
            continue;
        }
        json_t *list = json_array();
        for (uint32_t i = 0; i < variable->count; i++) {
            json_t *value = element_json(scene, variable->type, value_of(scene, v, i, pid));
            gy_text name = {0};
            gy_variable_name(variable, i, &name);
            if (is_list(variable))
                json_array_append_new(list, value);
            else
                json_object_set_new(object, gy_text_str(&name), value);
            gy_text_free(&name);
        }
        if (is_list(variable))
            json_object_set(object, variable->name, list);
        json_decref(list);
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
