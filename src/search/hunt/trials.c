#include "search/hunt/trials.h"

#include "search/hunt/party.h"
#include "search/replay.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/team.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLICE = 1 << 12, QUEUE = 100000 };

typedef struct experiment {
    gy_hunt_scene scene;
    gy_search_options options; // of a trial
    gy_hunt_options hunt;
    gy_trials *trials;
    gy_reduction *reduction;
    atomic_bool over;
    double until; // 0: no limit
    // What follows is for one thread at a time.
    pthread_mutex_t lock;
    uint64_t next, room; // the next trial, counted over all methods; rows that there is room for
    uint64_t best;       // the number of the best one
} experiment;

// A trial under way: nothing else examines it.
typedef struct attempt {
    experiment *experiment;
    gy_trial trial;
    gy_route route; // to the error
    gy_fault_kind kind;
} attempt;

static bool is_over(void *user)
{
    experiment *e = user;
    const atomic_int *interrupt = e->options.interrupt;
    if (gy_deadline_over(e->until) || (interrupt && *interrupt))
        e->over = true;
    return e->over;
}

// ---- the path to an error, once more -----------------------------------------------------------

// The statements on it; 0: it does not lead to one.
static uint64_t walk(const experiment *e, const gy_finding *finding)
{
    gy_bounded_product g;
    GY_VEC(gy_word) state = {0};
    const gy_route *route = &finding->route;
    uint64_t cost = 0;
    uint32_t count;
    bool good = route->n > 0, shown = false;
    gy_bounded_product_init(&g, gy_worker_new(e->scene.system), &e->options);
    g.observer = e->scene.observer;
    for (size_t i = 0; i < route->n && good; i++) {
        const gy_transition *all =
            gy_bounded_product_expand(&g, i ? state.at : NULL, (uint32_t)state.n, &count);
        good = route->at[i] < count;
        if (!good)
            break;
        const gy_transition *move = &all[route->at[i]];
        bool last = i + 1 == route->n;
        cost += i ? gy_bounded_product_cost(move) : 0;
        shown = last && finding->kind != GY_FAULT_NONE && !g.observer &&
                gy_fault_find(move->fault, finding->kind);
        good = shown || move->state;
        gy_vec_reserve(&state, (size_t)move->words + 1);
        if (move->state && move->words)
            memcpy(state.at, move->state, move->words * sizeof *move->state);
        state.n = move->words;
    }
    if (good && finding->kind == GY_FAULT_NONE) {
        gy_bounded_product_expand(&g, state.at, (uint32_t)state.n, &count);
        shown = g.found != GY_BOUNDED_PRODUCT_FINE;
    }
    gy_vec_free(&state);
    gy_bounded_product_free(&g);
    return shown ? (cost ? cost : 1) : 0;
}

// ---- one trial --------------------------------------------------------------------------------

static void take(attempt *a, const gy_finding *finding)
{
    gy_trial *trial = &a->trial;
    trial->length = walk(a->experiment, finding);
    trial->found = trial->length > 0;
    trial->broken = !trial->found;
    a->route.n = 0;
    for (size_t i = 0; i < finding->route.n; i++)
        gy_vec_push(&a->route, finding->route.at[i]);
    a->kind = finding->kind;
}

static void try_strategy(attempt *a, const gy_strategy *strategy)
{
    experiment *e = a->experiment;
    gy_trial *trial = &a->trial;
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
        take(a, &h->findings.at[0]);
    gy_hunter_free(h);
}

static bool found(void *user, const gy_finding *finding, const gy_hunter *by)
{
    (void)by;
    take(user, finding);
    return true;
}

static void try_portfolio(attempt *a)
{
    experiment *e = a->experiment;
    gy_trial *trial = &a->trial;
    gy_pack_figures figures;
    gy_pack_scene set = {.scene = e->scene, .threads = 1, .found = found, .user = a};
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

// ---- all of them --------------------------------------------------------------------------------

// The rows grow with the trials: many more may be asked for than there is time for.
static void add_rows(experiment *e, uint64_t row)
{
    enum { FIRST_ROWS = 64 };
    gy_trials *t = e->trials;
    uint64_t room = e->room ? 2 * e->room : FIRST_ROWS;
    for (uint32_t m = 0; row >= e->room && m < t->method_count; m++)
        t->methods[m].trials = gy_realloc(t->methods[m].trials, room * sizeof(gy_trial));
    e->room = row >= e->room ? room : e->room;
    for (; t->trial_count <= row; t->trial_count++)
        for (uint32_t m = 0; m < t->method_count; m++) {
            uint64_t i = t->trial_count;
            t->methods[m].trials[i] =
                (gy_trial){.seed = i ? gy_hash_pair(t->seed, i) >> 1 : t->seed};
        }
}

// The number of the next one; false: there is none.
static bool begin_next(experiment *e, uint64_t *number, attempt *a)
{
    gy_trials *t = e->trials;
    bool over = is_over(e);
    pthread_mutex_lock(&e->lock);
    bool some = !over && e->next / t->method_count < t->wanted;
    if (some) {
        *number = e->next++;
        add_rows(e, *number / t->method_count);
        a->trial = t->methods[*number % t->method_count].trials[*number / t->method_count];
    }
    pthread_mutex_unlock(&e->lock);
    return some;
}

static void note(experiment *e, uint64_t number, attempt *a)
{
    gy_trials *t = e->trials;
    gy_trial_method *method = &t->methods[number % t->method_count];
    pthread_mutex_lock(&e->lock);
    const gy_trial *best =
        e->best == UINT64_MAX
            ? NULL
            : &t->methods[e->best % t->method_count].trials[e->best / t->method_count];
    bool better = a->trial.found && (!best || a->trial.length < best->length ||
                                     (a->trial.length == best->length && number < e->best));
    method->trials[number / t->method_count] = a->trial;
    if (better) {
        free(t->best_route);
        t->best_route = a->route.at;
        t->best_route_length = (uint32_t)a->route.n;
        a->route = (gy_route){0};
        t->best_kind = a->kind;
        e->best = number;
    }
    pthread_mutex_unlock(&e->lock);
}

static void work(void *user, unsigned member)
{
    experiment *e = user;
    gy_trials *t = e->trials;
    attempt a = {.experiment = e};
    uint64_t number;
    (void)member;
    while (begin_next(e, &number, &a)) {
        const gy_strategy *strategy = t->methods[number % t->method_count].strategy;
        double started = gy_clock();
        if (strategy)
            try_strategy(&a, strategy);
        else
            try_portfolio(&a);
        a.trial.seconds = gy_clock() - started;
        note(e, number, &a);
    }
    gy_vec_free(&a.route);
}

static void choose_best(experiment *e)
{
    gy_trials *t = e->trials;
    if (e->best == UINT64_MAX)
        return;
    const gy_trial_method *method = &t->methods[e->best % t->method_count];
    t->best = &method->trials[e->best / t->method_count];
    t->best_method = method->name;
}

gy_trials *gy_trials_run(gy_system *system, const gy_observer *observer,
                         const gy_search_options *options, const char *const *names,
                         uint32_t name_count, uint64_t trials)
{
    experiment e = {.options = *options, .hunt = *gy_hunt_options_of(options), .best = UINT64_MAX};
    gy_trials *t = gy_alloc_zero(sizeof *t);
    gy_team team;
    const char *why;
    e.trials = t;
    e.options.max_errors = 1;
    e.until = gy_deadline(options->time_limit);
    if (!e.hunt.queue_limit)
        e.hunt.queue_limit = QUEUE;
    e.options.hunt = &e.hunt;
    e.scene = (gy_hunt_scene){.system = system,
                              .options = &e.options,
                              .hunt = &e.hunt,
                              .observer = observer,
                              .late = is_over,
                              .late_user = &e};
    if (options->reduce && !observer && !options->depth_limit)
        e.reduction = gy_reduction_new(system, NULL, &why);
    t->methods = gy_alloc_zero((name_count + (size_t)1) * sizeof *t->methods);
    t->method_count = name_count;
    t->wanted = trials;
    t->seed = options->seed;
    t->effort = e.hunt.effort;
    for (uint32_t m = 0; m < name_count; m++)
        t->methods[m] =
            (gy_trial_method){.name = names[m], .strategy = gy_strategy_named(names[m])};
    pthread_mutex_init(&e.lock, NULL);
    gy_team_run(options->threads ? options->threads : 1, work, &e, &team);
    pthread_mutex_destroy(&e.lock);
    t->interrupted = e.over;
    choose_best(&e);
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
    free(t->best_route);
    free(t);
}

bool gy_trials_witness(const gy_trials *t, gy_system *system, gy_witness *witness)
{
    gy_worker *worker = gy_worker_new(system);
    gy_route route = {.at = t->best_route, .n = t->best_route_length};
    bool good = t->best && gy_replay(worker, NULL, &route, t->best_kind, witness);
    gy_worker_free(worker);
    return good;
}
