// Hunting: the order in which a best-first search takes states, ties, the queue limit, the
// strategies on graphs with known answers, bounds on schedules, trials and their statistics.
#include "search/hunt/pack.h"
#include "search/hunt/strategies.h"
#include "search/hunt/trials.h"

#include "sample.h"
#include "toy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

// ---- a graph that is written down ------------------------------------------------------------

// Node n has the moves edges[n], which end with a target of -1; process `pid` makes the move.
enum { MOST_MOVES = 20, FAIL = 1000 };
typedef struct written_move {
    int target; // FAIL: a fault
    int pid;
} written_move;

typedef struct written {
    written_move moves[64][MOST_MOVES];
    unsigned counts[64];
    int values[64]; // of the guide
    GY_VEC(int) expanded;
} written;

static void add(written *w, int from, int to, int pid)
{
    w->moves[from][w->counts[from]++] = (written_move){to, pid};
}

static void *self_worker(void *system)
{
    return system;
}

static void nothing(void *unused)
{
    (void)unused;
}

static int written_initial(void *self, gy_visit *visit, void *user)
{
    gy_word state = 0;
    (void)self;
    return visit(user, &(gy_transition){.state = &state, .words = 1, .exclusive = -1});
}

static int written_successors(void *self, const gy_word *state, uint32_t words, gy_visit *visit,
                              void *user)
{
    written *w = self;
    (void)words;
    gy_vec_push(&w->expanded, (int)state[0]);
    for (unsigned i = 0; i < w->counts[state[0]]; i++) {
        const written_move *m = &w->moves[state[0]][i];
        gy_word next = (gy_word)m->target;
        gy_step step = {.pid = m->pid, .edge = (int32_t)i, .partner = -1, .partner_edge = -1};
        gy_fault fault = {GY_FAULT_ASSERTION,
                          m->pid,
                          (int32_t)i,
                          "",
                          gy_fault_row_of(NULL, GY_FAULT_ASSERTION),
                          NULL};
        bool fails = m->target == FAIL;
        gy_transition t = {.state = fails ? NULL : &next,
                           .words = fails ? 0 : 1,
                           .steps = &step,
                           .step_count = 1,
                           .fault = fails ? &fault : NULL,
                           .exclusive = -1,
                           .written = GY_WRITTEN_ALL};
        int stop = visit(user, &t);
        if (stop)
            return stop;
    }
    return 0;
}

static bool always_rests(void *self, const gy_word *state, uint32_t words, bool empty)
{
    (void)self;
    (void)state;
    (void)words;
    (void)empty;
    return true;
}

static const gy_backend written_backend = {.name = "written",
                                           .free_system = nothing,
                                           .new_worker = self_worker,
                                           .free_worker = nothing,
                                           .initial = written_initial,
                                           .successors = written_successors,
                                           .is_end_state = always_rests};

static int64_t written_value(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)notebook;
    return ((const written *)self)->values[at->state[0]];
}

typedef struct run {
    gy_system system;
    gy_heuristic guide;
    const gy_heuristic *guides[1];
    gy_hunt_options hunt;
    gy_search_options options;
    gy_hunt_scene scene;
} run;

static void run_init(run *r, written *w)
{
    *r = (run){.system = {.backend = &written_backend, .impl = w, .name = "written"}};
    r->guide = (gy_heuristic){.name = "written", .self = w, .value = written_value};
    r->guides[0] = &r->guide;
    r->hunt = (gy_hunt_options){.guides = r->guides, .guide_count = 1};
    gy_search_defaults(&r->options);
    r->options.hunt = &r->hunt;
    r->scene = (gy_hunt_scene){.system = &r->system, .options = &r->options, .hunt = &r->hunt};
}

static gy_hunter *new_hunter(const run *r, const char *strategy, uint64_t seed)
{
    return gy_hunter_new(gy_strategy_named(strategy), &r->scene, gy_worker_new(r->scene.system),
                         false, seed);
}

static gy_hunter *hunt_to_the_end(const run *r, const char *strategy, uint64_t seed)
{
    gy_hunter *h = new_hunter(r, strategy, seed);
    while (!h->over)
        gy_hunter_go_on(h, 100);
    return h;
}

// ---- digest 1: a plateau ---------------------------------------------------------------------

// A root with N leaves of the same value, one of which has the error after it.
static void plateau(written *w, unsigned leaves)
{
    for (unsigned i = 1; i <= leaves; i++)
        add(w, 0, (int)i, 0);
    add(w, (int)leaves, FAIL, 0);
}

static void ties_are_broken_evenly(void **unused)
{
    enum { LEAVES = 8, TRIALS = 10000 };
    (void)unused;
    unsigned counts[LEAVES + 1] = {0};
    double mean = 0, chi = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        written w = {0};
        run r;
        plateau(&w, LEAVES);
        run_init(&r, &w);
        gy_hunter *h = hunt_to_the_end(&r, "guided", seed);
        assert_int_equal(h->findings.n, 1);
        // the root, then leaves up to the last of them
        assert_in_range(w.expanded.n, 2, 1 + LEAVES);
        counts[w.expanded.n - 1]++;
        mean += (double)w.expanded.n / TRIALS;
        gy_hunter_free(h);
        gy_vec_free(&w.expanded);
    }
    for (unsigned i = 1; i <= LEAVES; i++) {
        double expected = (double)TRIALS / LEAVES;
        chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    assert_true(chi < 24.32); // 7 degrees of freedom, one chance in a thousand; the seeds are fixed
    assert_true(fabs(mean - (1 + (LEAVES + 1) / 2.0)) < 0.1);
}

static void without_random_ties_the_oldest_goes_first(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        written w = {0};
        run r;
        plateau(&w, 8);
        run_init(&r, &w);
        r.hunt.ties = GY_TIES_NONE;
        gy_hunter *h = hunt_to_the_end(&r, "guided", seed);
        assert_int_equal(w.expanded.n, 1 + 8);
        gy_hunter_free(h);
        gy_vec_free(&w.expanded);
    }
}

// ---- digest 2, 4: the queue ------------------------------------------------------------------

static void ties_are_global(void **unused)
{
    enum { TRIALS = 10000 };
    (void)unused;
    unsigned first = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        gy_queue q;
        int64_t value;
        gy_queue_init(&q, GY_TIES_INSERTION, 0, seed);
        gy_queue_push(&q, 3, 1); // shallow
        gy_queue_push(&q, 2, 7);
        assert_int_equal(gy_queue_pop(&q, &value), 7);
        gy_queue_push(&q, 3, 2); // deep, later
        first += gy_queue_pop(&q, &value) == 2;
        assert_int_equal(value, 3);
        gy_queue_free(&q);
    }
    assert_true(fabs((double)first / TRIALS - 0.5) < 0.02);
}

// A hundred ties, fifty taken, one more: it is next with 51/101 if keys are fixed when states come
// in, and with 1/51 if any is taken.
static double chance_of_the_fresh_one(gy_ties ties)
{
    enum { TRIALS = 10000, TIES = 100, TAKEN = 50 };
    unsigned fresh = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        gy_queue q;
        int64_t value;
        gy_queue_init(&q, ties, 0, seed);
        for (uint64_t i = 0; i < TIES; i++)
            gy_queue_push(&q, 0, i);
        for (unsigned i = 0; i < TAKEN; i++)
            gy_queue_pop(&q, &value);
        gy_queue_push(&q, 0, TIES);
        fresh += gy_queue_pop(&q, &value) == TIES;
        gy_queue_free(&q);
    }
    return (double)fresh / TRIALS;
}

static void fresh_states_tend_to_go_first(void **unused)
{
    (void)unused;
    assert_true(fabs(chance_of_the_fresh_one(GY_TIES_INSERTION) - 51.0 / 101) < 0.02);
    assert_true(fabs(chance_of_the_fresh_one(GY_TIES_UNIFORM) - 1.0 / 51) < 0.01);
    assert_true(chance_of_the_fresh_one(GY_TIES_NONE) == 0);
}

// Whatever is pushed and popped, no state goes before one with a lower value that is there.
static void values_decide_first(void **unused)
{
    (void)unused;
    for (gy_ties ties = GY_TIES_INSERTION; ties <= GY_TIES_NONE; ties++) {
        enum { VALUES = 6 };
        unsigned here[VALUES] = {0};
        gy_queue q;
        gy_random random;
        int64_t value;
        gy_queue_init(&q, ties, 0, 5);
        gy_random_seed(&random, ties);
        for (unsigned step = 0; step < 5000; step++) {
            if (q.n && gy_random_below(&random, 2)) {
                gy_queue_pop(&q, &value);
                for (int64_t v = 0; v < value; v++)
                    assert_int_equal(here[v], 0);
                here[value]--;
            } else {
                uint64_t v = gy_random_below(&random, VALUES);
                gy_queue_push(&q, (int64_t)v, step);
                here[v]++;
            }
        }
        gy_queue_free(&q);
    }
}

// ---- digest 3: greedy ------------------------------------------------------------------------

static void the_nearest_goes_first(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 50; seed++) {
        written w = {0};
        run r;
        add(&w, 0, 1, 0);
        add(&w, 0, 2, 0);
        add(&w, 0, 3, 0);
        w.values[1] = 12;
        w.values[2] = 9;
        w.values[3] = 2;
        run_init(&r, &w);
        gy_hunter *h = hunt_to_the_end(&r, "guided", seed);
        assert_int_equal(w.expanded.at[0], 0);
        assert_int_equal(w.expanded.at[1], 3);
        assert_int_equal(w.expanded.at[2], 2);
        assert_int_equal(w.expanded.at[3], 1);
        assert_true(gy_hunter_is_proof(h));
        gy_hunter_free(h);
        gy_vec_free(&w.expanded);
    }
}

// ---- digest 7: the limit ---------------------------------------------------------------------

static void the_queue_is_never_longer(void **unused)
{
    (void)unused;
    gy_queue q;
    int64_t value;
    unsigned worst = 0;
    gy_queue_init(&q, GY_TIES_INSERTION, 10, 3);
    for (uint64_t i = 0; i < 1000; i++) {
        gy_queue_push(&q, (int64_t)(i % 7), i);
        assert_true(q.n <= 10);
    }
    assert_true(q.truncated);
    assert_int_equal(q.n, 10);
    while (q.n) {
        gy_queue_pop(&q, &value);
        worst += value != 0;
    }
    assert_int_equal(worst, 0); // the best were kept
    gy_queue_free(&q);
}

static void what_is_dropped_is_any_of_the_worst(void **unused)
{
    enum { TRIALS = 6000 };
    (void)unused;
    unsigned dropped[3] = {0};
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        gy_queue q;
        int64_t value;
        bool here[3] = {0};
        gy_queue_init(&q, GY_TIES_INSERTION, 2, seed);
        for (uint64_t i = 0; i < 3; i++)
            gy_queue_push(&q, 4, i);
        while (q.n)
            here[gy_queue_pop(&q, &value)] = true;
        for (unsigned i = 0; i < 3; i++)
            dropped[i] += !here[i];
        gy_queue_free(&q);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_true(fabs((double)dropped[i] / TRIALS - 1.0 / 3) < 0.03);
}

static void a_truncated_search_is_no_proof(void **unused)
{
    (void)unused;
    toy t = {.seed = 3, .nodes = 3000, .degree = 4, .reach = 200};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    gy_hunt_options hunt = {.queue_limit = 0};
    gy_search_defaults(&options);
    options.search = GY_SEARCH_BEST;
    options.hunt = &hunt;
    for (uint64_t limit = 0; limit <= 20; limit += 20) {
        hunt.queue_limit = limit;
        gy_search_result *result = gy_search(system, &options);
        assert_int_equal(result->completeness, limit ? GY_LOSSY : GY_COMPLETE);
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

// ---- strategies ------------------------------------------------------------------------------

// On random graphs each strategy finds an error if and only if there is one that it can find, and
// what it found is one.
static void strategies_find_errors(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 40; seed += sample_step()) {
        toy t = {.seed = seed, .nodes = 400, .degree = 3, .reach = 15};
        t.fault_rate = seed % 2 ? 60 : 0;
        t.dead_rate = seed % 4 == 2 ? 80 : 0;
        t.weighted = seed % 3 == 0;
        t.varied = seed % 5 == 0;
        gy_system *system = toy_system(&t);
        toy_truth truth = toy_solve(&t);
        gy_search_options options;
        gy_hunt_options hunt = {.effort = 200000};
        gy_search_defaults(&options);
        options.hunt = &hunt;
        gy_hunt_scene scene = {.system = system, .options = &options, .hunt = &hunt};
        for (unsigned s = 0; gy_strategy_at(s); s++) {
            const gy_strategy *strategy = gy_strategy_at(s);
            gy_hunter *h = gy_hunter_new(strategy, &scene, gy_worker_new(system), false, seed);
            while (!h->over)
                gy_hunter_go_on(h, 1000);
            assert_true(h->findings.n <= 1 && (truth.errors || h->findings.n == 0));
            if (truth.errors && !strategy->endless) // small enough for all of them
                assert_int_equal(h->findings.n, 1);
            if (strategy->proves && !truth.errors) {
                assert_true(gy_hunter_is_proof(h));
                assert_int_equal(h->states, truth.states);
            }
            if (!strategy->proves)
                assert_false(gy_hunter_is_proof(h));
            gy_hunter_free(h);
        }
        gy_system_free(system);
        free(truth.costs);
    }
}

// A hunt says "complete" only if a search was; what it reports is checked to be an error.
static void hunts_are_right(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 60; seed++) {
        toy t = {.seed = seed, .nodes = 500, .degree = 3, .reach = 12, .dead_rate = 100};
        t.fault_rate = seed % 2 ? 90 : 0;
        gy_system *system = toy_system(&t);
        toy_truth truth = toy_solve(&t);
        gy_search_options options;
        gy_hunt_options hunt = {.effort = seed % 3 ? 0 : 300};
        gy_search_defaults(&options);
        options.search = GY_SEARCH_HUNT;
        options.hunt = &hunt;
        options.threads = 1 + (unsigned)(seed % 3);
        gy_search_result *result = gy_search(system, &options);
        if (!truth.errors && !hunt.effort) {
            assert_int_equal(result->completeness, GY_COMPLETE);
            assert_int_equal(result->states, truth.states);
            assert_int_equal(result->transitions, truth.transitions);
        }
        if (result->completeness == GY_COMPLETE)
            assert_int_equal(truth.errors, 0);
        if (truth.errors && !hunt.effort)
            assert_int_equal(result->witness_count, 1);
        for (uint32_t i = 0; i < result->witness_count; i++)
            assert_true(gy_witness_check(system, &result->witnesses[i], false, NULL));
        gy_search_result_free(result);
        gy_system_free(system);
        free(truth.costs);
    }
}

// ---- bounds on schedules -----------------------------------------------------------------------

// Two processes count to two each, process 0 first by its number: node = 3 * a + b. Leaving 0 for 1
// before it is done is a preemption.
static void two_counters(written *w)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            if (a < 2)
                add(w, 3 * a + b, 3 * (a + 1) + b, 0);
            if (b < 2)
                add(w, 3 * a + b, 3 * a + b + 1, 1);
        }
}

static void bound_reaches(const char *strategy, unsigned limit, const bool *wanted)
{
    written w = {0};
    run r;
    bool seen[9] = {0};
    two_counters(&w);
    run_init(&r, &w);
    gy_hunter *h = new_hunter(&r, strategy, 1);
    h->ground.bound_limit = limit;
    while (!h->over && h->runs == 0)
        gy_hunter_go_on(h, 1);
    for (size_t i = 0; i < w.expanded.n; i++)
        seen[w.expanded.at[i]] = true;
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(seen[i], wanted[i]);
    gy_hunter_free(h);
    gy_vec_free(&w.expanded);
}

static void schedules_are_bounded(void **unused)
{
    (void)unused;
    // Without preemptions: either process to its end, then the other.
    static const bool none[9] = {1, 1, 1, 1, 0, 1, 1, 1, 1};
    static const bool all[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    // Without delays: the first mover is free, then it stays until it is done.
    bound_reaches("context", 0, none);
    bound_reaches("context", 1, all);
    bound_reaches("delay", 0, none);
    bound_reaches("delay", 1, all);
}

// ---- PCT ---------------------------------------------------------------------------------------

// The promise is kept: an error of depth 2 (process 1 must come between two steps of process 0, of
// which there are k in all) is met in at least 1/(n k^(d-1)) of the runs.
static void pct_keeps_its_promise(void **unused)
{
    (void)unused;
    uint64_t met = 0, runs = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        written w = {0};
        run r;
        // process 0: 0 -> 1 -> … -> 10; process 1 moves at node 5 only, into the error's node
        for (int i = 0; i < 10; i++)
            add(&w, i, i + 1, 0);
        add(&w, 5, 20, 1);
        add(&w, 20, FAIL, 1);
        run_init(&r, &w);
        r.hunt.effort = 400;
        gy_hunter *h = hunt_to_the_end(&r, "pct", seed);
        met += h->findings.n > 0;
        runs += h->runs + (h->findings.n > 0);
        gy_hunter_free(h);
        gy_vec_free(&w.expanded);
    }
    // n = 2, k = 11, d = 3
    assert_true((double)met / (double)runs >= 1.0 / (2 * 11 * 11));
}

// ---- digest 5, 6: trials and statistics
// ----------------------------------------------------------

static void trials_repeat_exactly(void **unused)
{
    static const char *const names[] = {"guided", "random-dfs", "bitstate", "random-walk",
                                        "pct",    "context",    "delay",    "portfolio"};
    enum { NAMES = sizeof names / sizeof *names, TRIALS = 12 };
    (void)unused;
    toy t = {.seed = 9, .nodes = 20000, .degree = 4, .reach = 60, .fault_rate = 9000};
    gy_system *system = toy_system(&t);
    gy_search_options options;
    gy_hunt_options hunt = {.effort = 30000};
    gy_trials *made[3];
    gy_search_defaults(&options);
    options.hunt = &hunt;
    options.seed = 77;
    for (unsigned i = 0; i < 3; i++) {
        static const unsigned threads[] = {1, 2, 5};
        options.threads = threads[i];
        made[i] = gy_trials_run(system, NULL, &options, names, NAMES, TRIALS);
    }
    unsigned different = 0;
    for (unsigned m = 0; m < NAMES; m++)
        for (unsigned k = 0; k < TRIALS; k++) {
            const gy_trial *a = &made[0]->methods[m].trials[k];
            different += m == 1 && k > 0 && a->moves != made[0]->methods[m].trials[0].moves;
            assert_false(a->broken);
            for (unsigned i = 1; i < 3; i++) {
                const gy_trial *b = &made[i]->methods[m].trials[k];
                assert_int_equal(a->seed, b->seed);
                assert_int_equal(a->found, b->found);
                assert_int_equal(a->moves, b->moves);
                assert_int_equal(a->states, b->states);
                assert_int_equal(a->memory, b->memory);
                assert_int_equal(a->length, b->length);
            }
            // its seed alone repeats it
            options.seed = a->seed;
            gy_trials *one = gy_trials_run(system, NULL, &options, &names[m], 1, 1);
            const gy_trial *again = &one->methods[0].trials[0];
            assert_int_equal(again->found, a->found);
            assert_int_equal(again->moves, a->moves);
            assert_int_equal(again->length, a->length);
            gy_trials_free(one);
        }
    assert_true(different > 0); // other seeds, other orders
    for (unsigned i = 0; i < 3; i++)
        gy_trials_free(made[i]);
    gy_system_free(system);
}

static void statistics(void **unused)
{
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    (void)unused;
    gy_summary s = gy_summarise(values, 8);
    assert_true(s.least == 2 && s.most == 9 && fabs(s.mean - 5) < 1e-12);
    // sample deviation sqrt(32/7), t(7) = 2.365
    assert_true(fabs(s.half - 2.365 * sqrt(32.0 / 7) / sqrt(8)) < 1e-9);
    assert_true(gy_summarise(values, 1).half == 0);
    assert_true(fabs(gy_student_t(30) - 2.042) < 1e-3);
    assert_true(fabs(gy_student_t(60) - 2.000) < 1e-3); // from tables
    assert_true(fabs(gy_student_t(120) - 1.980) < 1e-3);
    assert_true(fabs(gy_normalise(55, 10, 100) - 0.5) < 1e-12);
    assert_true(gy_normalise(10, 10, 100) == 1 && gy_normalise(100, 10, 100) == 0);
    assert_true(gy_normalise(7, 7, 7) == 1);
}

static void densities(void **unused)
{
    (void)unused;
    gy_trial good[100] = {{0}}, bad[100] = {{0}};
    gy_trial_method methods[] = {{.name = "good", .trials = good}, {.name = "bad", .trials = bad}};
    gy_trials trials = {.methods = methods, .method_count = 2, .trial_count = 100};
    for (unsigned i = 0; i < 87; i++)
        good[i] = (gy_trial){.found = true, .moves = i ? 55 : 10, .length = 3};
    good[86].moves = 100;
    assert_int_equal(gy_trials_found(&trials, &methods[0]), 87);
    assert_int_equal(gy_trials_found(&trials, &methods[1]), 0);
    gy_summary s = gy_trials_summary(&trials, &methods[0], GY_METRIC_MOVES);
    assert_int_equal(s.n, 87);
    assert_true(s.least == 10 && s.most == 100);
    assert_int_equal(gy_trials_summary(&trials, &methods[1], GY_METRIC_MOVES).n, 0);
    assert_true(gy_trials_normalised(&trials, &methods[1], GY_METRIC_MOVES) == 0);
    assert_true(gy_trials_normalised(&trials, &methods[0], GY_METRIC_LENGTH) == 1);
    assert_true(fabs(gy_trials_normalised(&trials, &methods[0], GY_METRIC_MOVES) - 0.5) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_are_broken_evenly),
        cmocka_unit_test(without_random_ties_the_oldest_goes_first),
        cmocka_unit_test(ties_are_global),
        cmocka_unit_test(fresh_states_tend_to_go_first),
        cmocka_unit_test(values_decide_first),
        cmocka_unit_test(the_nearest_goes_first),
        cmocka_unit_test(the_queue_is_never_longer),
        cmocka_unit_test(what_is_dropped_is_any_of_the_worst),
        cmocka_unit_test(a_truncated_search_is_no_proof),
        cmocka_unit_test(strategies_find_errors),
        cmocka_unit_test(hunts_are_right),
        cmocka_unit_test(schedules_are_bounded),
        cmocka_unit_test(pct_keeps_its_promise),
        cmocka_unit_test(trials_repeat_exactly),
        cmocka_unit_test(statistics),
        cmocka_unit_test(densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
