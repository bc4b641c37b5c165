#include "serve/dap/value_tree.h"

#include "exec/describe/blocked.h"
#include "verify/explain/explain.h"

#include <ctype.h>

enum { SUMMARY_BYTES = 80 };

// ---- the forest ---------------------------------------------------------------------------

void gy_forest_init(gy_forest *forest)
{
    *forest = (gy_forest){.arena = gy_arena_new(), .first = 1};
}

void gy_forest_clear(gy_forest *forest)
{
    enum { LAST = 1 << 30 }; // references of the protocol end at 2^31
    for (size_t i = 0; i < forest->list.n; i++)
        gy_vec_free(&forest->list.at[i]->children);
    forest->first += (uint32_t)forest->list.n;
    if (forest->first > LAST)
        forest->first = 1;
    forest->list.n = 0;
    gy_arena_free(forest->arena);
    forest->arena = gy_arena_new();
}

void gy_forest_free(gy_forest *forest)
{
    if (!forest->arena)
        return;
    gy_forest_clear(forest);
    gy_vec_free(&forest->list);
    gy_arena_free(forest->arena);
    *forest = (gy_forest){0};
}

gy_tree *gy_forest_at(const gy_forest *forest, uint64_t number)
{
    return number >= forest->first && number - forest->first < forest->list.n
               ? forest->list.at[number - forest->first]
               : NULL;
}

static gy_tree *plant(gy_forest *forest, gy_tree *parent, const char *name)
{
    gy_tree *tree = GY_NEW(forest->arena, gy_tree);
    *tree = (gy_tree){.name = name, .value = ""};
    tree->number = forest->first + (uint32_t)forest->list.n;
    gy_vec_push(&forest->list, tree);
    if (parent)
        gy_vec_push(&parent->children, tree);
    return tree;
}

// ---- paths --------------------------------------------------------------------------------

// The length of the first part of a path: a name, or an index with its brackets; 0: neither.
static size_t part_length(const char *path)
{
    size_t n = 0;
    if (*path == '[') {
        n = strcspn(path, "]");
        return path[n] ? n + 1 : 0;
    }
    while (path[n] && path[n] != '[' && path[n] != '.')
        n++;
    return n;
}

static bool is_named(const gy_tree *tree, const char *part, size_t n)
{
    return strncmp(tree->name, part, n) == 0 && tree->name[n] == '\0';
}

static gy_tree *child_named(const gy_tree *tree, const char *part, size_t n)
{
    // Elements are mostly where their index says.
    if (*part == '[' && isdigit((unsigned char)part[1])) {
        unsigned long index = strtoul(part + 1, NULL, 10);
        if (index < tree->children.n && is_named(tree->children.at[index], part, n))
            return tree->children.at[index];
    }
    for (size_t i = 0; i < tree->children.n; i++)
        if (is_named(tree->children.at[i], part, n))
            return tree->children.at[i];
    return NULL;
}

const gy_tree *gy_tree_find(const gy_tree *tree, const char *path)
{
    gy_text bare = {0};
    for (; *path; path++)
        if (!isspace((unsigned char)*path))
            gy_text_char(&bare, *path);
    const char *at = gy_text_str(&bare);
    for (bool first = true; tree && (*at || first); first = false) {
        bool dot = *at == '.', index = *at == '[';
        at += dot;
        size_t n = part_length(at);
        bool good = n > 0 && (first ? !dot && !index : index || (dot && *at != '['));
        tree = good ? child_named(tree, at, n) : NULL;
        at += n;
    }
    gy_text_free(&bare);
    return tree;
}

// The tree that a name such as s[1].f belongs to, with those on the path to it.
static gy_tree *grow(gy_forest *forest, gy_tree *root, const char *path)
{
    gy_tree *tree = root;
    for (const char *at = path; *at;) {
        at += at != path && *at == '.';
        size_t n = part_length(at);
        if (n == 0)
            n = strlen(at);
        gy_tree *child = child_named(tree, at, n);
        if (!child) {
            child = plant(forest, tree, gy_arena_strndup(forest->arena, at, n));
            child->expression = gy_arena_strndup(forest->arena, path, (size_t)(at - path) + n);
            tree->indexed = tree->indexed || *at == '[';
        }
        tree = child;
        at += n;
    }
    return tree;
}

// ---- channels -----------------------------------------------------------------------------

static const char *channel_type_text(gy_forest *forest, const gy_channel_type *type)
{
    gy_text text = {0};
    gy_text_printf(&text, "chan = [%u] of {", type->capacity);
    for (uint32_t f = 0; f < type->field_count; f++)
        gy_text_printf(&text, "%s%s", f ? ", " : " ", gy_type_text(type->fields[f]));
    gy_text_add(&text, " }");
    return gy_keep(forest->arena, &text);
}

static void fill_message(gy_forest *forest, const gy_decoded_state *scene, uint32_t channel,
                         uint32_t m, gy_tree *tree)
{
    const gy_channel_type *type = &scene->model->channel_types[scene->view.channels[channel].type];
    gy_text text = {0};
    gy_message_text(scene, channel, m, &text);
    tree->value = gy_keep(forest->arena, &text);
    tree->indexed = true;
    for (uint32_t f = 0; f < type->field_count; f++) {
        gy_tree *field = plant(forest, tree, gy_arena_printf(forest->arena, "[%u]", f));
        gy_value_text(scene, type->fields[f],
                      gy_state_view_field(scene->model, scene->state, &scene->view, channel, m, f),
                      &text);
        field->value = gy_keep(forest->arena, &text);
        field->type = gy_type_text(type->fields[f]);
    }
}

// The contents of a channel become those of the tree.
static void fill_channel(gy_forest *forest, const gy_decoded_state *scene, uint32_t channel,
                         gy_tree *tree)
{
    const gy_state_view_channel *live = &scene->view.channels[channel];
    const gy_channel_type *type = &scene->model->channel_types[live->type];
    gy_text text = {0};
    tree->type = channel_type_text(forest, type);
    tree->indexed = true;
    if (type->capacity == 0) {
        tree->value = "rendezvous";
        return;
    }
    gy_text_printf(&text, "%u of %u", live->length, type->capacity);
    for (uint32_t m = 0; m < live->length; m++) {
        gy_tree *message = plant(forest, tree, gy_arena_printf(forest->arena, "[%u]", m));
        fill_message(forest, scene, channel, m, message);
        if (text.n < SUMMARY_BYTES)
            gy_text_printf(&text, "%s%s", m ? " " : ": ", message->value);
        else if (text.at[text.n - 1] == ']')
            gy_text_add(&text, " …");
    }
    tree->value = gy_keep(forest->arena, &text);
}

gy_tree *gy_tree_channels(gy_forest *forest, const gy_decoded_state *scene, const char *name)
{
    gy_tree *root = plant(forest, NULL, name);
    for (uint32_t c = 0; c < scene->view.channel_count; c++) {
        gy_text text = {0};
        gy_name_channel(scene, c, &text);
        fill_channel(forest, scene, c, plant(forest, root, gy_keep(forest->arena, &text)));
    }
    return root;
}

// ---- variables ----------------------------------------------------------------------------

static void fill_value(gy_forest *forest, const gy_decoded_state *scene, gy_type type,
                       int32_t value, gy_tree *tree)
{
    gy_text text = {0};
    tree->type = gy_type_text(type);
    if (type.kind == GY_CHAN && value > 0 && (uint32_t)value <= scene->view.channel_count) {
        fill_channel(forest, scene, (uint32_t)value - 1, tree);
        gy_name_channel(scene, (uint32_t)value - 1, &text);
        const char *holder = gy_text_str(&text), *colon = strrchr(holder, ':');
        // A variable that holds another's channel says whose.
        if (strcmp(colon ? colon + 1 : holder, tree->expression) != 0)
            tree->value = gy_arena_printf(forest->arena, "%s: %s", holder, tree->value);
        gy_text_free(&text);
        return;
    }
    gy_value_text(scene, type, value, &text);
    tree->value = gy_keep(forest->arena, &text);
}

static void add_variable(gy_forest *forest, const gy_decoded_state *scene, int32_t var, int32_t pid,
                         gy_tree *root)
{
    const gy_variable *variable = &scene->model->vars[var];
    for (uint32_t i = 0; i < variable->count; i++) {
        gy_text name = {0};
        int32_t value = pid < 0 ? gy_state_view_global(scene->model, scene->state, var, i)
                                : gy_state_view_local(scene->model, scene->state, &scene->view,
                                                      (uint32_t)pid, var, i);
        gy_name_variable(scene->model, var, i, &name);
        gy_tree *tree = grow(forest, root, gy_text_str(&name));
        if (!tree->expression)
            tree->expression = tree->name;
        fill_value(forest, scene, variable->type, value, tree);
        gy_text_free(&name);
    }
}

static void add_set(gy_forest *forest, const gy_decoded_state *scene, int32_t var, int32_t pid,
                    gy_tree *root)
{
    const gy_variable *variable = &scene->model->vars[var];
    uint32_t members = variable->dims[variable->dim_count - 1];
    for (uint32_t i = 0; members && i < variable->count; i += members) {
        gy_text name = {0};
        gy_set_name(scene->model, var, i, &name);
        gy_tree *tree = plant(forest, root, gy_keep(forest->arena, &name));
        tree->value = gy_tell_set(forest->arena, scene, var, i, pid).text;
        tree->type = "set";
    }
}

// "[0, 2, 1]", "{f: 1, g: 2}": parents say what is inside, as far as there is room.
static void summarise(gy_forest *forest, gy_tree *tree)
{
    if (tree->type || tree->children.n == 0)
        return;
    gy_text text = {0};
    gy_text_char(&text, tree->indexed ? '[' : '{');
    for (size_t i = 0; i < tree->children.n; i++)
        summarise(forest, tree->children.at[i]);
    for (size_t i = 0; i < tree->children.n; i++) {
        const gy_tree *child = tree->children.at[i];
        gy_text_add(&text, i ? ", " : "");
        if (text.n + strlen(child->value) > SUMMARY_BYTES) {
            gy_text_add(&text, "…");
            break;
        }
        if (!tree->indexed)
            gy_text_printf(&text, "%s: ", child->name);
        gy_text_add(&text, child->value);
    }
    gy_text_char(&text, tree->indexed ? ']' : '}');
    tree->value = gy_keep(forest->arena, &text);
}

gy_tree *gy_tree_variables(gy_forest *forest, const gy_decoded_state *scene, int32_t pid,
                           const char *name)
{
    const gy_model *model = scene->model;
    gy_tree *root = plant(forest, NULL, name);
    int32_t first = 0, end = (int32_t)model->global_count;
    if (pid >= 0) {
        const gy_template *tmpl = &model->templates[scene->view.processes[pid].tmpl];
        first = tmpl->first_var;
        end = first + tmpl->var_count;
    }
    for (int32_t v = first; v < end; v++)
        if (model->vars[v].is_set && !model->vars[v].hidden)
            add_set(forest, scene, v, pid, root);
        else if (!model->vars[v].hidden)
            add_variable(forest, scene, v, pid, root);
    for (size_t i = 0; i < root->children.n; i++)
        summarise(forest, root->children.at[i]);
    return root;
}

// ---- a process ----------------------------------------------------------------------------

static gy_tree *add_fact(gy_forest *forest, gy_tree *root, const char *name, gy_text *value)
{
    gy_tree *tree = plant(forest, root, name);
    tree->value = gy_keep(forest->arena, value);
    return tree;
}

gy_tree *gy_tree_process(gy_forest *forest, const gy_decoded_state *scene, int32_t pid,
                         const char *name)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_template *tmpl = &scene->model->templates[process->tmpl];
    gy_tree *root = plant(forest, NULL, name);
    gy_text text = {0};
    gy_text_printf(&text, "%d", pid);
    add_fact(forest, root, "_pid", &text)->type = "pid";
    gy_text_printf(&text, "%u", scene->view.process_count);
    add_fact(forest, root, "_nr_pr", &text)->type = "byte";
    if (scene->model->uses_priority) {
        gy_text_printf(&text, "%d", process->priority);
        add_fact(forest, root, "_priority", &text)->type = "byte";
    }
    gy_text_add(&text, gy_template_name(tmpl));
    add_fact(forest, root, "type", &text);
    if (tmpl->nodes[process->node].label) {
        gy_text_add(&text, tmpl->nodes[process->node].label);
        add_fact(forest, root, "label", &text);
    }
    gy_text_add(&text, gy_may_rest(scene, pid) ? "true" : "false");
    add_fact(forest, root, "valid end state", &text);
    return root;
}
