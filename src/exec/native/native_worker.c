// One thread's part of the native backend: successors by compiled code, or by the VM.
//
// The VM does a state if there is no code yet, if its shape is not among those that were
// compiled, or if the code hands it back. Of such states a worker keeps a few; when they become
// many, it asks for a build that knows of them.
#include "exec/native/native_system.h"

#include "base/clock.h"
#include "exec/embedded/embedded.h"

enum {
    LOOK = 512, // states of the VM's between two looks at the system
    KEEP = 64,  // of them, one is kept
    MOST_KEPT = 256,
    MANY_MISSED = 20000,   // states that the code did not cover: worth another build
    FIRST_WORDS = 1 << 13, // room for successors
    MOST_WORDS = 1 << 24,
};

// Seconds of search: quick code comes soon. Good code takes the compiler longer than a short
// search takes; above all if there is quick code already.
static const double QUICK_DELAY = 0.005, GOOD_DELAY = 0.1, GOOD_AFTER_QUICK = 1.0;

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
    bool fades;                     // see fade_last
    uint64_t by_native, by_machine; // all in all
    uint64_t native_before, missed; // since this code: by_native then, states it missed
    gy_state_list extra;
} native_worker;

// For the code at work; see native_abi.h.
static int run_c(gy_native_run *run, gy_word *state, int32_t pid, int32_t id, int is_statement,
                 int32_t *value)
{
    native_worker *w = (native_worker *)((char *)run - offsetof(native_worker, run));
    gy_machine *m = &w->machine;
    if (!m->vm->embedded || m->print)
        return -1;
    m->s = state;
    gy_machine_become(m, pid);
    if (gy_embedded_run(m, id, is_statement, value))
        return 0;
    gy_embedded_keep_failure(m, id);
    return -1;
}

void *gy_native_new_worker(void *system)
{
    gy_native_system *n = system;
    gy_machine *machine = gy_vm_backend.new_worker(&n->vm);
    native_worker *w = gy_alloc_apart(sizeof *w);
    w->machine = *machine; // it holds no pointers into itself
    free(machine);
    w->system = n;
    w->countdown = 1;
    w->run.c = run_c;
    w->fades = n->vm.model->last_fades;
    return w;
}

void gy_native_free_worker(void *worker)
{
    native_worker *w = worker;
    pthread_mutex_lock(&w->system->lock);
    w->system->by_native += w->by_native;
    w->system->by_machine += w->by_machine;
    pthread_mutex_unlock(&w->system->lock);
    gy_state_list_free(&w->extra);
    free(w->words);
    free(w->steps);
    free(w->transitions);
    free(w->run.path);
    free(w->run.seen);
    gy_vm_backend.free_worker(w); // frees the VM and the worker itself
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
    gy_state_list_free(&w->extra);
    reserve(w, w->room ? w->room : FIRST_WORDS);
}

// How long the search has lasted, for one thread at least.
static double age(gy_native_system *n)
{
    double first = atomic_load_explicit(&n->first_state, memory_order_relaxed), now = gy_clock();
    if (first == 0)
        atomic_store_explicit(&n->first_state, first = now, memory_order_relaxed);
    return now - first;
}

// Is it time for a build?
static void consider(native_worker *w)
{
    gy_native_system *n = w->system;
    bool quick = !w->code && !atomic_load_explicit(&n->no_quick, memory_order_relaxed);
    double delay = w->code ? GOOD_AFTER_QUICK : quick ? QUICK_DELAY : GOOD_DELAY;
    if (!w->code && n->options.delay > 0)
        delay = n->options.delay;
    if (age(n) >= delay)
        gy_native_start(n, quick, NULL);
}

// From time to time, before a state that would be the VM's or that quick code does: is there
// code, or better code? True if there is.
static bool look(native_worker *w)
{
    gy_native_system *n = w->system;
    const gy_compiled *code = atomic_load_explicit(&n->code, memory_order_acquire);
    w->countdown = LOOK;
    if (code != w->code) {
        adopt(w, code);
        return true;
    }
    // The VM does more than every fifth state.
    if (code && w->missed >= MANY_MISSED && w->missed * 4 > w->by_native - w->native_before &&
        !atomic_load_explicit(&n->learnt_all, memory_order_relaxed))
        gy_native_start(n, code->quick && age(n) < GOOD_AFTER_QUICK, &w->extra);
    else if (code ? !atomic_load_explicit(&n->good_tried, memory_order_relaxed)
                  : atomic_load_explicit(&n->stage, memory_order_relaxed) == GY_NATIVE_IDLE)
        consider(w);
    return false;
}

static void miss(native_worker *w, const gy_word *state, uint32_t words)
{
    w->by_machine++;
    if (w->code && w->missed++ % KEEP == 0 && w->extra.count < MOST_KEPT)
        gy_state_list_add(&w->extra, state, words);
}

// ---- successors -----------------------------------------------------------------------------

// The code for a state, or NULL.
static inline const gy_state_layout_code *code_for(const gy_compiled *code, const gy_word *state,
                                                   uint32_t words)
{
    uint32_t at = gy_compiled_slot(code, state[0]);
    for (const gy_state_layout_code *found; (found = &code->shapes[at])->layout;
         at = (at + 1) & (code->room - 1))
        if (found->code == state[0] && found->words == words &&
            (!found->linked || gy_state_layout_fits(found->layout, state, words)))
            return found->run ? found : NULL;
    return NULL;
}

// In the states that the code has made. (They are in the buffers of the worker.)
static void fade_last(const gy_vm *vm, const gy_state_layout_code *shape, const gy_transition *from,
                      const gy_transition *end)
{
    for (; from < end; from++) {
        gy_word *state = (gy_word *)from->state;
        bool same = state[0] == shape->code && from->words == shape->words && !shape->linked;
        gy_vm_fade_last(vm->model,
                        same ? shape->layout : gy_state_layout_of(vm, state, from->words), state);
    }
}

// After what there is.
static inline int run_code(native_worker *w, const gy_state_layout_code *shape,
                           const gy_word *state)
{
    gy_native_run *run = &w->run;
    gy_transition *first = run->transition;
    run->end = w->words + w->room - shape->most_words;
    run->seen_count = 0;
    run->hidden = w->machine.hidden_start;
    w->machine.shape = shape->layout; // for run_c
    int result = shape->run(run, state);
    if (w->fades && result >= 0)
        fade_last(&w->system->vm, shape, first, run->transition);
    return result;
}

const gy_transition *gy_native_batch(void *worker, const gy_word *state, uint32_t words,
                                     uint32_t *count)
{
    native_worker *w = worker;
    for (bool again = true; again;) {
        const gy_compiled *code = w->code;
        const gy_state_layout_code *shape = NULL;
        if (code && code->quick && --w->countdown == 0 && look(w))
            code = w->code;
        if (code)
            shape = code_for(code, state, words);
        while (shape) {
            gy_native_run *run = &w->run;
            run->at = w->words;
            run->transition = w->transitions;
            run->step = w->steps;
            run->step_end = w->steps + w->room;
            int result = run_code(w, shape, state);
            if (result >= 0) {
                *count = (uint32_t)(run->transition - w->transitions);
                w->by_native++;
                return w->transitions;
            }
            if (result != GY_NATIVE_FULL || w->room >= MOST_WORDS)
                break;
            uint32_t least = 4 * shape->most_words;
            reserve(w, w->room * 2 > least ? w->room * 2 : least);
        }
        again = !(code && code->quick) && --w->countdown == 0 && look(w);
    }
    miss(w, state, words);
    return NULL;
}

const gy_transition *gy_native_append(void *worker, const gy_word *state, uint32_t words,
                                      uint32_t *count)
{
    native_worker *w = worker;
    const gy_state_layout_code *shape = w->code ? code_for(w->code, state, words) : NULL;
    gy_transition *first = w->run.transition;
    // Looking for better code could move what is there.
    if (!shape || !first || (w->code->quick && w->countdown-- == 1)) {
        w->countdown += w->countdown == 0;
        return NULL;
    }
    if (run_code(w, shape, state) < 0) { // as if nothing had been there
        w->run.transition = first;
        return NULL;
    }
    *count = (uint32_t)(w->run.transition - first);
    w->by_native++;
    return first;
}

uint32_t gy_native_many(void *worker, gy_many *many)
{
    native_worker *w = worker;
    const gy_state_layout_code *shape = NULL; // of the state before
    uint32_t total, done = 1;
    many->all = gy_native_batch(w, many->states[0], many->words[0], &total);
    if (!many->all)
        return 0;
    many->ends[0] = total;
    for (; done < many->count && total < many->enough; done++) {
        const gy_word *state = many->states[done];
        uint32_t words = many->words[done];
        if (!shape || shape->linked || shape->code != state[0] || shape->words != words)
            shape = code_for(w->code, state, words);
        gy_transition *first = w->run.transition;
        if (!shape || (w->code->quick && w->countdown == 1)) // the next batch looks for better code
            break;
        w->countdown -= w->code->quick;
        if (run_code(w, shape, state) < 0) { // as if nothing had been there
            w->run.transition = first;
            break;
        }
        many->ends[done] = total = (uint32_t)(w->run.transition - many->all);
    }
    w->by_native += done - 1;
    return done;
}

const gy_transition *gy_native_only_successor(void *worker, const gy_word *state, uint32_t words,
                                              uint32_t pid, bool append)
{
    native_worker *w = worker;
    gy_native_run *run = &w->run;
    const gy_state_layout_code *shape = w->code ? code_for(w->code, state, words) : NULL;
    if (w->system->options.no_singles)
        return NULL;
    if (!shape || (append && !run->transition) || (w->code->quick && w->countdown-- == 1)) {
        w->countdown += w->countdown == 0;
        return NULL;
    }
    if (!append) {
        run->at = w->words;
        run->transition = w->transitions;
        run->step = w->steps;
        run->step_end = w->steps + w->room;
    }
    gy_word *at = run->at;
    gy_transition *first = run->transition;
    gy_step *step = run->step;
    run->only = pid + 1;
    int result = run_code(w, shape, state);
    run->only = 0;
    if (result < 0 || run->transition != first + 1) { // as if nothing had been asked
        run->at = at;
        run->transition = first;
        run->step = step;
        return NULL;
    }
    w->by_native++;
    return first;
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

// ---- is the code right? ---------------------------------------------------------------------

typedef struct comparison {
    const gy_transition *next;
    uint32_t left;
    bool same;
} comparison;

static int compare(void *user, const gy_transition *truth)
{
    comparison *c = user;
    const gy_transition *claim = c->next++;
    c->same = c->left-- > 0 && !truth->fault && truth->words == claim->words &&
              truth->step_count == claim->step_count &&
              !memcmp(truth->state, claim->state, truth->words * sizeof *truth->state) &&
              !memcmp(truth->steps, claim->steps, truth->step_count * sizeof *truth->steps);
    return !c->same;
}

bool gy_native_agrees(gy_native_system *n, const gy_compiled *code, const gy_state_list *states)
{
    native_worker *w = gy_native_new_worker(n);
    bool same = true;
    adopt(w, code);
    w->countdown = 0; // it looks for no other code, for 2^32 states
    for (size_t at = 0; at < states->n && same; at += 1 + states->words[at]) {
        if (atomic_load_explicit(&n->child, memory_order_relaxed) < 0)
            break; // nothing waits for it any more
        const gy_word *state = states->words + at + 1;
        uint32_t words = states->words[at], count;
        comparison c = {.next = gy_native_batch(w, state, words, &count), .same = true};
        if (!c.next)
            continue;
        c.left = count;
        gy_vm_successors(w, state, words, compare, &c);
        same = c.same && c.left == 0;
    }
    w->by_native = w->by_machine = 0; // nothing asked for these
    gy_native_free_worker(w);
    return same;
}
