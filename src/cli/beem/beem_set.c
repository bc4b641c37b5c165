#include "cli/beem/beem_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *beem_kind_text(beem_kind kind)
{
    static const char *const texts[] = {"counts", "reach", "ltl"};
    return texts[kind];
}

static const char *format(gy_arena *arena, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

static const char *format(gy_arena *arena, const char *pattern, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, pattern);
    gy_text_vprintf(&text, pattern, args);
    va_end(args);
    const char *copy = gy_arena_strdup(arena, gy_text_str(&text));
    gy_text_free(&text);
    return copy;
}

static bool is_file(const char *path)
{
    return access(path, R_OK) == 0;
}

static uint64_t number_in(const char *text)
{
    return text ? strtoull(text, NULL, 10) : 0;
}

// ---- instances ------------------------------------------------------------------------------

static bool read_structure(beem_set *set, beem_instance *instance, const char *path,
                           gy_text *problem)
{
    gy_arena *scratch = gy_arena_new(); // these files are large
    const beem_element *root = beem_xml_read(scratch, path, problem);
    const beem_element *bfs = root ? beem_child(root, "bfs-info") : NULL;
    (void)set;
    if (bfs) {
        instance->edges = number_in(beem_child_text(scratch, root, "edges"));
        instance->levels = number_in(beem_child_text(scratch, bfs, "levels"));
        instance->has_structure = instance->edges && instance->levels;
    }
    gy_arena_free(scratch);
    return root != NULL;
}

// What the description says about a property or instance of a number.
static const beem_element *described(const beem_model *model, const char *name, const char *id)
{
    const beem_element *e = model->description ? model->description->first : NULL;
    for (; e; e = e->next) {
        const char *own = beem_attribute(e, "id");
        if (!strcmp(e->name, name) && own && !strcmp(own, id))
            return e;
    }
    return NULL;
}

static void add_task(beem_set *set, beem_instance *instance, const char *stem,
                     const beem_element *record)
{
    const char *id = beem_attribute(record, "prop-id"), *answer = beem_attribute(record, "answer");
    bool ltl = !strncmp(record->name, "ltl", 3);
    if (!id || (!ltl && strncmp(record->name, "reach-goal", 10) != 0))
        return;
    beem_task task = {
        .kind = ltl ? BEEM_LTL : BEEM_REACH,
        .property = id,
        .file = format(set->arena, "%s.dve", stem),
        .length = number_in(beem_attribute(record, "length")),
    };
    if (answer && (!strcmp(answer, "yes") || !strcmp(answer, "no")))
        task.answer = answer;
    const char *process = format(set->arena, "%s.prop%s.dve", stem, id);
    if (ltl && is_file(process)) {
        task.file = process;
    } else {
        const beem_element *property = described(instance->model, "property", id);
        task.formula = property ? beem_child_text(set->arena, property, "formula") : "";
    }
    gy_vec_push(&instance->tasks, task);
}

static bool add_instance(beem_set *set, const beem_model *model, const beem_element *record,
                         gy_text *problem)
{
    const char *id = beem_attribute(record, "id");
    const beem_element *time = beem_child(record, "reach-time");
    const char *complete = time ? beem_attribute(time, "complete") : NULL;
    if (!id) {
        gy_text_printf(problem, "%s: an instance in results.xml has no id", model->folder);
        return false;
    }
    beem_instance *instance = GY_NEW(set->arena, beem_instance);
    const char *stem =
        format(set->arena, "%s/generated_files/%s.%s", model->folder, model->name, id);
    const beem_element *description = described(model, "instance", id);
    *instance = (beem_instance){
        .model = model,
        .name = format(set->arena, "%s.%s", model->name, id),
        .parameters = description ? beem_child_text(set->arena, description, "parameters") : "",
        .recorded = complete && !strcmp(complete, "yes"),
        .states = number_in(beem_child_text(set->arena, record, "states")),
    };
    gy_vec_push(&set->instances, instance);
    const char *structure = format(set->arena, "%s.stat.xml", stem);
    if (is_file(structure) && !read_structure(set, instance, structure, problem))
        return false;
    beem_task counts = {
        .kind = BEEM_COUNTS, .property = "", .file = format(set->arena, "%s.dve", stem)};
    gy_vec_push(&instance->tasks, counts);
    for (const beem_element *e = record->first; e; e = e->next)
        add_task(set, instance, stem, e);
    return true;
}

// ---- models ---------------------------------------------------------------------------------

static bool add_model(beem_set *set, const char *folder, const char *name, gy_text *problem)
{
    const char *description = format(set->arena, "%s/%s.xml", folder, name);
    const char *results = format(set->arena, "%s/generated_files/results.xml", folder);
    const char *template = format(set->arena, "%s/%s.mdve", folder, name);
    beem_model *model = GY_NEW(set->arena, beem_model);
    *model = (beem_model){.name = gy_arena_strdup(set->arena, name),
                          .type = "",
                          .class = "",
                          .folder = gy_arena_strdup(set->arena, folder),
                          .template = is_file(template) ? template : NULL};
    gy_vec_push(&set->models, model);
    if (is_file(description)) {
        model->description = beem_xml_read(set->arena, description, problem);
        if (!model->description)
            return false;
        const char *type = beem_attribute(model->description, "type");
        const char *class = beem_attribute(model->description, "classification");
        model->type = type ? type : "";
        model->class = class ? class : "";
    }
    const beem_element *list = beem_xml_read(set->arena, results, problem);
    if (!list)
        return false;
    for (const beem_element *e = list->first; e; e = e->next)
        if (!strcmp(e->name, "instance") && !add_instance(set, model, e, problem))
            return false;
    return true;
}

static bool is_model_folder(const char *folder)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/generated_files/results.xml", folder);
    bool is = is_file(gy_text_str(&path));
    gy_text_free(&path);
    return is;
}

// The last part of a path, whatever it ends with.
static const char *base_name(gy_arena *arena, const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *name = real && strrchr(real, '/') ? strrchr(real, '/') + 1 : folder;
    const char *copy = gy_arena_strdup(arena, name);
    free(real);
    return copy;
}

bool beem_set_read(beem_set *set, const char *folder, gy_text *problem)
{
    struct dirent **entries;
    bool good = true;
    *set = (beem_set){.arena = gy_arena_new()};
    if (is_model_folder(folder))
        return add_model(set, folder, base_name(set->arena, folder), problem);
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0) {
        gy_text_printf(problem, "cannot read %s: %s", folder, strerror(errno));
        return false;
    }
    for (int i = 0; i < n; i++) {
        gy_text path = {0};
        gy_text_printf(&path, "%s/%s", folder, entries[i]->d_name);
        if (good && entries[i]->d_name[0] != '.' && is_model_folder(gy_text_str(&path)))
            good = add_model(set, gy_text_str(&path), entries[i]->d_name, problem);
        gy_text_free(&path);
        free(entries[i]);
    }
    free(entries);
    if (good && set->models.n == 0) {
        gy_text_printf(problem,
                       "no model in %s (a directory with generated_files/results.xml is needed)",
                       folder);
        good = false;
    }
    return good;
}

void beem_set_free(beem_set *set)
{
    for (size_t i = 0; i < set->instances.n; i++)
        gy_vec_free(&set->instances.at[i]->tasks);
    gy_vec_free(&set->instances);
    gy_vec_free(&set->models);
    if (set->arena)
        gy_arena_free(set->arena);
    *set = (beem_set){0};
}
