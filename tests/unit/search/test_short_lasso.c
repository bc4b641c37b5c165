// Short lasso where cycles need many marks and answer to what their edges ask for: random graphs
// against all paths of (node, marks so far, asked for so far), which share nothing with the
// search.
#include "search/liveness/short_lasso.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 7, EDGES = 24, MARKS = 4, SETS = 1 << MARKS, FAR = 60000 };

typedef struct toy_edge {
    uint32_t from, to, cost;
    uint64_t marks, asks;
} toy_edge;

typedef struct toy_graph {
    uint32_t nodes, count;
    toy_edge edges[EDGES];
    uint32_t seen; // edges() of these nodes (bits) says GY_GRAPH_SEEN
    uint64_t all;
    uint32_t told[EDGES]; // numbers of the edges that edges() gave last
    uint32_t answers;     // that edges() has given
    uint32_t patience;    // so many, then it says GY_GRAPH_STOP; 0: for ever
} toy_graph;

static int toy_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    toy_graph *toy = self;
    uint32_t n = 0;
    toy->answers++;
    if (toy->patience && toy->answers > toy->patience)
        return GY_GRAPH_STOP;
    if (toy->seen >> node & 1)
        return GY_GRAPH_SEEN;
    for (uint32_t i = 0; i < toy->count; i++) {
        const toy_edge *e = &toy->edges[i];
        gy_arc_graph_edge edge = {.to = e->to, .marks = e->marks, .cost = e->cost};
        if (e->from != node)
            continue;
        gy_vec_push(out, edge);
        toy->told[n++] = i;
    }
    return 0;
}

static uint64_t toy_asks(void *self, size_t edge)
{
    const toy_graph *toy = self;
    return toy->edges[toy->told[edge]].asks;
}

static uint64_t toy_all(void *self)
{
    const toy_graph *toy = self;
    return toy->all;
}

// ---- by the definition ------------------------------------------------------------------

// Cost of the cheapest closed path through `start` with what it needs.
static uint64_t round_from(const toy_graph *toy, uint32_t start)
{
    static uint64_t cost[NODES][SETS][SETS];
    for (uint32_t n = 0; n < NODES; n++)
        for (uint32_t g = 0; g < SETS; g++)
            for (uint32_t a = 0; a < SETS; a++)
                cost[n][g][a] = FAR;
    uint64_t best = FAR;
    cost[start][0][0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < toy->count; i++) {
            const toy_edge *e = &toy->edges[i];
            for (uint32_t g = 0; g < SETS && !(toy->seen >> e->from & 1); g++)
                for (uint32_t a = 0; a < SETS; a++) {
                    uint64_t now = cost[e->from][g][a] + e->cost;
                    uint32_t got = g | (uint32_t)e->marks, asked = a | (uint32_t)e->asks;
                    if (cost[e->from][g][a] == FAR)
                        continue;
                    if (e->to == start && !((toy->all | asked) & ~got) && now < best)
                        best = now;
                    changed = changed || now < cost[e->to][got][asked];
                    if (now < cost[e->to][got][asked])
                        cost[e->to][got][asked] = now;
                }
        }
    }
    return best;
}

static uint64_t shortest(const toy_graph *toy)
{
    uint64_t depth[NODES], best = FAR;
    for (uint32_t n = 0; n < NODES; n++)
        depth[n] = n ? FAR : 0;
    for (uint32_t round = 0; round < NODES; round++)
        for (uint32_t i = 0; i < toy->count; i++) {
            const toy_edge *e = &toy->edges[i];
            if (!(toy->seen >> e->from & 1) && depth[e->from] + e->cost < depth[e->to])
                depth[e->to] = depth[e->from] + e->cost;
        }
    for (uint32_t n = 0; n < toy->nodes; n++) {
        uint64_t cycle = toy->seen >> n & 1 ? 0 : depth[n] < FAR ? round_from(toy, n) : FAR;
        best = depth[n] + cycle < best ? depth[n] + cycle : best;
    }
    return best;
}

// ---- what was found ---------------------------------------------------------------------

static void follow(toy_graph *toy, const gy_arc_graph_path *path, uint32_t *node, toy_edge *sum)
{
    for (size_t i = 0; i < path->n; i++) {
        uint32_t nth = path->at[i].edge, e = 0;
        assert_int_equal(path->at[i].node, *node);
        assert_false(toy->seen >> *node & 1);
        for (; e < toy->count; e++)
            if (toy->edges[e].from == *node && nth-- == 0)
                break;
        assert_true(e < toy->count);
        sum->cost += toy->edges[e].cost;
        sum->marks |= toy->edges[e].marks;
        sum->asks |= toy->edges[e].asks;
        *node = toy->edges[e].to;
    }
}

static void check_found(toy_graph *toy, const gy_short_lasso *found)
{
    toy_edge stem = {0}, cycle = {0};
    uint32_t at = 0;
    follow(toy, &found->stem, &at, &stem);
    assert_int_equal(at, found->end);
    follow(toy, &found->cycle, &at, &cycle);
    assert_int_equal(at, found->end);
    assert_int_equal(stem.cost + cycle.cost, found->cost);
    if (found->cycle.n)
        assert_int_equal((toy->all | cycle.asks) & ~cycle.marks, 0);
    else
        assert_true(toy->seen >> at & 1);
}

static gy_short_lasso look(toy_graph *toy, bool asks, uint64_t bound, uint64_t most)
{
    // Marks beyond those that there are count as met on every edge, as those of owners that nothing
    // has met do.
    gy_arc_graph graph = {
        .self = toy, .edges = toy_edges, .all = ~(uint64_t)0, .asks = asks ? toy_asks : NULL};
    gy_short_lasso found;
    gy_arc_graph_nodes initial = {0};
    gy_vec_push(&initial, 0);
    gy_arc_graph_short_lasso(&graph, &initial, toy_all, bound, most, &found);
    gy_vec_free(&initial);
    if (found.found) {
        assert_true(found.cost < bound);
        check_found(toy, &found);
    }
    return found;
}

static void drop(gy_short_lasso *found)
{
    gy_vec_free(&found->stem);
    gy_vec_free(&found->cycle);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 33;
}

static toy_graph random_graph(uint64_t *seed, bool asks)
{
    toy_graph toy = {.nodes = 2 + (uint32_t)(next_random(seed) % (NODES - 1))};
    toy.count = 1 + (uint32_t)(next_random(seed) % EDGES);
    toy.all = next_random(seed) % SETS;
    toy.seen = next_random(seed) % 8 ? 0 : 1u << next_random(seed) % NODES;
    for (uint32_t i = 0; i < toy.count; i++)
        toy.edges[i] = (toy_edge){.from = (uint32_t)(next_random(seed) % toy.nodes),
                                  .to = (uint32_t)(next_random(seed) % toy.nodes),
                                  .cost = (uint32_t)(next_random(seed) % 8 ? 1 : 3),
                                  .marks = next_random(seed) & next_random(seed) % SETS,
                                  .asks = asks ? next_random(seed) & next_random(seed) % SETS : 0};
    return toy;
}

// Without anything asked for: a shortest one, and it is known to be.
static void test_marks(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint32_t lassos = 0, apart = 0;
    for (int i = 0; i < 3000; i++) {
        toy_graph toy = random_graph(&seed, false);
        uint64_t expected = shortest(&toy);
        gy_short_lasso found = look(&toy, false, FAR, UINT64_MAX);
        assert_int_equal(found.found ? found.cost : FAR, expected);
        drop(&found);
        if (expected < FAR) {
            lassos++;
            found = look(&toy, false, expected, UINT64_MAX);
            assert_false(found.found);
            assert_true(found.proved);
            drop(&found);
            found = look(&toy, false, expected + 1, UINT64_MAX);
            assert_true(found.found && found.proved);
            apart += found.stem.n > 0 && found.cycle.n > 1;
            drop(&found);
        }
    }
    assert_true(lassos > 500 && apart > 100);
}

// What edges ask for is met, by a shortest one as well.
static void test_asks(void **state)
{
    (void)state;
    uint64_t seed = 2;
    uint32_t lassos = 0;
    for (int i = 0; i < 3000; i++) {
        toy_graph toy = random_graph(&seed, true);
        uint64_t expected = shortest(&toy);
        gy_short_lasso found = look(&toy, true, FAR, UINT64_MAX);
        assert_true(found.proved);
        assert_int_equal(found.found ? found.cost : FAR, expected);
        lassos += expected < FAR;
        drop(&found);
    }
    assert_true(lassos > 500);
}

// Without the search for a shortest one: what is found is a lasso, and mostly there is one.
static void test_greedy(void **state)
{
    (void)state;
    uint64_t seed = 4;
    uint32_t lassos = 0, found_some = 0;
    for (int i = 0; i < 3000; i++) {
        toy_graph toy = random_graph(&seed, true);
        uint64_t expected = shortest(&toy);
        gy_short_lasso found = look(&toy, true, FAR, 2 * NODES); // too few for that
        assert_true(!found.proved || (toy.seen & 1)); // at the first node: nothing was read
        assert_true(!found.found || found.cost >= expected);
        lassos += expected < FAR;
        found_some += found.found;
        drop(&found);
    }
    assert_true(found_some > lassos * 8 / 10);
}

// A graph that is not read to the end proves nothing, and what it gives holds nevertheless.
static void test_limits(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint32_t cut = 0;
    for (int i = 0; i < 2000; i++) {
        toy_graph toy = random_graph(&seed, i % 2);
        uint64_t expected = shortest(&toy);
        gy_short_lasso found = look(&toy, i % 2, FAR, 1 + i % 4);
        assert_true(!found.found || found.cost >= expected);
        assert_true(!found.proved || (found.found ? found.cost : FAR) == expected);
        cut += !found.proved;
        drop(&found);
        toy.patience = 1 + (uint32_t)i % 4;
        found = look(&toy, i % 2, FAR, UINT64_MAX);
        assert_true(!found.proved || (found.found ? found.cost : FAR) == expected);
        drop(&found);
    }
    assert_true(cut > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_asks),
        cmocka_unit_test(test_greedy),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
