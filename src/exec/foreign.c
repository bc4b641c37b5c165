// Foreign systems: a shared object that implements struct gy_foreign, as a backend.
//
// States have a fixed length. A fault of a foreign step is reported as an assertion whose
// message is the object's text. An expression of such a system is a GY_E_VAR whose variable is the
// number of a predicate.
#include "exec/system.h"

#include "base/fatal.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "exec/fault_rows.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 4096 };

typedef struct foreign_system {
    void *handle;
    char *path;
    struct gy_foreign object; // a copy: one of an older version has less
    gy_fault_row *faults;     // none, assertions, and those that the object brings
} foreign_system;

enum { FIRST_OWN_FAULT = GY_FAULT_ASSERTION + 1 };

typedef struct foreign_worker {
    const struct gy_foreign *object;
    const gy_fault_row *faults;
    void *scratch;
    gy_visit *visit;
    void *user;
    bool initial;
} foreign_worker;

static void free_system(void *impl)
{
    foreign_system *system = impl;
    dlclose(system->handle);
    free(system->path);
    free(system->faults);
    free(system);
}

static void *new_worker(void *impl)
{
    foreign_worker *worker = gy_alloc_zero(sizeof *worker);
    worker->object = &((foreign_system *)impl)->object;
    worker->faults = ((foreign_system *)impl)->faults;
    worker->scratch = gy_alloc_zero(worker->object->scratch_bytes + 1);
    return worker;
}

static void free_worker(void *impl)
{
    foreign_worker *worker = impl;
    free(worker->scratch);
    free(worker);
}

// Objects before version 3 leave a step's `fault_row` out.
static gy_fault_kind kind_of(const struct gy_foreign *object, const gy_foreign_step *step)
{
    if (object->abi < 3 || step->fault_row == 0)
        return GY_FAULT_ASSERTION;
    if (step->fault_row > object->fault_count)
        gy_fatal("fault %u of a step is not among the %u of `gyre_system.faults`", step->fault_row,
                 object->fault_count);
    return FIRST_OWN_FAULT + step->fault_row - 1;
}

static int emit(void *user, const gy_foreign_step *step)
{
    foreign_worker *worker = user;
    gy_fault_kind kind = step->fault ? kind_of(worker->object, step) : GY_FAULT_NONE;
    gy_step one = {step->process, step->edge, -1, -1, 0, 0};
    gy_fault fault = {.kind = kind,
                      .pid = step->process,
                      .edge = step->edge,
                      .message = step->fault,
                      .row = &worker->faults[kind]};
    gy_transition transition = {
        .state = step->state,
        .words = step->state ? worker->object->words : 0,
        .steps = &one,
        .step_count = worker->initial ? 0 : 1,
        .fault = step->fault ? &fault : NULL,
        .exclusive = -1,
        .written = GY_WRITTEN_ALL,
    };
    return worker->visit(worker->user, &transition);
}

static int initial(void *impl, gy_visit *visit, void *user)
{
    foreign_worker *worker = impl;
    worker->visit = visit;
    worker->user = user;
    worker->initial = true;
    return worker->object->initial(worker->scratch, emit, worker);
}

static int successors(void *impl, const gy_word *state, uint32_t words, gy_visit *visit, void *user)
{
    foreign_worker *worker = impl;
    if (words != worker->object->words)
        gy_fatal("not a state of this system (%u words)", words);
    worker->visit = visit;
    worker->user = user;
    worker->initial = false;
    return worker->object->successors(worker->scratch, state, emit, worker);
}

static int single_steps(void *impl, const gy_word *state, uint32_t words, int32_t exclusive,
                        gy_visit *visit, void *user)
{
    (void)exclusive;
    return successors(impl, state, words, visit, user);
}

static bool is_end_state(void *impl, const gy_word *state, uint32_t words, bool empty_channels)
{
    (void)words;
    (void)empty_channels;
    foreign_worker *worker = impl;
    return !worker->object->is_end_state || worker->object->is_end_state(worker->scratch, state);
}

static bool holds(void *impl, const gy_word *state, uint32_t words, gy_atom predicate)
{
    (void)words;
    const foreign_worker *worker = impl;
    return worker->object->holds(worker->scratch, state, predicate - 1);
}

static uint64_t truths(void *impl, const gy_word *state, uint32_t words, const gy_atom *atoms,
                       uint32_t count, uint64_t *unknown)
{
    uint64_t answers = 0;
    *unknown = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!atoms[i])
            *unknown |= 1ull << i;
        else
            answers |= (uint64_t)holds(impl, state, words, atoms[i]) << i;
    return answers;
}

static bool names(void *impl, gy_predicate_names *out)
{
    const foreign_system *system = impl;
    const struct gy_foreign *object = &system->object;
    *out = (gy_predicate_names){object->predicates, object->predicate_count};
    return object->predicate_count > 0;
}

static bool dependencies(void *impl, gy_dependencies *out)
{
    const struct gy_foreign *object = &((foreign_system *)impl)->object;
    *out = (gy_dependencies){
        .groups = object->group_count,
        .words = object->words,
        .predicates = object->predicate_count,
        .access = object->access,
        .predicate_reads = object->predicate_reads,
        .guards = object->predicate_reads ? object->guards : NULL,
        .names = object->groups,
    };
    return object->group_count > 0 && object->access;
}

static char *state_text(void *impl, const gy_word *state, uint32_t words)
{
    const struct gy_foreign *object = ((foreign_worker *)impl)->object;
    gy_text out = {0};
    if (object->state_text) {
        char *buffer = gy_alloc_zero(TEXT_ROOM);
        object->state_text(state, buffer, TEXT_ROOM - 1);
        gy_text_add(&out, buffer);
        free(buffer);
    } else
        for (uint32_t i = 0; i < words; i++)
            gy_text_printf(&out, "word %u = %u\n", i, state[i]);
    gy_text_add(&out, "");
    return out.at ? gy_text_take(&out) : strdup("");
}

static char *step_text(void *impl, const gy_step *step)
{
    const struct gy_foreign *object = ((foreign_worker *)impl)->object;
    char *buffer = gy_alloc_zero(TEXT_ROOM);
    if (object->step_text)
        object->step_text(step->pid, step->edge, buffer, TEXT_ROOM - 1);
    else if (object->groups && (uint32_t)step->edge < object->group_count)
        snprintf(buffer, TEXT_ROOM, "%s", object->groups[step->edge]);
    else
        snprintf(buffer, TEXT_ROOM, "process %d, step %d", step->pid, step->edge);
    return buffer;
}

static const gy_backend backend = {
    .name = "foreign",
    .free_system = free_system,
    .new_worker = new_worker,
    .free_worker = free_worker,
    .initial = initial,
    .successors = successors,
    .single_steps = single_steps,
    .is_end_state = is_end_state,
    .holds = holds,
    .state_text = state_text,
    .step_text = step_text,
    .truths = truths,
    .names = names,
    .dependencies = dependencies,
};

static void report(char **problem, const char *path, const char *what)
{
    if (!problem)
        return;
    gy_text text = {0};
    gy_text_printf(&text, "%s: error: %s\n", path, what);
    *problem = gy_text_take(&text);
}

// Why the object cannot be used, or NULL.
static const char *check(const struct gy_foreign *object)
{
    if (!object->words)
        return "`gyre_system.words` is 0: a state needs at least one word";
    if (!object->initial || !object->successors)
        return "`gyre_system.initial` and `gyre_system.successors` must be set";
    if (object->predicate_count && (!object->predicates || !object->holds))
        return "`gyre_system` has predicates, but not their names and `holds`";
    for (uint32_t i = 0; i < object->predicate_count; i++)
        if (!object->predicates[i] || !*object->predicates[i])
            return "a predicate of `gyre_system` has no name";
    for (uint32_t i = 0; i < object->fault_count; i++)
        if (!object->faults || !object->faults[i].name || !object->faults[i].rule ||
            !object->faults[i].brief)
            return "a fault of `gyre_system` has no name, no rule or no sentence";
    size_t entries = object->access ? (size_t)object->group_count * object->words : 0;
    for (size_t i = 0; i < entries; i++)
        if ((object->access[i] & (GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE)) == GY_GROUP_MUST_WRITE)
            return "`gyre_system.access`: what must be written (8) may be written (4)";
    return NULL;
}

// A copy of what the object exports; members that its version does not have are zero.
static const char *take(const struct gy_foreign *exported, struct gy_foreign *copy)
{
    if (!exported)
        return "the shared object exports no `gyre_system` (const struct gy_foreign)";
    if (exported->abi < 1 || exported->abi > GY_ABI_VERSION)
        return "the shared object was built for another version of gyre.h (field `abi`)";
    size_t known = exported->abi == 1   ? offsetof(struct gy_foreign, predicate_count)
                   : exported->abi == 2 ? offsetof(struct gy_foreign, fault_count)
                                        : sizeof *copy;
    memset(copy, 0, sizeof *copy);
    memcpy(copy, exported, known);
    return check(copy);
}

// What an object does is known by its code alone: states that one left are not for another.
static bool hash_file(const char *path, uint64_t *hash)
{
    gy_file_rules rules = {0};
    gy_file file;
    if (!gy_file_read(path, &rules, &file))
        return false;
    *hash = gy_hash_bytes(file.text, file.bytes, 1);
    gy_file_free(&file);
    return true;
}

gy_system *gy_system_foreign(const char *path, char **problem)
{
    gy_text full = {0};
    if (!strchr(path, '/'))
        gy_text_add(&full, "./"); // else the loader would look in the system's libraries only
    gy_text_add(&full, path);
    void *handle = dlopen(gy_text_str(&full), RTLD_NOW | RTLD_LOCAL);
    gy_text_free(&full);
    if (!handle) {
        report(problem, path, dlerror());
        return NULL;
    }
    struct gy_foreign object;
    uint64_t content;
    const char *wrong = take(dlsym(handle, "gyre_system"), &object);
    if (!wrong && !hash_file(path, &content))
        wrong = "the shared object cannot be read";
    if (wrong) {
        report(problem, path, wrong);
        dlclose(handle);
        return NULL;
    }
    if (problem)
        *problem = strdup("");
    foreign_system *impl = gy_alloc_zero(sizeof *impl);
    impl->handle = handle;
    impl->path = strdup(path);
    impl->object = object;
    impl->faults = gy_alloc((FIRST_OWN_FAULT + (size_t)object.fault_count) * sizeof *impl->faults);
    memcpy(impl->faults, gy_model_faults, FIRST_OWN_FAULT * sizeof *impl->faults);
    if (object.fault_count)
        memcpy(&impl->faults[FIRST_OWN_FAULT], object.faults,
               object.fault_count * sizeof *impl->faults);
    gy_system *system = gy_alloc_zero(sizeof *system);
    system->faults = impl->faults;
    system->fault_count = FIRST_OWN_FAULT + object.fault_count;
    system->backend = &backend;
    system->impl = impl;
    system->name = object.name ? object.name : "foreign";
    system->file = impl->path;
    system->content = content;
    return system;
}
