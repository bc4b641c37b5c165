// What could be typed into the console at some place: names of variables, members, processes.
#include "serve/dap/adapter.h"

#include "report/json.h"

#include <ctype.h>

typedef struct completion {
    json_t *targets;
    const char *begin; // what was typed of the word
    size_t length;
    int64_t start; // where it begins, as the client counts
} completion;

static void offer(const completion *c, const char *label, const char *type)
{
    if (strncmp(label, c->begin, c->length) != 0)
        return;
    json_array_append_new(
        c->targets, json_pack("{s:o, s:s, s:I, s:I}", "label", gy_json_string(label), "type", type,
                              "start", (json_int_t)c->start, "length", (json_int_t)c->length));
}

static void offer_children(const completion *c, const gy_tree *tree, const char *type)
{
    for (size_t i = 0; tree && i < tree->children.n; i++)
        if (tree->children.at[i]->name[0] != '[')
            offer(c, tree->children.at[i]->name, type);
}

static void offer_words(const completion *c, const gy_model *model)
{
    static const char *const words[] = {"len",    "full", "nfull",   "empty",  "nempty", "_pid",
                                        "_nr_pr", "why",  "choices", "choose", "step",   "help"};
    for (uint32_t i = 0; i < model->mtype_count; i++)
        offer(c, model->mtypes[i].name, "enum");
    for (uint32_t i = 0; i < model->template_count; i++)
        if (gy_is_process(&model->templates[i]))
            offer(c, gy_template_name(&model->templates[i]), "class");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        offer(c, words[i], "keyword");
}

// Where the path of names and indices that ends here begins.
static const char *path_before(const char *text, const char *end)
{
    while (end > text && (isalnum((unsigned char)end[-1]) || strchr("_.[]", end[-1])))
        end--;
    return end;
}

static bool do_completions(gy_adapter *adapter, const json_t *arguments, json_t *body,
                           gy_text *problem)
{
    const char *text = gy_dap_text(arguments, "text");
    int64_t column = -1;
    int32_t pid;
    if (!gy_dap_number(arguments, "column", 0, INT32_MAX, &column, problem))
        return false;
    if (!text || column < 0)
        return gy_dap_refuse(problem, "`text` and `column` are needed");
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(&adapter->debuggee, scene);
    if (!gy_dap_frame(scene, arguments, &pid, problem)) {
        free(scene);
        return false;
    }
    size_t at = (size_t)column - (column > 0 && !adapter->columns_from_0);
    at = at < strlen(text) ? at : strlen(text);
    completion c = {.targets = json_array(), .begin = text + at};
    while (c.begin > text && (isalnum((unsigned char)c.begin[-1]) || c.begin[-1] == '_'))
        c.begin--;
    c.length = (size_t)(text + at - c.begin);
    c.start = (int64_t)(c.begin - text) + !adapter->columns_from_0;
    if (c.begin > text && c.begin[-1] == '.') {
        gy_text path = {0};
        const char *from = path_before(text, c.begin - 1);
        gy_text_bytes(&path, from, (size_t)(c.begin - 1 - from));
        offer_children(&c, gy_dap_find(adapter, scene, pid, gy_text_str(&path)), "field");
        gy_text_free(&path);
    } else {
        offer_children(&c, gy_dap_locals(adapter, scene, pid), "variable");
        offer_children(&c, gy_dap_globals(adapter, scene), "variable");
        offer_words(&c, scene->model);
    }
    free(scene);
    json_object_set_new(body, "targets", c.targets);
    return true;
}

const gy_dap_command gy_dap_complete_commands[] = {
    {"completions", do_completions, GY_DAP_STANDING},
    {0},
};
