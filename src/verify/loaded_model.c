#include "verify/loaded_model.h"

#include "load/load.h"

static bool read_foreign(gy_loaded_model *subject, const char *path, gy_user_error *complaint)
{
    char *problem = NULL;
    subject->system = gy_system_foreign(path, &problem);
    if (!subject->system)
        gy_refuse(complaint, "%s",
                  problem && *problem ? problem : "this shared object cannot be used");
    gy_free(problem);
    return subject->system != NULL;
}

// Code that a request does not want to be run.
static bool is_welcome(const gy_loaded_model *subject, const gy_request *request,
                       gy_user_error *complaint)
{
    const gy_model *model = subject->model;
    if (request->no_c && model && (gy_has_c(model) || model->plain_c))
        return gy_refuse(complaint, "the model has embedded C, which --no-c forbids");
    return true;
}

static void borrow(gy_loaded_model *subject, gy_system *system)
{
    if (system->owned_model) {
        subject->model = system->owned_model;
        subject->lent_model = true;
        gy_system_layouts(system, &subject->lossy);
    } else {
        subject->system = system;
        subject->lent_system = true;
    }
}

bool gy_loaded_model_read(gy_loaded_model *subject, const gy_request *request,
                          gy_user_error *complaint)
{
    *subject = (gy_loaded_model){
        .lossy = request->lossy,
        .no_por = request->exact || request->no_por,
        .interrupt = request->interrupt ? request->interrupt : &request->stop,
    };
    if (request->system) {
        borrow(subject, request->system);
        return is_welcome(subject, request, complaint);
    }
    if (!request->path)
        return gy_refuse(complaint, "a model is needed");
    if (!request->text && gy_is_shared_object(request->path) && request->no_c)
        return gy_refuse(complaint, "a shared object is compiled code, which --no-c forbids");
    if (!request->text && gy_is_shared_object(request->path) && request->no_object)
        return gy_refuse(complaint,
                         "%s is a shared object, which can only be verified or simulated",
                         request->path);
    if (!request->text && gy_is_shared_object(request->path))
        return read_foreign(subject, request->path, complaint);
    gy_load_options options = {
        .defines = (const char *const *)request->defines.at,
        .include_dirs = (const char *const *)request->include_dirs.at,
        .lossy = request->lossy,
        .unchecked_exclusive = request->unchecked_exclusive,
        .no_c = request->no_c,
    };
    subject->model = request->text ? gy_load_model_text(request->path, request->text,
                                                        request->bytes, &options, &subject->diags)
                                   : gy_load_model(request->path, &options, &subject->diags);
    return subject->model && is_welcome(subject, request, complaint);
}

// A system that runs `model`, or NULL.
static gy_system *start(const gy_loaded_model *subject, gy_model *model, gy_native_mode mode,
                        gy_user_error *complaint)
{
    char *problem = NULL;
    gy_exec_options exec = {.lossy = subject->lossy};
    gy_native_options native = {
        .mode = mode, .no_singles = subject->no_por, .interrupt = subject->interrupt};
    gy_system *system = gy_system_native(model, false, &exec, &native, &problem);
    if (!system)
        gy_refuse(complaint, "%s", problem ? problem : "the model cannot be executed");
    free(problem);
    return system;
}

bool gy_loaded_model_start(gy_loaded_model *subject, gy_native_mode mode, gy_user_error *complaint)
{
    if (subject->model)
        subject->system = start(subject, subject->model, mode, complaint);
    return subject->system != NULL;
}

bool gy_loaded_model_start_reduced(gy_loaded_model *subject, const gy_passes *passes,
                                   const gy_watched *watched, gy_native_mode mode,
                                   gy_user_error *complaint)
{
    if (!subject->model)
        return true;
    gy_model *reduced = gy_model_reduced(subject->model, passes, watched, &subject->saved);
    if (!gy_saved_any(&subject->saved))
        reduced = subject->model;
    subject->system = start(subject, reduced, mode, complaint);
    return subject->system != NULL;
}

void gy_loaded_model_show(gy_loaded_model *subject)
{
    gy_exec_options exec = {.lossy = subject->lossy};
    if (subject->model)
        subject->system = gy_system_vm(subject->model, false, &exec);
}

gy_system *gy_loaded_model_exact(gy_loaded_model *subject, gy_user_error *complaint)
{
    if (!gy_saved_any(&subject->saved))
        return subject->system;
    if (!subject->exact)
        subject->exact = start(subject, subject->model, GY_NATIVE_OFF, complaint);
    return subject->exact;
}

// Merging is the one pass that asks what fairness is about.
gy_system *gy_loaded_model_fair(gy_loaded_model *subject, const gy_passes *passes,
                                gy_watched watched, gy_user_error *complaint)
{
    gy_saved saved;
    if (!subject->saved.merged_edges || watched.fair_processes)
        return subject->system;
    watched.fair_statements = watched.fair_processes = true;
    if (!subject->fair)
        subject->fair = start(subject, gy_model_reduced(subject->model, passes, &watched, &saved),
                              GY_NATIVE_OFF, complaint);
    return subject->fair;
}

gy_formula *gy_loaded_model_formula(const gy_loaded_model *subject, const char *text,
                                    gy_diags **diags)
{
    return subject->model ? gy_load_formula(subject->model, text, diags)
                          : gy_load_named_formula(subject->system, text, diags);
}

void gy_loaded_model_free(gy_loaded_model *subject)
{
    if (subject->exact)
        gy_system_free(subject->exact);
    if (subject->fair)
        gy_system_free(subject->fair);
    if (subject->system && !subject->lent_system)
        gy_system_free(subject->system);
    if (subject->diags)
        gy_diags_free(subject->diags);
    if (!subject->lent_model)
        gy_model_free(subject->model);
    *subject = (gy_loaded_model){0};
}
