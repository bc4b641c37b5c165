// Engines that look for accepting cycles with several threads, on explicit graphs: graphs with
// known answers, and random ones, on which all have to agree with the search by components. Lassos
// are followed, edge by edge.
//
//     test_space [GRAPHS [SEED]]            so many random graphs
//     test_space schedules [COUNT [SEED]]   the known graphs and a few random ones so often, each
//     time
//                                           with other pauses between what threads do
#include "search/liveness/fair.h"
#include "search/liveness/space_graph.h"
#include "search/search.h"
#include "store/kinds.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct toy_edge {
    uint32_t from, to;
    uint64_t marks;
} toy_edge;

// Edges in the order of where they begin.
typedef struct toy {
    uint32_t nodes;
    GY_VEC(toy_edge) edges;
    GY_VEC(size_t) first; // by node, one entry more: made by toy_end
    GY_VEC(uint64_t) asks;
    uint64_t all;
    uint64_t limit; // nodes after which a search is broken off
    bool strong, uniform;
} toy;

// A thread makes pauses between nodes, by these numbers: with the same schedule the same ones, if
// it meets the same nodes. 0: none.
static uint64_t schedule;
static atomic_uint workers;

typedef struct toy_worker {
    toy *graph;
    uint64_t random;
    uint32_t last; // node asked about
    GY_VEC(uint32_t) words;
} toy_worker;

static void *toy_open(void *self)
{
    toy_worker *w = gy_alloc_zero(sizeof *w);
    w->graph = self;
    w->random =
        schedule * 0x9e3779b97f4a7c15u + 0xbf58476d1ce4e5b9u * atomic_fetch_add(&workers, 1);
    return w;
}

static void rest(toy_worker *w)
{
    if (!schedule)
        return;
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    uint32_t what = (uint32_t)(w->random >> 40) % 16;
    if (what < 6)
        sched_yield();
    else if (what == 6)
        usleep((uint32_t)(w->random >> 50) % 100);
}

static void toy_close(void *worker)
{
    toy_worker *w = worker;
    gy_vec_free(&w->words);
    free(w);
}

static void add_item(const uint32_t *word, uint64_t marks, gy_space_items *out)
{
    gy_space_items_reserve(out, 1);
    gy_space_items_add(out, (gy_incoming){word, GY_INCOMING_ANY, 1}, marks, *word);
}

static int toy_initial(void *worker, gy_space_items *out)
{
    static const uint32_t zero = 0;
    (void)worker;
    add_item(&zero, 0, out);
    return 0;
}

static int toy_successors(void *worker, const uint32_t *state, uint32_t words, gy_space_items *out)
{
    toy_worker *w = worker;
    const toy *t = w->graph;
    assert_int_equal(words, 1);
    rest(w);
    w->last = state[0];
    for (size_t e = t->first.at[w->last]; e < t->first.at[w->last + 1]; e++)
        add_item(&t->edges.at[e].to, t->edges.at[e].marks, out);
    rest(w);
    return 0;
}

static uint64_t toy_asks(void *worker)
{
    const toy_worker *w = worker;
    return w->graph->asks.at[w->last];
}

static void toy_add(toy *t, uint32_t from, uint32_t to, uint64_t marks)
{
    gy_vec_push(&t->edges, ((toy_edge){from, to, marks}));
}

static int by_origin(const void *a, const void *b)
{
    const toy_edge *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void toy_end(toy *t, uint32_t nodes)
{
    t->nodes = nodes;
    if (t->edges.n)
        qsort(t->edges.at, t->edges.n, sizeof *t->edges.at, by_origin);
    size_t e = 0;
    for (uint32_t n = 0; n <= nodes; n++) {
        while (e < t->edges.n && t->edges.at[e].from < n)
            e++;
        gy_vec_push(&t->first, e);
        if (t->asks.n <= n)
            gy_vec_push(&t->asks, 0);
    }
}

static void toy_free(toy *t)
{
    gy_vec_free(&t->edges);
    gy_vec_free(&t->first);
    gy_vec_free(&t->asks);
}

// ---- what is true ---------------------------------------------------------------------

static int graph_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    const toy *t = self;
    ((toy *)self)->asks.at[t->nodes] = node; // the last entry has who was asked about last
    for (size_t e = t->first.at[node]; e < t->first.at[node + 1]; e++) {
        gy_arc_graph_edge edge = {.to = t->edges.at[e].to, .marks = t->edges.at[e].marks};
        gy_vec_push(out, edge);
    }
    return 0;
}

static uint64_t graph_asks(void *self, size_t edge)
{
    (void)edge;
    const toy *t = self;
    return t->asks.at[t->asks.at[t->nodes]];
}

typedef struct truth {
    bool accepts;
    uint64_t states, transitions; // if it does not
} truth;

static truth find_truth(toy *t)
{
    uint32_t initial = 0;
    gy_arc_graph graph = {
        .self = t, .edges = graph_edges, .all = t->all, .asks = t->strong ? graph_asks : NULL};
    gy_emptiness_result result;
    gy_arc_graph_search(&graph, &initial, 1, &result);
    truth is = {.accepts = result.answer == GY_NONEMPTY, .states = result.nodes, .transitions = 1};
    gy_emptiness_result_free(&result);
    if (is.accepts)
        return is;
    uint8_t *seen = gy_alloc_zero(t->nodes);
    gy_arc_graph_nodes todo = {0};
    gy_vec_push(&todo, 0);
    seen[0] = 1;
    for (size_t i = 0; i < todo.n; i++)
        for (size_t e = t->first.at[todo.at[i]]; e < t->first.at[todo.at[i] + 1]; e++) {
            uint32_t to = t->edges.at[e].to;
            is.transitions++;
            if (!seen[to])
                gy_vec_push(&todo, to);
            seen[to] = 1;
        }
    assert_int_equal(todo.n, is.states);
    gy_vec_free(&todo);
    free(seen);
    return is;
}

// ---- what engines say -----------------------------------------------------------------

typedef struct way {
    const char *name;
    gy_space_engine *engine;
    bool several, strong; // it can treat several sets; strong fairness
} way;

static const way ways[] = {
    {"cndfs", gy_space_cndfs, false, false},
    {"ufscc", gy_space_ufscc, true, true},
    {"owcty", gy_space_owcty, false, false},
    {"map", gy_space_map, false, false},
};

static unsigned note_bytes(const way *w, unsigned threads, bool uniform)
{
    return w->engine == gy_space_cndfs   ? gy_cndfs_note_bytes(threads, uniform)
           : w->engine == gy_space_ufscc ? gy_ufscc_note_bytes(threads, uniform)
                                         : gy_owcty_note_bytes(threads, uniform);
}

// Follows a path; returns the marks on it. *node: where it begins, then where it ends.
static uint64_t follow(gy_space_graph *g, const gy_arc_graph_path *path, uint32_t *node,
                       uint64_t *asked)
{
    const toy *t = g->view->space->maker->self;
    uint64_t marks = 0;
    for (size_t i = 0; i < path->n; i++) {
        uint32_t words, here;
        assert_int_equal(path->at[i].node, *node);
        here = *gy_store_state(g->view->store, g->refs.at[*node], &words);
        gy_arc_graph_edges edges = {0};
        g->graph.edges(g, *node, &edges);
        gy_arc_graph_edge edge = edges.at[path->at[i].edge];
        gy_vec_free(&edges);
        uint32_t there = *gy_store_state(g->view->store, g->refs.at[edge.to], &words);
        bool known = false;
        for (size_t e = t->first.at[here]; e < t->first.at[here + 1] && !known; e++)
            known = t->edges.at[e].to == there && t->edges.at[e].marks == edge.marks;
        assert_true(known);
        marks |= edge.marks;
        *asked |= t->asks.at[here];
        *node = edge.to;
    }
    return marks;
}

static void check_lasso(gy_space *s)
{
    const toy *t = s->maker->self;
    gy_space_graph g;
    gy_arc_graph_path stem = {0}, cycle = {0};
    uint32_t end = 0, at;
    uint64_t asked = 0;
    gy_space_graph_init(&g, &s->views[0]);
    assert_true(gy_space_graph_lasso(&g, &stem, &end, &cycle));
    assert_true(cycle.n > 0);
    at = gy_space_graph_number(&g, s->initial.at[0]);
    follow(&g, &stem, &at, &asked);
    assert_int_equal(at, end);
    asked = 0;
    uint64_t marks = follow(&g, &cycle, &at, &asked);
    assert_int_equal(at, end);
    assert_true((marks & t->all) == t->all);
    assert_true(!t->strong || (asked & ~marks) == 0);
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    gy_space_graph_free(&g);
}

// Returns how often an engine that goes round did so.
static uint64_t ask(toy *t, const way *w, unsigned threads, gy_store_kind kind, const truth *is)
{
    gy_space_maker maker = {.self = t,
                            .open = toy_open,
                            .close = toy_close,
                            .initial = toy_initial,
                            .successors = toy_successors,
                            .asks = t->strong ? toy_asks : NULL};
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_space_options options = {.maker = &maker,
                                .kind = gy_store_kind_at(kind),
                                .budget = &budget,
                                .threads = threads,
                                .note_bytes = note_bytes(w, threads, t->uniform),
                                .limit = t->limit,
                                .all = t->all,
                                .uniform = t->uniform,
                                .hostile = t->nodes < 1000};
    gy_space *s = gy_space_new(&options);
    assert_non_null(s);
    w->engine(s);
    if (s->found != is->accepts)
        print_error("%s, %u threads: %s\n", w->name, threads, s->found ? "found" : "not found");
    assert_int_equal(s->found, is->accepts);
    if (s->found) {
        check_lasso(s);
    } else {
        assert_int_equal(gy_space_states(s), is->states);
        assert_int_equal(gy_space_transitions(s), is->transitions);
    }
    uint64_t rounds = s->rounds;
    gy_space_free(s);
    return rounds;
}

static void ask_all(toy *t, unsigned most_threads)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    truth is = find_truth(t);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (unsigned i = 0; i < 4 && threads[i] <= most_threads; i++)
            if ((ways[w].several || !(t->all & (t->all - 1))) && (ways[w].strong || !t->strong))
                ask(t, &ways[w], threads[i], (t->edges.n + i) % 2 ? GY_STORE_TREE : GY_STORE_PLAIN,
                    &is);
}

// ---- graphs with known answers --------------------------------------------------------

static void expect(toy *t, uint32_t nodes, bool accepts)
{
    t->all = 1;
    toy_end(t, nodes);
    assert_int_equal(find_truth(t).accepts, accepts);
    ask_all(t, 8);
    toy_free(t);
}

// With one thread and a store whose references are in the order in which nodes are found.
static uint64_t rounds_of(toy *t, gy_space_engine *engine, uint32_t nodes)
{
    uint64_t rounds = 0;
    t->all = 1;
    toy_end(t, nodes);
    truth is = find_truth(t);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        if (ways[w].engine == engine)
            rounds = ask(t, &ways[w], 1, GY_STORE_PLAIN, &is);
    toy_free(t);
    return rounds;
}

// Loops one after the other, none accepting, but the arcs that lead to them are.
static void add_loops(toy *t, uint32_t loops)
{
    for (uint32_t k = 0; k < loops; k++) {
        toy_add(t, 3 * k, 3 * k + 1, 1), toy_add(t, 3 * k + 1, 3 * k + 2, 0);
        toy_add(t, 3 * k + 2, 3 * k + 1, 0), toy_add(t, 3 * k + 2, 3 * k + 3, 0);
    }
}

// Each round of OWCTY takes away the first loop that is left, and the last one finds nothing; MAP
// has to forget an accepting node that is larger than the one on the cycle.
static void test_rounds(void **state)
{
    (void)state;
    toy none = {0}, one = {0}, many = {0}, order = {0};
    toy_add(&none, 0, 1, 0), toy_add(&none, 1, 2, 1);
    assert_int_equal(rounds_of(&none, gy_space_owcty, 3), 1);
    toy_add(&one, 0, 1, 1), toy_add(&one, 1, 2, 0), toy_add(&one, 2, 1, 0);
    assert_int_equal(rounds_of(&one, gy_space_owcty, 3), 2);
    add_loops(&many, 20);
    assert_int_equal(rounds_of(&many, gy_space_owcty, 61), 21);
    toy_add(&order, 0, 1, 0), toy_add(&order, 0, 2, 1), toy_add(&order, 2, 1, 0);
    toy_add(&order, 1, 3, 0), toy_add(&order, 3, 1, 1);
    assert_int_equal(rounds_of(&order, gy_space_map, 4), 2);
}

static void test_known_graphs(void **state)
{
    (void)state;
    toy g1 = {0}; // a loop at the initial node
    toy_add(&g1, 0, 0, 1);
    expect(&g1, 1, true);
    toy g2 = {0}; // a chain that ends after an accepting arc
    toy_add(&g2, 0, 1, 0), toy_add(&g2, 1, 2, 1), toy_add(&g2, 2, 3, 1);
    expect(&g2, 4, false);
    toy g3 = {0}; // an accepting arc leads to a loop that is not
    toy_add(&g3, 0, 1, 1), toy_add(&g3, 1, 2, 0), toy_add(&g3, 2, 1, 0);
    expect(&g3, 3, false);
    toy g4 = {0}; // many of these, one after the other
    add_loops(&g4, 20);
    expect(&g4, 61, false);
    toy g5 = {0}; // a loop that leads to an accepting arc
    toy_add(&g5, 0, 1, 0), toy_add(&g5, 1, 0, 0), toy_add(&g5, 1, 2, 1);
    expect(&g5, 3, false);
    toy g7 = {0}; // two accepting components
    toy_add(&g7, 0, 1, 0), toy_add(&g7, 1, 0, 1), toy_add(&g7, 1, 2, 0);
    toy_add(&g7, 2, 3, 1), toy_add(&g7, 3, 2, 0);
    expect(&g7, 4, true);
    toy g8 = {0}; // the accepting node before the cycle is larger than the one on it
    toy_add(&g8, 0, 3, 1), toy_add(&g8, 3, 1, 0), toy_add(&g8, 1, 2, 1), toy_add(&g8, 2, 1, 0);
    expect(&g8, 4, true);
    toy g9 = {0}; // the same the other way round
    toy_add(&g9, 0, 1, 1), toy_add(&g9, 1, 2, 0), toy_add(&g9, 2, 3, 1), toy_add(&g9, 3, 2, 0);
    expect(&g9, 4, true);
}

// A loop is found by the node with which the search would be broken off: and a long tail, which is
// examined before it once more, must not be in the way.
static void test_limit(void **state)
{
    enum { TAIL = 40 };
    (void)state;
    toy t = {.all = 1, .limit = 3};
    toy_add(&t, 0, 1, 0), toy_add(&t, 0, 2, 0), toy_add(&t, 0, 0, 1);
    for (uint32_t n = 1; n < TAIL; n++)
        toy_add(&t, n, n + 1, 0);
    toy_end(&t, TAIL + 1);
    truth is = find_truth(&t);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        if (ways[w].engine == gy_space_owcty || ways[w].engine == gy_space_map)
            ask(&t, &ways[w], 1, GY_STORE_PLAIN, &is);
    toy_free(&t);
}

// What one thread has said of a node does not change when another one meets a process: the node's
// edges do not have the mark of that, so the node must not ask for it.
static void test_fair_meanwhile(void **state)
{
    (void)state;
    gy_observer observer = {.sets = 1, .strong = 1};
    gy_step here = {.pid = 0, .partner = -1}, there = {.pid = 1, .partner = -1};
    gy_transition move = {.steps = &here, .step_count = 1};
    gy_transition other = {.steps = &there, .step_count = 1};
    gy_fair first, a, b;
    gy_fair_init(&first, NULL, GY_FAIRNESS_NONE, &observer);
    first.processes = true; // weakly; components are taken apart for the observer
    assert_true(first.asks);
    gy_fair_share(&a, &first);
    gy_fair_share(&b, &first);
    gy_fair_begin(&a);
    uint64_t marks = gy_fair_note(&a, &move);
    marks |= gy_fair_missing(&a);
    gy_fair_begin(&b);
    assert_int_not_equal(gy_fair_note(&b, &other), 0);
    assert_int_equal(gy_fair_asked(&a) & ~marks, 0);
    assert_int_equal(gy_fair_asked(&a), marks);
    gy_fair_free(&first);
}

// g6: an accepting loop after a long tail.
static void test_long_tail(void **state)
{
    enum { TAIL = 100000 };
    (void)state;
    toy t = {.all = 1};
    for (uint32_t n = 0; n < TAIL; n++)
        toy_add(&t, n, n + 1, n == TAIL / 2);
    toy_add(&t, TAIL, TAIL - 1, 1);
    toy_end(&t, TAIL + 1);
    ask_all(&t, 2);
    toy_free(&t);
}

// ---- random graphs --------------------------------------------------------------------

static uint64_t seed = 88172645463325252u;

static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 20) % n;
}

// Of each kind in turn: general; uniform, by splitting the nodes into those of accepting
// components and others; several sets; strong.
static void make_random(toy *t, uint32_t number)
{
    uint32_t nodes = 1 + below(60), edges = below(3 * nodes + 2), rare = 2 + below(12);
    uint32_t kind = number % 4, sets = kind < 2 ? 1 : 1 + below(4);
    t->all = (1ull << sets) - 1;
    t->uniform = kind == 1;
    t->strong = kind == 3;
    for (uint32_t i = 0; i < edges; i++) {
        uint32_t from = below(nodes), to = below(nodes);
        uint64_t marks = 0;
        for (uint32_t k = 0; k < sets + 3; k++)
            marks |= (uint64_t)(below(rare) == 0) << k;
        if (t->uniform) { // nodes above the middle accept; no arc leads back from there
            bool inside = from > nodes / 2, there = to > nodes / 2;
            if (inside && !there)
                continue;
            if (inside && from >= to && below(4)) // few cycles there
                continue;
            marks = inside;
        }
        toy_add(t, from, to, marks);
    }
    for (uint32_t n = 0; n < nodes && t->strong; n++) {
        uint64_t asks = 0;
        for (uint32_t k = 0; k < 3; k++)
            asks |= (uint64_t)(below(3) == 0) << (sets + k);
        gy_vec_push(&t->asks, asks);
    }
    toy_end(t, nodes);
}

#ifdef __SANITIZE_THREAD__
static uint32_t graphs = 120;
#else
static uint32_t graphs = 400;
#endif

static void test_random_graphs(void **state)
{
    (void)state;
    uint32_t accepting = 0;
    for (uint32_t i = 0; i < graphs; i++) {
        toy t = {0};
        make_random(&t, i);
        accepting += find_truth(&t).accepts;
        ask_all(&t, 8);
        toy_free(&t);
    }
    assert_in_range(accepting, graphs / 5, graphs - graphs / 5); // both answers are tested
}

static uint32_t schedules = 2;

// Both the graphs with known answers and those that differ from one schedule to the next.
static void test_schedules(void **state)
{
    for (uint32_t n = 0; n < schedules; n++) {
        schedule = seed + n + 1;
        atomic_store(&workers, 0);
        test_known_graphs(state);
        for (uint32_t kind = 0; kind < 4; kind++) {
            toy t = {0};
            make_random(&t, kind);
            ask_all(&t, 8);
            toy_free(&t);
        }
        if (schedules > 10 && (n + 1) % 100 == 0)
            print_message("%u schedules\n", n + 1);
    }
    schedule = 0;
}

static int run_schedules(int argc, char **argv)
{
    schedules = argc > 2 ? (uint32_t)atoi(argv[2]) : 1000;
    if (argc > 3)
        seed += (uint64_t)atoll(argv[3]) * 0x9e3779b97f4a7c15u;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "schedules") == 0)
        return run_schedules(argc, argv);
    if (argc > 1)
        graphs = (uint32_t)atoi(argv[1]);
    if (argc > 2)
        seed += (uint64_t)atoll(argv[2]) * 0x9e3779b97f4a7c15u;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_graphs), cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_limit),        cmocka_unit_test(test_fair_meanwhile),
        cmocka_unit_test(test_long_tail),    cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
