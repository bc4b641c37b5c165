// Scopes, variables and expressions of the state that the path is at.
#include "serve/dap/adapter.h"

#include "base/number.h"
#include "report/json.h"

#include <ctype.h>

static gy_decoded_state *open_scene(const gy_adapter *adapter)
{
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(&adapter->debuggee, scene);
    return scene;
}

static void see_globals(gy_adapter *adapter, const gy_decoded_state *scene)
{
    if (!adapter->globals)
        adapter->globals = gy_tree_variables(&adapter->forest, scene, -1, "Globals");
    if (!adapter->channels)
        adapter->channels = gy_tree_channels(&adapter->forest, scene, "Channels");
}

static const gy_dap_trees *see_process(gy_adapter *adapter, const gy_decoded_state *scene,
                                       int32_t pid)
{
    for (size_t i = 0; i < adapter->trees.n; i++)
        if (adapter->trees.at[i].pid == pid)
            return &adapter->trees.at[i];
    gy_dap_trees made = {pid, gy_tree_variables(&adapter->forest, scene, pid, "Locals"),
                         gy_tree_process(&adapter->forest, scene, pid, "Process")};
    gy_vec_push(&adapter->trees, made);
    return &adapter->trees.at[adapter->trees.n - 1];
}

const gy_tree *gy_dap_globals(gy_adapter *adapter, const gy_decoded_state *scene)
{
    see_globals(adapter, scene);
    return adapter->globals;
}

const gy_tree *gy_dap_locals(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid)
{
    return pid < 0 ? NULL : see_process(adapter, scene, pid)->locals;
}

bool gy_dap_frame(const gy_decoded_state *scene, const json_t *arguments, int32_t *pid,
                  gy_text *problem)
{
    int64_t id = 0;
    if (!gy_dap_number(arguments, "frameId", 0, INT32_MAX, &id, problem))
        return false;
    *pid = id > 0 ? (int32_t)((id - 1) / GY_DAP_FRAMES) : -1;
    if (*pid >= (int32_t)scene->view.process_count)
        return gy_dap_refuse(problem, "no frame %lld any more", (long long)id);
    return true;
}

// How many there are inside, and of which kind.
static void set_counts(const gy_tree *tree, json_t *item)
{
    size_t n = tree->children.n;
    json_object_set_new(item, "variablesReference", json_integer(n ? tree->number : 0));
    if (n)
        json_object_set_new(item, tree->indexed ? "indexedVariables" : "namedVariables",
                            json_integer((json_int_t)n));
}

static void add_scope(const gy_tree *tree, const char *hint, json_t *list)
{
    json_t *item = json_pack("{s:s, s:b}", "name", tree->name, "expensive", 0);
    set_counts(tree, item);
    if (hint)
        json_object_set_new(item, "presentationHint", json_string(hint));
    json_array_append_new(list, item);
}

static bool do_scopes(gy_adapter *adapter, const json_t *arguments, json_t *body, gy_text *problem)
{
    gy_decoded_state *scene = open_scene(adapter);
    int32_t pid;
    bool good = gy_dap_frame(scene, arguments, &pid, problem);
    if (good && pid < 0)
        good = gy_dap_refuse(problem, "`frameId` is missing");
    if (good) {
        json_t *list = json_array();
        see_globals(adapter, scene);
        const gy_dap_trees *trees = see_process(adapter, scene, pid);
        add_scope(trees->locals, "locals", list);
        add_scope(adapter->globals, "globals", list);
        if (adapter->channels->children.n)
            add_scope(adapter->channels, NULL, list);
        add_scope(trees->process, "registers", list);
        json_object_set_new(body, "scopes", list);
    }
    free(scene);
    return good;
}

static json_t *variable_json(const gy_tree *tree)
{
    json_t *item = json_pack("{s:o, s:o}", "name", gy_json_string(tree->name), "value",
                             gy_json_string(tree->value));
    if (tree->type)
        json_object_set_new(item, "type", gy_json_string(tree->type));
    if (tree->expression)
        json_object_set_new(item, "evaluateName", gy_json_string(tree->expression));
    set_counts(tree, item);
    return item;
}

static bool do_variables(gy_adapter *adapter, const json_t *arguments, json_t *body,
                         gy_text *problem)
{
    int64_t reference = 0, start = 0, count = 0;
    const char *filter = gy_dap_text(arguments, "filter");
    if (!gy_dap_number(arguments, "variablesReference", 1, INT32_MAX, &reference, problem) ||
        !gy_dap_number(arguments, "start", 0, INT32_MAX, &start, problem) ||
        !gy_dap_number(arguments, "count", 0, INT32_MAX, &count, problem))
        return false;
    const gy_tree *tree = gy_forest_at(&adapter->forest, (uint64_t)reference);
    if (!tree)
        return gy_dap_refuse(problem, "the variables reference %lld is of another state",
                             (long long)reference);
    json_t *list = json_array();
    size_t end = count ? (size_t)(start + count) : tree->children.n;
    bool wanted = !filter || (strcmp(filter, "indexed") == 0) == tree->indexed;
    for (size_t i = (size_t)start; wanted && i < end && i < tree->children.n; i++)
        json_array_append_new(list, variable_json(tree->children.at[i]));
    json_object_set_new(body, "variables", list);
    return true;
}

static bool do_set_variable(gy_adapter *adapter, const json_t *arguments, json_t *body,
                            gy_text *problem)
{
    (void)arguments, (void)body;
    return gy_dap_refuse(problem, adapter->debuggee.simulates
                                      ? "a simulation shows what the model does: its variables "
                                        "cannot be set (choose other steps, or change the model)"
                                      : "a counterexample is what happened: its variables cannot "
                                        "be set");
}

// ---- expressions --------------------------------------------------------------------------

static void say_why(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid, gy_text *out)
{
    int32_t edge;
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        gy_text prospect = {0};
        if (pid >= 0 && (int32_t)p != pid)
            continue;
        bool moves = gy_dap_prospect(adapter, scene, (int32_t)p, &edge, &prospect);
        gy_text_add(out, out->n ? "\n" : "");
        gy_name_scene_process(scene, (int32_t)p, out);
        gy_text_printf(out, "%s %s", moves ? " enabled:" : "", gy_text_str(&prospect));
        gy_text_free(&prospect);
    }
    if (out->n == 0)
        gy_text_add(out, "no process exists");
}

// A process type by its name: what its processes do.
static bool say_type(gy_adapter *adapter, const gy_decoded_state *scene, const char *name,
                     gy_text *out)
{
    bool known = false;
    for (uint32_t t = 0; t < scene->model->template_count; t++)
        known |= gy_is_process(&scene->model->templates[t]) &&
                 strcmp(gy_template_name(&scene->model->templates[t]), name) == 0;
    for (uint32_t p = 0; known && p < scene->view.process_count; p++) {
        const gy_template *tmpl = &scene->model->templates[scene->view.processes[p].tmpl];
        gy_text one = {0};
        if (strcmp(gy_template_name(tmpl), name) != 0)
            continue;
        say_why(adapter, scene, (int32_t)p, &one);
        gy_text_printf(out, "%s%s", out->n ? "\n" : "", gy_text_str(&one));
        gy_text_free(&one);
    }
    if (known && out->n == 0)
        gy_text_add(out, "no process of this type exists");
    return known;
}

const gy_tree *gy_dap_find(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid,
                           const char *text)
{
    const gy_tree *found = NULL;
    if (!isalpha((unsigned char)*text) && *text != '_')
        return NULL;
    see_globals(adapter, scene);
    if (pid >= 0)
        found = gy_tree_find(see_process(adapter, scene, pid)->locals, text);
    if (!found)
        found = gy_tree_find(adapter->globals, text);
    return found ? found : gy_tree_find(adapter->channels, text);
}

// What can be typed into the console besides expressions. False: it is nothing of that kind, or,
// with a problem, cannot be done.
static bool obey_console(gy_adapter *adapter, const char *text, gy_text *out, gy_text *problem)
{
    gy_debuggee *d = &adapter->debuggee;
    uint64_t number;
    if (strcmp(text, "help") == 0) {
        gy_text_add(out, "an expression of Promela, or\nwhy        why processes are "
                         "blocked\nchoices    the steps that are possible\nchoose N   executes "
                         "that one\nstep N     goes to step N of the run");
        return true;
    }
    if (strcmp(text, "choices") == 0) {
        const gy_choices *choices = gy_cursor_choices(&d->cursor);
        for (size_t i = 0; i < choices->list.n; i++) {
            gy_text_printf(out, "%s%zu  ", i ? "\n" : "", i + 1);
            gy_dap_name_step(d->subject.model, &choices->list.at[i].step, out);
        }
        gy_text_add(out, choices->list.n ? "" : "no process is enabled");
        return true;
    }
    if (strncmp(text, "choose ", 7) == 0 && gy_number_count(text + 7, &number))
        return gy_dap_choose(adapter, number, problem);
    if (strncmp(text, "step ", 5) == 0 && gy_number_count(text + 5, &number))
        return gy_dap_goto(adapter, number, problem);
    return false;
}

static bool evaluate(gy_adapter *adapter, const gy_decoded_state *scene, int32_t pid,
                     const char *text, json_t *body, gy_text *problem)
{
    gy_text out = {0};
    const char *type = NULL, *why;
    const gy_tree *tree = gy_dap_find(adapter, scene, pid, text);
    int32_t tmpl = pid >= 0 ? scene->view.processes[pid].tmpl : GY_NONE;
    if (tree) {
        gy_text_add(&out, tree->value);
        type = tree->type;
    } else if (strcmp(text, "why") == 0) {
        say_why(adapter, scene, pid, &out);
    } else if (!say_type(adapter, scene, text, &out)) {
        gy_atom atom = gy_expressions_get(&adapter->debuggee.expressions, tmpl, text, &why);
        if (!atom)
            return gy_dap_refuse(problem, "%s", why);
        if (!gy_expression_text(scene, pid, atom, &out))
            return gy_dap_refuse(problem, "it has no value here");
        type = gy_expression_type(scene->model, atom);
    }
    json_object_set_new(body, "result", gy_json_take(&out));
    if (type)
        json_object_set_new(body, "type", gy_json_string(type));
    json_object_set_new(body, "variablesReference", json_integer(0));
    if (tree)
        set_counts(tree, body);
    return true;
}

static bool do_evaluate(gy_adapter *adapter, const json_t *arguments, json_t *body,
                        gy_text *problem)
{
    const char *given = gy_dap_text(arguments, "expression");
    const char *context = gy_dap_text(arguments, "context");
    gy_text text = {0}, out = {0};
    int32_t pid;
    if (!given)
        return gy_dap_refuse(problem, "`expression` is missing");
    given += strspn(given, " \t\r\n");
    gy_text_add(&text, given);
    while (text.n > 0 && isspace((unsigned char)text.at[text.n - 1]))
        text.at[--text.n] = '\0';
    gy_decoded_state *scene = open_scene(adapter);
    bool good = gy_dap_frame(scene, arguments, &pid, problem);
    if (good && context && strcmp(context, "repl") == 0 &&
        (obey_console(adapter, gy_text_str(&text), &out, problem) || problem->n > 0)) {
        good = problem->n == 0;
        json_object_set_new(body, "result", gy_json_string(gy_text_str(&out)));
        json_object_set_new(body, "variablesReference", json_integer(0));
    } else if (good) {
        good = evaluate(adapter, scene, pid, gy_text_str(&text), body, problem);
    }
    free(scene);
    gy_text_free(&text);
    gy_text_free(&out);
    return good;
}

const gy_dap_command gy_dap_value_commands[] = {
    {"scopes", do_scopes, GY_DAP_STANDING},
    {"variables", do_variables, GY_DAP_STANDING},
    {"evaluate", do_evaluate, GY_DAP_STANDING},
    {"setVariable", do_set_variable, GY_DAP_STANDING},
    {"setExpression", do_set_variable, GY_DAP_STANDING},
    {0},
};
