#include "model/spin_numbers.h"
#include "report/info/info.h"
#include "report/json.h"
#include "exec/describe/naming.h"

#include <stdlib.h>
#include <string.h>

static void set_place(json_t *item, const gy_model *model, gy_location place)
{
    if (place == 0)
        return;
    gy_location_info info = gy_location_user(model->sources, place);
    json_object_set_new(item, "file", gy_json_string(gy_source_name(model->sources, info.file)));
    json_object_set_new(item, "line", json_integer(info.line));
}

static json_t *type_json(gy_type type)
{
    gy_text text = {0};
    gy_text_add(&text, gy_type_text(type));
    if (type.subtype)
        gy_text_printf(&text, ":%s", type.subtype);
    return gy_json_take(&text);
}

static json_t *variable_json(const gy_model *model, const gy_variable *var)
{
    json_t *item = json_object();
    json_object_set_new(item, "name", gy_json_string(var->name));
    json_object_set_new(item, "type", type_json(var->type));
    json_object_set_new(item, "min", json_integer(var->min));
    json_object_set_new(item, "max", json_integer(var->max));
    json_object_set_new(item, "elements", json_integer(var->count));
    json_object_set_new(item, "array", json_boolean(var->is_array));
    json_object_set_new(item, "parameter", json_boolean(var->is_param));
    json_object_set_new(item, "hidden", json_boolean(var->hidden));
    if (!var->hidden) {
        json_object_set_new(item, "word", json_integer(var->word));
        json_object_set_new(item, "shift", json_integer(var->shift));
        json_object_set_new(item, "bits", json_integer(var->bits));
        json_object_set_new(item, "stride", json_integer(var->stride));
    }
    set_place(item, model, var->place);
    return item;
}

static json_t *channel_json(const gy_model *model, const gy_channel_type *type)
{
    json_t *item = json_object(), *fields = json_array();
    json_object_set_new(item, "name", gy_json_string(type->name));
    json_object_set_new(item, "capacity", json_integer(type->capacity));
    for (uint32_t f = 0; f < type->field_count; f++)
        json_array_append_new(fields, type_json(type->fields[f]));
    json_object_set_new(item, "fields", fields);
    json_object_set_new(item, "words", json_integer(type->words));
    json_object_set_new(item, "owner",
                        type->owner == GY_NONE
                            ? json_null()
                            : gy_json_string(gy_template_name(&model->templates[type->owner])));
    set_place(item, model, type->place);
    return item;
}

// A list of the words in a text that is separated by spaces.
static json_t *words_json(gy_text *text)
{
    json_t *list = json_array();
    char *words = gy_text_take(text), *save = NULL;
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
        json_array_append_new(list, json_string(word));
    free(words);
    return list;
}

static json_t *edge_json(const gy_model *model, const gy_edge *edge)
{
    json_t *item = json_object();
    gy_text flags = {0};
    json_object_set_new(item, "id", json_integer(edge->id));
    json_object_set_new(item, "from", json_integer(edge->from));
    json_object_set_new(item, "to", edge->to == GY_NONE ? json_null() : json_integer(edge->to));
    set_place(item, model, edge->place);
    json_object_set_new(item, "text", gy_json_string(edge->text));
    gy_edge_flags_text(edge, &flags);
    json_object_set_new(item, "flags", words_json(&flags));
    json_object_set_new(item, "spin_transition", json_integer(gy_spin_transition(model, edge->id)));
    return item;
}

static json_t *template_json(const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    json_t *item = json_object(), *vars = json_array(), *nodes = json_array();
    json_t *edges = json_array();
    json_object_set_new(item, "name", gy_json_string(gy_template_name(tmpl)));
    json_object_set_new(item, "kind", json_string(gy_template_kind_text(tmpl->kind)));
    set_place(item, model, tmpl->place);
    json_object_set_new(item, "active", json_integer(tmpl->active));
    json_object_set_new(item, "priority", json_integer(tmpl->priority));
    json_object_set_new(item, "words", json_integer(tmpl->words));
    json_object_set_new(item, "initial", json_integer(tmpl->initial));
    for (int32_t v = 0; v < tmpl->var_count; v++)
        json_array_append_new(vars, variable_json(model, &model->vars[tmpl->first_var + v]));
    json_object_set_new(item, "variables", vars);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        json_t *node = json_object();
        gy_text flags = {0};
        json_object_set_new(node, "id", json_integer(n));
        json_object_set_new(node, "label", gy_json_string(tmpl->nodes[n].label));
        json_object_set_new(node, "spin_state",
                            json_integer(gy_spin_state(model, number, (int32_t)n)));
        gy_node_flags_text(tmpl, (int32_t)n, &flags);
        json_object_set_new(node, "flags", words_json(&flags));
        set_place(node, model, tmpl->nodes[n].place);
        json_array_append_new(nodes, node);
    }
    json_object_set_new(item, "states", nodes);
    for (int32_t e = 0; e < tmpl->edge_count; e++)
        json_array_append_new(edges, edge_json(model, &model->edges[tmpl->first_edge + e]));
    json_object_set_new(item, "edges", edges);
    return item;
}

json_t *gy_info_json(const gy_model *model)
{
    json_t *item = gy_json_report("info"), *globals = json_array(), *channels = json_array();
    json_t *templates = json_array(), *properties = json_array(), *started = json_array();
    json_object_set_new(item, "model", gy_json_string(model->name));
    json_object_set_new(item, "language", gy_json_string(model->language));
    json_object_set_new(item, "global_words", json_integer(model->global_words));
    for (uint32_t v = 0; v < model->global_count; v++)
        json_array_append_new(globals, variable_json(model, &model->vars[v]));
    json_object_set_new(item, "globals", globals);
    for (uint32_t c = 0; c < model->channel_type_count; c++)
        json_array_append_new(channels, channel_json(model, &model->channel_types[c]));
    json_object_set_new(item, "channels", channels);
    for (uint32_t t = 0; t < model->template_count; t++)
        json_array_append_new(templates, template_json(model, (int32_t)t));
    json_object_set_new(item, "processes", templates);
    for (uint32_t s = 0; s < model->started_count; s++)
        json_array_append_new(
            started, gy_json_string(gy_template_name(&model->templates[model->started[s]])));
    json_object_set_new(item, "started", started);
    for (uint32_t l = 0; l < model->ltl_count; l++) {
        json_t *property = json_object();
        json_object_set_new(property, "name", gy_json_string(model->ltls[l].name));
        json_object_set_new(property, "kind", json_string("ltl"));
        json_object_set_new(property, "text", gy_json_string(model->ltls[l].text));
        set_place(property, model, model->ltls[l].place);
        json_array_append_new(properties, property);
    }
    json_object_set_new(item, "properties", properties);
    return item;
}
