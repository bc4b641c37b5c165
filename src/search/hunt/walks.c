// Walks from an initial state, repeatedly; nothing is remembered but the walk itself. All
// transitions of a state on it are examined for errors, not only the one that is taken.
//
// GY_WALK_EVEN takes any transition, evenly. GY_WALK_PCT is probabilistic concurrency testing
// (Burckhardt, Kothari, Musuvathi, Nagarakatti, ASPLOS 2010): each process has a priority,
// different ones in random order; the one that is enabled and has the highest does; at d-1 places
// of the run, chosen evenly, the process that would execute next gets a priority below all others.
// An error of depth d (d orderings of steps suffice for it) in a run of at most k steps of n
// processes is found by a walk with a probability of at least 1/(n k^(d-1)). k and n are those seen
// so far, so only walks made since they last grew count.
#include "search/hunt/strategies.h"

#include "base/hash.h"

enum { FIRST_LENGTH = 1 << 10, MOST_LENGTH = 1 << 16, MOST_PCT_LENGTH = 1 << 12, MOST_PIDS = 256 };

typedef struct walk {
    gy_route path;
    GY_VEC(gy_word) state;
    uint64_t cost, walks, length; // length: of the current walk, at most
    bool under_way;
    // GY_WALK_PCT
    uint64_t priority[MOST_PIDS];       // 0: has none yet
    uint64_t changes[GY_PCT_DEPTH - 1]; // steps before which one is lowered
    uint64_t next_low;
    uint64_t steps;         // k
    uint32_t processes;     // n
    uint64_t counted_walks; // with these
} walk;

static void report(gy_hunter *h, walk *w, gy_fault_kind kind, int64_t ordinal, uint64_t where)
{
    if (ordinal >= 0)
        gy_vec_push(&w->path, (uint32_t)ordinal);
    gy_hunter_report(h, &w->path, kind, where);
    w->path.n -= ordinal >= 0;
}

// ---- which transition ---------------------------------------------------------------------------

// A random priority above GY_PCT_DEPTH, for each process that turns up.
static uint64_t priority_of(gy_hunter *h, walk *w, int32_t pid)
{
    uint64_t *priority = &w->priority[(uint32_t)pid % MOST_PIDS];
    if (!*priority)
        *priority = (gy_random_next(&h->random) | 1) >> 1 | 1ull << 62;
    return *priority;
}

// The process with the highest priority among those that are enabled; -1: there is none.
static int32_t first_in_line(gy_hunter *h, walk *w, const gy_transition *all, uint32_t count)
{
    int32_t best = -1;
    for (uint32_t i = 0; i < count; i++) {
        if (!all[i].state || !all[i].step_count)
            continue;
        int32_t pid = all[i].steps[0].pid;
        if (best < 0 || (pid != best && priority_of(h, w, pid) > priority_of(h, w, best)))
            best = pid;
    }
    return best;
}

static int32_t scheduled(gy_hunter *h, walk *w, const gy_transition *all, uint32_t count)
{
    int32_t pid = first_in_line(h, w, all, count);
    for (unsigned i = 0; i + 1 < GY_PCT_DEPTH && pid >= 0; i++)
        if (w->changes[i] == w->path.n) {
            w->priority[(uint32_t)pid % MOST_PIDS] = w->next_low--;
            pid = first_in_line(h, w, all, count);
        }
    return pid;
}

// -1: there is none.
static int64_t choose(gy_hunter *h, walk *w, const gy_transition *all, uint32_t count)
{
    bool pct = h->strategy->variant == GY_WALK_PCT;
    int32_t pid = pct ? scheduled(h, w, all, count) : -1;
    uint64_t candidates = 0;
    int64_t chosen = -1;
    for (uint32_t i = 0; i < count; i++) {
        if (!all[i].state || (pid >= 0 && all[i].steps[0].pid != pid) ||
            (h->ground.reduced && !pct && !h->ground.moves.keep.at[i]))
            continue;
        if (gy_random_below(&h->random, ++candidates) == 0)
            chosen = i;
    }
    return chosen;
}

// ---- a walk --------------------------------------------------------------------------------

static void begin_walk(gy_hunter *h, walk *w)
{
    // 1, 2, 1, 4, 1, 2, 1, 8 …: most are short, some are long
    uint64_t nth = w->walks + 1;
    w->length = (uint64_t)FIRST_LENGTH << __builtin_ctzll(nth);
    uint64_t most = h->strategy->variant == GY_WALK_PCT ? MOST_PCT_LENGTH : MOST_LENGTH;
    if (w->length > most)
        w->length = most;
    w->under_way = true;
    w->path.n = w->state.n = 0;
    w->cost = 0;
    memset(w->priority, 0, sizeof w->priority);
    w->next_low = GY_PCT_DEPTH;
    uint64_t steps = w->steps ? w->steps : 64;
    for (unsigned i = 0; i + 1 < GY_PCT_DEPTH; i++)
        w->changes[i] = 1 + gy_random_below(&h->random, steps);
}

static void end_walk(gy_hunter *h, walk *w)
{
    uint64_t steps = w->path.n ? w->path.n - 1 : 0;
    w->under_way = false;
    w->walks++;
    h->runs = w->walks;
    h->longest = steps > h->longest ? steps : h->longest;
    if (steps > w->steps || h->processes > w->processes) {
        w->steps = steps > w->steps ? steps : w->steps;
        w->processes = h->processes;
        w->counted_walks = 0;
    } else {
        w->counted_walks++;
    }
}

static void step(gy_hunter *h, walk *w)
{
    uint32_t count;
    bool initial = w->path.n == 0;
    const gy_word *state = initial ? NULL : w->state.at;
    const gy_transition *all =
        gy_bounded_product_expand(&h->ground, state, (uint32_t)w->state.n, &count);
    uint64_t limit = h->ground.options->depth_limit;
    if (h->ground.found != GY_BOUNDED_PRODUCT_FINE)
        report(h, w, GY_FAULT_NONE, -1, gy_hash_state(state, (uint32_t)w->state.n));
    for (uint32_t i = 0; i < count && !h->over; i++) {
        gy_hunter_note(h, &all[i]);
        const gy_fault *fault = all[i].fault;
        for (; !h->over && (fault = gy_bounded_product_wanted(&h->ground, fault));
             fault = fault->also)
            report(h, w, fault->kind, i, (uint32_t)fault->edge);
    }
    h->generated += count == 0;
    int64_t chosen = h->over ? -1 : choose(h, w, all, count);
    uint64_t cost = chosen < 0 || initial ? 0 : gy_bounded_product_cost(&all[chosen]);
    if (chosen < 0 || w->path.n > w->length || (limit && w->cost + cost > limit)) {
        h->cut_runs += w->path.n > w->length;
        end_walk(h, w);
        return;
    }
    const gy_transition *move = &all[chosen];
    w->cost += cost;
    h->depth = w->cost > h->depth ? w->cost : h->depth;
    gy_vec_reserve(&w->state, (size_t)move->words + 1);
    if (move->words)
        memcpy(w->state.at, move->state, move->words * sizeof *move->state);
    w->state.n = move->words;
    gy_vec_push(&w->path, (uint32_t)chosen);
    h->states++;
    h->arrivals++;
}

void gy_walk_begin(gy_hunter *h)
{
    h->self = gy_alloc_zero(sizeof(walk));
    h->cut = true; // states are left out, always
}

void gy_walk_go_on(gy_hunter *h, uint64_t until)
{
    walk *w = h->self;
    while (gy_hunter_goes_on(h, until)) {
        if (!w->under_way)
            begin_walk(h, w);
        step(h, w);
    }
}

void gy_walk_end(gy_hunter *h)
{
    walk *w = h->self;
    gy_vec_free(&w->path);
    gy_vec_free(&w->state);
    free(w);
}

void gy_walk_pct_look(const gy_hunter *h, uint64_t *runs, uint64_t *steps, uint32_t *processes)
{
    const walk *w = h->self;
    *runs = w ? w->counted_walks : 0;
    *steps = w ? w->steps : 0;
    *processes = w ? w->processes : 0;
}
