// Fuzz target: any bytes as a DVE model that is read, lowered, reduced by the passes and run for a
// few steps by the virtual machine, as it is and reduced. What follows a line `%%` is read as a
// formula.
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

static void ask(gy_model *model, const char *formula)
{
    gy_diags *diags;
    gy_text out = {0};
    gy_load_formula(model, formula, &diags);
    gy_diags_print(diags, &out, true);
    gy_text_free(&out);
    gy_diags_free(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *cut = memmem(text, size, "\n%%\n", 4);
    size_t bytes = cut ? (size_t)(cut - text) : size;
    gy_diags *diags;
    gy_text out = {0};
    gy_model *model = gy_load_model_text("fuzz.dve", text, bytes, NULL, &diags);
    gy_diags_print(diags, &out, true);
    if (model) {
        gy_passes passes = {.dead = true, .slice = true, .merge = true, .ranges = true};
        gy_watched watched = {.claims = true};
        gy_saved saved;
        run(gy_model_reduced(model, &passes, &watched, &saved));
        run(model);
        if (cut) {
            char *formula = strndup(cut + 4, size - bytes - 4);
            ask(model, formula);
            free(formula);
        }
        gy_model_free(model);
    }
    gy_text_free(&out);
    gy_diags_free(diags);
    return 0;
}
