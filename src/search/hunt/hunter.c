#include "search/hunt/hunter.h"

#include "search/hunt/strategies.h"

static const gy_strategy strategies[] = {
#define STRATEGY(functions, ...)                                                                   \
    {.begin = gy_##functions##_begin,                                                              \
     .go_on = gy_##functions##_go_on,                                                              \
     .end = gy_##functions##_end,                                                                  \
     __VA_ARGS__},
#include "search/hunt/strategies.def"
#undef STRATEGY
};

enum { COUNT = sizeof strategies / sizeof *strategies, STATES = 100 };

const gy_strategy *gy_strategy_at(unsigned number)
{
    return number < COUNT ? &strategies[number] : NULL;
}

const gy_strategy *gy_strategy_named(const char *name)
{
    for (unsigned i = 0; i < COUNT; i++)
        if (strcmp(strategies[i].name, name) == 0)
            return &strategies[i];
    return NULL;
}

const char *gy_strategy_name(const gy_strategy *strategy)
{
    return strategy->name;
}

static int64_t count_next(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)self;
    (void)notebook;
    return at->next_count;
}

const gy_heuristic gy_heuristic_enabled = {
    .name = "enabled", .value = count_next, .looks_ahead = true};

gy_hunter *gy_hunter_new(const gy_strategy *strategy, const gy_hunt_scene *scene, gy_worker *worker,
                         bool reduces, uint64_t seed)
{
    const gy_hunt_options *hunt = scene->hunt;
    gy_hunter *h = gy_alloc_zero(sizeof *h);
    h->strategy = strategy;
    h->hunt = hunt;
    h->seed = seed;
    h->endless_edge = -1;
    h->guide = hunt->guide_count ? hunt->guides[0] : &gy_heuristic_enabled;
    h->explore = hunt->explore;
    h->queue_limit = hunt->queue_limit;
    h->effort = hunt->effort;
    gy_bounded_product_init(&h->ground, worker, scene->options);
    h->ground.observer = scene->observer;
    h->ground.bound = strategy->bound;
    if (reduces && scene->reduction && !scene->observer && strategy->bound == GY_BOUND_NONE)
        h->ground.reducer = gy_reducer_new(scene->reduction);
    gy_random_seed(&h->random, seed);
    gy_budget_init(&h->budget, scene->options->memory_limit);
    h->edge_count = gy_edge_count(scene->system);
    h->reached = gy_alloc_zero((size_t)h->edge_count + 1);
    h->late = scene->late;
    h->late_user = scene->late_user;
    gy_limit_poll_begin(&h->pace, STATES);
    return h;
}

bool gy_hunter_asks(gy_hunter *h)
{
    if (!gy_limit_poll_glances(&h->pace))
        gy_limit_poll_look(&h->pace, STATES);
    h->is_late = h->late && h->late(h->late_user);
    return h->is_late;
}

void gy_hunter_go_on(gy_hunter *h, uint64_t work)
{
    uint64_t until = h->generated + work;
    if (h->effort && until > h->effort)
        until = h->effort;
    if (!gy_budget_measure(&h->budget))
        h->over = h->gave_up = h->cut = true;
    if (!h->self)
        h->strategy->begin(h);
    if (!h->over)
        h->strategy->go_on(h, until);
    if (h->effort && h->generated >= h->effort && !h->over)
        h->over = h->cut = true;
}

void gy_hunter_free(gy_hunter *h)
{
    if (!h)
        return;
    if (h->self)
        h->strategy->end(h);
    for (size_t i = 0; i < h->findings.n; i++)
        gy_vec_free(&h->findings.at[i].route);
    gy_vec_free(&h->findings);
    gy_bounded_product_free(&h->ground);
    free(h->reached);
    free(h);
}

bool gy_hunter_is_proof(const gy_hunter *h)
{
    return h->strategy->proves && h->over && !h->gave_up && !h->cut && !h->ground.reducer;
}

void gy_hunter_note(gy_hunter *h, const gy_transition *move)
{
    h->generated++;
    if (move->fault && gy_is_note(move->fault) && h->endless_edge < 0)
        h->endless_edge = move->fault->edge;
    for (uint32_t i = 0; i < move->step_count; i++) {
        const gy_step *step = &move->steps[i];
        if ((uint32_t)step->edge < h->edge_count && !h->reached[step->edge]) {
            h->reached[step->edge] = 1;
            h->new_edges++;
        }
        if (step->partner >= 0 && (uint32_t)step->partner_edge < h->edge_count &&
            !h->reached[step->partner_edge]) {
            h->reached[step->partner_edge] = 1;
            h->new_edges++;
        }
        if (step->pid >= 0 && (uint32_t)step->pid + 1 > h->processes)
            h->processes = (uint32_t)step->pid + 1;
    }
}

void gy_hunter_report(gy_hunter *h, const gy_route *route, gy_fault_kind kind, uint64_t where)
{
    uint64_t most = h->ground.options->max_errors;
    h->errors++;
    for (size_t i = 0; i < h->findings.n; i++)
        if (h->findings.at[i].kind == kind && h->findings.at[i].where == where)
            return;
    gy_finding new = {.kind = kind, .where = where};
    gy_vec_reserve(&new.route, route->n + 1);
    if (route->n)
        memcpy(new.route.at, route->at, route->n * sizeof *route->at);
    new.route.n = route->n;
    gy_vec_push(&h->findings, new);
    if (h->ground.observer || (most && h->findings.n >= most))
        h->over = h->cut = true;
}

void gy_hunter_use(gy_hunter *h, uint64_t states)
{
    h->states = states;
    h->peak = h->budget.used > h->peak ? h->budget.used : h->peak;
    if (h->memory && h->budget.used > h->memory && !h->over)
        h->over = h->gave_up = h->cut = true;
}
