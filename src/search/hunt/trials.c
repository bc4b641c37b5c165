#include "search/hunt/trials.h"

#include "search/hunt/party.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/team.h"

#include <stdlib.h>

enum { SLICE = 1 << 12, QUEUE = 100000 };

typedef struct experiment {
    gy_hunt_scene scene;
    gy_search_options options; // of a trial
    gy_hunt_options hunt;
    gy_trials *trials;
    gy_reduction *reduction;
    _Atomic uint64_t next;
    atomic_bool over;
    double until; // 0: no limit
} experiment;

static bool is_over(experiment *e)
{
    const atomic_int *interrupt = e->options.interrupt;
    if ((e->until > 0 && gy_clock() >= e->until) || (interrupt && *interrupt))
        e->over = true;
    return e->over;
}

// ---- the way to an error, once more -----------------------------------------------------------

// The statements on it; 0: it does not lead to one.
static uint64_t walk(const experiment *e, const gy_finding *finding)
{
    gy_ground g;
    GY_VEC(gy_word) state = {0};
    const gy_route *route = &finding->route;
    uint64_t cost = 0;
    uint32_t count;
    bool good = route->n > 0, shown = false;
    gy_ground_init(&g, e->scene.system, gy_worker_new(e->scene.system), &e->options);
    g.observer = e->scene.observer;
    for (size_t i = 0; i < route->n && good; i++) {
        const gy_transition *all =
            gy_ground_expand(&g, i ? state.at : NULL, (uint32_t)state.n, &count);
        good = route->at[i] < count;
        if (!good)
            break;
        const gy_transition *move = &all[route->at[i]];
        bool last = i + 1 == route->n;
        cost += i ? gy_ground_cost(move) : 0;
        shown = last && finding->kind != GY_FAULT_NONE && gy_ground_wants(&g, move) &&
                move->fault->kind == finding->kind;
        good = shown || move->state;
        gy_vec_reserve(&state, (size_t)move->words + 1);
        if (move->state && move->words)
            memcpy(state.at, move->state, move->words * sizeof *move->state);
        state.n = move->words;
    }
    if (good && finding->kind == GY_FAULT_NONE) {
        gy_ground_expand(&g, state.at, (uint32_t)state.n, &count);
        shown = g.found != GY_GROUND_FINE;
    }
    gy_vec_free(&state);
    gy_ground_free(&g);
    return shown ? (cost ? cost : 1) : 0;
}

// ---- one trial --------------------------------------------------------------------------------

static void take(const experiment *e, gy_trial *trial, const gy_finding *finding)
{
    trial->length = walk(e, finding);
    trial->found = trial->length > 0;
    trial->broken = !trial->found;
}

static void try_strategy(experiment *e, const gy_strategy *strategy, gy_trial *trial)
{
    gy_hunter *h =
        gy_hunter_new(strategy, &e->scene, gy_worker_new(e->scene.system), false, trial->seed);
    while (!h->over && !is_over(e))
        gy_hunter_go_on(h, SLICE);
    trial->made = h->over;
    trial->moves = h->generated;
    trial->states = h->states;
    trial->memory = h->peak;
    trial->complete = !e->scene.observer && gy_hunter_is_proof(h);
    if (h->findings.n > 0)
        take(e, trial, &h->findings.at[0]);
    gy_hunter_free(h);
}

typedef struct attempt {
    experiment *experiment;
    gy_trial *trial;
} attempt;

static bool found(void *user, const gy_finding *finding, const gy_hunter *by)
{
    attempt *a = user;
    (void)by;
    take(a->experiment, a->trial, finding);
    return true;
}

static void try_portfolio(experiment *e, gy_trial *trial)
{
    attempt a = {e, trial};
    gy_pack_figures figures;
    gy_pack_scene set = {.scene = e->scene, .threads = 1, .found = found, .user = &a};
    set.scene.reduction = e->reduction;
    gy_pack *pack = gy_pack_new(&set, trial->seed);
    bool goes_on;
    while ((goes_on = gy_pack_turn(pack)) && !is_over(e))
        ;
    gy_pack_look(pack, &figures);
    trial->made = !goes_on;
    trial->moves = figures.generated;
    trial->states = figures.states;
    trial->memory = figures.memory;
    trial->complete = !e->scene.observer && figures.proof && !trial->found;
    gy_pack_free(pack);
}

static void work(void *user, unsigned member)
{
    experiment *e = user;
    gy_trials *t = e->trials;
    (void)member;
    for (;;) {
        uint64_t i = atomic_fetch_add(&e->next, 1);
        if (i >= t->trial_count * t->method_count || is_over(e))
            return;
        gy_trial_method *method = &t->methods[i % t->method_count];
        gy_trial *trial = &method->trials[i / t->method_count];
        double started = gy_clock();
        if (method->strategy)
            try_strategy(e, method->strategy, trial);
        else
            try_portfolio(e, trial);
        trial->seconds = gy_clock() - started;
    }
}

gy_trials *gy_trials_run(gy_system *system, const gy_observer *observer,
                         const gy_search_options *options, const char *const *names,
                         uint32_t name_count, uint64_t trials)
{
    experiment e = {.options = *options, .hunt = *gy_hunt_options_of(options)};
    gy_trials *t = gy_alloc_zero(sizeof *t);
    gy_team team;
    const char *why;
    e.trials = t;
    e.options.max_errors = 1;
    e.until = options->time_limit > 0 ? gy_clock() + options->time_limit : 0;
    if (!e.hunt.queue_limit)
        e.hunt.queue_limit = QUEUE;
    e.options.hunt = &e.hunt;
    e.scene = (gy_hunt_scene){
        .system = system, .options = &e.options, .hunt = &e.hunt, .observer = observer};
    if (options->reduce && !observer && !options->depth_limit)
        e.reduction = gy_reduction_new(system, NULL, &why);
    t->methods = gy_alloc_zero((name_count + (size_t)1) * sizeof *t->methods);
    t->method_count = name_count;
    t->trial_count = trials;
    t->seed = options->seed;
    t->effort = e.hunt.effort;
    for (uint32_t m = 0; m < name_count; m++) {
        t->methods[m] =
            (gy_trial_method){.name = names[m], .strategy = gy_strategy_named(names[m])};
        t->methods[m].trials = gy_alloc_zero((trials + 1) * sizeof(gy_trial));
        for (uint64_t i = 0; i < trials; i++)
            t->methods[m].trials[i].seed = i ? gy_hash_pair(t->seed, i) >> 1 : t->seed;
    }
    gy_team_run(options->threads ? options->threads : 1, work, &e, &team);
    t->interrupted = e.over;
    gy_reduction_free(e.reduction);
    return t;
}

void gy_trials_free(gy_trials *t)
{
    if (!t)
        return;
    for (uint32_t m = 0; m < t->method_count; m++)
        free(t->methods[m].trials);
    free(t->methods);
    free(t);
}
