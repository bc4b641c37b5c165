// Native code against the virtual machine, and both against the clock.
//
//     native_tool check [-DNAME...] [-n STATES] [-m] [-r] MODEL...   the first states of each,
//                                              breadth first: the same
//                                              transitions in the same order, word by word
//     native_tool bench [-DNAME...] MODEL...               successors per second, over stored
//     states native_tool source MODEL                 the generated C
//
// Prints "ok", "skipped" or "DIFFERENT" for each model. The compiler is $GYRE_CC.
#include "base/clock.h"
#include "exec/native/native.h"
#include "load/load.h"
#include "model/passes/passes.h"
#include "successor_lists.h"

#include <stdio.h>

// ---- one model ----------------------------------------------------------------------------

static bool lossy;              // -m: messages to full channels are lost
static bool reduced;            // -r: the model's reduced form
static const char *defines[64]; // -D

static gy_system *open_model(const char *path)
{
    gy_diags *diags;
    gy_load_options options = {.defines = defines};
    gy_model *model = gy_load_model(path, &options, &diags);
    gy_diags_free(diags);
    if (!model)
        return NULL;
    if (reduced) { // lives in the model's arena: freeing one frees both
        gy_passes all = {true, true, true, true};
        gy_watched nothing = {0};
        gy_saved saved;
        model = gy_model_reduced(model, &all, &nothing, &saved);
    }
    gy_native_options native = {.mode = GY_NATIVE_WAIT};
    gy_exec_options exec = {.lossy = lossy};
    char *problem = NULL;
    gy_system *system = gy_system_native(model, true, &exec, &native, &problem);
    if (!system) {
        printf("%s: FAILED %s\n", path, problem);
        free(problem);
        gy_model_free(model);
    }
    return system;
}

static bool check(const char *path, size_t limit)
{
    gy_system *system = open_model(path);
    if (!system) {
        printf("%s: skipped\n", path);
        return true;
    }
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    explore(worker, &set, limit);
    collected machine = {0}, native = {0};
    size_t covered = 0, transitions = 0;
    bool good = true;
    for (size_t i = 0; i < set.states.n && good; i++) {
        const gy_word *state = set.words.at + set.states.at[i].at;
        uint32_t words = set.states.at[i].words, count;
        clear(&machine);
        clear(&native);
        native.source = state;
        native.source_words = words;
        gy_vm_successors(worker->impl, state, words, collect, &machine);
        covered += gy_successors_batch(worker, state, words, &count) != NULL;
        gy_successors(worker, state, words, collect, &native);
        transitions += machine.all.n;
        if (native.untold) {
            good = false;
            printf("%s: WRONG at state %zu: a successor changes words that it does not tell\n",
                   path, i);
        }
        if (!same(&machine, &native)) {
            good = false;
            printf("%s: DIFFERENT at state %zu: %zu and %zu transitions\n", path, i, machine.all.n,
                   native.all.n);
            char *text = gy_state_text(worker, state, words);
            printf("%s\n", text);
            free(text);
            for (int k = 0; k < 2; k++) {
                const collected *c = k ? &native : &machine;
                for (size_t t = 0; t < c->all.n; t++) {
                    printf("%s %zu: %u words, fault %d:", k ? "native" : "vm", t,
                           c->all.at[t].words, c->all.at[t].fault);
                    for (uint32_t j = 0; j < c->all.at[t].step_count; j++) {
                        const gy_step *s = &c->steps.at[c->all.at[t].step + j];
                        printf(" (%d e%d %d e%d)", s->pid, s->edge, s->partner, s->partner_edge);
                    }
                    printf(" |");
                    for (uint32_t j = 0; j < c->all.at[t].words; j++)
                        printf(" %x", c->words.at[c->all.at[t].at + j]);
                    printf("\n");
                }
            }
        }
    }
    if (good)
        printf("%s: ok, %zu states, %zu transitions, %.1f %% native; words per transition: %.2f "
               "written, %.2f changed\n",
               path, set.states.n, transitions,
               set.states.n ? 100.0 * (double)covered / (double)set.states.n : 0,
               (double)native.told / (double)(transitions + !transitions),
               (double)native.changed / (double)(transitions + !transitions));
    free_collected(&machine);
    free_collected(&native);
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
    return good;
}

static int count_visit(void *user, const gy_transition *t)
{
    uint64_t *n = user;
    *n += t->step_count > 0;
    return 0;
}

static void bench(const char *path)
{
    gy_system *system = open_model(path);
    if (!system)
        return;
    gy_native_status status;
    gy_native_look(system, &status);
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    explore(worker, &set, 200000);
    uint64_t n[3] = {0}, covered = 0;
    double t[3] = {1e9, 1e9, 1e9};
    for (int round = 0; round < 5; round++)
        for (int k = 0; k < 3; k++) {
            double start = gy_cpu_clock();
            n[k] = 0;
            covered = 0;
            for (size_t i = 0; i < set.states.n; i++) {
                const gy_word *state = set.words.at + set.states.at[i].at;
                uint32_t words = set.states.at[i].words, count;
                if (k == 0)
                    gy_vm_successors(worker->impl, state, words, count_visit, &n[k]);
                else if (k == 1)
                    gy_successors(worker, state, words, count_visit, &n[k]);
                else if (gy_successors_batch(worker, state, words, &count))
                    n[k] += count, covered++;
                else
                    gy_vm_successors(worker->impl, state, words, count_visit, &n[k]);
            }
            double seconds = gy_cpu_clock() - start;
            if (seconds < t[k])
                t[k] = seconds;
        }
    printf("%-40s %7zu states %3u words %5.2f tr/state, %5.1f %% native, built %.2f s%s; ns per "
           "transition: vm %.1f, native %.1f, batch %.1f (%.1fx)\n",
           path, set.states.n, set.states.at[set.states.n - 1].words,
           (double)n[0] / (double)set.states.n, 100.0 * (double)covered / (double)set.states.n,
           status.seconds, status.from_cache ? " (cache)" : "", t[0] * 1e9 / (double)n[0],
           t[1] * 1e9 / (double)n[1], t[2] * 1e9 / (double)n[2], t[0] / t[2]);
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
}

int main(int argc, char **argv)
{
    size_t limit = 2000;
    int first = 2, bad = 0;
    if (argc < 3)
        return 2;
    for (int n = 0; n < 63 && argc > first + 1 && !strncmp(argv[first], "-D", 2); first++)
        defines[n++] = argv[first] + 2;
    if (argc > first + 2 && !strcmp(argv[first], "-n")) {
        limit = strtoul(argv[first + 1], NULL, 10);
        first += 2;
    }
    if (argc > first + 1 && !strcmp(argv[first], "-m")) {
        lossy = true;
        first++;
    }
    if (argc > first + 1 && !strcmp(argv[first], "-r")) {
        reduced = true;
        first++;
    }
    for (int i = first; i < argc; i++) {
        if (!strcmp(argv[1], "check"))
            bad += !check(argv[i], limit);
        else if (!strcmp(argv[1], "bench"))
            bench(argv[i]);
        else {
            gy_diags *diags;
            gy_load_options options = {.defines = defines};
            gy_model *model = gy_load_model(argv[i], &options, &diags);
            gy_text out = {0};
            if (model)
                gy_native_source(model, NULL, &out);
            fputs(gy_text_str(&out), stdout);
            gy_text_free(&out);
            gy_diags_free(diags);
            gy_model_free(model);
        }
        fflush(stdout);
    }
    return bad > 0;
}
