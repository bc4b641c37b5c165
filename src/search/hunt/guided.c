// Greedy best-first search: always expands the state that seems nearest to an error; what the path
// to it has cost does not matter, and no state is taken up twice, unless a depth limit makes a
// cheaper path to it worth more. After Rungta, Mercer (SPIN 2007),
// with what is left open there decided so: initial states are judged as all others are, and a
// deadlock is seen when a state is expanded, or when the guide looks ahead. A state that the queue
// drops stays known: it is not found again.
#include "search/hunt/strategies.h"

#include "search/safety/parents.h"

enum { MOST_RECENT = 255 };

typedef struct guided {
    gy_numbered *store;
    gy_queue queue;
    gy_parents origins;
    gy_region costs, movers; // by id: statements on the path to it; which process executed last
    void *notebook;
    gy_moves ahead;
    int64_t nearest;
    bool has_nearest;
    uint8_t recent[MOST_RECENT];
} guided;

static gy_numbered *new_store(gy_hunter *h)
{
    const gy_search_options *options = h->ground.options;
    gy_store_kind kind = gy_store_kind_giving_back(options->store);
    gy_store_options wanted = {
        .budget = &h->budget, .seed = options->seed, .hostile = options->hostile};
    return gy_numbered_new(gy_store_kind_at(kind), &wanted);
}

static void give_up(gy_hunter *h)
{
    h->over = h->gave_up = h->cut = true;
}

static void report(gy_hunter *h, const guided *g, uint64_t id, int64_t ordinal, gy_fault_kind kind,
                   uint64_t where)
{
    gy_route path = {0};
    gy_parents_path(&g->origins, id, ordinal, &path);
    gy_hunter_report(h, &path, kind, where);
    gy_vec_free(&path);
}

// ---- judging -------------------------------------------------------------------------------

static uint32_t list_recent(guided *g, uint64_t id, uint32_t most)
{
    uint32_t n = 0;
    uint32_t ordinal;
    for (; n < most && n < MOST_RECENT && id != GY_ORIGINS_START; n++) {
        g->recent[n] = ((const uint8_t *)g->movers.at)[id];
        gy_parents_get(&g->origins, id, &id, &ordinal);
    }
    return n && id == GY_ORIGINS_START ? n - 1 : n; // no step leads to an initial state
}

static int64_t value_of(gy_hunter *h, guided *g, uint64_t id, const gy_transition *move)
{
    const gy_heuristic *guide = h->guide;
    uint32_t extra = gy_bounded_product_extra(&h->ground);
    gy_guided_state at = {
        .worker = h->ground.worker,
        .state = move->state,
        .words = move->words - extra,
        .observer = extra ? move->state[move->words - extra] : 0,
        .steps = move->steps,
        .step_count = move->step_count,
    };
    if (guide->wants_recent) {
        at.recent_count = list_recent(g, id, guide->wants_recent);
        at.recent = g->recent;
    }
    if (guide->looks_ahead)
        at.next = gy_moves_find(&g->ahead, at.worker, at.state, at.words, &at.next_count);
    int64_t value = guide->value(guide->self, g->notebook, &at);
    if (!g->has_nearest || value < g->nearest) {
        h->advances += g->has_nearest;
        g->nearest = value;
        g->has_nearest = true;
    }
    return value;
}

// ---- expanding -----------------------------------------------------------------------------

// Where a transition comes from.
typedef struct source {
    uint64_t parent; // GY_ORIGINS_START: it is one into an initial state
    uint64_t cost;   // statements on the path to it
    uint32_t ordinal;
} source;

static void note_way(gy_hunter *h, guided *g, uint64_t id, uint64_t cost, const gy_transition *move)
{
    ((uint32_t *)g->costs.at)[id] = (uint32_t)cost;
    ((uint8_t *)g->movers.at)[id] = move->step_count ? (uint8_t)move->steps[0].pid : 0;
    if (cost > h->depth)
        h->depth = cost;
}

static bool keep(gy_hunter *h, guided *g, uint64_t id, const source *from, uint64_t cost,
                 const gy_transition *move)
{
    if (!gy_parents_add(&g->origins, from->parent, from->ordinal) ||
        !gy_region_reserve(&g->costs, (id + 1) * sizeof(uint32_t)) ||
        !gy_region_reserve(&g->movers, id + 1))
        return false;
    note_way(h, g, id, cost, move);
    return true;
}

// A known state was reached again. With a limit, more lies within it from a cheaper path: then the
// state is taken up again. (No path goes in a circle: what is found by way of a state costs more.)
static void meet_again(gy_hunter *h, guided *g, uint64_t id, const source *from, uint64_t cost,
                       const gy_transition *move)
{
    if (!h->ground.options->depth_limit || cost >= ((const uint32_t *)g->costs.at)[id])
        return;
    gy_parents_set(&g->origins, id, from->parent, from->ordinal);
    note_way(h, g, id, cost, move);
    gy_queue_push(&g->queue, value_of(h, g, id, move), id);
}

typedef GY_VEC(gy_transition) found_moves;

static void arrive(gy_hunter *h, guided *g, const source *from, const gy_transition *move)
{
    uint64_t id, limit = h->ground.options->depth_limit;
    uint64_t cost =
        from->parent == GY_ORIGINS_START ? 0 : from->cost + gy_bounded_product_cost(move);
    gy_hunter_note(h, move);
    if (limit && cost > limit) {
        h->cut = h->beyond = true;
        return;
    }
    const gy_fault *fault = move->fault;
    for (; !h->over && (fault = gy_bounded_product_wanted(&h->ground, fault)); fault = fault->also)
        report(h, g, from->parent, from->ordinal, fault->kind, (uint32_t)fault->edge);
    if (!move->state || h->over)
        return;
    h->arrivals++;
    switch (gy_numbered_enter(g->store, move->state, move->words, &id)) {
    case GY_STORE_FOUND:
        meet_again(h, g, id, from, cost, move);
        return;
    case GY_STORE_FULL:
        h->too_long = gy_numbered_too_long(g->store);
        give_up(h);
        return;
    case GY_STORE_NEW:
        break;
    }
    if (!keep(h, g, id, from, cost, move)) {
        give_up(h);
        return;
    }
    gy_queue_push(&g->queue, value_of(h, g, id, move), id);
}

// Looking ahead uses the worker: then the transitions that it gave are void, and have to be copied.
static void arrive_all(gy_hunter *h, guided *g, source from, const gy_transition *all,
                       uint32_t count)
{
    GY_VEC(gy_word) words = {0};
    GY_VEC(gy_step) steps = {0};
    gy_faults faults = {0};
    GY_VEC(uint8_t) keeps = {0};
    found_moves moves = {0};
    bool reduced = h->ground.reduced;
    gy_vec_reserve(&words, 1); // a state of no words is a state
    for (uint32_t i = 0; i < count; i++) {
        gy_vec_push(&moves, all[i]);
        for (uint32_t k = 0; all[i].state && k < all[i].words; k++)
            gy_vec_push(&words, all[i].state[k]);
        for (uint32_t k = 0; k < all[i].step_count; k++)
            gy_vec_push(&steps, all[i].steps[k]);
        gy_faults_copy(&faults, all[i].fault);
        gy_vec_push(&keeps, !reduced || h->ground.moves.keep.at[i]);
    }
    size_t word = 0, step = 0, fault = 0;
    for (uint32_t i = 0; i < count && !h->over; i++) {
        gy_transition *move = &moves.at[i];
        if (h->guide->looks_ahead && gy_hunter_is_late(h)) {
            h->cut = true;
            break;
        }
        move->state = move->state ? words.at + word : NULL;
        word += move->state ? move->words : 0;
        move->steps = steps.at + step;
        step += move->step_count;
        move->fault = move->fault ? gy_faults_next(&faults, &fault) : NULL;
        if (!keeps.at[i])
            move->state = NULL; // its fault counts nevertheless
        from.ordinal = i;
        arrive(h, g, &from, move);
    }
    gy_vec_free(&words);
    gy_vec_free(&steps);
    gy_vec_free(&faults);
    gy_vec_free(&keeps);
    gy_vec_free(&moves);
}

static void expand(gy_hunter *h, guided *g, uint64_t id)
{
    static const gy_word nothing = 0; // a state of no words is a state
    uint32_t words = 0, count;
    uint64_t so_far = 0;
    const gy_word *state = NULL;
    if (id != GY_ORIGINS_START) {
        state = gy_numbered_state(g->store, id, &words);
        state = words ? state : &nothing;
        so_far = ((const uint32_t *)g->costs.at)[id];
    }
    const gy_transition *all = gy_bounded_product_expand(&h->ground, state, words, &count);
    if (h->ground.found != GY_BOUNDED_PRODUCT_FINE) {
        report(h, g, id, -1, GY_FAULT_NONE, gy_hash_state(state, words));
        return;
    }
    arrive_all(h, g, (source){.parent = id, .cost = so_far}, all, count);
}

void gy_guided_begin(gy_hunter *h)
{
    guided *g = gy_alloc_zero(sizeof *g);
    h->self = g;
    gy_queue_init(&g->queue, h->hunt->ties, h->queue_limit, h->seed);
    gy_parents_init(&g->origins, &h->budget);
    gy_region_init(&g->costs, &h->budget);
    gy_region_init(&g->movers, &h->budget);
    g->notebook = h->guide->open ? h->guide->open(h->guide->self) : NULL;
    g->store = new_store(h);
    if (!g->store)
        give_up(h);
    else
        expand(h, g, GY_ORIGINS_START);
}

void gy_guided_go_on(gy_hunter *h, uint64_t until)
{
    guided *g = h->self;
    int64_t value;
    while (gy_hunter_goes_on(h, until)) {
        if (g->queue.n == 0) {
            h->over = true;
            break;
        }
        bool any = h->explore && gy_random_below(&h->random, 100) < h->explore;
        expand(h, g, any ? gy_queue_pop_any(&g->queue, &value) : gy_queue_pop(&g->queue, &value));
        if (gy_numbered_unsettled(g->store))
            gy_numbered_settle(g->store);
        gy_hunter_use(h, g->origins.n);
        h->cut = h->cut || g->queue.truncated;
    }
    h->longest = g->queue.most;
}

void gy_guided_end(gy_hunter *h)
{
    guided *g = h->self;
    if (g->notebook)
        h->guide->close(g->notebook);
    gy_queue_free(&g->queue);
    gy_parents_free(&g->origins);
    gy_region_free(&g->costs);
    gy_region_free(&g->movers);
    gy_numbered_free(g->store);
    gy_moves_free(&g->ahead);
    free(g);
}
