// Products whose observer waits before it looks: the search in breadth, and after it in depth, on
// random systems. What there is to be found is counted by brute force, on the product as a list of
// pairs: verdict, nodes and transitions must be the same for any number of threads and any store.
//
//     test_waiting_bfs [SYSTEMS [SEED]]     so many random systems
#include "search/liveness/space.h"
#include "search/search.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "gyre/gyre.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 40, DEGREE = 3, ROOM = 256 };

// The observer waits at place 0, without marks. It may go on to place 1 from states that `leave`;
// there it moves in states that `keep`, with the mark in those that are `marked`.
typedef struct toy {
    uint32_t states, degree[MOST], to[MOST][DEGREE];
    bool leave[MOST], keep[MOST], marked[MOST];
    bool uniform, stutters, appends;
} toy;

static uint64_t random_seed = 1;
static unsigned long systems = 300;

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = gy_hash_number(*random + 1);
    return (uint32_t)(*random >> 33) % below;
}

static void make_toy(toy *t, uint64_t seed)
{
    uint64_t r = seed;
    uint32_t keeps = 1 + draw(&r, 10);
    *t = (toy){.states = 1 + draw(&r, MOST), .uniform = draw(&r, 2)};
    t->stutters = draw(&r, 2);
    t->appends = draw(&r, 2);
    bool accepts = draw(&r, 4);
    for (uint32_t s = 0; s < t->states; s++) {
        t->degree[s] = draw(&r, DEGREE + 1);
        for (uint32_t i = 0; i < t->degree[s]; i++)
            t->to[s][i] = draw(&r, t->states);
        t->leave[s] = draw(&r, 3) == 0;
        t->keep[s] = draw(&r, 10) < keeps;
        t->marked[s] = t->uniform ? accepts : draw(&r, 4) == 0;
    }
}

// ---- by brute force -------------------------------------------------------------------

typedef struct answer {
    bool nonempty;
    uint64_t nodes, transitions;
} answer;

static uint32_t steps_of(const toy *t, uint32_t s, uint32_t *to)
{
    uint32_t n = 0;
    for (; n < t->degree[s]; n++)
        to[n] = t->to[s][n];
    if (!n && t->stutters)
        to[n++] = s;
    return n;
}

// Nodes are 2 * state + place.
static void reach(const toy *t, uint32_t from, bool *seen, uint64_t *transitions)
{
    uint32_t s = from / 2, to[DEGREE], n = steps_of(t, s, to);
    for (uint32_t place = 0; place < 2; place++) {
        bool moves = from % 2 ? place && t->keep[s] : !place || t->leave[s];
        for (uint32_t i = 0; i < n && moves; i++) {
            uint32_t node = 2 * to[i] + place;
            ++*transitions;
            if (!seen[node]) {
                seen[node] = true;
                reach(t, node, seen, transitions);
            }
        }
    }
}

static answer brute_force(const toy *t)
{
    bool seen[2 * MOST] = {true};
    answer a = {.transitions = 1}; // to where it begins
    reach(t, 0, seen, &a.transitions);
    for (uint32_t node = 0; node < 2 * t->states; node++) {
        uint32_t s = node / 2, to[DEGREE], n = steps_of(t, s, to);
        a.nodes += seen[node];
        for (uint32_t i = 0; i < n && seen[node] && node % 2 && t->keep[s] && t->marked[s]; i++) {
            bool back[2 * MOST] = {false};
            uint64_t ignored = 0;
            back[2 * to[i] + 1] = true;
            reach(t, 2 * to[i] + 1, back, &ignored);
            a.nonempty = a.nonempty || back[node];
        }
    }
    return a;
}

// ---- as a space -----------------------------------------------------------------------

typedef struct toy_worker {
    const toy *t;
    uint32_t state;
    uint32_t words[ROOM];
    gy_transition steps[ROOM];
    gy_incoming in[DEGREE];
    uint32_t n; // of `steps`, in use
    gy_observer_move moves[2];
} toy_worker;

static void *toy_open(void *self)
{
    toy_worker *w = gy_alloc_zero(sizeof *w);
    w->t = self;
    return w;
}

static int toy_initial(void *worker, gy_space_items *out)
{
    static const uint32_t zero = 0;
    (void)worker;
    gy_space_items_reserve(out, 1);
    gy_space_items_add(out, (gy_incoming){&zero, GY_INCOMING_ANY, 1}, 0, 0);
    return 0;
}

static int toy_observe(void *worker, const uint32_t *state, uint32_t words, uint32_t at,
                       const gy_observer_move **moves, uint32_t *count)
{
    toy_worker *w = worker;
    uint32_t n = 0;
    assert_int_equal(words, 1);
    w->state = *state;
    if (at == 0)
        w->moves[n++] = (gy_observer_move){.to = 0};
    if (at == 0 ? w->t->leave[*state] : w->t->keep[*state])
        w->moves[n++] = (gy_observer_move){.to = 1, .marks = at && w->t->marked[*state]};
    *moves = w->moves;
    *count = n;
    return 0;
}

static uint32_t toy_steps(void *worker, gy_arrivals *out)
{
    toy_worker *w = worker;
    uint32_t n = steps_of(w->t, w->state, w->words);
    for (uint32_t i = 0; i < n; i++)
        w->in[i] = (gy_incoming){&w->words[i], GY_INCOMING_ANY, 1};
    *out = GY_ARRIVALS(gy_incoming, w->in);
    return n;
}

static const gy_transition *toy_append(void *worker, bool first, uint32_t *count)
{
    toy_worker *w = worker;
    if (!w->t->appends)
        return NULL;
    w->n = first ? 0 : w->n;
    if (w->n + DEGREE > ROOM)
        return NULL;
    *count = w->t->degree[w->state];
    for (uint32_t i = 0; i < *count; i++, w->n++) {
        w->words[w->n] = w->t->to[w->state][i];
        w->steps[w->n] =
            (gy_transition){.state = &w->words[w->n], .words = 1, .written = GY_INCOMING_ANY};
    }
    return w->steps;
}

static answer search(toy *t, const gy_store_kind_row *kind, unsigned threads, bool hostile)
{
    gy_budget budget;
    gy_space_maker maker = {.self = t,
                            .open = toy_open,
                            .close = free,
                            .initial = toy_initial,
                            .observe = toy_observe,
                            .steps = toy_steps,
                            .append = toy_append,
                            .stutters = t->stutters};
    gy_budget_init(&budget, 0);
    gy_space_options options = {.maker = &maker,
                                .kind = kind,
                                .budget = &budget,
                                .threads = threads,
                                .all = 1,
                                .uniform = t->uniform,
                                .hostile = hostile,
                                .places = 2,
                                .place_bits = gy_cndfs_place_bits(threads, t->uniform),
                                .waits = 0};
    gy_space *space = gy_space_new(&options);
    assert_non_null(space);
    gy_space_cndfs(space);
    answer a = {space->found, gy_space_states(space), gy_space_transitions(space)};
    gy_space_free(space);
    assert_int_equal(budget.used, 0);
    return a;
}

static void compare(toy *t, const answer *wanted, uint64_t seed)
{
    static const gy_store_kind kinds[] = {GY_STORE_TREE, GY_STORE_PLAIN};
    static const unsigned crowds[] = {1, 2, 3, 8};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned c = 0; c < 4; c++) {
            unsigned threads = crowds[c] == 8 && seed % 4 ? 2 : crowds[c];
            answer a = search(t, gy_store_kind_at(kinds[k]), threads, (seed + c) % 2);
            if (a.nonempty != wanted->nonempty ||
                (!a.nonempty && (a.nodes != wanted->nodes || a.transitions != wanted->transitions)))
                fail_msg("system %llu, %u threads, store %u: %d %llu %llu, not %d %llu %llu",
                         (unsigned long long)seed, threads, k, a.nonempty,
                         (unsigned long long)a.nodes, (unsigned long long)a.transitions,
                         wanted->nonempty, (unsigned long long)wanted->nodes,
                         (unsigned long long)wanted->transitions);
        }
}

static void test_random_systems(void **unused)
{
    uint64_t nonempty = 0;
    (void)unused;
    for (unsigned long i = 0; i < systems; i++) {
        toy t;
        make_toy(&t, random_seed + i);
        answer wanted = brute_force(&t);
        nonempty += wanted.nonempty;
        compare(&t, &wanted, random_seed + i);
    }
    if (systems >= 100) // both kinds are there
        assert_true(nonempty > systems / 10 && nonempty < systems / 10 * 9);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        systems = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        random_seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
