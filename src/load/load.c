#include "load/load.h"

#include "base/fatal.h"
#include "base/fatal_guard.h"
#include "exec/native/native.h"
#include "load/front_ends.h"
#include "model/access.h"
#include "model/atoms.h"
#include "model/committed.h"
#include "model/exclusive.h"
#include "model/layout.h"
#include "model/passes/scratch.h"
#include "model/validate.h"

#include <stdlib.h>
#include <string.h>

// ---- models -----------------------------------------------------------------------------

// What is the same for every language.
static void complete(gy_model *model, const gy_load_options *options, gy_diags *diags)
{
    gy_validate(model, GY_STAGE_BUILT, "lowering");
    gy_model_lower_committed(model);
    if (!options || !options->unchecked_exclusive)
        gy_model_check_exclusive(model, diags);
    gy_model_scratch(model);
    gy_model_layout(model);
    gy_model_access(model);
    gy_validate(model, GY_STAGE_COMPLETE, "loading");
}

// C that is embedded is compiled later, when the options are gone.
static void keep_include_dirs(gy_model *model, const char *const *dirs)
{
    size_t n = 0;
    while (dirs && dirs[n])
        n++;
    const char **kept = GY_NEW_ARRAY(model->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        kept[i] = gy_arena_strdup(model->arena, dirs[i]);
    kept[n] = NULL;
    model->include_dirs = kept;
}

static gy_model *load(gy_front_end_input input, const gy_load_options *options, gy_diags **diags)
{
    const gy_front_end *front_end = gy_front_end_for(input.name, input.text, input.bytes);
    gy_model *model = gy_model_new();
    model->name = gy_arena_strdup(model->arena, input.name);
    model->language = front_end->language;
    model->stop_label = front_end->stop_label;
    input.defines = options ? options->defines : NULL;
    input.include_dirs = options ? options->include_dirs : NULL;
    keep_include_dirs(model, input.include_dirs);
    *diags = gy_diags_new(model->sources);
    bool good = front_end->read(model, &input, *diags);
    if (good)
        complete(model, options, *diags);
    if (good && !gy_diags_errors(*diags))
        return model;
    gy_diags_adopt_sources(*diags);
    model->sources = NULL;
    gy_model_free(model);
    return NULL;
}

gy_model *gy_load_model(const char *path, const gy_load_options *options, gy_diags **diags)
{
    return load((gy_front_end_input){.name = path}, options, diags);
}

gy_model *gy_load_model_text(const char *name, const char *text, size_t bytes,
                             const gy_load_options *options, gy_diags **diags)
{
    return load((gy_front_end_input){.name = name, .text = text, .bytes = bytes}, options, diags);
}

gy_model *gy_load_model_writing(const char *name, const char *text, size_t bytes,
                                const gy_load_options *options, const gy_reading *reading,
                                gy_diags **diags)
{
    return load(
        (gy_front_end_input){.name = name, .text = text, .bytes = bytes, .reading = reading},
        options, diags);
}

// The front end that the model came from; NULL after saying that there is none.
static const gy_front_end *front_end_of(const gy_model *model, gy_diags **diags)
{
    const gy_front_end *front_end = model->syntax ? gy_front_end_named(model->language) : NULL;
    *diags = gy_diags_new(model->sources);
    if (!front_end)
        gy_error(*diags, 0, "expressions cannot be used: this system has no variable names");
    return front_end;
}

gy_formula *gy_load_formula(gy_model *model, const char *text, gy_diags **diags)
{
    const gy_front_end *front_end = front_end_of(model, diags);
    return front_end ? front_end->formula(model, text, *diags) : NULL;
}

gy_atom gy_load_predicate(gy_model *model, const char *text, gy_diags **diags)
{
    const gy_front_end *front_end = front_end_of(model, diags);
    return front_end ? gy_model_atom(model, front_end->predicate(model, text, *diags)) : 0;
}

gy_atom gy_load_expression(gy_model *model, int32_t tmpl, const char *text, gy_diags **diags)
{
    const gy_front_end *front_end = front_end_of(model, diags);
    if (front_end && front_end->expression)
        return gy_model_atom(model, front_end->expression(model, tmpl, text, *diags));
    return front_end ? gy_model_atom(model, front_end->predicate(model, text, *diags)) : 0;
}

gy_atom gy_load_atom(gy_model *model, gy_system *system, const char *text, gy_diags **diags)
{
    return model ? gy_load_predicate(model, text, diags)
                 : gy_load_named_predicate(system, text, diags);
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
    if (model && options && options->no_c && (gy_has_c(model) || model->plain_c))
        refused = strdup("the model has embedded C, which --no-c forbids");
    else if (model)
        system = gy_system_native(model, true, &exec, &native, &refused);
    if (model && !system) {
        gy_error(diags, 0, "%s", refused ? refused : "the model cannot be executed");
        hand_out(diags, problem);
        gy_model_free(model);
    } else {
        hand_out(diags, problem);
    }
    free(refused);
    return system;
}

bool gy_is_shared_object(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

// ---- a model that is too much for Gyre --------------------------------------------------------

typedef struct load_request {
    const char *name, *text;
    size_t bytes;
    const gy_load_options *options;
    char **problem;
    gy_system *system;
} load_request;

static void load_now(void *user)
{
    load_request *r = user;
    gy_diags *diags;
    gy_model *model = r->text ? gy_load_model_text(r->name, r->text, r->bytes, r->options, &diags)
                              : gy_load_model(r->name, r->options, &diags);
    r->system = start(model, r->options, diags, r->problem);
}

// Loads, and comes back, whatever the model makes of it.
static gy_system *load_safely(load_request request)
{
    char message[256];
    if (!gy_rescue(load_now, &request, message, sizeof message) && request.problem) {
        gy_text said = {0};
        gy_text_printf(&said, "%s: error: %s\n", request.name, message);
        *request.problem = gy_text_take(&said);
        return NULL;
    }
    return request.system;
}

static gy_system *refuse_object(char **problem)
{
    gy_diags *diags = gy_diags_new(NULL);
    gy_error(diags, 0, "a shared object is compiled code, which --no-c forbids");
    hand_out(diags, problem);
    return NULL;
}

gy_system *gy_load(const char *path, const gy_load_options *options, char **problem)
{
    if (gy_is_shared_object(path) && options && options->no_c)
        return refuse_object(problem);
    if (gy_is_shared_object(path))
        return gy_system_foreign(path, problem);
    return load_safely((load_request){.name = path, .options = options, .problem = problem});
}

gy_system *gy_load_text(const char *name, const char *text, size_t bytes,
                        const gy_load_options *options, char **problem)
{
    return load_safely((load_request){
        .name = name, .text = text, .bytes = bytes, .options = options, .problem = problem});
}

int gy_predicate(gy_system *system, const char *expression, char **problem)
{
    gy_diags *diags;
    gy_atom atom = 0;
    if (system->owned_model) {
        atom = gy_load_predicate(system->owned_model, expression, &diags);
    } else if (!system->model) {
        atom = gy_load_named_predicate(system, expression, &diags);
    } else {
        diags = gy_diags_new(NULL);
        gy_error(diags, 0, "expressions cannot be used: this system has no variable names");
    }
    hand_out(diags, problem);
    if (!atom)
        return -1;
    gy_system_give(system, atom);
    return (int)atom;
}
