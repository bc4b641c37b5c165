// The path is a line of points, each a state and the transition to it. From one of them after the
// other, a small breadth-first search (a window) looks for errors and for states that are further
// along the line; the jump that gains most takes the place of what it leaves out. Then all over
// again, with larger windows, until the effort is spent.
#include "search/shorten.h"

#include "search/findings.h"
#include "search/replay.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"

enum { FIRST_WINDOW = 64, GROWTH = 8, SOME_EFFORT = 400000, WORDS = 64, LOOK_EVERY = 1024 };

// A state, with the transition by which it was found.
typedef struct node {
    size_t at; // of its words
    uint32_t words;
    uint32_t ordinal, parent;
    uint64_t cost; // from where the search began
    size_t place;  // on the line
} node;

typedef struct point {
    uint32_t node; // FAILED: the fault at the end of the line, which leaves no state
    uint32_t ordinal;
    uint64_t cost; // of the transition to it
} point;

enum { FAILED = UINT32_MAX, UNKNOWN = UINT32_MAX };

typedef GY_VEC(point) points;

// What takes the place of a part of the line.
typedef struct jump {
    uint64_t gain;
    uint32_t from; // the node before its last transition
    uint32_t ordinal;
    uint64_t cost; // of that transition
    size_t to;     // a place on the line, if it is not an error
    bool error, failed;
    gy_fault_kind kind;
} jump;

typedef struct shortening {
    gy_system *system;
    const gy_search_options *options;
    gy_worker *worker;
    gy_moves moves;
    GY_VEC(node) nodes;
    GY_VEC(gy_word) words;
    points line;
    GY_VEC(uint64_t) costs;    // from the start of the line to each of its points
    gy_map on_line, in_window; // nodes by state
    gy_fault_kind kind;        // of the error at the end of the line
    uint64_t effort;           // what may still be done: see spend()
    double until;              // on gy_clock; 0: no limit
    // while the line is found
    uint32_t wanted, seen; // ordinals
    // of the window
    size_t start, first; // its place on the line; its first node
    size_t most;         // nodes
    bool cut;            // some window of this sweep was too small for all that can be reached
    jump best;
} shortening;

static bool is_over(const shortening *s)
{
    return s->effort == 0 || gy_deadline_over(s->until) ||
           (s->options->interrupt && *s->options->interrupt);
}

static uint64_t cost_of(const gy_transition *transition)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < transition->step_count; i++)
        cost += 1 + (transition->steps[i].partner >= 0);
    return cost ? cost : 1;
}

static bool is_bad_end(const shortening *s, const node *n)
{
    return s->options->check_end_states &&
           !gy_is_end_state(s->worker, s->words.at + n->at, n->words, s->options->empty_channels);
}

// A state that was expanded: one for it and for each transition, more if they are long.
static void spend(shortening *s, uint32_t words, uint32_t transitions)
{
    uint64_t spent = (1 + (uint64_t)transitions) * (1 + words / WORDS);
    s->effort -= spent < s->effort ? spent : s->effort;
}

// ---- states -----------------------------------------------------------------------------

static uint32_t add_node(shortening *s, const gy_word *state, uint32_t words)
{
    node new = {.at = s->words.n, .words = words};
    gy_vec_reserve(&s->words, s->words.n + words + 1);
    if (words)
        memcpy(s->words.at + s->words.n, state, words * sizeof *state);
    s->words.n += words;
    gy_vec_push(&s->nodes, new);
    return (uint32_t)s->nodes.n - 1;
}

// UNKNOWN: the state is not there.
static uint32_t find(const shortening *s, const gy_map *map, uint64_t hash, const gy_word *state,
                     uint32_t words)
{
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p)) {
        const node *n = &s->nodes.at[p.number];
        if (n->words == words &&
            (!words || !memcmp(s->words.at + n->at, state, words * sizeof *state)))
            return p.number;
    }
    return UNKNOWN;
}

// The line has changed. Where it comes by the same state twice, what is between is cut out.
static void list_line(shortening *s)
{
    size_t n = 0;
    uint64_t cost = 0;
    gy_map_clear(&s->on_line);
    s->costs.n = 0;
    for (size_t i = 0; i < s->line.n; i++) {
        point p = s->line.at[i];
        if (p.node != FAILED) {
            node *new = &s->nodes.at[p.node];
            uint64_t hash = gy_hash_state(s->words.at + new->at, new->words);
            uint32_t there = find(s, &s->on_line, hash, s->words.at + new->at, new->words);
            const node *known = there != UNKNOWN ? &s->nodes.at[there] : NULL;
            if (known && known->place < n && s->line.at[known->place].node == there) {
                n = known->place + 1;
                cost = s->costs.at[known->place];
                s->costs.n = n;
                continue;
            }
            if (known)
                gy_map_remove(&s->on_line, hash, there);
            gy_map_add(&s->on_line, hash, p.node);
            new->place = n;
        }
        s->line.at[n++] = p;
        cost += p.cost;
        gy_vec_push(&s->costs, cost);
    }
    s->line.n = n;
}

// ---- windows ----------------------------------------------------------------------------

static void offer(shortening *s, uint64_t cost, jump one)
{
    size_t to = one.error ? s->line.n - 1 : one.to;
    uint64_t now = s->costs.at[to] - s->costs.at[s->start];
    if (one.error && s->options->max_errors != 1) // another error is another witness
        return;
    if (now > cost && now - cost > s->best.gain) {
        one.gain = now - cost;
        s->best = one;
    }
}

static void meet(shortening *s, uint32_t from, uint32_t ordinal, const gy_transition *transition)
{
    uint64_t step = cost_of(transition), cost = s->nodes.at[from].cost + step;
    const gy_fault *fault = gy_run_wanted(s->options, transition->fault);
    jump one = {.from = from, .ordinal = ordinal, .cost = step};
    if (fault) {
        one.error = one.failed = true;
        one.kind = fault->kind;
        offer(s, cost, one);
        return;
    }
    if (!transition->state)
        return;
    uint64_t hash = gy_hash_state(transition->state, transition->words);
    if (s->nodes.n - s->first >= s->most ||
        find(s, &s->in_window, hash, transition->state, transition->words) != UNKNOWN)
        return;
    uint32_t new = add_node(s, transition->state, transition->words);
    gy_map_add(&s->in_window, hash, new);
    s->nodes.at[new].parent = from;
    s->nodes.at[new].ordinal = ordinal;
    s->nodes.at[new].cost = cost;
    uint32_t known = find(s, &s->on_line, hash, transition->state, transition->words);
    one.to = known != UNKNOWN ? s->nodes.at[known].place : 0;
    if (one.to > s->start)
        offer(s, cost, one);
}

static void expand(shortening *s, uint32_t number)
{
    node n = s->nodes.at[number];
    uint32_t count;
    const gy_transition *all =
        gy_moves_find(&s->moves, s->worker, s->words.at + n.at, n.words, &count);
    if (count == 0 && is_bad_end(s, &n))
        offer(s, n.cost, (jump){.from = number, .error = true, .kind = GY_FAULT_NONE});
    for (uint32_t i = 0; i < count; i++)
        meet(s, number, i, &all[i]);
    spend(s, n.words, count);
}

// The nodes of the jump take the place of those between its ends. Returns where it ends.
static size_t take_jump(shortening *s)
{
    const jump *j = &s->best;
    points new = {0}, way = {0};
    for (size_t i = 0; i <= s->start; i++)
        gy_vec_push(&new, s->line.at[i]);
    for (uint32_t i = j->from; i != s->first; i = s->nodes.at[i].parent) {
        const node *n = &s->nodes.at[i];
        point p = {i, n->ordinal, n->cost - s->nodes.at[n->parent].cost};
        gy_vec_push(&way, p);
    }
    while (way.n)
        gy_vec_push(&new, way.at[--way.n]);
    if (j->failed)
        gy_vec_push(&new, ((point){FAILED, j->ordinal, j->cost}));
    if (j->error)
        s->kind = j->kind;
    size_t end = new.n - j->error;
    for (size_t i = j->to; i < s->line.n && !j->error; i++) {
        gy_vec_push(&new, s->line.at[i]);
        if (i == j->to) {
            new.at[new.n - 1].ordinal = j->ordinal;
            new.at[new.n - 1].cost = j->cost;
        }
    }
    gy_vec_free(&s->line);
    s->line = new;
    gy_vec_free(&way);
    list_line(s);
    return end;
}

// Looks from one point of the line. Returns the next one.
static size_t look_from(shortening *s, size_t start, uint32_t size)
{
    const node here = s->nodes.at[s->line.at[start].node];
    GY_VEC(gy_word) state = {0}; // the words move
    size_t words = s->words.n, nodes = s->nodes.n;
    uint64_t deepest;
    gy_vec_reserve(&state, (size_t)here.words + 1);
    if (here.words)
        memcpy(state.at, s->words.at + here.at, here.words * sizeof *state.at);
    gy_map_clear(&s->in_window);
    s->most = 4 * (size_t)size;
    s->start = start;
    s->best = (jump){0};
    s->first = add_node(s, state.at, here.words);
    gy_map_add(&s->in_window, gy_hash_state(state.at, here.words), (uint32_t)s->first);
    gy_vec_free(&state);
    for (size_t i = s->first; i < s->nodes.n && s->nodes.n < s->first + size && s->effort; i++) {
        if ((i - s->first) % LOOK_EVERY == LOOK_EVERY - 1 && is_over(s))
            break;
        expand(s, (uint32_t)i);
    }
    s->cut |= s->nodes.n >= s->first + size;
    deepest = s->nodes.at[s->nodes.n - 1].cost;
    if (s->best.gain)
        return take_jump(s);
    s->nodes.n = nodes;
    s->words.n = words;
    return start + 1 + deepest / 4;
}

static bool sweep(shortening *s, uint32_t size)
{
    uint64_t before = s->costs.at[s->line.n - 1];
    s->cut = false;
    for (size_t i = 0; i + 1 < s->line.n && !is_over(s);)
        i = look_from(s, i, size);
    return s->costs.at[s->line.n - 1] < before;
}

// ---- from a witness to a line, and back -------------------------------------------------

static int walk_on(void *user, const gy_transition *transition)
{
    shortening *s = user;
    if (s->seen++ != s->wanted)
        return 0;
    point p = {FAILED, s->wanted, cost_of(transition)};
    if (transition->state)
        p.node = add_node(s, transition->state, transition->words);
    gy_vec_push(&s->line, p);
    return 1;
}

static bool walk(shortening *s, const gy_route *route)
{
    GY_VEC(gy_word) state = {0}; // the words move
    bool good = route->n > 0;
    for (size_t i = 0; i < route->n && good; i++) {
        s->wanted = route->at[i];
        s->seen = 0;
        if (i == 0) {
            good = gy_initial(s->worker, walk_on, s) == 1;
            continue;
        }
        uint32_t last = s->line.at[i - 1].node;
        good = last != FAILED;
        if (!good)
            break;
        const node *n = &s->nodes.at[last];
        gy_vec_reserve(&state, (size_t)n->words + 1);
        if (n->words)
            memcpy(state.at, s->words.at + n->at, n->words * sizeof *state.at);
        good = gy_successors(s->worker, state.at, n->words, walk_on, s) == 1;
    }
    gy_vec_free(&state);
    if (good && s->kind != GY_FAULT_NONE) // what the fault leaves does not matter
        s->line.at[s->line.n - 1].node = FAILED;
    return good;
}

// The line as a witness, if that is one, and costs less.
static bool write_down(shortening *s, gy_witness *witness)
{
    gy_route route = {0};
    gy_witness new;
    for (size_t i = 0; i < s->line.n; i++)
        gy_vec_push(&route, s->line.at[i].ordinal);
    bool good = gy_replay(s->worker, NULL, &route, s->kind, &new);
    gy_vec_free(&route);
    if (!good)
        return false;
    if (gy_witness_cost(&new) < gy_witness_cost(witness) &&
        gy_witness_check(s->system, &new, s->options->empty_channels, NULL)) {
        gy_witness old = *witness;
        *witness = new;
        new = old;
    } else {
        good = false;
    }
    gy_witness_free(&new);
    return good;
}

static void shorten(shortening *s)
{
    uint32_t size = FIRST_WINDOW;
    list_line(s);
    while (!is_over(s) && size < UINT32_MAX / GROWTH / 4)
        if (!sweep(s, size)) {
            if (!s->cut)
                break; // a larger window shows nothing else
            size *= GROWTH;
        }
}

bool gy_witness_shorten(gy_system *system, gy_witness *witness, const gy_search_options *options)
{
    shortening s = {.system = system,
                    .options = options,
                    .kind = witness->error == GY_ERROR_FAULT ? witness->fault : GY_FAULT_NONE,
                    .effort = options->transition_limit ? options->transition_limit : SOME_EFFORT};
    gy_route route = {0};
    bool shorter = false;
    s.until = gy_deadline(options->time_limit);
    if (gy_witness_route(system, witness, options->empty_channels, &route, NULL)) {
        s.worker = gy_worker_new(system);
        if (walk(&s, &route)) {
            shorten(&s);
            shorter = write_down(&s, witness);
            witness->effort_spent = s.effort == 0;
        }
        gy_worker_free(s.worker);
    }
    gy_vec_free(&route);
    gy_moves_free(&s.moves);
    gy_vec_free(&s.nodes);
    gy_vec_free(&s.words);
    gy_vec_free(&s.line);
    gy_vec_free(&s.costs);
    gy_map_free(&s.on_line);
    gy_map_free(&s.in_window);
    return shorter;
}
