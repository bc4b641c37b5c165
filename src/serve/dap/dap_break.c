// Requests about breakpoints.
#include "serve/dap/adapter.h"

#include "report/json.h"

static const char no_list[] = "`%s` must be a list";

// As the client is informed of it.
static json_t *breakpoint_json(const gy_adapter *adapter, const gy_breakpoint *b)
{
    bool known = gy_dap_has_model(adapter);
    json_t *told = json_pack("{s:i, s:b}", "id", b->id, "verified", known && !b->problem);
    if (b->kind == GY_BREAK_LINE) {
        uint32_t line = b->at ? b->at : b->line;
        json_object_set_new(told, "line", json_integer(gy_dap_line(adapter, line)));
        json_object_set_new(told, "source", gy_dap_source(b->file));
    }
    if (b->problem)
        json_object_set_new(told, "message", gy_json_string(b->problem));
    else if (!known)
        json_object_set_new(told, "message", json_string("the model is not loaded yet"));
    else if (b->at && b->at != b->line)
        json_object_set_new(told, "message",
                            json_string("moved to the next line with a statement"));
    return told;
}

static json_t *add(gy_adapter *adapter, gy_break_group group, gy_break_request *wanted,
                   const json_t *item)
{
    wanted->condition = gy_dap_text(item, "condition");
    wanted->hits = gy_dap_text(item, "hitCondition");
    wanted->log = gy_dap_text(item, "logMessage");
    gy_breakpoint *b = gy_breakpoints_add(&adapter->debuggee.breakpoints, group, wanted);
    if (gy_dap_has_model(adapter))
        gy_breakpoint_resolve(b, &adapter->debuggee.expressions);
    if (adapter->stage == GY_DAP_WALKS)
        gy_debuggee_count(&adapter->debuggee, b);
    return breakpoint_json(adapter, b);
}

static bool do_set_breakpoints(gy_adapter *adapter, const json_t *arguments, json_t *body,
                               gy_text *problem)
{
    const char *file = gy_dap_text(json_object_get(arguments, "source"), "path");
    const json_t *list = json_object_get(arguments, "breakpoints");
    json_t *told, *item;
    size_t i;
    if (!file || !*file)
        return gy_dap_refuse(problem, "`source` must have a `path`");
    if (list && !json_is_array(list))
        return gy_dap_refuse(problem, no_list, "breakpoints");
    json_array_foreach(list, i, item)
    {
        int64_t line = -1;
        if (!gy_dap_number(item, "line", 0, INT32_MAX, &line, problem))
            return false;
        if (line < 0)
            return gy_dap_refuse(problem, "a breakpoint needs a `line`");
    }
    gy_breakpoints_drop(&adapter->debuggee.breakpoints, GY_BREAKS_LINES, file);
    told = json_array();
    json_array_foreach(list, i, item)
    {
        int64_t line = json_integer_value(json_object_get(item, "line"));
        gy_break_request wanted = {.file = file, .line = (uint32_t)(line + adapter->lines_from_0)};
        json_array_append_new(told, add(adapter, GY_BREAKS_LINES, &wanted, item));
    }
    json_object_set_new(body, "breakpoints", told);
    return true;
}

// Those that are known by a name: functions, or data.
static bool set_named(gy_adapter *adapter, const json_t *arguments, gy_break_group group,
                      const char *key, json_t *body, gy_text *problem)
{
    const json_t *list = json_object_get(arguments, "breakpoints");
    json_t *told, *item;
    size_t i;
    if (list && !json_is_array(list))
        return gy_dap_refuse(problem, no_list, "breakpoints");
    json_array_foreach(list, i, item)
    {
        if (!gy_dap_text(item, key))
            return gy_dap_refuse(problem, "a breakpoint needs a `%s`", key);
    }
    gy_breakpoints_drop(&adapter->debuggee.breakpoints, group, NULL);
    told = json_array();
    json_array_foreach(list, i, item)
    {
        gy_break_request wanted = {.name = gy_dap_text(item, key)};
        json_array_append_new(told, add(adapter, group, &wanted, item));
    }
    json_object_set_new(body, "breakpoints", told);
    return true;
}

static bool do_set_function_breakpoints(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                        gy_text *problem)
{
    return set_named(adapter, arguments, GY_BREAKS_FUNCTIONS, "name", body, problem);
}

static bool do_set_data_breakpoints(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                    gy_text *problem)
{
    return set_named(adapter, arguments, GY_BREAKS_DATA, "dataId", body, problem);
}

// The expression, over globals and remote references, that means a variable that is shown.
static void data_id(gy_adapter *adapter, const gy_tree *parent, const gy_tree *tree, gy_text *out)
{
    if (!tree->expression)
        return;
    for (size_t i = 0; i < adapter->trees.n; i++) {
        const gy_dap_trees *trees = &adapter->trees.at[i];
        if (!trees->locals || trees->locals->number > parent->number ||
            gy_tree_find(trees->locals, tree->expression) != tree)
            continue;
        gy_decoded_state *scene = gy_alloc(sizeof *scene);
        gy_debuggee_scene(&adapter->debuggee, scene);
        int32_t tmpl = scene->view.processes[trees->pid].tmpl;
        gy_text_printf(out, "%s[%d]:", scene->model->templates[tmpl].name, trees->pid);
        free(scene);
    }
    gy_text_add(out, tree->expression);
}

static bool do_data_breakpoint_info(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                    gy_text *problem)
{
    const char *name = gy_dap_text(arguments, "name"), *why = NULL;
    int64_t reference = 0;
    gy_text id = {0};
    if (!name)
        return gy_dap_refuse(problem, "`name` is missing");
    if (!gy_dap_number(arguments, "variablesReference", 0, INT32_MAX, &reference, problem))
        return false;
    if (reference) {
        const gy_tree *parent = gy_forest_at(&adapter->forest, (uint64_t)reference);
        for (size_t i = 0; parent && i < parent->children.n; i++)
            if (strcmp(parent->children.at[i]->name, name) == 0)
                data_id(adapter, parent, parent->children.at[i], &id);
    } else {
        gy_text_add(&id, name);
    }
    bool good = id.n > 0 &&
                gy_expressions_get(&adapter->debuggee.expressions, GY_NONE, gy_text_str(&id), &why);
    if (good)
        json_object_set_new(body, "accessTypes", json_pack("[s]", "write"));
    json_object_set_new(body, "dataId", good ? gy_json_string(gy_text_str(&id)) : json_null());
    json_object_set_new(body, "description",
                        gy_json_string(good  ? gy_text_str(&id)
                                       : why ? why
                                             : "this has no value that could change"));
    gy_text_free(&id);
    return true;
}

static bool do_set_exception_breakpoints(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                         gy_text *problem)
{
    static const char *const names[] = {"assertion", "error", "deadlock", "cycle", "choice"};
    const json_t *lists[] = {json_object_get(arguments, "filters"),
                             json_object_get(arguments, "filterOptions")};
    unsigned stops = 0;
    for (int which = 0; which < 2; which++) {
        size_t i;
        json_t *item;
        if (lists[which] && !json_is_array(lists[which]))
            return gy_dap_refuse(problem, no_list, which ? "filterOptions" : "filters");
        json_array_foreach(lists[which], i, item)
        {
            const char *name = which ? gy_dap_text(item, "filterId") : json_string_value(item);
            size_t k = 0;
            while (k < 5 && !(name && strcmp(names[k], name) == 0))
                k++;
            if (k == 5)
                return gy_dap_refuse(problem, "unknown exception filter `%s`",
                                     name ? name : "");
            stops |= 1u << k;
        }
    }
    (void)body;
    adapter->debuggee.stops = stops;
    return true;
}

static bool do_breakpoint_locations(gy_adapter *adapter, const json_t *arguments, json_t *body,
                                    gy_text *problem)
{
    enum { ROOM = 4096 };
    const char *file = gy_dap_text(json_object_get(arguments, "source"), "path");
    int64_t line = -1, end = -1;
    if (!file || !*file)
        return gy_dap_refuse(problem, "`source` must have a `path`");
    if (!gy_dap_number(arguments, "line", 0, INT32_MAX - 1, &line, problem) ||
        !gy_dap_number(arguments, "endLine", 0, INT32_MAX - 1, &end, problem))
        return false;
    if (line < 0)
        return gy_dap_refuse(problem, "`line` is missing");
    end = end < 0 ? line : end;
    uint32_t *lines = gy_alloc(ROOM * sizeof *lines), shift = adapter->lines_from_0;
    size_t n = gy_break_lines(adapter->debuggee.subject.model, file, (uint32_t)line + shift,
                              (uint32_t)end + shift, lines, ROOM);
    json_t *list = json_array();
    for (size_t i = 0; i < n && i < ROOM; i++)
        json_array_append_new(
            list, json_pack("{s:I}", "line", (json_int_t)gy_dap_line(adapter, lines[i])));
    free(lines);
    json_object_set_new(body, "breakpoints", list);
    return true;
}

const gy_dap_command gy_dap_break_commands[] = {
    {"setBreakpoints", do_set_breakpoints, GY_DAP_ANY},
    {"setFunctionBreakpoints", do_set_function_breakpoints, GY_DAP_ANY},
    {"setDataBreakpoints", do_set_data_breakpoints, GY_DAP_ANY},
    {"dataBreakpointInfo", do_data_breakpoint_info, GY_DAP_STANDING},
    {"setExceptionBreakpoints", do_set_exception_breakpoints, GY_DAP_ANY},
    {"breakpointLocations", do_breakpoint_locations, GY_DAP_MODEL},
    {0},
};
