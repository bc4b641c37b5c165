// Fuzz target: any bytes as a model that is read, lowered, reduced by the passes and run for a few
// steps by the virtual machine, as it is and reduced.
//
// Besides crashes it finds systems in which the same state has two lists of successors. Models with
// embedded C are not run.
#include "load/load.h"
#include "model/passes/passes.h"

#include "base/random.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gy_diags *diags;
    gy_text out = {0};
    gy_model *model = gy_load_model_text("fuzz.pml", (const char *)data, size, NULL, &diags);
    gy_diags_print(diags, &out, false);
    if (model && !model->c_code_count && !model->c_unit_count) {
        gy_passes passes = {.dead = true, .slice = true, .merge = true, .ranges = true};
        gy_watched watched = {.claims = true};
        gy_saved saved;
        run(gy_model_reduced(model, &passes, &watched, &saved));
        run(model);
    }
    if (model)
        gy_model_free(model);
    gy_diags_free(diags);
    gy_text_free(&out);
    return 0;
}
