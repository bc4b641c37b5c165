// Accepting cycles where nodes are kept together (space.h): random systems and random observers
// with few states, some of which wait, against the search by components on the whole product.
// Lassos are followed.
//
//     test_space_packed [PRODUCTS [SEED]]     so many
#include "search/liveness/space_graph.h"
#include "search/search.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_STATES = 24, MOST_PLACES = 4, MOST_STEPS = 4, MOST_MOVES = 3, MOST_BATCH = 20 };

typedef struct moves {
    gy_observer_move at[MOST_MOVES];
    uint32_t n;
} moves;

typedef struct toy {
    uint32_t states, places;
    bool waits, stutters, uniform;
    uint32_t steps[MOST_STATES][MOST_STEPS], step_count[MOST_STATES];
    moves moves[MOST_STATES][MOST_PLACES];
} toy;

typedef struct toy_worker {
    const toy *t;
    uint32_t state;
    gy_incoming in[MOST_STEPS];
    uint32_t words[MOST_STEPS];
    gy_transition batch[MOST_BATCH];
    uint32_t batch_words[MOST_BATCH], batch_count;
} toy_worker;

static uint64_t seed = 1;
static uint64_t products = 300;

static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 20) % n;
}

// ---- a product ------------------------------------------------------------------------

// Places from 1 on go up; if uniform, marks depend on the place alone.
static void make_moves(toy *t, uint32_t s, uint32_t at)
{
    moves *m = &t->moves[s][at];
    m->n = 0;
    if (t->waits && at == 0)
        m->at[m->n++] = (gy_observer_move){.to = 0};
    uint32_t more = below(MOST_MOVES);
    while (m->n < more) {
        uint32_t least = t->uniform ? at : t->waits ? 1 : 0;
        if (t->waits && least == 0)
            least = 1;
        if (least >= t->places)
            break;
        uint32_t to = least + below(t->places - least);
        uint64_t marks = t->uniform ? to % 2 && to == at : below(3) == 0;
        m->at[m->n++] = (gy_observer_move){.to = to, .marks = marks};
    }
}

static void make(toy *t)
{
    t->states = 1 + below(MOST_STATES);
    t->places = 1 + below(MOST_PLACES);
    t->waits = t->places > 1 && below(2);
    t->stutters = below(2);
    t->uniform = below(2);
    for (uint32_t s = 0; s < t->states; s++) {
        t->step_count[s] = below(MOST_STEPS);
        for (uint32_t i = 0; i < t->step_count[s]; i++)
            t->steps[s][i] = below(t->states);
        for (uint32_t at = 0; at < t->places; at++)
            make_moves(t, s, at);
    }
}

// ---- what is true ---------------------------------------------------------------------

static int graph_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    const toy *t = self;
    uint32_t s = node / t->places, count = t->step_count[s];
    const moves *m = &t->moves[s][node % t->places];
    for (uint32_t i = 0; i < (count || !t->stutters ? count : 1); i++)
        for (uint32_t k = 0; k < m->n; k++) {
            uint32_t to = count ? t->steps[s][i] : s;
            gy_arc_graph_edge edge = {.to = to * t->places + m->at[k].to, .marks = m->at[k].marks};
            gy_vec_push(out, edge);
        }
    return 0;
}

static bool find_truth(toy *t, uint64_t *states, uint64_t *transitions)
{
    uint32_t initial = 0;
    gy_arc_graph graph = {.self = t, .edges = graph_edges, .all = 1};
    gy_emptiness_result result;
    gy_arc_graph_search(&graph, &initial, 1, &result);
    bool accepts = result.answer == GY_NONEMPTY;
    gy_vec_free(&result.component);
    uint8_t seen[MOST_STATES * MOST_PLACES] = {1};
    gy_arc_graph_nodes todo = {0};
    gy_arc_graph_edges edges = {0};
    gy_vec_push(&todo, 0);
    *transitions = 1;
    for (size_t i = 0; i < todo.n; i++) {
        edges.n = 0;
        graph_edges(t, todo.at[i], &edges);
        *transitions += edges.n;
        for (size_t e = 0; e < edges.n; e++)
            if (!seen[edges.at[e].to]++)
                gy_vec_push(&todo, edges.at[e].to);
    }
    *states = todo.n;
    gy_vec_free(&todo);
    gy_vec_free(&edges);
    return accepts;
}

// ---- what engines say -----------------------------------------------------------------

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
                       const gy_observer_move **found, uint32_t *count)
{
    toy_worker *w = worker;
    assert_int_equal(words, 1);
    w->state = state[0];
    *found = w->t->moves[w->state][at].at;
    *count = w->t->moves[w->state][at].n;
    return 0;
}

static uint32_t toy_steps(void *worker, gy_arrivals *out)
{
    toy_worker *w = worker;
    uint32_t n = w->t->step_count[w->state];
    for (uint32_t i = 0; i < n; i++)
        w->words[i] = w->t->steps[w->state][i];
    if (!n && w->t->stutters)
        w->words[n++] = w->state;
    for (uint32_t i = 0; i < n; i++)
        w->in[i] = (gy_incoming){&w->words[i], GY_INCOMING_ANY, 1};
    *out = GY_ARRIVALS(gy_incoming, w->in);
    return n;
}

static const gy_transition *toy_append(void *worker, bool first, uint32_t *count)
{
    toy_worker *w = worker;
    uint32_t from = first ? 0 : w->batch_count;
    *count = w->t->step_count[w->state];
    if (from + *count > MOST_BATCH || w->state % 5 == 4) // not of all states
        return NULL;
    for (uint32_t i = 0; i < *count; i++) {
        w->batch_words[from + i] = w->t->steps[w->state][i];
        w->batch[from + i] = (gy_transition){
            .state = &w->batch_words[from + i], .words = 1, .written = GY_WRITTEN_ALL};
    }
    w->batch_count = from + *count;
    return w->batch + from;
}

static uint32_t node_of(const gy_space_graph *g, uint32_t number)
{
    const toy *t = g->view->space->maker->self;
    uint32_t words;
    gy_ref node = g->refs.at[number];
    const uint32_t *state =
        gy_store_state(g->view->store, gy_space_state_of(g->view->space, node), &words);
    return state[0] * t->places + gy_space_place_of(node);
}

// Follows a path in the product as it is defined; returns the marks on it.
static uint64_t follow(gy_space_graph *g, const gy_arc_graph_path *path, uint32_t *number)
{
    uint64_t marks = 0;
    for (size_t i = 0; i < path->n; i++) {
        gy_arc_graph_edges shown = {0}, edges = {0};
        assert_int_equal(path->at[i].node, *number);
        g->graph.edges(g, *number, &shown);
        gy_arc_graph_edge edge = shown.at[path->at[i].edge];
        graph_edges(g->view->space->maker->self, node_of(g, *number), &edges);
        bool known = false;
        for (size_t e = 0; e < edges.n; e++)
            known =
                known || (edges.at[e].to == node_of(g, edge.to) && edges.at[e].marks == edge.marks);
        assert_true(known);
        marks |= edge.marks;
        *number = edge.to;
        gy_vec_free(&shown);
        gy_vec_free(&edges);
    }
    return marks;
}

static void check_lasso(gy_space *s)
{
    gy_space_graph g;
    gy_arc_graph_path stem = {0}, cycle = {0};
    uint32_t end = 0, at;
    gy_space_graph_init(&g, &s->views[0]);
    assert_true(gy_space_graph_lasso(&g, &stem, &end, &cycle));
    assert_true(cycle.n > 0);
    at = gy_space_graph_number(&g, s->initial.at[0]);
    follow(&g, &stem, &at);
    assert_int_equal(at, end);
    assert_int_equal(follow(&g, &cycle, &at) & 1, 1);
    assert_int_equal(at, end);
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    gy_space_graph_free(&g);
}

static void ask(toy *t, unsigned threads, gy_store_kind kind, bool waits)
{
    gy_space_maker maker = {.self = t,
                            .open = toy_open,
                            .close = free,
                            .initial = toy_initial,
                            .observe = toy_observe,
                            .steps = toy_steps,
                            .append = below(3) ? toy_append : NULL,
                            .stutters = t->stutters};
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_space_options options = {.maker = &maker,
                                .kind = gy_store_kind_at(kind),
                                .budget = &budget,
                                .threads = threads,
                                .all = 1,
                                .uniform = t->uniform,
                                .hostile = below(2),
                                .places = t->places,
                                .place_bits = gy_cndfs_place_bits(threads, t->uniform),
                                .waits = waits ? 0 : GY_NO_PLACE};
    uint64_t states, transitions;
    bool accepts = find_truth(t, &states, &transitions);
    if (!gy_space_bytes_together(options.places, options.place_bits, waits))
        return;
    gy_space *s = gy_space_new(&options);
    assert_non_null(s);
    gy_space_cndfs(s);
    assert_int_equal(s->found, accepts);
    if (accepts) {
        check_lasso(s);
    } else {
        assert_int_equal(gy_space_states(s), states);
        assert_int_equal(gy_space_transitions(s), transitions);
    }
    gy_space_free(s);
}

static void test_random(void **state)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    (void)state;
    unsigned found = 0, waited = 0;
    for (uint64_t i = 0; i < products; i++) {
        toy t;
        uint64_t states, transitions;
        make(&t);
        found += find_truth(&t, &states, &transitions);
        waited += t.waits;
        for (unsigned k = 0; k < 4; k++) {
            gy_store_kind kind = below(2) ? GY_STORE_TREE : GY_STORE_PLAIN;
            ask(&t, threads[k], kind, false);
            if (t.waits)
                ask(&t, threads[k], kind, true);
        }
    }
    assert_in_range(found, products / 10, products - products / 10); // there are some of each
    assert_in_range(waited, products / 10, products - products / 10);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    if (argc > 1)
        products = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
