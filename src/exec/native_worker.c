// One thread's part of the native backend: successors by compiled code, or by the machine.
//
// The machine does a state if there is no code yet, if its shape is not among those that were
// compiled, or if the code hands it back. Of such states a worker keeps a few; when they become
// many, it asks for a build that knows of them.
#include "exec/native_system.h"

#include "base/clock.h"

enum {
    LOOK = 512, // states of the machine's between looks at the system
    KEEP = 64,  // of them, one is kept
    MOST_KEPT = 256,
    MANY_MISSED = 20000,   // states that the code did not cover: worth another build
    FIRST_WORDS = 1 << 12, // room for successors
    MOST_WORDS = 1 << 24,
};

typedef struct native_worker {
    gy_machine machine; // first
    gy_native_system *system;
    const gy_compiled *code;
    gy_native_run run;
    gy_word *words;
    gy_transition *transitions;
    gy_step *steps;
    uint32_t room; // words
    uint32_t countdown;
    uint64_t by_native, by_machine; // all in all
    uint64_t native_before, missed; // since this code: by_native then, states it missed
    gy_native_extra extra;
} native_worker;

void *gy_native_new_worker(void *system)
{
    gy_native_system *n = system;
    gy_machine *machine = gy_vm_backend.new_worker(&n->vm);
    native_worker *w = gy_alloc_zero(sizeof *w);
    w->machine = *machine; // it holds no pointers into itself
    free(machine);
    w->system = n;
    w->countdown = 1;
    return w;
}

void gy_native_free_worker(void *worker)
{
    native_worker *w = worker;
    pthread_mutex_lock(&w->system->lock);
    w->system->by_native += w->by_native;
    w->system->by_machine += w->by_machine;
    pthread_mutex_unlock(&w->system->lock);
    gy_native_extra_free(&w->extra);
    free(w->words);
    free(w->steps);
    free(w->transitions);
    free(w->run.path);
    free(w->run.seen);
    gy_vm_backend.free_worker(w); // frees the machine and the worker itself
}

// Every state takes at least least_words words, so the transitions never run out first.
static void reserve(native_worker *w, uint32_t room)
{
    uint32_t states = room / w->code->least_words + 2;
    w->room = room;
    w->words = gy_realloc(w->words, room * sizeof *w->words);
    w->steps = gy_realloc(w->steps, room * sizeof *w->steps);
    w->transitions = gy_realloc(w->transitions, states * sizeof *w->transitions);
    for (uint32_t i = 0; i < states; i++)
        w->transitions[i] = (gy_transition){.exclusive = -1, .written = GY_WRITTEN_ALL};
    if (w->run.path)
        return;
    w->run.path = gy_alloc_zero((GY_NATIVE_DEPTH + GY_NATIVE_TAIL) * sizeof *w->run.path);
    w->run.seen = gy_alloc_zero(GY_NATIVE_SEEN * sizeof *w->run.seen);
}

static void adopt(native_worker *w, const gy_compiled *code)
{
    w->code = code;
    w->native_before = w->by_native;
    w->missed = 0;
    gy_native_extra_free(&w->extra);
    reserve(w, w->room ? w->room : FIRST_WORDS);
}

// Now and then, before a state that would be the machine's: is there code, or better code? True
// if there is.
static bool look(native_worker *w)
{
    gy_native_system *n = w->system;
    const gy_compiled *code = atomic_load_explicit(&n->code, memory_order_acquire);
    w->countdown = LOOK;
    if (code != w->code) {
        adopt(w, code);
        return true;
    }
    if (code) {
        // The machine does more than every fifth state.
        if (w->missed >= MANY_MISSED && w->missed * 4 > w->by_native - w->native_before)
            gy_native_start(n, &w->extra);
        return false;
    }
    if (atomic_load_explicit(&n->stage, memory_order_relaxed) != GY_NATIVE_IDLE)
        return false;
    double first = atomic_load_explicit(&n->first_state, memory_order_relaxed), now = gy_clock();
    if (first == 0)
        atomic_store_explicit(&n->first_state, now, memory_order_relaxed);
    else if (now - first >= (n->options.delay > 0 ? n->options.delay : 0.1))
        gy_native_start(n, NULL);
    return false;
}

static void miss(native_worker *w, const gy_word *state, uint32_t words)
{
    w->by_machine++;
    if (w->code && w->missed++ % KEEP == 0 && w->extra.count < MOST_KEPT)
        gy_native_extra_add(&w->extra, state, words);
}

const gy_transition *gy_native_batch(void *worker, const gy_word *state, uint32_t words,
                                     uint32_t *count)
{
    native_worker *w = worker;
    for (bool again = true; again;) {
        const gy_compiled *code = w->code;
        const gy_shape_code *shape = NULL;
        if (code)
            shape = &code->shapes[state[0] < code->count ? state[0] : code->count];
        while (shape && shape->run && shape->words == words) {
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
        again = --w->countdown == 0 && look(w);
    }
    miss(w, state, words);
    return NULL;
}

int gy_native_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                         void *user)
{
    uint32_t count;
    const gy_transition *all = gy_native_batch(worker, state, words, &count);
    if (!all)
        return gy_vm_successors(worker, state, words, visit, user);
    int stop = 0;
    for (uint32_t i = 0; i < count && !stop; i++)
        stop = visit(user, &all[i]);
    return stop;
}
