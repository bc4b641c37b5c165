// A few random steps through a system of a model, for fuzz targets: aborts where the same state has
// two lists of successors.
#ifndef GYRE_TESTS_FUZZ_FEW_STEPS_H
#define GYRE_TESTS_FUZZ_FEW_STEPS_H

#include "exec/system.h"

#include "base/random.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 30 };

typedef struct walk {
    GY_VEC(gy_word) state; // one of the successors, each as likely as the others
    gy_random random;
    uint32_t seen;
} walk;

static int choose(void *user, const gy_transition *transition)
{
    walk *w = user;
    w->seen++;
    if (transition->state && gy_random_below(&w->random, w->seen) == 0) {
        gy_vec_reserve(&w->state, transition->words);
        memcpy(w->state.at, transition->state, transition->words * sizeof(gy_word));
        w->state.n = transition->words;
    }
    return 0;
}

static void run(gy_model *model)
{
    gy_system *system = gy_system_vm(model, false, &(gy_exec_options){0});
    gy_worker *worker = gy_worker_new(system);
    walk w = {0};
    gy_random_seed(&w.random, 1);
    gy_initial(worker, choose, &w);
    for (int i = 0; i < STEPS && w.state.n; i++) {
        walk next = {.random = w.random};
        uint32_t count;
        gy_free(gy_state_text(worker, w.state.at, (uint32_t)w.state.n));
        gy_is_end_state(worker, w.state.at, (uint32_t)w.state.n, false);
        gy_successors(worker, w.state.at, (uint32_t)w.state.n, choose, &next);
        if (gy_successors_batch(worker, w.state.at, (uint32_t)w.state.n, &count) &&
            count != next.seen)
            abort();
        gy_vec_free(&w.state);
        w = next;
    }
    gy_vec_free(&w.state);
    gy_worker_free(worker);
    gy_system_free(system);
}

#endif
