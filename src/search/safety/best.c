// Best-first search: always expands the state that looks nearest to an error.
//
// The heuristic is the caller's, or the number of enabled transitions (few: near a deadlock).
// A binary heap orders the states that are to be expanded by (value, id); `origins` remembers where
// each came from, `costs` the length of the path by which it was found first. Every state is
// expanded at most once, so without an error in sight this is a full search in another order.
#include "search/run.h"

#include "search/safety/origins.h"

typedef struct item {
    int64_t value;
    uint64_t id;
} item;

typedef struct best {
    gy_run *run;
    gy_origins origins;
    gy_region heap, costs;
    uint64_t n; // in the heap
    bool cut;
    // while a state is expanded
    uint64_t parent, cost;
    uint32_t ordinal;
} best;

static bool full(best *b)
{
    gy_run_stop(b->run, GY_LIMIT_MEMORY);
    return false;
}

// ---- the heap -----------------------------------------------------------------------

static bool before(item a, item b)
{
    return a.value != b.value ? a.value < b.value : a.id < b.id;
}

static bool push(best *b, item new)
{
    if (!gy_region_reserve(&b->heap, (b->n + 1) * sizeof new))
        return full(b);
    item *heap = b->heap.at;
    uint64_t at = b->n++;
    while (at && before(new, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = new;
    return true;
}

static item pop(best *b)
{
    item *heap = b->heap.at, first = heap[0], last = heap[--b->n];
    uint64_t at = 0;
    for (;;) {
        uint64_t child = 2 * at + 1;
        if (child >= b->n)
            break;
        if (child + 1 < b->n && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

// ---- expanding ----------------------------------------------------------------------

static int visit(void *user, const gy_transition *transition)
{
    best *b = user;
    gy_run *run = b->run;
    uint64_t id, limit = run->options->depth_limit, cost = gy_run_note(run, transition);
    uint32_t ordinal = b->ordinal++;
    bool beyond = limit && b->cost + cost > limit;
    if (b->parent == GY_ORIGINS_START)
        cost = 0;
    b->cut = b->cut || beyond;
    if (beyond)
        return 0;
    if (transition->fault)
        gy_run_note_fault(run, transition->fault, ordinal, cost);
    if (!transition->state)
        return 0;
    run->result->transitions++;
    switch (gy_numbered_enter(run->store, transition->state, transition->words, &id)) {
    case GY_STORE_FOUND:
        return 0;
    case GY_STORE_FULL:
        return !full(b);
    case GY_STORE_NEW:
        break;
    }
    if (!gy_origins_add(&b->origins, b->parent, ordinal) ||
        !gy_region_reserve(&b->costs, (id + 1) * sizeof(uint32_t)))
        return !full(b);
    ((uint32_t *)b->costs.at)[id] = (uint32_t)(b->cost + cost);
    if (b->cost + cost > run->result->depth)
        run->result->depth = b->cost + cost;
    return 0;
}

static int count(void *user, const gy_transition *transition)
{
    (void)transition;
    ++*(int64_t *)user;
    return 0;
}

// Gives the states that the last expansion found their values.
static void judge(best *b, uint64_t from)
{
    gy_run *run = b->run;
    const gy_search_options *options = run->options;
    for (uint64_t id = from; id < b->origins.n && !run->stopped; id++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(run->store, id, &words);
        int64_t value = 0;
        if (options->heuristic)
            value = options->heuristic(options->heuristic_user, run->worker, state, words);
        else
            gy_successors(run->worker, state, words, count, &value);
        push(b, (item){.value = value, .id = id});
    }
}

static void expand(best *b, uint64_t id)
{
    gy_run *run = b->run;
    uint64_t from = b->origins.n;
    uint32_t words;
    const gy_word *state = gy_numbered_state(run->store, id, &words);
    b->parent = id;
    b->cost = ((const uint32_t *)b->costs.at)[id];
    b->ordinal = 0;
    gy_successors(run->worker, state, words, visit, b);
    if (!run->stopped && b->ordinal == 0 && gy_run_bad_end(run, state, words))
        gy_origins_report(&b->origins, run, id, -1, GY_FAULT_NONE, false);
    gy_origins_report_faults(&b->origins, run, id);
    judge(b, from);
}

void gy_search_best(gy_run *run)
{
    best b = {.run = run, .parent = GY_ORIGINS_START};
    gy_origins_init(&b.origins, &run->budget);
    gy_region_init(&b.heap, &run->budget);
    gy_region_init(&b.costs, &run->budget);
    gy_initial(run->worker, visit, &b);
    gy_origins_report_faults(&b.origins, run, GY_ORIGINS_START);
    judge(&b, 0);
    while (b.n && !gy_run_tick(run)) {
        run->pending = b.n;
        gy_run_settle(run);
        expand(&b, pop(&b).id);
    }
    if (b.cut)
        gy_run_stop(run, GY_LIMIT_DEPTH);
    gy_origins_free(&b.origins);
    gy_region_free(&b.heap);
    gy_region_free(&b.costs);
}
