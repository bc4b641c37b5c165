#include "verify/checkpoint_files.h"

#include "verify/crew.h"

#include "dist/mpi/ranks.h"

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/source.h"
#include "exec/system.h"
#include "model/model_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t gy_resuming_variant(const gy_loaded_model *subject, bool symmetry)
{
    const gy_model *model = subject->system->model;
    uint64_t hash = gy_hash_bytes(&subject->saved, sizeof subject->saved, symmetry);
    gy_text text = {0};
    if (model)
        gy_model_print(model, &text);
    gy_text_printf(&text, "lossy %d, exclusive %u\n", subject->lossy,
                   model ? model->exclusive_count : 0);
    for (uint32_t i = 0; model && i < model->c_code_count; i++)
        gy_text_printf(&text, "%s\n%s\n", model->c_codes[i]->code,
                       model->c_codes[i]->precondition ? model->c_codes[i]->precondition : "");
    for (uint32_t i = 0; model && i < model->c_unit_count; i++)
        gy_text_printf(&text, "%d %s\n%s\n%s\n", model->c_units[i].kind,
                       model->c_units[i].text ? model->c_units[i].text : "",
                       model->c_units[i].scope ? model->c_units[i].scope : "",
                       model->c_units[i].extra ? model->c_units[i].extra : "");
    hash = gy_hash_bytes(text.at, text.n, hash);
    gy_text_free(&text);
    return hash;
}

static uint64_t add_text(const char *text, uint64_t hash)
{
    return gy_hash_bytes(text ? text : "", text ? strlen(text) : 0, hash + 1);
}

// A formula of the command line; one of the model can be named there, too.
static bool is_of_request(const gy_verification *driver, const gy_property *property)
{
    const gy_model *model = driver->subject->model;
    for (uint32_t i = 0; model && i < model->ltl_count; i++)
        if (model->ltls[i].formula == property->formula)
            return false;
    return property->formula != NULL;
}

// And the property: formulas and claims are in the files of the model, or in the request.
static uint64_t variant_of_property(const gy_verification *driver, const gy_property *property,
                                    bool symmetry)
{
    const gy_loaded_model *subject = driver->subject;
    const gy_observer *observer = property->observer;
    const gy_sources *sources = subject->model ? subject->model->sources : NULL;
    uint64_t hash = gy_resuming_variant(subject, symmetry);
    uint64_t facts[] = {gy_verification_fairness(driver, property), observer->states,
                        observer->sets, observer->strong};
    hash = gy_hash_bytes(facts, sizeof facts, hash);
    hash = add_text(property->name, add_text(property->kind, hash));
    for (uint32_t i = 0; sources && i < gy_sources_count(sources); i++) {
        size_t bytes = 0;
        const char *text = gy_source_text(sources, i, &bytes);
        hash = text ? gy_hash_bytes(text, bytes, hash + 1) : hash;
    }
    bool named = !is_of_request(driver, property);
    for (size_t i = 0; i < driver->request->formulas.n && !named; i++)
        hash = add_text(driver->request->formulas.at[i], hash);
    return hash;
}

// ---- files ----------------------------------------------------------------------------

static size_t count_searches(const gy_verification *driver)
{
    size_t count = 0;
    for (size_t i = 0; i < driver->properties.list.n; i++)
        count += gy_property_is_searched(&driver->properties.list.at[i]);
    return count;
}

static char *file_of(const gy_verification *driver, const gy_property *property, const char *asked)
{
    gy_text path = {0};
    if (!asked)
        return NULL;
    gy_text_add(&path, asked);
    if (!gy_property_is_safety(property) && count_searches(driver) > 1)
        gy_text_printf(&path, ".%zu", (size_t)(property - driver->properties.list.at) + 1);
    return gy_text_take(&path);
}

static bool is_there(const char *path)
{
    return path && access(path, F_OK) == 0;
}

static bool any_is_there(const gy_verification *driver)
{
    bool found = is_there(driver->request->resume);
    for (size_t i = 0; i < driver->properties.list.n && !found; i++) {
        char *path = file_of(driver, &driver->properties.list.at[i], driver->request->resume);
        found = is_there(path);
        free(path);
    }
    return found;
}

double gy_resuming_seconds(void)
{
    const char *seconds = getenv("GYRE_CHECKPOINT");
    return seconds && atof(seconds) > 0 ? atof(seconds) : 0;
}

// The same over ranks, where each search has a directory: the one file in it with a name that
// anybody might choose.
static bool spares_manifest(gy_verification *driver, const gy_property *property)
{
    struct stat about;
    gy_text path = {0};
    char *folder = gy_crew_folder(driver, property, driver->request->checkpoint);
    gy_text_printf(&path, "%s/" GY_RANKS_MANIFEST, folder);
    char *obstacle = gy_writer_obstacle(gy_text_str(&path));
    bool good =
        !obstacle ||
        gy_refuse(&driver->complaint,
                  "cannot write checkpoints to the directory %s: the file %s is not a checkpoint",
                  folder, obstacle);
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode))
        good = gy_refuse(&driver->complaint,
                         "cannot write checkpoints to %s: it is not a directory", folder);
    free(obstacle);
    free(folder);
    gy_text_free(&path);
    return good;
}

// Files that are no checkpoints are somebody's, above all those with a number, which nothing named.
static bool spares_files(gy_verification *driver)
{
    bool good = true;
    for (size_t i = 0; driver->request->checkpoint && good && i < driver->properties.list.n; i++) {
        const gy_property *property = &driver->properties.list.at[i];
        if (!gy_property_is_searched(property))
            continue;
        if (driver->request->transport) {
            good = spares_manifest(driver, property);
            continue;
        }
        char *path = file_of(driver, property, driver->request->checkpoint);
        char *obstacle = gy_writer_obstacle(path);
        good = !obstacle ||
               gy_refuse(&driver->complaint,
                         "cannot write a checkpoint to %s: the file %s is not a checkpoint", path,
                         obstacle);
        free(obstacle);
        free(path);
    }
    return good;
}

bool gy_resuming_probe(gy_verification *driver)
{
    const char *asked = driver->request->resume;
    if (asked && !driver->request->transport && !any_is_there(driver))
        return gy_refuse(&driver->complaint, "%s: the file does not exist", asked);
    return spares_files(driver);
}

const char *gy_resuming_safety(const gy_verification *driver)
{
    const char *asked = driver->request->resume;
    return driver->request->transport || is_there(asked) ? asked : NULL;
}

void gy_resuming_begin(const gy_verification *driver, const gy_property *property,
                       gy_search_options *options, gy_resuming_files *files)
{
    const gy_request *request = driver->request;
    *files = (gy_resuming_files){0};
    options->checkpoint_file = request->transport ? request->checkpoint : NULL;
    options->resume_file = request->transport ? request->resume : NULL;
    if (request->transport || request->hunt) // over ranks there is a directory
        return;
    files->checkpoint = file_of(driver, property, request->checkpoint);
    files->resume = file_of(driver, property, request->resume);
    options->checkpoint_file = files->checkpoint;
    options->resume_file = is_there(files->resume) ? files->resume : NULL;
    options->variant = variant_of_property(driver, property, options->symmetry);
}

void gy_resuming_end(gy_resuming_files *files)
{
    free(files->checkpoint);
    free(files->resume);
}
