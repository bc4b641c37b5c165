// Cheapest lassos: graphs with known answers, and random ones against a naive search.
#include "search/liveness/shortest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 16, EDGES = 64, FAR = 1000000 };

typedef struct toy_edge {
    uint32_t from, to, cost;
    uint64_t accepts; // marks
} toy_edge;

typedef struct toy_graph {
    uint32_t nodes, count;
    toy_edge edges[EDGES];
    uint32_t seen;     // edges() of these nodes (bits) says GY_GRAPH_SEEN
    uint32_t patience; // expansions before edges() says GY_GRAPH_STOP; 0: for ever
    uint32_t asked;
} toy_graph;

static int toy_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    toy_graph *toy = self;
    if (toy->patience && ++toy->asked > toy->patience)
        return GY_GRAPH_STOP;
    if (toy->seen >> node & 1)
        return GY_GRAPH_SEEN;
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        gy_arc_graph_edge edge = {.to = e->to, .marks = e->accepts, .cost = e->cost};
        if (e->from == node)
            gy_vec_push(out, edge);
    }
    return 0;
}

// Walks along, adds up the cost; returns the marks on the way.
static uint64_t follow(toy_graph *toy, const gy_arc_graph_path *path, uint32_t *node,
                       uint64_t *cost)
{
    uint64_t accepts = 0;
    gy_arc_graph_edges edges = {0};
    for (size_t i = 0; i < path->n; i++) {
        assert_int_equal(path->at[i].node, *node);
        edges.n = 0;
        assert_int_equal(toy_edges(toy, *node, &edges), 0);
        assert_true(path->at[i].edge < edges.n);
        const gy_arc_graph_edge *edge = &edges.at[path->at[i].edge];
        accepts |= edge->marks;
        *node = edge->to;
        *cost += edge->cost;
    }
    gy_vec_free(&edges);
    return accepts;
}

// Cost of the cheapest lasso from node 0 below `bound`, FAR if there is none. The lasso is checked.
static uint64_t shortest_by(toy_graph *toy, uint64_t all, uint64_t bound, unsigned threads)
{
    gy_arc_graph graph = {.self = toy, .edges = toy_edges, .all = all};
    gy_shortest found;
    uint32_t initial = 0, at = 0;
    uint64_t cost = 0;
    gy_arc_graph_shortest(&graph, &initial, 1, bound, threads, &found);
    assert_true(found.proved);
    if (found.found) {
        follow(toy, &found.stem, &at, &cost);
        assert_int_equal(at, found.end);
        uint64_t accepts = follow(toy, &found.cycle, &at, &cost);
        assert_int_equal(at, found.end);
        assert_int_equal(cost, found.cost);
        if (found.cycle.n)
            assert_int_equal(accepts & all, all);
        else
            assert_true(toy->seen >> at & 1);
    }
    gy_vec_free(&found.stem);
    gy_vec_free(&found.cycle);
    return found.found ? found.cost : FAR;
}

// The same for any number of threads.
static uint64_t shortest(toy_graph *toy, uint64_t all, uint64_t bound)
{
    uint64_t cost = shortest_by(toy, all, bound, 1);
    assert_int_equal(shortest_by(toy, all, bound, 3), cost);
    return cost;
}

// By the definition: over all accepting edges a -> b and all entries s of the cycle.
static uint64_t shortest_naively(const toy_graph *toy, uint64_t all)
{
    uint64_t d[MOST][MOST], best = FAR;
    for (uint32_t i = 0; i < toy->nodes; i++)
        for (uint32_t j = 0; j < toy->nodes; j++)
            d[i][j] = i == j ? 0 : FAR;
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        if (e->cost < d[e->from][e->to] && !(toy->seen >> e->from & 1))
            d[e->from][e->to] = e->cost;
    }
    for (uint32_t k = 0; k < toy->nodes; k++)
        for (uint32_t i = 0; i < toy->nodes; i++)
            for (uint32_t j = 0; j < toy->nodes; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    for (uint32_t n = 0; n < toy->nodes; n++)
        if ((toy->seen >> n & 1) && d[0][n] < best)
            best = d[0][n];
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        if ((all && !e->accepts) || (toy->seen >> e->from & 1))
            continue;
        for (uint32_t s = 0; s < toy->nodes; s++) {
            uint64_t cost = d[0][s] + d[s][e->from] + e->cost + d[e->to][s];
            best = cost < best ? cost : best;
        }
    }
    return best < FAR ? best : FAR;
}

// "0:1,2 1:3!": the edges of a node; those of a node with ! accept.
static toy_graph graph_of(const char *text)
{
    toy_graph toy = {0};
    uint32_t first = 0;
    for (char *at = (char *)text; *at;) {
        uint32_t from = (uint32_t)strtoul(at, &at, 10);
        first = toy.count;
        do {
            at++;
            uint32_t to = (uint32_t)strtoul(at, &at, 10);
            toy.edges[toy.count++] = (toy_edge){from, to, 1, false};
        } while (*at == ',');
        if (*at == '!')
            for (at++; first < toy.count; first++)
                toy.edges[first].accepts = 1;
        toy.nodes = from >= toy.nodes ? from + 1 : toy.nodes;
        at += *at == ' ';
    }
    return toy;
}

static void test_known(void **state)
{
    (void)state;
    static const struct {
        const char *graph;
        uint64_t expected;
    } cases[] = {
        {"0:0!", 1},
        {"0:1! 1:2 2:0", 3},
        {"0:1 1:2 2:3 3:4! 4:1", 5},                // entered at a node that does not accept
        {"0:1 1:2 2:3 3:4 4:5 5:1!", 6},            // accepting just before the edge back
        {"0:1,2 1:3! 2:6 3:4 4:5 5:1 6:7 7:6!", 4}, // the nearest one is worse
        {"0:1,5! 1:2 2:3 3:4 4:0 5:6 6:6!", 3},     // short stem, long cycle, or the reverse
        {"0:1! 1:2 2:1", FAR},
        {"0:0 1:1!", FAR},
        {"0:1,2 1:3 2:4 3:1! 4:2!", 3},
        {"0:3,10 1:10 2:10! 3:7 4:5,4 5:6! 6:12 7:11 8:4 9:7 10:9! 11:8,10 12:10", 5},
        {"0:5,4 1:4,10! 2:6,10! 3:4 4:8,10! 5:1,2 6:1 7:8 8:8,3 9:5,7 10:2,8", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toy_graph toy = graph_of(cases[i].graph);
        assert_int_equal(shortest(&toy, 1, UINT64_MAX), cases[i].expected);
        assert_int_equal(shortest_naively(&toy, 1), cases[i].expected);
    }
}

// A tail of t nodes and a ring of m, of which the one at offset k accepts: t + m, whatever k is.
static void test_rings(void **state)
{
    (void)state;
    for (uint32_t t = 0; t <= 4; t++)
        for (uint32_t m = 1; m <= 10; m++)
            for (uint32_t k = 0; k < m; k++) {
                toy_graph toy = {.nodes = t + m, .count = t + m};
                for (uint32_t i = 0; i < t + m; i++)
                    toy.edges[i] = (toy_edge){i, i + 1 < t + m ? i + 1 : t, 1, i == t + k};
                assert_int_equal(shortest(&toy, 1, UINT64_MAX), t + m);
                assert_int_equal(shortest(&toy, 1, t + m), FAR);
                assert_int_equal(shortest(&toy, 1, t + m + 1), t + m);
            }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 33;
}

static void shuffle(toy_graph *toy, uint64_t *seed)
{
    for (uint32_t i = toy->count; i > 1; i--) {
        uint32_t j = (uint32_t)(next_random(seed) % i);
        toy_edge edge = toy->edges[i - 1];
        toy->edges[i - 1] = toy->edges[j];
        toy->edges[j] = edge;
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 20000; round++) {
        static toy_graph toy;
        toy.nodes = 2 + (uint32_t)(next_random(&seed) % 9);
        toy.count = (uint32_t)(next_random(&seed) % (toy.nodes * 3));
        uint32_t costs = 1 + (uint32_t)(next_random(&seed) % 4); // 1: each edge costs 1
        for (uint32_t i = 0; i < toy.count; i++) {
            toy.edges[i] = (toy_edge){(uint32_t)(next_random(&seed) % toy.nodes),
                                      (uint32_t)(next_random(&seed) % toy.nodes), 1,
                                      next_random(&seed) % 4 == 0};
            if (costs > 1)
                toy.edges[i].cost = (uint32_t)(next_random(&seed) % costs);
        }
        toy.seen = next_random(&seed) % 8 ? 0 : 1u << next_random(&seed) % toy.nodes;
        uint64_t all = next_random(&seed) % 5 > 0;
        uint64_t expected = shortest_naively(&toy, all);
        assert_int_equal(shortest(&toy, all, UINT64_MAX), expected);
        shuffle(&toy, &seed);
        assert_int_equal(shortest(&toy, all, UINT64_MAX), expected);
        uint64_t bound = next_random(&seed) % 8;
        assert_int_equal(shortest(&toy, all, bound), expected < bound ? expected : FAR);
        *(expected < FAR ? &yes : &no) += 1;
    }
    assert_true(yes > 2000 && no > 2000);
}

// By the definition, with several marks: for every entry of a cycle, the cheapest path back to it
// over nodes and the marks so far.
static uint64_t shortest_with_marks(const toy_graph *toy, uint64_t all)
{
    uint64_t best = FAR;
    for (uint32_t s = 0; s < toy->nodes; s++) {
        uint64_t stem[MOST], walk[MOST][16];
        for (uint32_t n = 0; n < toy->nodes; n++) {
            stem[n] = n == 0 ? 0 : FAR;
            for (uint32_t marks = 0; marks < 16; marks++)
                walk[n][marks] = FAR;
        }
        for (uint32_t i = 0; i < toy->count; i++) { // a first edge: the path is not empty
            const toy_edge *e = &toy->edges[i];
            if (e->from == s && e->cost < walk[e->to][e->accepts & all])
                walk[e->to][e->accepts & all] = e->cost;
        }
        for (uint32_t round = 0; round < toy->nodes * 16; round++)
            for (uint32_t i = 0; i < toy->count; i++) {
                const toy_edge *e = &toy->edges[i];
                if (stem[e->from] + e->cost < stem[e->to])
                    stem[e->to] = stem[e->from] + e->cost;
                for (uint32_t marks = 0; marks < 16; marks++) {
                    uint64_t *to = &walk[e->to][marks | (e->accepts & all)];
                    if (walk[e->from][marks] + e->cost < *to)
                        *to = walk[e->from][marks] + e->cost;
                }
            }
        if (stem[s] + walk[s][all] < best)
            best = stem[s] + walk[s][all];
    }
    return best;
}

static void test_several_marks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 5000; round++) {
        static toy_graph toy;
        toy.nodes = 2 + (uint32_t)(next_random(&seed) % 7);
        toy.count = (uint32_t)(next_random(&seed) % (toy.nodes * 3));
        uint64_t all = (2ull << (1 + next_random(&seed) % 3)) - 1; // two to four marks
        for (uint32_t i = 0; i < toy.count; i++)
            toy.edges[i] = (toy_edge){(uint32_t)(next_random(&seed) % toy.nodes),
                                      (uint32_t)(next_random(&seed) % toy.nodes),
                                      (uint32_t)(next_random(&seed) % 4),
                                      next_random(&seed) % 2 ? next_random(&seed) % 16 : 0};
        uint64_t expected = shortest_with_marks(&toy, all);
        assert_int_equal(shortest(&toy, all, UINT64_MAX), expected);
        shuffle(&toy, &seed);
        assert_int_equal(shortest(&toy, all, UINT64_MAX), expected);
        uint64_t bound = next_random(&seed) % 8;
        assert_int_equal(shortest(&toy, all, bound), expected < bound ? expected : FAR);
        *(expected < FAR ? &yes : &no) += 1;
    }
    assert_true(yes > 500 && no > 500);
}

// The toy's patience is for this question alone here.
static bool tires(void *self)
{
    toy_graph *toy = self;
    return ++toy->asked > toy->patience;
}

static int plain_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    toy_graph *toy = self;
    uint32_t patience = toy->patience;
    toy->patience = 0;
    int answer = toy_edges(toy, node, out);
    toy->patience = patience;
    return answer;
}

// The more patience, the more is known: nothing, a lasso, and that it is a shortest one.
static void test_breaks_off(void **state)
{
    (void)state;
    uint32_t initial = 0, nothing = 0, lasso = 0, proof = 0;
    gy_shortest found;
    toy_graph toy = graph_of("0:1 1:2 2:3 3:3!");
    gy_arc_graph graph = {.self = &toy, .edges = toy_edges, .all = 1};
    toy.patience = 2;
    gy_arc_graph_shortest(&graph, &initial, 1, UINT64_MAX, 1, &found);
    assert_false(found.found || found.proved);
    for (uint32_t patience = 0; patience < 40; patience++) {
        toy = graph_of("0:1 1:2! 2:1 1:3 3:3!");
        toy.patience = patience;
        graph = (gy_arc_graph){.self = &toy, .edges = plain_edges, .all = 1, .tired = tires};
        gy_arc_graph_shortest(&graph, &initial, 1, UINT64_MAX, 1, &found);
        assert_true(found.found || !found.proved);
        *(found.proved ? &proof : found.found ? &lasso : &nothing) += 1;
        gy_vec_free(&found.stem);
        gy_vec_free(&found.cycle);
    }
    assert_true(nothing > 0 && lasso > 0 && proof > 0);
}

// A tree without an end, each node with three others below it; the fourth node has an accepting
// edge back to the first.
static int endless_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    uint32_t *asked = self;
    assert_true(++*asked < 1000); // there are millions below the bound
    for (uint32_t i = 1; i <= 3; i++) {
        gy_arc_graph_edge edge = {.to = 3 * node + i, .cost = 1};
        gy_vec_push(out, edge);
    }
    gy_arc_graph_edge back = {.to = 0, .marks = 1, .cost = 1};
    if (node == 4)
        gy_vec_push(out, back);
    return 0;
}

// 0 -> 1 -> 4 -> 0: a bound far above that does not make it read all.
static void test_reads_no_more_than_it_needs(void **state)
{
    (void)state;
    uint32_t asked = 0, initial = 0;
    gy_shortest found;
    gy_arc_graph graph = {.self = &asked, .edges = endless_edges, .all = 1};
    gy_arc_graph_shortest(&graph, &initial, 1, 14, 1, &found);
    assert_true(found.found && found.proved);
    assert_int_equal(found.cost, 3);
    gy_vec_free(&found.stem);
    gy_vec_free(&found.cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_rings),
        cmocka_unit_test(test_random),     cmocka_unit_test(test_several_marks),
        cmocka_unit_test(test_breaks_off), cmocka_unit_test(test_reads_no_more_than_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
