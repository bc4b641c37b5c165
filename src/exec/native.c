// The native backend: a virtual machine in front of which compiled code does what it can.
//
// Representation: the impl of a native system begins with a gy_vm and that of a native worker
// with a gy_machine, so everything that works on those works here. `code` is published once,
// with release order, by the thread that builds it; workers look at it before every state until
// they have it. Nothing is ever unpublished before the system is freed.
#include "exec/native.h"

#include "base/clock.h"
#include "exec/embedded.h"
#include "exec/native_build.h"
#include "exec/native_gen.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

enum {
    MOST_SHAPES = 6,
    MOST_SOURCE = 6 << 20, // bytes of C: more is not worth a compiler's time
    FIRST_LOOK = 512,      // states between looks at the clock
    FIRST_WORDS = 1 << 12, // room for successors
    MOST_WORDS = 1 << 24,
};

typedef struct shape_code {
    gy_native_code *run; // NULL: left to the machine
    uint32_t words;
    gy_word parent;
} shape_code;

typedef struct native_code {
    void *handle;
    shape_code *shapes; // by number; one more, without code, for all others
    uint32_t count;
    uint32_t least_words; // of a state that it covers
} native_code;

typedef struct native_system {
    gy_vm vm; // first: this is a VM system too
    gy_backend backend;
    gy_native_options options;
    _Atomic(const native_code *) code;
    _Atomic int stage;
    _Atomic bool started;
    _Atomic int child; // the compiler's process group; -1: give up
    pthread_t thread;
    _Atomic double first_state; // clock; 0: none yet
    char *message;
    bool from_cache;
    double seconds;
    _Atomic uint64_t by_native, by_machine;
} native_system;

typedef struct native_worker {
    gy_machine machine; // first
    native_system *system;
    const native_code *code;
    gy_native_run run;
    gy_word *words;
    gy_transition *transitions;
    gy_step *steps;
    uint32_t room; // words
    uint32_t countdown;
    uint64_t by_native, by_machine;
} native_worker;

// ---- building -----------------------------------------------------------------------------

// Why no code can be generated for this model, or NULL.
static const char *refuses(const gy_model *model)
{
    if (model->uses_priority)
        return "process priorities are left to the virtual machine";
    if (model->trace != GY_NONE)
        return "trace assertions are left to the virtual machine";
    return NULL;
}

static void fail(native_system *n, const char *message)
{
    n->message = strdup(message);
    atomic_store_explicit(&n->stage, GY_NATIVE_FAILED, memory_order_release);
}

static native_code *code_new(void *handle, const gy_native_facts *facts)
{
    native_code *code = gy_alloc_zero(sizeof *code);
    code->handle = handle;
    code->least_words = UINT32_MAX;
    for (uint32_t i = 0; i < facts->shape_count; i++)
        if (facts->shapes[i].shape->id >= code->count)
            code->count = facts->shapes[i].shape->id + 1;
    code->shapes = gy_alloc_zero((code->count + 1) * sizeof *code->shapes);
    for (uint32_t i = 0; i < facts->shape_count; i++) {
        const gy_shape *shape = facts->shapes[i].shape;
        char name[32];
        snprintf(name, sizeof name, "gyre_shape_%u", i);
        shape_code *to = &code->shapes[shape->id];
        void *symbol = dlsym(handle, name);
        memcpy(&to->run, &symbol, sizeof to->run);
        to->words = shape->words;
        to->parent = shape->before_process ? shape->before_process->id : 0;
        if (shape->words < code->least_words)
            code->least_words = shape->words;
    }
    return code;
}

static void code_free(const native_code *code)
{
    if (!code)
        return;
    dlclose(code->handle);
    free(code->shapes);
    free((void *)code);
}

static void *build(void *user)
{
    native_system *n = user;
    double start = gy_clock();
    gy_text source = {0};
    gy_native_facts *facts = gy_native_facts_find(&n->vm, MOST_SHAPES);
    gy_native_write(&n->vm, facts, &source);
    gy_native_build job = {
        .source = gy_text_str(&source),
        .cache_dir = n->options.cache_dir,
        .compiler = n->options.compiler,
        .child = &n->child,
    };
    if (source.n > MOST_SOURCE)
        fail(n, "the model is too large to be compiled");
    else if (atomic_load(&n->child) < 0)
        fail(n, "given up");
    else if (!gy_native_compile(&job))
        fail(n, gy_text_str(&job.problem));
    else {
        n->from_cache = job.from_cache;
        n->seconds = gy_clock() - start;
        atomic_store_explicit(&n->code, code_new(job.handle, facts), memory_order_release);
        atomic_store_explicit(&n->stage, GY_NATIVE_READY, memory_order_release);
    }
    gy_text_free(&job.problem);
    gy_text_free(&source);
    gy_native_facts_free(facts);
    return NULL;
}

static void start(native_system *n)
{
    if (atomic_exchange(&n->started, true))
        return;
    atomic_store(&n->stage, GY_NATIVE_BUILDING);
    if (pthread_create(&n->thread, NULL, build, n) != 0) {
        atomic_store(&n->started, false);
        fail(n, "no thread for the compiler");
    }
}

// Called now and then while there is no compiled code.
static void consider(native_worker *w)
{
    native_system *n = w->system;
    w->countdown = FIRST_LOOK;
    if (atomic_load_explicit(&n->stage, memory_order_relaxed) != GY_NATIVE_IDLE)
        return;
    if (gy_clock() - n->first_state >= (n->options.delay > 0 ? n->options.delay : 0.1))
        start(n);
}

// ---- workers --------------------------------------------------------------------------------

static void reserve(native_worker *w, uint32_t room)
{
    uint32_t least = w->code->least_words;
    uint32_t states = room / least + 2;
    w->room = room;
    w->words = gy_realloc(w->words, room * sizeof *w->words);
    w->steps = gy_realloc(w->steps, room * sizeof *w->steps);
    w->transitions = gy_realloc(w->transitions, states * sizeof *w->transitions);
    for (uint32_t i = 0; i < states; i++)
        w->transitions[i] = (gy_transition){.exclusive = -1};
    if (!w->run.path) {
        w->run.path = gy_alloc_zero((GY_NATIVE_DEPTH + GY_NATIVE_TAIL) * sizeof *w->run.path);
        w->run.seen = gy_alloc_zero(GY_NATIVE_SEEN * sizeof *w->run.seen);
    }
}

static void *new_worker(void *impl)
{
    native_system *n = impl;
    gy_machine *machine = gy_vm_backend.new_worker(&n->vm);
    native_worker *w = gy_alloc_zero(sizeof *w);
    w->machine = *machine; // it holds no pointers into itself
    free(machine);
    w->system = n;
    w->countdown = FIRST_LOOK;
    return w;
}

static void free_worker(void *worker)
{
    native_worker *w = worker;
    atomic_fetch_add(&w->system->by_native, w->by_native);
    atomic_fetch_add(&w->system->by_machine, w->by_machine);
    free(w->words);
    free(w->steps);
    free(w->transitions);
    free(w->run.path);
    free(w->run.seen);
    gy_vm_backend.free_worker(w); // frees the machine and the worker itself
}

static bool find_code(native_worker *w)
{
    w->code = atomic_load_explicit(&w->system->code, memory_order_acquire);
    if (w->code)
        reserve(w, FIRST_WORDS);
    else if (--w->countdown == 0)
        consider(w);
    else if (atomic_load_explicit(&w->system->first_state, memory_order_relaxed) == 0)
        atomic_store_explicit(&w->system->first_state, gy_clock(), memory_order_relaxed);
    return w->code != NULL;
}

static const gy_transition *batch(void *worker, const gy_word *state, uint32_t words,
                                  uint32_t *count)
{
    native_worker *w = worker;
    if (w->code || find_code(w)) {
        const native_code *code = w->code;
        const shape_code *shape = &code->shapes[state[0] < code->count ? state[0] : code->count];
        while (shape->run && shape->words == words) {
            gy_native_run *run = &w->run;
            run->at = w->words;
            run->end = w->words + w->room - words;
            run->transition = w->transitions;
            run->step = w->steps;
            run->step_end = w->steps + w->room;
            run->seen_count = 0;
            run->parent = shape->parent;
            int result = shape->run(run, state);
            if (result >= 0) {
                *count = (uint32_t)(run->transition - w->transitions);
                w->by_native++;
                return w->transitions;
            }
            if (result != GY_NATIVE_FULL || w->room >= MOST_WORDS)
                break;
            reserve(w, w->room * 2 > 4 * words ? w->room * 2 : 4 * words);
        }
    }
    w->by_machine++;
    return NULL;
}

static int successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                      void *user)
{
    uint32_t count;
    const gy_transition *all = batch(worker, state, words, &count);
    if (!all)
        return gy_vm_successors(worker, state, words, visit, user);
    int stop = 0;
    for (uint32_t i = 0; i < count && !stop; i++)
        stop = visit(user, &all[i]);
    return stop;
}

// ---- systems ------------------------------------------------------------------------------

static void free_system(void *impl)
{
    native_system *n = impl;
    if (atomic_load(&n->started)) {
        int child = atomic_exchange(&n->child, -1);
        if (child > 0)
            kill(-child, SIGKILL);
        pthread_join(n->thread, NULL);
    }
    code_free(atomic_load(&n->code));
    free(n->message);
    gy_embedded_free(n->vm.embedded);
    gy_vm_backend.free_system(n); // frees the machine's parts and the system itself
}

static gy_embedded *compile_embedded(gy_model *model, const gy_native_options *options,
                                     char **problem)
{
    gy_native_build job = {
        .cache_dir = options ? options->cache_dir : NULL,
        .compiler = options ? options->compiler : NULL,
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
    native_system *n = gy_alloc_zero(sizeof *n);
    n->vm = *(gy_vm *)system->impl;
    n->vm.embedded = embedded;
    free(system->impl);
    if (native)
        n->options = *native;
    n->backend = gy_vm_backend;
    n->backend.name = "native";
    n->backend.free_system = free_system;
    n->backend.new_worker = new_worker;
    n->backend.free_worker = free_worker;
    n->backend.successors = successors;
    n->backend.successors_batch = batch;
    system->impl = n;
    system->backend = &n->backend;
    const char *refusal = refuses(model);
    if (refusal || n->options.mode == GY_NATIVE_OFF)
        fail(n, refusal ? refusal : "");
    else if (n->options.mode == GY_NATIVE_WAIT)
        start(n);
    if (refusal || n->options.mode != GY_NATIVE_WAIT)
        return system;
    if (atomic_load(&n->started)) {
        pthread_join(n->thread, NULL);
        atomic_store(&n->started, false);
    }
    if (atomic_load(&n->stage) == GY_NATIVE_READY)
        return system;
    if (problem)
        *problem = strdup(n->message);
    system->owned_model = NULL;
    gy_system_free(system);
    return NULL;
}

static native_system *native_of(gy_system *system)
{
    return system->backend->free_system == free_system ? system->impl : NULL;
}

bool gy_native_look(gy_system *system, gy_native_status *status)
{
    native_system *n = native_of(system);
    *status = (gy_native_status){.message = ""};
    if (!n)
        return false;
    status->stage = (gy_native_stage)atomic_load_explicit(&n->stage, memory_order_acquire);
    if (status->stage == GY_NATIVE_FAILED)
        status->message = n->message;
    if (status->stage == GY_NATIVE_READY) {
        status->from_cache = n->from_cache;
        status->seconds = n->seconds;
    }
    status->native = atomic_load(&n->by_native);
    status->machine = atomic_load(&n->by_machine);
    return true;
}

const char *gy_native_name(gy_system *system)
{
    native_system *n = native_of(system);
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
    gy_native_facts *facts = gy_native_facts_find(system->impl, MOST_SHAPES);
    gy_native_write(system->impl, facts, out);
    gy_native_facts_free(facts);
    gy_system_free(system);
    if (model->c_code_count || model->c_unit_count)
        gy_embedded_source(model, out);
}
