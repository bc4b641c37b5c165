// The engines: a pack on all threads (`gyre hunt`), and one best-first search (--search best).
#include "search/hunt/hunt.h"

#include "search/hunt/party.h"

#include "base/team.h"

#include <pthread.h>

const gy_hunt_options *gy_hunt_options_of(const gy_search_options *options)
{
    static const gy_hunt_options by_default = {.queue_limit = 0};
    return options->hunt ? options->hunt : &by_default;
}

// ---- a pack ---------------------------------------------------------------------------------

// The run is the first member's, who checks the limits, and of who has found an error: `lock`.
typedef struct party {
    gy_run *run;
    gy_pack *pack;
    gy_team team;
    gy_party_found *found;
    void *user;
    pthread_mutex_t lock;
} party;

static bool pass_on(void *user, const gy_finding *finding, const gy_hunter *by)
{
    party *p = user;
    pthread_mutex_lock(&p->lock);
    bool enough = p->found(p->user, finding, by);
    pthread_mutex_unlock(&p->lock);
    return enough;
}

static void tell(const party *p, const gy_pack_figures *figures)
{
    p->run->states_so_far = figures->states;
    p->run->result->transitions = figures->arrivals;
    p->run->result->depth = figures->depth;
}

static bool is_late(void *user)
{
    return gy_run_is_late(user);
}

// The first member checks the limits, after each turn. The others need not wait for it.
static void work(void *user, unsigned number)
{
    party *p = user;
    gy_pack_figures figures;
    while (gy_pack_turn(p->pack)) {
        if (number != 0 && !gy_run_is_late(p->run))
            continue;
        if (number != 0)
            break;
        gy_pack_look(p->pack, &figures);
        pthread_mutex_lock(&p->lock);
        tell(p, &figures);
        if (gy_run_tick_slow(p->run))
            gy_pack_stop(p->pack);
        pthread_mutex_unlock(&p->lock);
    }
}

// Without a limit, half of what the computer has.
static uint64_t memory_for(const gy_run *run)
{
    enum { LEAST = 1 << 20 };
    uint64_t limit = run->options->memory_limit, other = run->budget.other;
    if (!limit)
        return gy_memory_physical() / 2;
    uint64_t left = limit > other ? limit - other : 0;
    left -= left / 8;
    return left > LEAST ? left : LEAST;
}

static void sum_up(const party *p, bool can_prove)
{
    gy_run *run = p->run;
    gy_pack_figures figures;
    gy_pack_look(p->pack, &figures);
    tell(p, &figures);
    run->result->endless_edge = figures.endless_edge;
    gy_pack_mark_reached(p->pack, run->result->reached_edges, run->result->edge_count);
    run->result->hunt = gy_hunt_record_new(p->pack, &figures);
    if (figures.memory > run->budget.peak)
        run->budget.peak = figures.memory;
    if (!figures.proof || !can_prove)
        gy_run_stop(run, GY_LOSSY);
}

void gy_party_hunt(gy_run *run, const gy_observer *observer, gy_party_found *found, void *user)
{
    party p = {.run = run, .found = found, .user = user};
    gy_pack_scene set = {
        .scene = {.system = run->system,
                  .options = run->options,
                  .hunt = gy_hunt_options_of(run->options),
                  .observer = observer,
                  .reduction = observer ? NULL : run->reduction,
                  .late = is_late,
                  .late_user = run},
        .threads = run->options->threads ? run->options->threads : 1,
        .memory = memory_for(run),
        .found = pass_on,
        .user = &p,
    };
    pthread_mutex_init(&p.lock, NULL);
    p.pack = gy_pack_new(&set, run->options->seed);
    run->result->threads = gy_team_run(set.threads, work, &p, &p.team);
    sum_up(&p, !observer);
    gy_pack_free(p.pack);
    pthread_mutex_destroy(&p.lock);
}

static bool report(gy_run *run, const gy_finding *finding)
{
    gy_run_fault fault = {.kind = finding->kind, .edge = (int32_t)finding->where};
    run->result->errors += finding->kind == GY_FAULT_NONE;
    if (finding->kind == GY_FAULT_NONE || gy_run_fault_is_new(run, &fault))
        gy_run_report(run, &finding->route, finding->kind, false);
    return run->stopped;
}

static bool found_error(void *user, const gy_finding *finding, const gy_hunter *by)
{
    (void)by;
    return report(user, finding);
}

void gy_search_hunt(gy_run *run)
{
    gy_party_hunt(run, NULL, found_error, run);
    run->result->probed = run->result->witness_count > 0;
}

// ---- one best-first search ------------------------------------------------------------------

void gy_search_best(gy_run *run)
{
    enum { SLICE = 1 << 10 };
    gy_hunt_scene scene = {.system = run->system,
                           .options = run->options,
                           .hunt = gy_hunt_options_of(run->options),
                           .late = is_late,
                           .late_user = run};
    gy_hunter *h = gy_hunter_new(gy_strategy_named("guided"), &scene, gy_run_new_worker(run), false,
                                 run->options->seed);
    size_t told = 0;
    while (!h->over && !gy_run_tick_slow(run)) {
        gy_hunter_go_on(h, SLICE);
        run->states_so_far = h->states;
        run->result->transitions = h->arrivals;
        run->result->depth = h->depth;
        run->budget.peak = h->peak;
        while (told < h->findings.n && !run->stopped)
            report(run, &h->findings.at[told++]);
        run->result->errors = h->errors;
    }
    for (uint32_t i = 0; i < h->edge_count; i++)
        run->result->reached_edges[i] |= h->reached[i];
    run->result->endless_edge = h->endless_edge;
    if (h->too_long)
        gy_run_too_long(run);
    else if (h->gave_up)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    else if (h->beyond)
        gy_run_stop(run, GY_LIMIT_DEPTH);
    else if (h->cut)
        gy_run_stop(run, GY_LOSSY);
    gy_hunter_free(h);
}
