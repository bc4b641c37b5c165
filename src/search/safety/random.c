// Random walks: from an initial state, repeatedly, one successor chosen evenly among all.
//
// Nothing needs to be remembered; the store only counts how many different states were seen, and
// is left alone once it is full. All transitions of a visited state are examined for faults, not
// only the chosen one. The same seed gives the same walks on every machine.
#include "search/run.h"

#include "base/random.h"

enum { DEFAULT_WALKS = 1000, DEFAULT_LENGTH = 10000 };

typedef struct walk {
    gy_run *run;
    gy_random random;
    gy_route path;
    uint64_t cost; // of the path to the state that is expanded
    bool store_full;
    GY_VEC(gy_word) state, chosen;
    // while a state is expanded
    uint32_t ordinal, candidates;
    uint64_t chosen_cost;
    uint32_t chosen_ordinal;
} walk;

static int visit(void *user, const gy_transition *transition)
{
    walk *w = user;
    uint64_t cost = gy_run_note(w->run, transition);
    uint64_t limit = w->run->options->depth_limit;
    if (transition->fault && (!limit || w->cost + cost <= limit))
        gy_run_note_fault(w->run, transition->fault, w->ordinal, cost);
    if (transition->state && gy_random_below(&w->random, ++w->candidates) == 0) {
        gy_vec_reserve(&w->chosen, (size_t)transition->words + 1);
        if (transition->words)
            memcpy(w->chosen.at, transition->state, transition->words * sizeof *transition->state);
        w->chosen.n = transition->words;
        w->chosen_cost = cost;
        w->chosen_ordinal = w->ordinal;
    }
    w->ordinal++;
    return 0;
}

static void handle_faults(walk *w)
{
    for (size_t i = 0; i < w->run->faults.n; i++) {
        const gy_run_fault *fault = &w->run->faults.at[i];
        if (!gy_run_fault_is_new(w->run, fault))
            continue;
        gy_vec_push(&w->path, fault->ordinal);
        gy_run_report(w->run, &w->path, fault->kind, false);
        w->path.n--;
    }
    w->run->faults.n = 0;
}

// Moves to the chosen state; true if it was not seen before (as far as the store knows).
static bool step(walk *w)
{
    gy_run *run = w->run;
    gy_store_answer answer = GY_STORE_FULL;
    uint64_t id;
    gy_vec_reserve(&w->state, w->chosen.n + 1);
    if (w->chosen.n)
        memcpy(w->state.at, w->chosen.at, w->chosen.n * sizeof *w->chosen.at);
    w->state.n = w->chosen.n;
    gy_vec_push(&w->path, w->chosen_ordinal);
    run->result->transitions++;
    if (w->cost > run->result->depth)
        run->result->depth = w->cost;
    if (!w->store_full)
        answer = gy_numbered_enter(run->store, w->state.at, (uint32_t)w->state.n, &id);
    w->store_full = answer == GY_STORE_FULL;
    return answer == GY_STORE_NEW;
}

static void look_around(walk *w, bool from_start)
{
    w->ordinal = w->candidates = 0;
    if (from_start)
        gy_initial(w->run->worker, visit, w);
    else
        gy_successors(w->run->worker, w->state.at, (uint32_t)w->state.n, visit, w);
    handle_faults(w);
}

static void walk_once(walk *w, uint64_t length)
{
    gy_run *run = w->run;
    w->path.n = 0;
    w->cost = 0;
    look_around(w, true);
    for (uint64_t i = 0; w->candidates && !gy_run_tick(run); i++) {
        bool is_new = step(w);
        if (i == length)
            return;
        look_around(w, false);
        w->cost += w->chosen_cost;
        if (!run->stopped && w->ordinal == 0 && (is_new || w->store_full) &&
            gy_run_bad_end(run, w->state.at, (uint32_t)w->state.n))
            gy_run_report(run, &w->path, GY_FAULT_NONE, false);
        if (run->options->depth_limit && w->cost > run->options->depth_limit)
            return;
    }
}

void gy_search_random(gy_run *run)
{
    const gy_search_options *options = run->options;
    uint64_t walks = options->walks ? options->walks : DEFAULT_WALKS;
    uint64_t length = options->walk_length ? options->walk_length : DEFAULT_LENGTH;
    walk w = {.run = run};
    gy_random_seed(&w.random, options->seed);
    // With a time limit and no number of walks, time alone decides.
    for (uint64_t i = 0; (i < walks || (!options->walks && options->time_limit > 0)); i++) {
        run->pending = i < walks ? walks - i : 0;
        walk_once(&w, length);
        if (run->stopped || gy_run_tick(run))
            break;
    }
    gy_run_stop(run, GY_LOSSY);
    gy_vec_free(&w.path);
    gy_vec_free(&w.state);
    gy_vec_free(&w.chosen);
}
