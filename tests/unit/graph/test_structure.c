// The structure of small graphs whose facts are worked out by hand.
#include "graph/structure.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 16 };

// A graph from its edges, "from to", -1 at the end; levels are given as their first states.
typedef struct sketch {
    uint32_t states;
    const int (*edges)[2];  // ordered by source
    const uint32_t *levels; // first state of each, and `states` at the end
} sketch;

static gy_graph make(const sketch *from, uint64_t *first, uint32_t *targets)
{
    gy_graph graph = {.states = from->states, .initial = 1, .expanded = from->states};
    for (uint32_t s = 0, e = 0; s < from->states; s++) {
        first[s] = e;
        for (; from->edges[e][0] == (int)s; e++)
            targets[e] = (uint32_t)from->edges[e][1];
        first[s + 1] = e;
        graph.edges = e;
        graph.deadlocks += first[s] == e;
    }
    for (const uint32_t *l = from->levels;; l++) {
        gy_vec_push(&graph.levels, *l);
        if (*l == from->states)
            break;
    }
    graph.first = first;
    graph.targets = targets;
    return graph;
}

static gy_structure *measure(const sketch *from, gy_graph_limits *limits)
{
    uint64_t first[MOST + 1];
    uint32_t targets[MOST * MOST];
    gy_graph graph = make(from, first, targets);
    gy_graph_limits_begin(limits, 0);
    gy_structure *s = gy_structure_make(&graph, limits, 1);
    gy_vec_free(&graph.levels);
    return s;
}

// 0 -> 1, 2; both -> 3 (a diamond); 3 -> 0 (two levels back), 3 -> 3 (no back-level edge),
// 3 -> 4; 4 is a deadlock.
static const int diamond_edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3},
                                       {3, 0}, {3, 3}, {3, 4}, {-1, 0}};
static const uint32_t diamond_levels[] = {0, 1, 3, 4, 5};
static const sketch diamond = {5, diamond_edges, diamond_levels};

static void levels_and_degrees(void **state)
{
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&diamond, &limits);
    assert_true(s->has_levels);
    assert_int_equal(s->levels.n, 4);
    assert_int_equal(s->largest_level, 2);
    assert_int_equal(s->levels.at[2].states, 1);
    assert_int_equal(s->levels.at[2].edges, 3);
    assert_int_equal(s->back_edges, 1);
    assert_int_equal(s->longest_back, 2);
    assert_int_equal(s->sum_back, 2);
    assert_int_equal(s->back_lengths.n, 3);
    assert_int_equal(s->back_lengths.at[2], 1);
    // into: 0 one, 1 one, 2 one, 3 three, 4 one; out of: 2, 1, 1, 3, 0
    assert_int_equal(s->in.at[1], 4);
    assert_int_equal(s->in.at[3], 1);
    assert_int_equal(s->out.at[0], 1);
    assert_int_equal(s->out.at[1], 2);
    assert_int_equal(s->least_in, 1);
    assert_int_equal(s->most_in, 3);
    assert_int_equal(s->least_out, 0);
    assert_int_equal(s->most_out, 3);
    assert_int_equal(s->deadlocks, 1);
    gy_structure_free(s);
}

static void components_of_a_diamond(void **state)
{
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&diamond, &limits);
    assert_true(s->has_components);
    assert_int_equal(s->components, 2); // {0, 1, 2, 3}, {4}
    assert_int_equal(s->trivial, 1);
    assert_int_equal(s->terminal, 1);
    assert_int_equal(s->largest, 4);
    assert_true(s->largest_is_initial);
    assert_false(s->largest_is_terminal);
    assert_int_equal(s->height, 1);
    assert_int_equal(s->nontrivial_height, 1);
    assert_int_equal(s->sizes.n, 2);
    assert_int_equal(s->sizes.at[0].size, 1);
    assert_int_equal(s->sizes.at[1].size, 4);
    gy_structure_free(s);
}

// A chain of trivial components into a cycle, and past it: 0 -> 1 -> {2, 3} -> 4 -> 5, and 0 -> 5.
static void heights(void **state)
{
    static const int edges[][2] = {{0, 1}, {0, 5}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 5}, {-1, 0}};
    // Levels are 0; 1, 5; 2; 3; 4: numbered here by hand, not in that order, so that only one level
    // is claimed.
    static const uint32_t levels[] = {0, 6};
    static const sketch chain = {6, edges, levels};
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&chain, &limits);
    assert_int_equal(s->components, 5);
    assert_int_equal(s->trivial, 4);
    assert_int_equal(s->terminal, 1);
    assert_int_equal(s->height, 4);            // 0 1 {2 3} 4 5
    assert_int_equal(s->nontrivial_height, 2); // into and out of {2, 3}
    assert_int_equal(s->largest, 2);
    assert_false(s->largest_is_initial);
    gy_structure_free(s);
}

static void depth_first(void **state)
{
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&diamond, &limits);
    // 0 1 3, whose edges are: back to 0 (a cycle of three), to itself (of one), on to 4; then 2.
    assert_true(s->has_depth_first);
    assert_int_equal(s->most_stack, 4);
    assert_int_equal(s->front, 4);
    assert_int_equal(s->back, 2);
    assert_int_equal(s->cross, 1);
    assert_int_equal(s->shortest_cycle, 1);
    assert_int_equal(s->stack.n, 5);
    assert_true(s->stack.at[2].percent == 60);
    assert_true(s->stack.at[4].percent == 40); // 0 2
    gy_structure_free(s);
}

static void local_structure(void **state)
{
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&diamond, &limits);
    // Diamonds: 0 (over 1 and 2). 3: its successors 0, 3, 4 lead to 1, 2 / 0, 3, 4 / nothing. No.
    assert_int_equal(s->diamonds, 1);
    assert_int_equal(s->looked_at, 5);
    // Within four steps: all five from 0, 1, 2 and 3; one from 4. Edges met from 0, 1, 2, 3: all 7;
    // per state met but itself: 7/4; 4 counts as 1.
    assert_true(s->neighbourhood == 21.0 / 5);
    assert_true(s->clustering == (4 * 7.0 / 4 + 1) / 5);
    gy_structure_free(s);
}

static void random_walk(void **state)
{
    (void)state;
    gy_graph_limits limits = {0};
    gy_structure *s = measure(&diamond, &limits);
    uint64_t visits = 0;
    for (size_t i = 0; i < s->visits.n; i++) {
        visits += s->visits.at[i];
        assert_true(i == 0 || s->visits.at[i] <= s->visits.at[i - 1]);
    }
    assert_int_equal(visits, 50); // ten steps per state
    assert_true(s->walk_coverage == 20.0 * (double)s->visits.n);
    gy_structure_free(s);
}

static void limits_are_kept(void **state)
{
    (void)state;
    atomic_int stop = 1;
    gy_graph_limits interrupted = {.interrupt = &stop}, late = {.until = gy_clock() - 1};
    gy_structure *s = measure(&diamond, &interrupted);
    assert_int_equal(s->end, GY_GRAPH_INTERRUPT);
    assert_false(s->has_levels || s->has_components || s->has_depth_first || s->has_local ||
                 s->has_walk);
    gy_structure_free(s);
    s = measure(&diamond, &late);
    assert_int_equal(s->end, GY_GRAPH_TIME);
    gy_structure_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_degrees),
        cmocka_unit_test(components_of_a_diamond),
        cmocka_unit_test(heights),
        cmocka_unit_test(depth_first),
        cmocka_unit_test(local_structure),
        cmocka_unit_test(random_walk),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
