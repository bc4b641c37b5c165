// A node is expanded in three steps: the observer's transitions; the system's successors, all of
// them; and each successor with each of the transitions, the observer's state after the words of
// the system's.
#include "search/liveness/product_maker.h"

#include <stdlib.h>
#include <string.h>

// What is known of a transition of the system next to the state it leads to.
typedef struct arrival {
    const gy_word *state; // NULL: the next one in `copies`
    uint32_t words;
    uint32_t ordinal;
    uint64_t written;
    uint64_t moved;  // marks
    uint64_t passed; // as the observer has it
} arrival;

typedef struct worker {
    const gy_product_maker *product;
    const gy_observer *observer;
    gy_worker *system;
    gy_fair fair;
    gy_reduced_view *reduced; // or NULL
    bool plain; // no fairness, no reduction, and the observer does not examine transitions

    // Of the current node:
    const gy_word *state;
    uint32_t words;        // of the system's state
    uint32_t shift, wider; // of what transitions have written, for a state; for a node
    uint32_t at;           // the observer's
    const gy_observer_move *moves;
    uint32_t move_count;
    const gy_observer_move *seen; // a transition that is an error
    uint64_t asked;               // strong marks
    uint64_t missing;             // marks for all arcs: of what is not enabled here
    GY_VEC(arrival) arrivals;
    uint32_t ordinal; // of transitions so far
    GY_VEC(gy_word) copies;
    GY_VEC(gy_word) nodes; // that the successors are
    GY_VEC(gy_observer_move) own_moves;
} worker;

// ---- the observer ---------------------------------------------------------------------

static void add_move(void *user, const gy_observer_move *move)
{
    worker *w = user;
    gy_vec_push(&w->own_moves, *move);
}

// False: one of its transitions is an error.
static inline bool observe(worker *w)
{
    const gy_observer *observer = w->observer;
    if (observer->all_moves) {
        w->moves = observer->all_moves(observer->self, w->system, w->state, w->words, w->at,
                                       &w->move_count);
    } else {
        w->own_moves.n = 0;
        observer->moves(observer->self, w->system, w->state, w->words, w->at, add_move, w);
        w->moves = w->own_moves.at;
        w->move_count = (uint32_t)w->own_moves.n;
    }
    for (uint32_t i = 0; i < w->move_count; i++) {
        if (w->moves[i].sight != GY_SEES_NOTHING) {
            w->seen = &w->moves[i];
            return false;
        }
    }
    return true;
}

// ---- the system -----------------------------------------------------------------------

static void add_arrival(worker *w, const gy_transition *transition, const gy_word *state)
{
    arrival a = {.state = state,
                 .words = transition->words,
                 .ordinal = w->ordinal++,
                 .written = transition->written};
    if (gy_fair_any(&w->fair))
        a.moved = gy_fair_note(&w->fair, transition);
    if (w->observer->passed) {
        a.passed = w->observer->passed(w->observer->self, transition);
        a.moved |= a.passed & w->fair.reserved;
    }
    if (transition->state)
        gy_vec_push(&w->arrivals, a);
}

static int visit(void *user, const gy_transition *transition)
{
    worker *w = user;
    if (transition->state) {
        gy_vec_reserve(&w->copies, w->copies.n + transition->words + 1);
        if (transition->words)
            memcpy(w->copies.at + w->copies.n, transition->state,
                   transition->words * sizeof *w->copies.at);
        w->copies.n += transition->words;
    }
    add_arrival(w, transition, NULL);
    return 0;
}

static void place_copies(worker *w)
{
    const gy_word *at = w->copies.at;
    for (size_t i = 0; i < w->arrivals.n; i++) {
        w->arrivals.at[i].state = at;
        at += w->arrivals.at[i].words;
    }
}

static void forget(worker *w)
{
    w->arrivals.n = w->copies.n = 0;
    w->ordinal = 0;
}

static void succeed_reduced(worker *w)
{
    uint32_t count;
    const uint8_t *keep;
    const gy_transition *all =
        gy_reduced_view_moves(w->reduced, w->system, w->state, w->words, &count, &keep);
    for (uint32_t i = 0; i < count; i++) {
        w->ordinal = i;
        if (keep[i])
            add_arrival(w, &all[i], all[i].state);
    }
    w->ordinal = count;
}

static void succeed(worker *w)
{
    uint32_t count;
    const gy_transition *all = gy_successors_batch(w->system, w->state, w->words, &count);
    if (all) {
        gy_vec_reserve(&w->arrivals, count);
        for (uint32_t i = 0; i < count; i++)
            add_arrival(w, &all[i], all[i].state);
    } else {
        gy_successors(w->system, w->state, w->words, visit, w);
        place_copies(w);
    }
}

static void stutter(worker *w)
{
    arrival stay = {.state = w->state, .words = w->words, .ordinal = GY_STUTTER};
    gy_vec_push(&w->arrivals, stay);
}

static void list_arrivals(worker *w)
{
    if (w->reduced)
        succeed_reduced(w);
    else
        succeed(w);
    if (w->ordinal == 0 && w->observer->stutters)
        stutter(w);
}

// ---- both -----------------------------------------------------------------------------

// Where a node differs from the current node, if its system's state was written at so many places;
// the observer's word is the last.
static uint64_t written_of(const worker *w, uint64_t written, uint32_t words, uint32_t to)
{
    if (written == GY_WRITTEN_ALL || words != w->words)
        return GY_INCOMING_ANY;
    if (w->wider > w->shift) {
        uint64_t pairs = 0;
        for (unsigned i = 0; i < 32; i++)
            pairs |= (uint64_t)((written >> 2 * i & 3) != 0) << i;
        written = pairs;
    }
    return written | (uint64_t)(to != w->at) << (words >> w->wider);
}

static inline gy_word *copy_state(gy_word *to, const gy_word *state, uint32_t words)
{
    uint32_t i = 0;
    for (; i + 2 <= words; i += 2)
        memcpy(to + i, state + i, 2 * sizeof *to);
    if (i < words)
        to[i] = state[i];
    return to + words;
}

// The node of arrival i with transition k, at `node`, where there is room. Returns what is after
// it.
static inline gy_word *add_item(const worker *w, gy_word *node, const arrival *a, uint32_t i,
                                uint32_t k, gy_space_items *out)
{
    uint32_t to = w->moves[k].to;
    gy_word *last = copy_state(node, a->state, a->words);
    *last = to;
    gy_incoming in = {node, written_of(w, a->written, a->words, to), a->words + 1};
    gy_space_items_add(out, in, w->moves[k].marks | a->moved | w->missing, i * w->move_count + k);
    return last + 1;
}

static void make_items(worker *w, gy_space_items *out)
{
    size_t words = 0;
    w->missing = gy_fair_any(&w->fair) ? gy_fair_missing(&w->fair) : 0;
    for (size_t i = 0; i < w->arrivals.n; i++)
        words += (w->arrivals.at[i].words + (size_t)1) * w->move_count;
    gy_vec_reserve(&w->nodes, words);
    gy_space_items_reserve(out, w->arrivals.n * w->move_count);
    gy_word *node = w->nodes.at;
    for (uint32_t i = 0; i < w->arrivals.n; i++) {
        const arrival *a = &w->arrivals.at[i];
        for (uint32_t k = 0; k < w->move_count; k++)
            if (!(w->moves[k].unless & a->passed))
                node = add_item(w, node, a, i, k, out);
    }
}

// The same in one go, where only states matter: most searches spend most of their time here. False:
// it has to be done the long way.
static bool make_items_at_once(worker *w, gy_space_items *out)
{
    uint32_t count;
    size_t words = 0;
    if (!w->plain)
        return false;
    const gy_transition *all = gy_successors_batch(w->system, w->state, w->words, &count);
    if (!all || !count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        words += all[i].words + (size_t)1;
    gy_vec_reserve(&w->nodes, words * w->move_count);
    gy_space_items_reserve(out, (size_t)count * w->move_count);
    gy_word *node = w->nodes.at;
    for (uint32_t i = 0; i < count; i++) {
        arrival a = {.state = all[i].state, .words = all[i].words, .written = all[i].written};
        for (uint32_t k = 0; k < w->move_count; k++)
            node = add_item(w, node, &a, i, k, out);
    }
    return true;
}

static int successors(void *self, const uint32_t *state, uint32_t words, gy_space_items *out)
{
    worker *w = self;
    w->state = state;
    w->words = words - 1;
    w->at = state[words - 1];
    w->shift = gy_written_shift(words - 1);
    w->wider = gy_written_shift(words);
    w->seen = NULL;
    gy_fair_begin(&w->fair);
    forget(w);
    if (!observe(w))
        return GY_GRAPH_SEEN;
    if (w->observer->strong)
        w->asked = w->observer->asks(w->observer->self, w->system, w->state, w->words);
    if (w->move_count == 0)
        return 0;
    if (make_items_at_once(w, out))
        return 0;
    list_arrivals(w);
    make_items(w, out);
    return gy_fair_too_many(&w->fair) ? GY_GRAPH_STOP : 0;
}

// ---- nodes that are kept together -----------------------------------------------------

static int observe_at(void *self, const uint32_t *state, uint32_t words, uint32_t at,
                      const gy_observer_move **moves, uint32_t *count)
{
    worker *w = self;
    w->state = state;
    w->words = words;
    w->at = at;
    w->seen = NULL;
    forget(w);
    if (!observe(w))
        return GY_GRAPH_SEEN;
    *moves = w->moves;
    *count = w->move_count;
    return 0;
}

static const gy_transition *append_steps(void *self, bool first, uint32_t *count)
{
    worker *w = self;
    if (!w->plain)
        return NULL;
    return first ? gy_successors_batch(w->system, w->state, w->words, count)
                 : gy_successors_append(w->system, w->state, w->words, count);
}

// As far as all transitions are without an error.
static uint32_t find_moves(const worker *w, gy_space_group *g, const uint64_t *letters,
                           uint32_t count)
{
    const gy_observer *observer = w->observer;
    const gy_observer_move *moves = NULL;
    uint32_t move_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!i || letters[i] != letters[i - 1]) {
            moves = observer->letter_moves(observer->self, letters[i], g->at, &move_count);
            for (uint32_t k = 0; k < move_count; k++)
                if (moves[k].sight != GY_SEES_NOTHING)
                    return i;
        }
        g->moves[i] = moves;
        g->move_counts[i] = move_count;
    }
    return count;
}

static uint32_t many(void *self, gy_space_group *g)
{
    worker *w = self;
    const gy_observer *observer = w->observer;
    uint64_t letters[GY_GROUP];
    gy_many some = g->states;
    some.count = 0; // can they be reported at all?
    if (!w->plain || !observer->letters ||
        !observer->letters(observer->self, w->system, &some, letters))
        return 0;
    g->states.ends = g->ends;
    some.count = gy_successors_many(w->system, &g->states);
    return observer->letters(observer->self, w->system, &some, letters)
               ? find_moves(w, g, letters, some.count)
               : 0;
}

static uint32_t steps(void *self, gy_arrivals *out)
{
    worker *w = self;
    uint32_t count = 0;
    const gy_transition *all = append_steps(w, true, &count);
    if (all && count) {
        *out = GY_ARRIVALS(gy_transition, all);
        return count;
    }
    list_arrivals(w);
    *out = GY_ARRIVALS(arrival, w->arrivals.at);
    return (uint32_t)w->arrivals.n;
}

bool gy_product_can_be_together(const gy_product_maker *p)
{
    const gy_observer *observer = p->observer;
    return observer->bounded && !observer->passed && !observer->strong && !gy_fair_any(&p->fair);
}

// The states of the system, with a place of the observer as marks.
static void initial_together(worker *w, gy_space_items *out)
{
    gy_space_items_reserve(out, w->arrivals.n * w->move_count);
    for (uint32_t i = 0; i < w->arrivals.n; i++) {
        const arrival *a = &w->arrivals.at[i];
        gy_incoming in = {a->state, GY_INCOMING_ANY, a->words};
        for (uint32_t k = 0; k < w->move_count; k++)
            gy_space_items_add(out, in, w->moves[k].to, a->ordinal);
    }
}

// ---- where it begins ------------------------------------------------------------------

// As if the observer moved to where it begins.
static int initial(void *self, gy_space_items *out)
{
    worker *w = self;
    const gy_observer *observer = w->observer;
    size_t first = out->n;
    forget(w);
    gy_initial(w->system, visit, w);
    place_copies(w);
    w->own_moves.n = 0;
    for (uint32_t i = 0; i < observer->initial_count && observer->initials; i++)
        gy_vec_push(&w->own_moves, (gy_observer_move){.to = observer->initials[i]});
    if (!observer->initials)
        gy_vec_push(&w->own_moves, (gy_observer_move){.to = observer->initial});
    w->moves = w->own_moves.at;
    w->move_count = (uint32_t)w->own_moves.n;
    if (w->product->together) {
        initial_together(w, out);
        return 0;
    }
    make_items(w, out);
    for (size_t i = first; i < out->n; i++) {
        out->in[i].written = GY_INCOMING_ANY;
        out->origins[i] = w->arrivals.at[out->origins[i] / w->move_count].ordinal;
    }
    return 0;
}

static uint64_t asks(void *self)
{
    const worker *w = self;
    return gy_fair_asked(&w->fair) | w->asked;
}

// Where items were made at once, there are no arrivals: transitions are counted by themselves.
gy_product_origin gy_product_origin_of(void *self, uint32_t origin)
{
    const worker *w = self;
    uint32_t i = origin / w->move_count;
    return (gy_product_origin){.move = &w->moves[origin % w->move_count],
                               .ordinal = w->arrivals.n ? w->arrivals.at[i].ordinal : i,
                               .at = w->at,
                               .state = w->state,
                               .words = w->words,
                               .system = w->system};
}

gy_product_origin gy_product_sight_of(void *self)
{
    const worker *w = self;
    return (gy_product_origin){.move = w->seen, .ordinal = GY_STUTTER, .at = w->at};
}

gy_worker *gy_product_system_of(void *self)
{
    const worker *w = self;
    return w->system;
}

// ---- life -----------------------------------------------------------------------------

static void *open(void *self)
{
    const gy_product_maker *p = self;
    worker *w = gy_alloc_zero(sizeof *w);
    w->product = p;
    w->observer = p->observer;
    w->system = gy_run_new_worker(p->run);
    gy_fair_share(&w->fair, &p->fair);
    w->reduced = p->reduced ? gy_reduced_view_new(p->reduced) : NULL;
    w->plain = !gy_fair_any(&w->fair) && !p->observer->passed && !w->reduced;
    return w;
}

static void close(void *self)
{
    worker *w = self;
    if (w->product->run->symmetry)
        w->product->run->result->folded += gy_symmetry_folded(w->system);
    gy_worker_free(w->system);
    gy_fair_free(&w->fair);
    gy_reduced_view_free(w->reduced);
    gy_vec_free(&w->arrivals);
    gy_vec_free(&w->copies);
    gy_vec_free(&w->nodes);
    gy_vec_free(&w->own_moves);
    free(w);
}

static bool look(void *self, uint64_t states, uint64_t transitions)
{
    gy_product_maker *p = self;
    p->run->states_so_far = states;
    p->run->result->transitions = transitions;
    return gy_run_tick_slow(p->run);
}

static bool glance(void *self)
{
    return gy_run_glance(((gy_product_maker *)self)->run);
}

void gy_product_maker_init(gy_product_maker *p, gy_run *run, const gy_observer *observer,
                           gy_fairness fairness)
{
    *p = (gy_product_maker){.run = run, .observer = observer};
    gy_fair_init(&p->fair, run->system, fairness, observer);
    p->maker = (gy_space_maker){.self = p,
                                .open = open,
                                .close = close,
                                .initial = initial,
                                .successors = successors,
                                .asks = p->fair.asks ? asks : NULL,
                                .observe = observe_at,
                                .steps = steps,
                                .append = append_steps,
                                .many = many,
                                .stutters = observer->stutters,
                                .look = look,
                                .glance = glance};
}

void gy_product_maker_free(gy_product_maker *p)
{
    gy_fair_free(&p->fair);
}
