// gy_verify: the stages of a verification, one after the other.
#include "verify/stages.h"

#include "verify/checkpoint_files.h"
#include "verify/crew.h"
#include "verify/expect.h"
#include "verify/together.h"
#include "verify/verification_state.h"

#include "base/clock.h"
#include "base/fatal_guard.h"
#include "base/file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(gy_verification *driver, const gy_request *request, gy_loaded_model *subject)
{
    *driver = (gy_verification){.request = request, .subject = subject};
    driver->limits = (gy_limits){
        .started = request->started > 0 ? request->started : gy_clock(),
        .seconds = request->time,
        .memory = request->memory.number,
        .interrupt = request->interrupt ? request->interrupt : &request->stop,
    };
    driver->arena = gy_arena_new();
    driver->outcome = GY_NEW(driver->arena, gy_outcome);
    driver->outcome->owner = driver->arena;
    driver->outcome->unexpected = "";
    driver->outcome->least_coverage = -1;
    driver->outcome->model = gy_arena_strdup(driver->arena, request->path ? request->path : "");
}

// Can one be written there? Asked before the search: the first is due after minutes. It is written
// next to the file and then takes its place.
static bool probe_checkpoint(const gy_request *request, gy_user_error *complaint)
{
    const char *path = request->checkpoint;
    struct stat about;
    if (!path)
        return true;
    if (request->transport) { // of many ranks it is a directory
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (made && stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
            return gy_refuse(complaint, "--checkpoint: with --mpi, %s must be a directory", path);
        return (made && access(path, W_OK | X_OK) == 0) ||
               gy_refuse(complaint, "cannot write checkpoints to the directory %s: %s", path,
                         strerror(errno));
    }
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return gy_refuse(complaint, "cannot write a checkpoint to %s: it is not a regular file",
                         path);
    return gy_folder_is_writable(path) ||
           gy_refuse(complaint, "cannot write a checkpoint to %s: %s", path, strerror(errno));
}

// The same for states that do not fit into memory.
static bool probe_disk(const gy_request *request, gy_user_error *complaint)
{
    if (!request->disk)
        return true;
    int file = gy_temporary_file_in(request->disk);
    if (file < 0)
        return gy_refuse(complaint, "--disk: cannot store states in %s: %s", request->disk,
                         strerror(errno));
    close(file);
    return true;
}

// What is asked, and how it will be answered.
static bool prepare(gy_verification *driver)
{
    const gy_request *request = driver->request;
    gy_loaded_model *subject = driver->subject;
    gy_user_error *complaint = &driver->complaint;
    gy_plan *plan = &driver->plan;
    if (!gy_properties_choose(&driver->properties, request, subject, complaint) ||
        !gy_expectations_check(driver, complaint) ||
        !gy_plan_make(plan, request, subject, &driver->properties, driver->arena, complaint) ||
        !gy_trail_file_probe(&driver->trail, request->trail, complaint) ||
        !probe_checkpoint(request, complaint) || !gy_resuming_probe(driver) ||
        !probe_disk(request, complaint))
        return false;
    gy_watched watched = gy_properties_watched(&driver->properties, plan->fairness);
    subject->interrupt = driver->limits.interrupt; // which the request may have got only now
    if (!gy_loaded_model_start_reduced(subject, &plan->passes, &watched, plan->native, complaint))
        return false;
    subject->saved.exact = plan->exact;
    return gy_plan_check(plan, request, subject, &driver->properties, complaint);
}

typedef struct attempt {
    gy_verification *driver;
    bool good;
} attempt;

static void try_to_prepare(void *user)
{
    attempt *a = user;
    a->good = prepare(a->driver);
}

// A model that is too much for Gyre is no reason to end the program.
static bool prepare_safely(gy_verification *driver)
{
    char message[256];
    attempt a = {.driver = driver};
    if (gy_rescue(try_to_prepare, &a, message, sizeof message))
        return a.good;
    return gy_refuse(&driver->complaint, "this model cannot be executed: %s", message);
}

// For those who want to see it: of the exact model, as its counterexamples are.
static void make_graph(gy_verification *driver)
{
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (exact)
        driver->outcome->graph = gy_graph_of_states(&driver->graph, driver->arena, exact,
                                                    driver->request->end_empty, &driver->limits);
}

static void end(gy_verification *driver)
{
    gy_together_free(driver);
    gy_graph_maker_free(&driver->graph);
    gy_search_result_free(driver->result);
    gy_vec_free(&driver->remarks);
    gy_properties_free(&driver->properties);
    gy_plan_free(&driver->plan);
    gy_user_error_free(&driver->complaint);
    driver->outcome->seconds = gy_clock() - driver->limits.started;
    driver->outcome->memory = gy_memory_peak();
}

gy_outcome *gy_verify_subject(const gy_request *request, gy_loaded_model *subject)
{
    gy_verification driver;
    begin(&driver, request, subject);
    bool good = gy_crew_agree(&driver, prepare_safely(&driver));
    if (good && gy_crew_serves(&driver)) {
        gy_crew_serve(&driver);
        driver.outcome->verdict = GY_INCONCLUSIVE; // rank 0 knows
        end(&driver);
        return driver.outcome;
    }
    bool begun = good;
    good = good && gy_verification_search(&driver);
    if (begun)
        gy_crew_end(&driver);
    gy_property_outcome *told =
        GY_NEW_ARRAY(driver.arena, gy_property_outcome, driver.properties.list.n + 1);
    gy_limits_tell(&driver.limits);
    if (good && request->state_graph)
        make_graph(&driver);
    if (good && gy_verification_tell(&driver, told))
        gy_verification_conclude(&driver, told);
    else
        gy_verification_give_up(&driver);
    end(&driver);
    return driver.outcome;
}

// The model cannot be read: its diagnostics are all there is.
static gy_outcome *refuse(const gy_request *request, gy_loaded_model *subject,
                          gy_user_error *complaint)
{
    gy_verification driver;
    begin(&driver, request, subject);
    driver.complaint = *complaint;
    *complaint = (gy_user_error){0};
    gy_verification_give_up(&driver);
    end(&driver);
    return driver.outcome;
}

typedef struct reading {
    gy_loaded_model *subject;
    const gy_request *request;
    gy_user_error *complaint;
    bool good;
} reading;

static void try_to_read(void *user)
{
    reading *r = user;
    r->good = gy_loaded_model_read(r->subject, r->request, r->complaint);
}

bool gy_loaded_model_read_safely(gy_loaded_model *subject, const gy_request *request,
                                 gy_user_error *complaint)
{
    char message[256];
    reading r = {subject, request, complaint, false};
    if (gy_rescue(try_to_read, &r, message, sizeof message))
        return r.good;
    *subject = (gy_loaded_model){0}; // what there was of it is lost
    return gy_refuse(complaint, "this model cannot be read: %s", message);
}

gy_outcome *gy_verify(gy_request *request)
{
    gy_loaded_model subject;
    gy_user_error complaint = {0};
    double given = request->started;
    if (!given)
        request->started = gy_clock();
    bool read = gy_loaded_model_read_safely(&subject, request, &complaint);
    gy_outcome *outcome =
        read ? gy_verify_subject(request, &subject) : refuse(request, &subject, &complaint);
    gy_loaded_model_free(&subject);
    gy_user_error_free(&complaint);
    request->started = given;
    return outcome;
}

void gy_outcome_free(gy_outcome *outcome)
{
    if (outcome)
        gy_arena_free(outcome->owner);
}
