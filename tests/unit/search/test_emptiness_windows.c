// Marks that edges ask for, in several windows: random graphs against all sets of edges that a run
// could take infinitely often.
#include "search/liveness/emptiness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NODES = 5, EDGES = 10, WINDOWS = 3 };

typedef struct toy_edge {
    uint32_t from, to;
    uint64_t marks[WINDOWS], asks[WINDOWS];
} toy_edge;

typedef struct toy_graph {
    uint32_t nodes, count, window, windows;
    toy_edge edges[EDGES];
    const toy_edge *last[EDGES]; // those that were reported
} toy_graph;

static int toy_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    toy_graph *toy = self;
    uint32_t told = 0;
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        if (e->from != node)
            continue;
        gy_arc_graph_edge edge = {.to = e->to, .marks = e->marks[toy->window]};
        gy_vec_push(out, edge);
        toy->last[told++] = e;
    }
    return 0;
}

static uint64_t toy_asks(void *self, size_t edge)
{
    const toy_graph *toy = self;
    return toy->last[edge]->asks[toy->window];
}

static uint32_t toy_windows(void *self)
{
    return ((const toy_graph *)self)->windows;
}

static void toy_look(void *self, uint32_t window)
{
    ((toy_graph *)self)->window = window;
}

// ---- what is true ---------------------------------------------------------------------

// Do the edges of this set lead from each to each, and does some path lead to them from node 0?
static bool is_round(const toy_graph *toy, uint32_t set)
{
    bool reach[NODES][NODES] = {{0}}, whole[NODES][NODES] = {{0}};
    uint32_t some = 0;
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        whole[e->from][e->to] = true;
        if (set >> i & 1) {
            reach[e->from][e->to] = true;
            some = e->from;
        }
    }
    for (uint32_t k = 0; k < toy->nodes; k++)
        for (uint32_t i = 0; i < toy->nodes; i++)
            for (uint32_t j = 0; j < toy->nodes; j++) {
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
                whole[i][j] = whole[i][j] || (whole[i][k] && whole[k][j]);
            }
    for (uint32_t i = 0; i < toy->count; i++)
        for (uint32_t j = 0; j < toy->count; j++)
            if ((set >> i & 1) && (set >> j & 1) && !reach[toy->edges[i].to][toy->edges[j].from] &&
                toy->edges[i].to != toy->edges[j].from)
                return false;
    return reach[some][some] && (some == 0 || whole[0][some]);
}

// Has this set of edges the marks that it needs?
static bool is_fair(const toy_graph *toy, uint64_t all, uint32_t set)
{
    for (uint32_t w = 0; w < toy->windows; w++) {
        uint64_t marks = 0, wanted = w ? 0 : all;
        for (uint32_t i = 0; i < toy->count; i++) {
            if (set >> i & 1) {
                marks |= toy->edges[i].marks[w];
                wanted |= toy->edges[i].asks[w];
            }
        }
        if (wanted & ~marks)
            return false;
    }
    return true;
}

static bool accepts_naively(const toy_graph *toy, uint64_t all)
{
    for (uint32_t set = 1; set < 1u << toy->count; set++)
        if (is_fair(toy, all, set) && is_round(toy, set))
            return true;
    return false;
}

// ---- what is found --------------------------------------------------------------------

// The edges of the toy that a path takes, as a set. *node: where it begins, then where it ends.
static uint32_t follow(toy_graph *toy, const gy_arc_graph_path *path, uint32_t *node)
{
    uint32_t set = 0;
    gy_arc_graph_edges edges = {0};
    for (size_t i = 0; i < path->n; i++) {
        assert_int_equal(path->at[i].node, *node);
        edges.n = 0;
        toy_edges(toy, *node, &edges);
        assert_true(path->at[i].edge < edges.n);
        set |= 1u << (toy->last[path->at[i].edge] - toy->edges);
        *node = edges.at[path->at[i].edge].to;
    }
    gy_vec_free(&edges);
    return set;
}

static bool accepts(toy_graph *toy, uint64_t all)
{
    gy_arc_graph graph = {.self = toy,
                          .edges = toy_edges,
                          .all = all,
                          .asks = toy_asks,
                          .windows = toy->windows > 1 ? toy_windows : NULL,
                          .look = toy_look};
    gy_emptiness_result result;
    gy_arc_graph_path stem = {0}, cycle = {0};
    uint32_t initial = 0, end = 0, at = 0;
    gy_arc_graph_search(&graph, &initial, 1, &result);
    assert_int_equal(toy->window, 0);
    bool found = result.answer == GY_NONEMPTY;
    if (found) {
        assert_true(gy_arc_graph_stem(&graph, &initial, 1, &result.component, &stem, &end));
        follow(toy, &stem, &at);
        assert_int_equal(at, end);
        assert_true(gy_arc_graph_cycle(&graph, &result, end, &cycle));
        assert_int_equal(toy->window, 0);
        uint32_t set = follow(toy, &cycle, &at);
        assert_int_equal(at, end);
        assert_true(cycle.n > 0 && is_fair(toy, all, set));
    }
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    gy_emptiness_result_free(&result);
    return found;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*seed >> 33) % below;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 4000; round++) {
        toy_graph toy = {.nodes = 1 + draw(&seed, NODES), .windows = 1 + draw(&seed, WINDOWS)};
        toy.count = draw(&seed, EDGES + 1);
        uint64_t all = draw(&seed, 2);
        bool alike = draw(&seed, 2); // then edges of a node ask for the same
        for (uint32_t i = 0; i < toy.count; i++) {
            toy_edge *e = &toy.edges[i];
            *e = (toy_edge){.from = draw(&seed, toy.nodes), .to = draw(&seed, toy.nodes)};
            for (uint32_t w = 0; w < toy.windows; w++) {
                e->marks[w] = draw(&seed, 2) ? 1u << draw(&seed, 2) : 0;
                e->asks[w] = draw(&seed, 3) == 0 ? 1u << draw(&seed, 2) : 0;
                for (uint32_t k = 0; k < i && alike; k++)
                    if (toy.edges[k].from == e->from)
                        e->asks[w] = toy.edges[k].asks[w];
            }
        }
        bool expected = accepts_naively(&toy, all);
        assert_int_equal(accepts(&toy, all), expected);
        *(expected ? &yes : &no) += 1;
    }
    assert_true(yes > 500 && no > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
