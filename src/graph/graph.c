#include "graph/graph.h"

#include "base/clock.h"
#include "base/limit_poll.h"
#include "store/numbered.h"

enum { TICKS = 200, ENTRIES = 128 };
static const double LOOK_SECONDS = 0.01;

// ---- limits ---------------------------------------------------------------------------------

void gy_graph_limits_begin(gy_graph_limits *limits, uint64_t memory)
{
    gy_budget_init(&limits->budget, memory);
    limits->end = GY_GRAPH_COMPLETE;
    limits->next_progress = limits->started + 1;
    limits->countdown = 0;
}

void gy_graph_stop(gy_graph_limits *limits, gy_graph_end why)
{
    if (limits->end == GY_GRAPH_COMPLETE)
        limits->end = why;
}

bool gy_graph_look(gy_graph_limits *limits)
{
    double now = gy_clock();
    limits->countdown = TICKS;
    if (limits->interrupt && *limits->interrupt)
        gy_graph_stop(limits, GY_GRAPH_INTERRUPT);
    if (limits->until > 0 && now >= limits->until)
        gy_graph_stop(limits, GY_GRAPH_TIME);
    if (now >= limits->next_look) {
        limits->next_look = now + LOOK_SECONDS;
        if (!gy_budget_measure(&limits->budget))
            gy_graph_stop(limits, GY_GRAPH_MEMORY);
    }
    if (limits->progress && now >= limits->next_progress) {
        limits->next_progress = now + 1;
        limits->now.seconds = now - limits->started;
        limits->progress(limits->progress_user, &limits->now);
    }
    return limits->end != GY_GRAPH_COMPLETE;
}

uint32_t *gy_graph_array(gy_graph_limits *limits, gy_region *region, uint64_t count)
{
    gy_region_init(region, &limits->budget);
    if (gy_region_resize(region, (count + 1) * sizeof(uint32_t)))
        return region->at;
    gy_graph_stop(limits, GY_GRAPH_MEMORY);
    return NULL;
}

// ---- making ---------------------------------------------------------------------------------

// Who made an edge.
typedef struct mover {
    gy_step step;
    uint32_t target;
} mover;

typedef struct maker {
    gy_graph *graph;
    gy_graph_limits *limits;
    gy_numbered *store;
    gy_worker *worker;
    gy_graph_visit *show; // or NULL
    void *show_user;
    gy_map label_map;
    GY_VEC(mover) movers; // of the edges of the state that is being expanded
    gy_limit_poll pace;   // of checks of the limits
} maker;

static bool same_step(const gy_step *a, const gy_step *b)
{
    return a->pid == b->pid && a->edge == b->edge && a->partner == b->partner &&
           a->partner_edge == b->partner_edge;
}

// Takes note of who makes the edge that will be added next.
static void note_mover(maker *m, const gy_transition *transition)
{
    mover by = {.step = {-1, -1, -1, -1, 0, 0}};
    if (transition->step_count)
        by.step = transition->steps[0];
    gy_vec_push(&m->movers, by);
}

static void count_label(maker *m, const gy_step *step)
{
    gy_graph *graph = m->graph;
    uint64_t hash =
        gy_hash_pair((uint64_t)(uint32_t)step->pid << 32 | (uint32_t)step->edge,
                     (uint64_t)(uint32_t)step->partner << 32 | (uint32_t)step->partner_edge);
    for (gy_map_probe p = gy_map_first(&m->label_map, hash); p.found;
         gy_map_next(&m->label_map, &p)) {
        if (same_step(&graph->labels.at[p.number].step, step)) {
            graph->labels.at[p.number].count++;
            return;
        }
    }
    gy_edge_label label = {*step, 1};
    gy_map_add(&m->label_map, hash, (uint32_t)graph->labels.n);
    gy_vec_push(&graph->labels, label);
}

// The numbers of states that were just entered become targets. False: no memory.
static bool add_edges(maker *m, const gy_numbered_entry *entries, uint32_t count)
{
    gy_graph *graph = m->graph;
    if (!gy_region_reserve(&graph->target_room, (graph->edges + count) * sizeof(uint32_t))) {
        gy_graph_stop(m->limits, GY_GRAPH_MEMORY);
        return false;
    }
    graph->targets = graph->target_room.at;
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].id >= UINT32_MAX - 1) {
            gy_graph_stop(m->limits, GY_GRAPH_TOO_LARGE);
            return false;
        }
        if (entries[i].id >= graph->states)
            graph->states = (uint32_t)entries[i].id + 1;
        graph->targets[graph->edges++] = (uint32_t)entries[i].id;
    }
    return true;
}

static bool enter(maker *m, gy_numbered_entry *entries, uint32_t count)
{
    if (gy_numbered_enter_all(m->store, entries, count) == count)
        return add_edges(m, entries, count);
    gy_graph_stop(m->limits, GY_GRAPH_MEMORY);
    return false;
}

static int visit(void *user, const gy_transition *transition)
{
    maker *m = user;
    if (!transition->state) {
        m->graph->faults++;
        return 0;
    }
    note_mover(m, transition);
    if (transition->step_count)
        count_label(m, &transition->steps[0]);
    gy_numbered_entry entry = {.state = transition->state, .words = transition->words};
    return enter(m, &entry, 1) ? 0 : 1;
}

static int visit_initial(void *user, const gy_transition *transition)
{
    maker *m = user;
    uint64_t id;
    if (!transition->state)
        return 0;
    if (gy_numbered_enter(m->store, transition->state, transition->words, &id) == GY_STORE_FULL) {
        gy_graph_stop(m->limits, GY_GRAPH_MEMORY);
        return 1;
    }
    if (id >= m->graph->states)
        m->graph->states = (uint32_t)id + 1;
    return 0;
}

static bool enter_batch(maker *m, const gy_transition *batch, uint32_t count)
{
    gy_numbered_entry entries[ENTRIES];
    for (uint32_t from = 0; from < count; from += ENTRIES) {
        uint32_t n = count - from < ENTRIES ? count - from : ENTRIES;
        for (uint32_t i = 0; i < n; i++) {
            const gy_transition *t = &batch[from + i];
            entries[i] = (gy_numbered_entry){.state = t->state, .words = t->words};
            note_mover(m, t);
            if (t->step_count)
                count_label(m, &t->steps[0]);
        }
        if (!enter(m, entries, n))
            return false;
    }
    return true;
}

static bool comes_before(const gy_step *a, const gy_step *b)
{
    if (a->pid != b->pid)
        return a->pid < b->pid;
    if ((a->partner < 0) != (b->partner < 0))
        return a->partner < 0;
    if (a->edge != b->edge)
        return a->edge < b->edge;
    return a->partner != b->partner ? a->partner < b->partner : a->partner_edge < b->partner_edge;
}

// The edges of a state in the order of processes (steps of its own before rendezvous), statements
// and partners; others stay as they are.
static void order_edges(maker *m, uint64_t from)
{
    uint32_t *targets = m->graph->targets + from;
    size_t n = m->movers.n;
    mover *by = m->movers.at;
    for (size_t i = 0; i < n; i++)
        by[i].target = targets[i];
    for (size_t i = 1; i < n; i++) {
        mover moved = by[i];
        size_t at = i;
        for (; at > 0 && comes_before(&moved.step, &by[at - 1].step); at--)
            by[at] = by[at - 1];
        by[at] = moved;
    }
    for (size_t i = 0; i < n; i++)
        targets[i] = by[i].target;
}

static bool expand(maker *m, uint32_t state)
{
    m->movers.n = 0;
    uint32_t words, count;
    uint64_t faults = m->graph->faults, edges = m->graph->edges;
    const gy_word *at = gy_numbered_state(m->store, state, &words);
    if (m->show)
        m->show(m->show_user, m->worker, at, words);
    const gy_transition *batch = gy_successors_batch(m->worker, at, words, &count);
    bool good =
        batch ? enter_batch(m, batch, count) : gy_successors(m->worker, at, words, visit, m) == 0;
    if (good)
        order_edges(m, edges);
    m->graph->deadlocks += good && m->graph->edges == edges && m->graph->faults == faults;
    return good;
}

static bool note_first(maker *m, uint32_t state)
{
    gy_graph *graph = m->graph;
    if (!gy_region_reserve(&graph->first_room, ((uint64_t)state + 2) * sizeof(uint64_t))) {
        gy_graph_stop(m->limits, GY_GRAPH_MEMORY);
        return false;
    }
    graph->first = graph->first_room.at;
    graph->first[state] = graph->first[state + 1] = graph->edges;
    return true;
}

// Steps of a system may take long, other than those of an analysis: so not gy_graph_tick.
static bool is_over(maker *m)
{
    if (!gy_limit_poll_due(&m->pace))
        return m->limits->end != GY_GRAPH_COMPLETE;
    if (!gy_limit_poll_glances(&m->pace))
        gy_limit_poll_look(&m->pace, TICKS);
    return gy_graph_look(m->limits);
}

static void explore(maker *m)
{
    gy_graph *graph = m->graph;
    uint32_t level_end = 0;
    gy_limit_poll_begin(&m->pace, TICKS);
    gy_initial(m->worker, visit_initial, m);
    graph->initial = graph->states;
    for (uint32_t s = 0; s < graph->states; s++) {
        if (s == level_end) {
            gy_vec_push(&graph->levels, s);
            level_end = graph->states;
        }
        if (!note_first(m, s) || is_over(m) || !expand(m, s))
            break;
        graph->first[s + 1] = graph->edges;
        graph->expanded = s + 1;
        m->limits->now.states = graph->states;
        m->limits->now.edges = graph->edges;
        m->limits->now.done = s;
        if (gy_numbered_unsettled(m->store))
            gy_numbered_settle(m->store);
    }
    gy_vec_push(&graph->levels, graph->states);
}

gy_graph *gy_graph_make(gy_system *system, gy_graph_limits *limits, gy_graph_visit *show,
                        void *user)
{
    gy_store_options options = {.budget = &limits->budget};
    maker m = {.limits = limits,
               .show = show,
               .show_user = user,
               .store = gy_numbered_new(gy_store_kind_at(gy_store_kind_dense()), &options)};
    if (!m.store) {
        gy_graph_stop(limits, GY_GRAPH_MEMORY);
        return NULL;
    }
    m.graph = gy_alloc_zero(sizeof *m.graph);
    gy_region_init(&m.graph->first_room, &limits->budget);
    gy_region_init(&m.graph->target_room, &limits->budget);
    m.worker = gy_worker_new(system);
    if (note_first(&m, 0))
        explore(&m);
    gy_worker_free(m.worker);
    gy_numbered_free(m.store);
    gy_map_free(&m.label_map);
    gy_vec_free(&m.movers);
    return m.graph;
}

void gy_graph_free(gy_graph *graph)
{
    if (!graph)
        return;
    gy_region_free(&graph->first_room);
    gy_region_free(&graph->target_room);
    gy_vec_free(&graph->levels);
    gy_vec_free(&graph->labels);
    free(graph);
}
