// The search for accepting cycles, on graphs with known answers and against a naive one.
#include "search/liveness/emptiness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 40 };

typedef struct toy_edge {
    uint32_t from, to;
    uint64_t marks;
} toy_edge;

typedef struct toy_graph {
    uint32_t nodes, count;
    toy_edge edges[4 * MOST];
    uint32_t stop_at; // edges() of this node ends the search; MOST: none
    bool tired;       // by a limit; else an error is seen there
    uint64_t asks[MOST];
    uint32_t last; // asked about
    bool uniform;
    uint32_t *asked; // how often, if a caller wants to know
} toy_graph;

static int toy_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    toy_graph *toy = self;
    toy->last = node;
    if (toy->asked)
        ++*toy->asked;
    if (node == toy->stop_at)
        return toy->tired ? GY_GRAPH_STOP : GY_GRAPH_SEEN;
    for (uint32_t i = 0; i < toy->count; i++) {
        if (toy->edges[i].from == node) {
            gy_arc_graph_edge edge = {.to = toy->edges[i].to, .marks = toy->edges[i].marks};
            gy_vec_push(out, edge);
        }
    }
    return 0;
}

static uint64_t toy_asks(void *self, size_t edge)
{
    (void)edge; // all of them the same
    const toy_graph *toy = self;
    return toy->asks[toy->last];
}

static gy_arc_graph graph_of(toy_graph *toy, uint64_t all)
{
    return (gy_arc_graph){.self = toy, .edges = toy_edges, .all = all};
}

// Follows a path; returns the marks on it. *node: where it begins, then where it ends.
static uint64_t follow(const gy_arc_graph *graph, const gy_arc_graph_path *path, uint32_t *node)
{
    uint64_t marks = 0;
    gy_arc_graph_edges edges = {0};
    for (size_t i = 0; i < path->n; i++) {
        assert_int_equal(path->at[i].node, *node);
        edges.n = 0;
        graph->edges(graph->self, *node, &edges);
        assert_true(path->at[i].edge < edges.n);
        marks |= edges.at[path->at[i].edge].marks;
        *node = edges.at[path->at[i].edge].to;
    }
    gy_vec_free(&edges);
    return marks;
}

typedef void searcher(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                      gy_emptiness_result *result);

// Searches, and checks the lasso if there is one.
static bool accepts_by(searcher *search, toy_graph *toy, uint64_t all, bool strong)
{
    gy_arc_graph graph = graph_of(toy, all);
    graph.asks = strong ? toy_asks : NULL;
    graph.uniform = toy->uniform;
    uint32_t initial = 0, end = 0;
    gy_emptiness_result result;
    search(&graph, &initial, 1, &result);
    if (result.answer == GY_NONEMPTY) {
        gy_arc_graph_path stem = {0}, cycle = {0};
        assert_true(gy_arc_graph_stem(&graph, &initial, 1, &result.component, &stem, &end));
        uint32_t at = 0;
        follow(&graph, &stem, &at);
        assert_int_equal(at, end);
        assert_true(gy_arc_graph_cycle(&graph, &result, end, &cycle));
        assert_true(cycle.n > 0);
        uint64_t marks = follow(&graph, &cycle, &at);
        assert_int_equal(at, end);
        assert_true((marks & all) == all);
        for (size_t i = 0; i < cycle.n && strong; i++)
            assert_true((toy->asks[cycle.at[i].node] & ~marks) == 0);
        gy_vec_free(&stem);
        gy_vec_free(&cycle);
    }
    gy_emptiness_result_free(&result);
    assert_int_not_equal(result.answer, GY_BROKEN_OFF);
    return result.answer == GY_NONEMPTY;
}

static bool accepts(toy_graph *toy, uint64_t all)
{
    bool answer = accepts_by(gy_arc_graph_search, toy, all, false);
    if (all == 1)
        assert_int_equal(accepts_by(gy_arc_graph_nested, toy, all, false), answer);
    return answer;
}

static bool reaches[MOST][MOST];

static void find_reach(const toy_graph *toy)
{
    memset(reaches, 0, sizeof reaches);
    for (uint32_t i = 0; i < toy->count; i++)
        reaches[toy->edges[i].from][toy->edges[i].to] = true;
    for (uint32_t k = 0; k < toy->nodes; k++)
        for (uint32_t i = 0; i < toy->nodes; i++)
            for (uint32_t j = 0; j < toy->nodes; j++)
                reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
}

static bool accepts_naively(const toy_graph *toy, uint64_t all)
{
    find_reach(toy);
    for (uint32_t n = 0; n < toy->nodes; n++) {
        uint64_t marks = 0;
        if ((n != 0 && !reaches[0][n]) || !reaches[n][n])
            continue;
        for (uint32_t i = 0; i < toy->count; i++) {
            const toy_edge *e = &toy->edges[i];
            if ((e->from == n || reaches[n][e->from]) && (e->to == n || reaches[e->to][n]))
                marks |= e->marks;
        }
        if ((marks & all) == all)
            return true;
    }
    return false;
}

#define TOY(n, ...)                                                                                \
    {                                                                                              \
        .nodes = n, .count = sizeof((toy_edge[]){__VA_ARGS__}) / sizeof(toy_edge),                 \
        .edges = {__VA_ARGS__}, .stop_at = MOST                                                    \
    }

static void test_known(void **state)
{
    (void)state;
    toy_graph none = {.nodes = 1, .stop_at = MOST};
    assert_false(accepts(&none, 0));
    toy_graph loop = TOY(1, {0, 0, 1});
    assert_true(accepts(&loop, 1));
    assert_true(accepts(&loop, 0));
    assert_false(accepts(&loop, 3));
    toy_graph line = TOY(3, {0, 1, 1}, {1, 2, 1});
    assert_false(accepts(&line, 1));
    assert_false(accepts(&line, 0));
    // the mark is on an edge that no cycle has
    toy_graph once = TOY(4, {0, 1, 0}, {1, 0, 0}, {1, 2, 1}, {2, 3, 0}, {3, 2, 0});
    assert_false(accepts(&once, 1));
    // two components, each with one of two marks
    toy_graph apart = TOY(4, {0, 1, 1}, {1, 0, 0}, {1, 2, 0}, {2, 3, 2}, {3, 2, 0});
    assert_false(accepts(&apart, 3));
    assert_true(accepts(&apart, 1));
    assert_true(accepts(&apart, 2));
    // one component, its marks on different cycles: the lasso must go through both
    toy_graph eight = TOY(3, {0, 1, 1}, {1, 0, 0}, {0, 2, 2}, {2, 0, 0});
    assert_true(accepts(&eight, 3));
    // nested: the inner cycle has no mark, the outer one closes late
    toy_graph nested = TOY(4, {0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {2, 3, 0}, {3, 0, 4});
    assert_true(accepts(&nested, 4));
    // the mark is on the edge by which a component was entered; a later edge joins the two
    toy_graph entry = TOY(3, {0, 1, 8}, {1, 2, 0}, {2, 1, 0}, {2, 0, 0});
    assert_true(accepts(&entry, 8));
    // parallel edges
    toy_graph twin = TOY(1, {0, 0, 1}, {0, 0, 2});
    assert_true(accepts(&twin, 3));
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 20000; round++) {
        static toy_graph toy;
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        toy.nodes = 1 + (uint32_t)(seed >> 33) % (round % 10 ? 9 : MOST);
        toy.count = (uint32_t)(seed >> 45) % (toy.nodes * 3);
        toy.stop_at = MOST;
        uint32_t sets = (uint32_t)(seed >> 60) % 4;
        for (uint32_t i = 0; i < toy.count; i++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            toy.edges[i] = (toy_edge){(uint32_t)(seed >> 33) % toy.nodes,
                                      (uint32_t)(seed >> 43) % toy.nodes, 0};
            if ((seed >> 60) % 3 == 0)
                toy.edges[i].marks = 1ull << (seed >> 56) % 3;
        }
        uint64_t all = (1ull << sets) - 1;
        bool expected = accepts_naively(&toy, all);
        assert_int_equal(accepts(&toy, all), expected);
        *(expected ? &yes : &no) += 1;
    }
    assert_true(yes > 2000 && no > 2000);
}

// Is there a set of nodes, strongly connected and reachable, that has all marks and all that its
// nodes ask for? All sets are tried.
static bool strong_naively(const toy_graph *toy, uint64_t all)
{
    for (uint32_t set = 1; set < 1u << toy->nodes; set++) {
        bool reach[9][9] = {{0}}, whole[9][9] = {{0}}, good = true, reachable = set & 1;
        uint64_t marks = 0, wanted = all;
        for (uint32_t i = 0; i < toy->count; i++) {
            const toy_edge *e = &toy->edges[i];
            whole[e->from][e->to] = true;
            if ((set >> e->from & 1) && (set >> e->to & 1)) {
                reach[e->from][e->to] = true;
                marks |= e->marks;
            }
        }
        for (uint32_t k = 0; k < toy->nodes; k++)
            for (uint32_t i = 0; i < toy->nodes; i++)
                for (uint32_t j = 0; j < toy->nodes; j++) {
                    reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
                    whole[i][j] = whole[i][j] || (whole[i][k] && whole[k][j]);
                }
        for (uint32_t i = 0; i < toy->nodes; i++) {
            if (!(set >> i & 1))
                continue;
            wanted |= toy->asks[i];
            reachable = reachable || whole[0][i];
            for (uint32_t j = 0; j < toy->nodes; j++)
                good = good && (!(set >> j & 1) || reach[i][j]);
        }
        if (good && reachable && (marks & wanted) == wanted)
            return true;
    }
    return false;
}

static void test_strong(void **state)
{
    (void)state;
    uint64_t seed = 99;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 6000; round++) {
        static toy_graph toy;
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        toy.nodes = 1 + (uint32_t)(seed >> 33) % 7;
        toy.count = (uint32_t)(seed >> 45) % (toy.nodes * 3);
        toy.stop_at = MOST;
        for (uint32_t i = 0; i < toy.count; i++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            toy.edges[i] = (toy_edge){(uint32_t)(seed >> 33) % toy.nodes,
                                      (uint32_t)(seed >> 43) % toy.nodes, 0};
            if ((seed >> 60) % 2 == 0)
                toy.edges[i].marks = 1ull << (seed >> 56) % 4;
        }
        for (uint32_t i = 0; i < toy.nodes; i++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            toy.asks[i] = (seed >> 50) % 2 ? 2 << (seed >> 56) % 3 : 0;
        }
        uint64_t all = (seed >> 40) & 1;
        bool expected = strong_naively(&toy, all);
        assert_int_equal(accepts_by(gy_arc_graph_search, &toy, all, true), expected);
        *(expected ? &yes : &no) += 1;
    }
    assert_true(yes > 500 && no > 500);
}

static toy_graph random_toy(uint64_t *seed)
{
    toy_graph toy = {.stop_at = MOST};
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    toy.nodes = 1 + (uint32_t)(*seed >> 33) % (MOST - 1);
    toy.count = (uint32_t)(*seed >> 45) % (toy.nodes * 3);
    for (uint32_t i = 0; i < toy.count; i++) {
        *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
        toy.edges[i] = (toy_edge){(uint32_t)(*seed >> 33) % toy.nodes,
                                  (uint32_t)(*seed >> 43) % toy.nodes, (*seed >> 55) % 8 == 0};
    }
    return toy;
}

// Marks of edges within a component are those of the edge to it with the lowest number.
static void make_uniform(toy_graph *toy)
{
    find_reach(toy);
    toy->uniform = true;
    for (uint32_t i = 0; i < toy->count; i++) {
        toy_edge *e = &toy->edges[i];
        bool inside = e->from == e->to || reaches[e->to][e->from];
        for (uint32_t k = 0; k < i && inside; k++) {
            const toy_edge *earlier = &toy->edges[k];
            if (reaches[e->to][earlier->from] && reaches[earlier->from][earlier->to] &&
                reaches[earlier->to][e->to]) {
                e->marks = earlier->marks;
                break;
            }
        }
    }
}

static void test_nested(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t yes = 0, no = 0;
    for (int round = 0; round < 6000; round++) {
        toy_graph toy = random_toy(&seed);
        if (round % 2)
            make_uniform(&toy);
        bool expected = accepts_naively(&toy, 1);
        assert_int_equal(accepts_by(gy_arc_graph_nested, &toy, 1, false), expected);
        *(expected ? &yes : &no) += 1;
    }
    assert_true(yes > 500 && no > 500);
}

// The second search must pass each node once, or a chain of accepting nodes is quadratic.
static void test_nested_chain(void **state)
{
    (void)state;
    toy_graph toy = {.nodes = MOST, .stop_at = MOST};
    uint32_t asked = 0;
    for (uint32_t i = 0; i + 1 < MOST; i++)
        toy.edges[toy.count++] = (toy_edge){i, i + 1, 1};
    toy.asked = &asked;
    assert_false(accepts_by(gy_arc_graph_nested, &toy, 1, false));
    assert_true(asked <= 2 * MOST);
}

// A component that has to be taken apart: node 1 asks for a mark that no edge has, and the rest has
// a fair cycle. Limits end it, also in what is left of it, and then nothing is found.
static uint32_t patience, told_of_no_room;

static bool is_tired(void *self)
{
    (void)self;
    return patience == 0 || --patience == 0;
}

static void no_room(void *self)
{
    (void)self;
    told_of_no_room++;
}

static void test_limits_of_parts(void **state)
{
    (void)state;
    toy_graph toy = TOY(4, {0, 1, 0}, {1, 0, 0}, {0, 2, 0}, {2, 3, 1}, {3, 0, 0});
    toy.asks[1] = 2;
    gy_arc_graph graph = graph_of(&toy, 1);
    gy_emptiness_result result;
    gy_budget budget;
    uint32_t initial = 0;
    graph.asks = toy_asks;
    graph.tired = is_tired;
    graph.no_room = no_room;
    for (patience = 100; patience > 0; patience = patience > 50 ? 2 : patience - 1) {
        uint32_t given = patience;
        gy_arc_graph_search(&graph, &initial, 1, &result);
        assert_int_equal(result.answer == GY_NONEMPTY, given == 100);
        gy_emptiness_result_free(&result);
        patience = given;
    }
    patience = UINT32_MAX;
    gy_budget_init(&budget, 1 << 30);
    assert_true(gy_budget_take(&budget, gy_budget_room(&budget) - 100000));
    graph.budget = &budget; // enough for the numbers of nodes, not for the copy as well
    gy_arc_graph_search(&graph, &initial, 1, &result);
    assert_int_not_equal(result.answer, GY_NONEMPTY);
    assert_false(result.full);
    assert_int_equal(told_of_no_room, 1);
    gy_emptiness_result_free(&result);
}

static void test_breaks_off(void **state)
{
    (void)state;
    toy_graph toy = TOY(4, {0, 1, 0}, {1, 2, 0}, {0, 3, 0}, {3, 2, 0});
    toy.stop_at = 2;
    gy_arc_graph graph = graph_of(&toy, 1);
    gy_emptiness_result result;
    gy_arc_graph_nodes none = {0};
    gy_arc_graph_path stem = {0};
    uint32_t initial[] = {0}, end = 0;
    gy_arc_graph_search(&graph, initial, 1, &result);
    assert_int_equal(result.answer, GY_BROKEN_OFF);
    assert_true(gy_arc_graph_stem(&graph, initial, 1, &none, &stem, &end));
    assert_int_equal(end, 2);
    assert_int_equal(stem.n, 2);
    toy.tired = true;
    assert_false(gy_arc_graph_stem(&graph, initial, 1, &none, &stem, &end));
    gy_vec_free(&stem);
    gy_emptiness_result_free(&result);
    gy_arc_graph_nested(&graph, initial, 1, &result);
    assert_int_equal(result.answer, GY_BROKEN_OFF);
    gy_emptiness_result_free(&result);
}

static void test_depth_limit(void **state)
{
    (void)state;
    toy_graph toy = TOY(4, {0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 3, 1});
    gy_arc_graph graph = graph_of(&toy, 1);
    gy_emptiness_result result;
    uint32_t initial = 0;
    graph.depth_limit = 2;
    gy_arc_graph_search(&graph, &initial, 1, &result);
    assert_int_equal(result.answer, GY_EMPTY);
    assert_true(result.cut);
    gy_emptiness_result_free(&result);
    gy_arc_graph_nested(&graph, &initial, 1, &result);
    assert_int_equal(result.answer, GY_EMPTY);
    assert_true(result.cut);
    gy_emptiness_result_free(&result);
    graph.costs = true; // edges of a toy cost nothing
    gy_arc_graph_nested(&graph, &initial, 1, &result);
    assert_int_equal(result.answer, GY_NONEMPTY);
    gy_emptiness_result_free(&result);
    gy_arc_graph_search(&graph, &initial, 1, &result);
    assert_int_equal(result.answer, GY_NONEMPTY);
    gy_emptiness_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_strong),      cmocka_unit_test(test_breaks_off),
        cmocka_unit_test(test_depth_limit), cmocka_unit_test(test_limits_of_parts),
        cmocka_unit_test(test_nested),      cmocka_unit_test(test_nested_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
