// Strongly connected components next to their definition: two nodes are in one if each is reachable
// from the other, which is found out by closing the relation of edges. Random graphs, sparse and
// dense, whole and from one node.
#include "base/scc.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 24, GRAPHS = 4000, LONG = 1000000 };

typedef struct graph {
    gy_scc scc;
    uint32_t nodes;
    uint32_t number[MOST];
    bool edge[MOST][MOST], reaches[MOST][MOST]; // by any number of edges, none included
    uint32_t done, stop_at;                     // components; `done` ends the search at this one
    bool members_are_right;
} graph;

// Edges that are not there lead to the node itself.
static uint32_t next(void *self, uint32_t node, uint64_t nth)
{
    const graph *g = self;
    if (nth >= g->nodes)
        return GY_SCC_END;
    return g->edge[node][nth] ? (uint32_t)nth : node;
}

static bool done(void *self, const uint32_t *nodes, uint32_t count)
{
    graph *g = self;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < g->nodes; i++)
        expected += g->reaches[nodes[0]][i] && g->reaches[i][nodes[0]];
    g->members_are_right = g->members_are_right && count == expected && g->scc.count == ++g->done;
    for (uint32_t i = 0; i < count; i++) {
        bool mutual = g->reaches[nodes[0]][nodes[i]] && g->reaches[nodes[i]][nodes[0]];
        g->members_are_right =
            g->members_are_right && mutual && gy_scc_of(&g->scc, nodes[i]) == g->scc.count - 1;
        for (uint32_t to = 0; to < g->nodes; to++)
            if (g->edge[nodes[i]][to])
                g->members_are_right =
                    g->members_are_right && gy_scc_of(&g->scc, to) != GY_SCC_NONE;
    }
    return g->done != g->stop_at;
}

static void make(graph *g, gy_random *random)
{
    *g = (graph){.nodes = 1 + (uint32_t)gy_random_below(random, MOST), .members_are_right = true};
    uint64_t per_mille = gy_random_below(random, 300);
    for (uint32_t i = 0; i < g->nodes; i++)
        for (uint32_t j = 0; j < g->nodes; j++) {
            g->edge[i][j] = gy_random_below(random, 1000) < per_mille;
            g->reaches[i][j] = i == j || g->edge[i][j];
        }
    for (uint32_t k = 0; k < g->nodes; k++)
        for (uint32_t i = 0; i < g->nodes; i++)
            for (uint32_t j = 0; j < g->nodes; j++)
                g->reaches[i][j] = g->reaches[i][j] || (g->reaches[i][k] && g->reaches[k][j]);
    g->scc =
        (gy_scc){.nodes = g->nodes, .number = g->number, .self = g, .next = next, .done = done};
}

// Of nodes that were visited: one component if and only if each reaches the other; edges do not
// lead to a higher one.
static void compare(const graph *g, uint32_t from)
{
    for (uint32_t i = 0; i < g->nodes; i++) {
        uint32_t own = gy_scc_of(&g->scc, i);
        bool visited = from == GY_SCC_NONE || g->reaches[from][i];
        assert_int_equal(own != GY_SCC_NONE, visited);
        for (uint32_t j = 0; j < g->nodes && visited; j++) {
            uint32_t other = gy_scc_of(&g->scc, j);
            if (!g->reaches[i][j])
                continue;
            assert_int_equal(own == other, g->reaches[j][i]);
            assert_true(other <= own);
        }
    }
    assert_true(g->members_are_right);
    assert_int_equal(g->done, g->scc.count);
}

static void whole_graphs(void **state)
{
    (void)state;
    gy_random random;
    gy_random_seed(&random, 1);
    for (uint32_t n = 0; n < GRAPHS; n++) {
        graph g;
        make(&g, &random);
        for (uint32_t i = 0; i < g.nodes; i++)
            assert_true(gy_scc_from(&g.scc, i));
        compare(&g, GY_SCC_NONE);
        gy_scc_free(&g.scc);
    }
}

static void what_one_node_reaches(void **state)
{
    (void)state;
    gy_random random;
    gy_random_seed(&random, 2);
    for (uint32_t n = 0; n < GRAPHS; n++) {
        graph g;
        make(&g, &random);
        uint32_t from = (uint32_t)gy_random_below(&random, g.nodes);
        assert_true(gy_scc_from(&g.scc, from));
        compare(&g, from);
        gy_scc_free(&g.scc);
    }
}

static void ends_when_it_is_told_to(void **state)
{
    (void)state;
    gy_random random;
    gy_random_seed(&random, 3);
    for (uint32_t n = 0; n < GRAPHS; n++) {
        graph g;
        make(&g, &random);
        g.stop_at = 1 + (uint32_t)gy_random_below(&random, 3);
        bool whole = true;
        for (uint32_t i = 0; i < g.nodes && whole; i++)
            whole = gy_scc_from(&g.scc, i);
        assert_int_equal(whole, g.scc.count < g.stop_at);
        assert_true(g.scc.count <= g.stop_at);
        assert_true(g.members_are_right);
        gy_scc_free(&g.scc);
    }
}

static uint32_t stopping(void *self, uint32_t node, uint64_t nth)
{
    (void)node, (void)nth;
    return --*(uint32_t *)self ? 1 : GY_SCC_STOP;
}

static void ends_between_edges(void **state)
{
    (void)state;
    uint32_t number[2] = {0}, left = 5;
    gy_scc scc = {.nodes = 2, .number = number, .self = &left, .next = stopping};
    assert_false(gy_scc_from(&scc, 0));
    assert_int_equal(left, 0);
    assert_int_equal(gy_scc_of(&scc, 0), GY_SCC_NONE);
    gy_scc_free(&scc);
}

// One path through all nodes; *self: back to the first one, too.
static uint32_t chain(void *self, uint32_t node, uint64_t nth)
{
    const bool *closed = self;
    if (nth)
        return GY_SCC_END;
    return node + 1 < LONG ? node + 1 : *closed ? 0 : GY_SCC_END;
}

static void long_paths(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        bool is_closed = closed;
        gy_scc scc = {.nodes = LONG, .self = &is_closed, .next = chain};
        scc.number = gy_alloc_zero(LONG * sizeof *scc.number);
        assert_true(gy_scc_from(&scc, 0));
        assert_int_equal(scc.count, closed ? 1 : LONG);
        assert_int_equal(gy_scc_of(&scc, LONG - 1), 0);
        free(scc.number);
        gy_scc_free(&scc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_graphs),
        cmocka_unit_test(what_one_node_reaches),
        cmocka_unit_test(ends_when_it_is_told_to),
        cmocka_unit_test(ends_between_edges),
        cmocka_unit_test(long_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
