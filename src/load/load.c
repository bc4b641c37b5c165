#include "load/load.h"

#include "base/vec.h"
#include "exec/native/native.h"
#include "lang/promela/lower/lower.h"
#include "lang/promela/read/ast.h"
#include "model/access.h"
#include "model/exclusive.h"
#include "model/layout.h"
#include "model/passes/scratch.h"

#include <stdlib.h>
#include <string.h>

// ---- Promela --------------------------------------------------------------------------

typedef GY_VEC(pml_define) define_list;

static define_list split_defines(gy_arena *arena, const gy_load_options *options)
{
    define_list defines = {0};
    for (const char *const *d = options ? options->defines : NULL; d && *d; d++) {
        const char *equals = strchr(*d, '=');
        pml_define define = {*d, NULL};
        if (equals) {
            define.name = gy_arena_strndup(arena, *d, (size_t)(equals - *d));
            define.value = equals + 1;
        }
        gy_vec_push(&defines, define);
    }
    return defines;
}

// Parses what `tokens` delivers into the model and completes it. False after errors.
static bool read_model(gy_model *model, pml_tokens *tokens, const gy_load_options *options,
                       gy_diags *diags)
{
    pml_model *tree = pml_parse(model->arena, tokens, model->sources, diags);
    if (gy_diags_errors(diags) || !pml_lower(tree, model))
        return false;
    model->front_end = tree;
    if (!options || !options->unchecked_exclusive)
        gy_model_check_exclusive(model, diags);
    gy_model_scratch(model);
    gy_model_layout(model);
    gy_model_access(model);
    return gy_diags_errors(diags) == 0;
}

static gy_model *load(const char *name, const char *text, size_t bytes,
                      const gy_load_options *options, gy_diags **diags)
{
    gy_model *model = gy_model_new();
    model->name = gy_arena_strdup(model->arena, name);
    *diags = gy_diags_new(model->sources);
    define_list defines = split_defines(model->arena, options);
    const char *const *dirs = options ? options->include_dirs : NULL;
    pml_tokens *tokens = text ? pml_tokens_open_text(model->arena, model->sources, *diags, name,
                                                     text, bytes, defines.at, defines.n, dirs)
                              : pml_tokens_open(model->arena, model->sources, *diags, name,
                                                defines.at, defines.n, dirs);
    bool good = tokens && read_model(model, tokens, options, *diags);
    if (tokens)
        pml_tokens_close(tokens);
    gy_vec_free(&defines);
    if (good)
        return model;
    gy_diags_adopt_sources(*diags);
    model->sources = NULL;
    gy_model_free(model);
    return NULL;
}

gy_model *gy_load_promela(const char *path, const gy_load_options *options, gy_diags **diags)
{
    return load(path, NULL, 0, options, diags);
}

gy_model *gy_load_promela_text(const char *name, const char *text, size_t bytes,
                               const gy_load_options *options, gy_diags **diags)
{
    return load(name, text, bytes, options, diags);
}

static pml_expr *parse_formula(gy_model *model, const char *text, gy_diags **diags)
{
    pml_model *tree = model->front_end;
    *diags = gy_diags_new(model->sources);
    if (!tree) {
        gy_error(*diags, 0, "this system has no names that an expression could use");
        return NULL;
    }
    tree->diags = *diags;
    pml_expr *expr = pml_parse_formula(tree, text);
    return gy_diags_errors(*diags) ? NULL : expr;
}

gy_formula *gy_load_formula(gy_model *model, const char *text, gy_diags **diags)
{
    pml_expr *expr = parse_formula(model, text, diags);
    return expr ? pml_lower_formula(model->front_end, model, expr) : NULL;
}

gy_expr *gy_load_predicate(gy_model *model, const char *text, gy_diags **diags)
{
    pml_expr *expr = parse_formula(model, text, diags);
    return expr ? pml_lower_predicate(model->front_end, model, expr) : NULL;
}

// ---- the public functions ---------------------------------------------------------------

static void hand_out(gy_diags *diags, char **problem)
{
    gy_text text = {0};
    if (problem) {
        gy_diags_print(diags, &text, false);
        *problem = gy_text_take(&text);
    }
    gy_diags_free(diags);
}

static gy_system *start(gy_model *model, const gy_load_options *options, gy_diags *diags,
                        char **problem)
{
    gy_exec_options exec = {.lossy = options && options->lossy};
    gy_system *system = NULL;
    gy_native_options native = {.mode = GY_NATIVE_AUTO};
    char *refused = NULL;
    if (model)
        system = gy_system_native(model, true, &exec, &native, &refused);
    if (model && !system) {
        gy_error(diags, 0, "%s", refused ? refused : "the model can't be run");
        hand_out(diags, problem);
        gy_model_free(model);
    } else {
        hand_out(diags, problem);
    }
    free(refused);
    return system;
}

static bool is_shared_object(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

gy_system *gy_load(const char *path, const gy_load_options *options, char **problem)
{
    if (is_shared_object(path))
        return gy_system_foreign(path, problem);
    gy_diags *diags;
    gy_model *model = gy_load_promela(path, options, &diags);
    return start(model, options, diags, problem);
}

gy_system *gy_load_text(const char *name, const char *text, size_t bytes,
                        const gy_load_options *options, char **problem)
{
    gy_diags *diags;
    gy_model *model = gy_load_promela_text(name, text, bytes, options, &diags);
    return start(model, options, diags, problem);
}

int gy_predicate(gy_system *system, const char *expression, char **problem)
{
    gy_diags *diags;
    gy_expr *expr = NULL;
    if (system->owned_model) {
        expr = gy_load_predicate(system->owned_model, expression, &diags);
    } else {
        diags = gy_diags_new(NULL);
        gy_error(diags, 0, "this system has no names that an expression could use");
    }
    hand_out(diags, problem);
    if (!expr)
        return -1;
    system->predicates =
        gy_realloc(system->predicates, (system->predicate_count + 1) * sizeof *system->predicates);
    system->predicates[system->predicate_count] = expr;
    return (int)system->predicate_count++;
}
