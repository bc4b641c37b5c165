// The native backend: building compiled code, and systems. See native_system.h.
#include "exec/native/native.h"

#include "base/child_process.h"
#include "base/clock.h"
#include "base/hash.h"
#include "exec/embedded/embedded.h"
#include "exec/native/gen.h"
#include "exec/native/native_build.h"
#include "exec/native/native_system.h"

#include <dlfcn.h>
#include <stdio.h>

enum {
    MOST_SHAPES = 16,        // at first; later builds may have more
    ENOUGH_SOURCE = 1 << 18, // bytes of C: then no more shapes, at first
    MOST_BUILDS = 3,         // and one more, for good code
    MOST_SOURCE = 6 << 20,   // bytes of C: more is not worth a compiler's time
    LARGE_SOURCE = 1 << 18,  // above this, the compiler tries less hard
};

// ---- building -----------------------------------------------------------------------------

// Why no code can be generated for this model, or NULL.
static const char *refuses(const gy_model *model)
{
    if ((model->uses_priority || model->uses_enabled) && model->joint_rendezvous)
        return "joint rendezvous with priorities or enabled() is executed in the VM";
    if (model->uses_choice)
        return "nondeterministic values are executed in the VM";
    if (!gy_all_matched(model))
        return "C memory that is tracked and not matched is executed in the VM";
    if (model->trace != GY_NONE && !gy_gen_covers_trace(model))
        return "this trace assertion is executed in the VM";
    return NULL;
}

// With the lock held. After a failure to improve the code, the old one goes on.
static void fail(gy_native_system *n, const char *message)
{
    if (atomic_load(&n->code))
        return;
    free(n->message);
    n->message = strdup(message);
    atomic_store_explicit(&n->stage, GY_NATIVE_FAILED, memory_order_release);
}

// Were the structures of gen_prelude.c forgotten when those of the headers changed?
static void check_layout(void *handle)
{
    static const size_t ours[] = GY_NATIVE_LAYOUT;
    const size_t *theirs = dlsym(handle, "gyre_layout");
    if (!theirs || memcmp(ours, theirs, sizeof ours) != 0)
        gy_fatal("generated code with another layout of gy_transition or gy_native_run");
}

static gy_compiled *code_new(void *handle, const gy_native_facts *facts, bool quick)
{
    gy_compiled *code = gy_alloc_zero(sizeof *code);
    check_layout(handle);
    code->handle = handle;
    code->quick = quick;
    code->least_words = UINT32_MAX;
    for (code->room = 2; code->room < 2 * facts->written;)
        code->room *= 2;
    code->shapes = gy_alloc_zero(code->room * sizeof *code->shapes);
    for (uint32_t i = 0; i < facts->written; i++) {
        const gy_state_layout *layout = facts->shapes[i].shape;
        char name[32];
        snprintf(name, sizeof name, "gyre_shape_%u", i);
        uint32_t at = gy_compiled_slot(code, layout->code);
        while (code->shapes[at].layout)
            at = (at + 1) & (code->room - 1);
        gy_state_layout_code *to = &code->shapes[at];
        void *symbol = dlsym(handle, name);
        memcpy(&to->run, &symbol, sizeof to->run);
        to->layout = layout;
        to->code = layout->code;
        to->linked = layout->linked != NULL;
        to->words = to->most_words = layout->words;
        if (facts->shapes[i].most_words > to->most_words)
            to->most_words = facts->shapes[i].most_words;
        if (layout->words < code->least_words)
            code->least_words = layout->words;
    }
    return code;
}

static void code_free(const gy_compiled *code)
{
    while (code) {
        const gy_compiled *older = code->older;
        dlclose(code->handle);
        free(code->shapes);
        free((void *)code);
        code = older;
    }
}

// Takes out lines that are comments. They name lines of the model: without them, a model in which
// a comment moved is found in the cache. (There are no strings in this C, nor comments of another
// kind.)
static void drop_comments(gy_text *source)
{
    size_t kept = 0;
    for (const char *line = source->at, *end = line + source->n; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((stop ? stop + 1 : end) - line);
        if (strncmp(line + strspn(line, " "), "//", 2) != 0) {
            memmove(source->at + kept, line, n);
            kept += n;
        }
        line += n;
    }
    source->n = kept;
    source->at[kept] = 0;
}

// The C for as many shapes as fit.
static gy_native_facts *write_source(gy_native_system *n, uint32_t round, gy_text *source)
{
    uint32_t shapes = MOST_SHAPES * round;
    for (;; shapes /= 2) {
        gy_native_facts *facts = gy_native_facts_find(&n->vm, shapes, &n->extra, &n->child);
        gy_text_clear(source);
        gy_native_write(&n->vm, facts, (size_t)ENOUGH_SOURCE * round * round,
                        !n->options.no_singles, source);
        if (source->n <= MOST_SOURCE) {
            drop_comments(source);
            return facts;
        }
        gy_native_facts_free(facts);
        if (shapes <= 1)
            return NULL;
    }
}

static void publish(gy_native_system *n, gy_compiled *code)
{
    code->older = atomic_load(&n->code);
    atomic_store_explicit(&n->code, code, memory_order_release);
    atomic_store_explicit(&n->stage, GY_NATIVE_READY, memory_order_release);
}

// Good code from the cache, or some from a compiler that takes next to no time.
static bool compile_quickly(const gy_native_system *n, gy_native_build *job, bool *quick)
{
    job->only_cached = true;
    *quick = false;
    if (gy_native_compile(job))
        return true;
    job->only_cached = false;
    job->compiler = "tcc";
    *quick = true;
    return !atomic_load(&n->no_quick) && gy_native_compile(job);
}

static void *build(void *user)
{
    gy_native_system *n = user;
    double start = gy_clock();
    gy_text source = {0};
    pthread_mutex_lock(&n->lock);
    bool quick = n->quick;
    uint32_t round = 1 + n->lessons;
    n->builds++;
    pthread_mutex_unlock(&n->lock);

    gy_native_facts *facts = write_source(n, round, &source);
    gy_native_build job = {
        .source = gy_text_str(&source),
        .cache_dir = n->options.cache_dir,
        .compiler = n->options.compiler,
        .child = &n->child,
        .hasty = source.n > LARGE_SOURCE,
    };
    uint64_t hash = gy_hash_bytes(job.source, source.n, 1);
    const gy_compiled *old = atomic_load(&n->code);
    bool same = old && hash == n->source_hash && (quick || !old->quick); // nothing was learnt
    bool good = facts && !same && atomic_load(&n->child) >= 0 &&
                (quick ? compile_quickly(n, &job, &quick) : gy_native_compile(&job));
    gy_compiled *code = good ? code_new(job.handle, facts, quick) : NULL;
    if (code && !gy_native_agrees(n, code, &facts->sample)) {
        code_free(code);
        gy_text_clear(&job.problem);
        gy_text_add(&job.problem, "the compiled code disagrees with the VM");
        good = false;
    }
    if (!quick)
        atomic_store(&n->good_tried, true);
    pthread_mutex_lock(&n->lock);
    if (good) {
        n->source_hash = hash;
        n->from_cache = job.from_cache;
        n->seconds += gy_clock() - start;
        publish(n, code);
    } else if (same)
        atomic_store(&n->learnt_all, true);
    else if (quick) {
        atomic_store(&n->no_quick, true);
        n->builds--;
        if (!old)
            atomic_store(&n->stage, GY_NATIVE_IDLE);
    } else
        fail(n, !facts ? "the model is too large to be compiled" : gy_text_str(&job.problem));
    pthread_mutex_unlock(&n->lock);
    gy_text_free(&job.problem);
    gy_text_free(&source);
    gy_native_facts_free(facts);
    atomic_store(&n->at_work, false);
    return NULL;
}

void gy_native_start(gy_native_system *n, bool quick, const gy_state_list *extra)
{
    if (atomic_exchange(&n->at_work, true))
        return;
    pthread_mutex_lock(&n->lock);
    bool wanted = n->builds < (quick ? MOST_BUILDS : MOST_BUILDS + 1);
    if (!wanted)
        atomic_store(&n->learnt_all, true);
    if (wanted && n->joinable) {
        pthread_join(n->thread, NULL);
        n->joinable = false;
    }
    if (wanted && extra) {
        gy_state_list_add_all(&n->extra, extra);
        n->lessons++;
    }
    n->quick = quick;
    if (wanted && !atomic_load(&n->code))
        atomic_store(&n->stage, GY_NATIVE_BUILDING);
    if (wanted && pthread_create(&n->thread, NULL, build, n) == 0)
        n->joinable = true;
    else {
        atomic_store(&n->at_work, false);
        if (wanted)
            fail(n, "no thread for the compiler");
    }
    pthread_mutex_unlock(&n->lock);
}

// ---- systems ------------------------------------------------------------------------------

static void free_system(void *impl)
{
    gy_native_system *n = impl;
    int child = atomic_exchange(&n->child, -1);
    if (child > 0)
        gy_process_kill_group(child);
    if (n->joinable)
        pthread_join(n->thread, NULL);
    code_free(atomic_load(&n->code));
    gy_state_list_free(&n->extra);
    pthread_mutex_destroy(&n->lock);
    free(n->message);
    gy_embedded_free(n->vm.embedded);
    gy_vm_backend.free_system(n); // frees the VM's parts and the system itself
}

static gy_embedded *compile_embedded(gy_model *model, const gy_native_options *options,
                                     char **problem)
{
    gy_native_build job = {
        .cache_dir = options ? options->cache_dir : NULL,
        .compiler = options ? options->compiler : NULL,
        .interrupt = options ? options->interrupt : NULL,
    };
    gy_embedded *embedded = gy_embedded_new(model, &job);
    if (!embedded && problem) {
        gy_text text = {0};
        gy_text_printf(&text, "embedded C: %s", gy_text_str(&job.problem));
        *problem = gy_text_take(&text);
    }
    gy_text_free(&job.problem);
    return embedded;
}

gy_system *gy_system_native(gy_model *model, bool own, const gy_exec_options *options,
                            const gy_native_options *native, char **problem)
{
    gy_embedded *embedded = NULL;
    if ((model->c_code_count || model->c_unit_count) &&
        !(embedded = compile_embedded(model, native, problem)))
        return NULL;
    gy_system *system = gy_system_vm(model, own, options);
    if (native && native->mode == GY_NATIVE_OFF && !embedded)
        return system;
    gy_native_system *n = gy_alloc_zero(sizeof *n);
    pthread_mutex_init(&n->lock, NULL);
    n->vm = *(gy_vm *)system->impl;
    n->vm.embedded = embedded;
    free(system->impl);
    if (native)
        n->options = *native;
    n->no_quick = n->options.compiler || getenv("GYRE_CC"); // somebody has chosen
    n->backend = gy_vm_backend;
    n->backend.name = "native";
    n->backend.free_system = free_system;
    n->backend.new_worker = gy_native_new_worker;
    n->backend.free_worker = gy_native_free_worker;
    n->backend.successors = gy_native_successors;
    n->backend.successors_batch = gy_native_batch;
    n->backend.successors_append = gy_native_append;
    n->backend.successors_many = gy_native_many;
    n->backend.only_successor = gy_native_only_successor;
    system->impl = n;
    system->backend = &n->backend;
    const char *refusal = refuses(model);
    if (refusal || n->options.mode == GY_NATIVE_OFF)
        fail(n, refusal ? refusal : "");
    else if (n->options.mode == GY_NATIVE_WAIT)
        gy_native_start(n, false, NULL);
    if (refusal || n->options.mode != GY_NATIVE_WAIT)
        return system;
    if (n->joinable)
        pthread_join(n->thread, NULL);
    n->joinable = false;
    if (atomic_load(&n->stage) == GY_NATIVE_READY)
        return system;
    if (problem)
        *problem = strdup(n->message);
    system->owned_model = NULL;
    gy_system_free(system);
    return NULL;
}

static gy_native_system *native_of(gy_system *system)
{
    return system->backend->free_system == free_system ? system->impl : NULL;
}

bool gy_native_look(gy_system *system, gy_native_status *status)
{
    gy_native_system *n = native_of(system);
    *status = (gy_native_status){.message = ""};
    if (!n)
        return false;
    pthread_mutex_lock(&n->lock);
    status->stage = (gy_native_stage)atomic_load_explicit(&n->stage, memory_order_acquire);
    if (status->stage == GY_NATIVE_FAILED)
        status->message = n->message;
    if (status->stage == GY_NATIVE_READY) {
        status->from_cache = n->from_cache;
        status->seconds = n->seconds;
    }
    status->native = n->by_native;
    status->machine = n->by_machine;
    pthread_mutex_unlock(&n->lock);
    return true;
}

const char *gy_native_name(gy_system *system)
{
    gy_native_system *n = native_of(system);
    if (!n)
        return system->backend->name;
    return atomic_load(&n->stage) == GY_NATIVE_READY ? "native" : "vm";
}

void gy_native_source(gy_model *model, const gy_exec_options *options, gy_text *out)
{
    const char *refusal = refuses(model);
    if (refusal) {
        gy_text_printf(out, "// no C for this model: %s\n", refusal);
        return;
    }
    gy_system *system = gy_system_vm(model, false, options);
    gy_native_facts *facts = gy_native_facts_find(system->impl, MOST_SHAPES, NULL, NULL);
    gy_native_write(system->impl, facts, ENOUGH_SOURCE, true, out);
    gy_native_facts_free(facts);
    gy_system_free(system);
    if (model->c_code_count || model->c_unit_count)
        gy_embedded_source(model, out);
}
