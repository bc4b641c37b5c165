// Partial-order reduction: what is kept in a state, what is refused, and searches with known
// answers.
#include "load/load.h"
#include "load/property.h"
#include "reduce/moves.h"
#include "reduce/reduce.h"
#include "search/liveness/product.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static gy_system *load(const char *text)
{
    char *problem = NULL;
    gy_system *system = gy_load_text("test.pml", text, strlen(text), NULL, &problem);
    if (!system)
        fprintf(stderr, "%s\n", problem);
    assert_non_null(system);
    gy_free(problem);
    return system;
}

// ---- the choice in the initial state --------------------------------------------------

typedef struct seen {
    gy_system *system;
    gy_reducer *reducer;
    uint32_t kept, count;
} seen;

static int look_at_start(void *user, const gy_transition *transition)
{
    seen *s = user;
    gy_moves moves = {0};
    gy_worker *worker = gy_worker_new(s->system);
    const gy_transition *all =
        gy_moves_find(&moves, worker, transition->state, transition->words, &s->count);
    s->kept = gy_reduce_choose(s->reducer, transition->state, transition->words, all, s->count,
                               moves.keep.at);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < s->count; i++)
        marked += moves.keep.at[i];
    assert_int_equal(marked, s->kept);
    gy_worker_free(worker);
    gy_moves_free(&moves);
    return 0;
}

// How many of how many transitions of the initial state are kept.
static void expect(const char *text, uint32_t kept, uint32_t count)
{
    const char *why = NULL;
    seen s = {.system = load(text)};
    gy_reduction *reduction = gy_reduction_new(s.system, NULL, &why);
    assert_non_null(reduction);
    s.reducer = gy_reducer_new(reduction);
    gy_worker *worker = gy_worker_new(s.system);
    gy_initial(worker, look_at_start, &s);
    assert_int_equal(s.count, count);
    assert_int_equal(s.kept, kept);
    gy_worker_free(worker);
    gy_reducer_free(s.reducer);
    gy_reduction_free(reduction);
    gy_system_free(s.system);
}

static void local_steps_go_alone(void **unused)
{
    (void)unused;
    expect("active [3] proctype P() { byte x; x = 1; x = 2 }", 1, 3);
    expect("byte g[3]; active [3] proctype P() { g[_pid] = 1; g[_pid] = 2 }", 1, 3);
    // a choice of one process is explored as a whole
    expect("active [3] proctype P() { byte x; if :: x = 1 :: x = 2 fi }", 2, 6);
}

static void shared_variables_conflict(void **unused)
{
    (void)unused;
    expect("byte g; active [3] proctype P() { g = 1; g = 2 }", 3, 3);
    // readers do not disturb each other, but a writer to come does
    expect("byte g; active [3] proctype P() { (g == 0) }", 1, 3);
    expect("byte g; active [2] proctype P() { (g == 0) } active proctype Q() { skip; g = 1 }", 1,
           3);
    expect("byte g; active [2] proctype P() { (g == 0) } active proctype Q() { g = 1 }", 3, 3);
    // an index that is not known may be any
    expect("byte g[3], i; active [2] proctype P() { g[i] = _pid } active proctype Q() { i = 1 }", 3,
           3);
    // an element beyond the number of cells for elements
    expect("byte g[200]; active [2] proctype P() { g[_pid] = 1 }", 2, 2);
}

// Expected by hand: do the statements get along in every state in which both can go?
static void values_count(void **unused)
{
    (void)unused;
    // the same constant, also once it is cut to the type; sums; but not one and the other
    expect("byte g; active [3] proctype P() { g = 1 }", 1, 3);
    expect("bit g; active proctype P() { g = 1 } active proctype Q() { g = 3 }", 1, 2);
    expect("byte g; active proctype P() { g = 1 } active proctype Q() { g = 2 }", 2, 2);
    expect("byte g; active [2] proctype P() { g++ } active proctype Q() { g = g - 3 }", 1, 3);
    expect("byte g; active proctype P() { g++ } active proctype Q() { g = 1 }", 2, 2);
    expect("byte g; active proctype P() { g++ } active proctype Q() { g = 2 * g }", 2, 2);
    expect("byte g, h; active proctype P() { g++ } active proctype Q() { h = g }", 2, 2);
    // a local variable that keeps its value, which is not examined for anything else
    expect("byte g; active proctype P() { byte l = 1; g = l } active proctype Q() { g = 0 }", 2, 2);
    // a guard that goes on holding, or not
    expect("byte g; active proctype P() { (g == 0) } active proctype Q() { g = 0 }", 1, 2);
    expect("byte g; active proctype P() { (g < 2) } active proctype Q() { g = 1 }", 1, 2);
    expect("byte g; active proctype P() { (g < 2) } active proctype Q() { g = 2 }", 2, 2);
    expect("byte g; active proctype P() { (g < 2) } active proctype Q() { g++ }", 2, 2);
    expect("byte g, h; active proctype P() { (h == 7 || !(g != 0)) } active proctype Q() { g = 0 }",
           1, 2);
    expect("byte g, h; active proctype P() { (h == 7 || g == 0) } active proctype Q() { g = 1 }", 2,
           2);
    // in an else, and as a value
    expect("byte g; active proctype P() { if :: g == 1 -> skip :: else fi }"
           "active proctype Q() { g = 0 }",
           2, 2);
    // guards that never hold together: what comes after the other one is not near
    expect(
        "byte g, h; active proctype P() { d_step { g == 0 -> h = 1 } }"
        "active proctype Q() { d_step { g == 1 -> h = 2 } } active proctype R() { byte x; x = 1 }",
        1, 2);
    // of those who store, only one brings what is waited for: the other is left out
    expect("byte g, h; active proctype P() { (g == 1) } active proctype Q() { h = 1; g = 0 }"
           "active proctype R() { h = 2; g = 1 }",
           2, 2);
    // a guard that can fail to have a value is examined as a whole
    expect(
        "byte g, h; active proctype P() { (g == 0 || 4 / h == 2) } active proctype Q() { g = 0 }",
        2, 2);
}

// P waits for f, which nothing changes; but once Q has changed g, its question is a fault. If P
// went first, that would never be seen.
static void questions_that_come_to_fail(void **unused)
{
    (void)unused;
    expect("byte g, f, b[2]; active proctype Q() { g = 3 }"
           "active proctype P() { if :: (b[g] == 0 && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    expect("byte g = 1, f; active proctype Q() { g = 0 }"
           "active proctype P() { if :: (4 / g == 2 && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    // a channel variable that comes to hold none; one that cannot
    expect("chan g = [1] of { bit }; chan h; bit f; active proctype Q() { g = h }"
           "active proctype P() { if :: (len(g) == 0 && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    expect("chan g = [1] of { bit }; chan h; bit f; active proctype Q() { g = h }"
           "active proctype P() { if :: (empty(g) && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    expect("chan g = [1] of { bit }; chan h; bit f; active proctype Q() { g = h }"
           "active proctype P() { if :: (!(g?[1]) && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    expect("chan g = [1] of { bit }; bit f; active proctype Q() { g!1 }"
           "active proctype P() { if :: (len(g) == 0 && f == 1) -> skip :: f == 0 -> skip fi }",
           1, 2);
    // a process of another type; a channel that others come to claim
    expect("byte w, f; active proctype R() { byte z; end: z == 9 } active proctype Q() { w = 1 }"
           "active proctype P() { if :: (R[w]:z == 0 && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
    expect("chan g = [1] of { bit }; bit f; proctype R() { xr g; skip } init { run R() }"
           "active proctype P() { if :: (len(g) == 0 && f == 1) -> skip :: f == 0 -> skip fi }",
           2, 2);
}

static void parameters_tell_processes_apart(void **unused)
{
    (void)unused;
    expect("chan x = [1] of { byte }; chan y = [1] of { byte };"
           "active [2] proctype A() { chan c = (_pid == 0 -> x : y); c!1 }",
           1, 2);
    // assigned somewhere: not to be relied upon
    expect("byte f[4]; active [2] proctype P() { byte a = _pid; f[a] = 1; a = 0 }", 2, 2);
    expect("byte f[4]; active [2] proctype P() { byte a = _pid; f[a] = 1 }", 1, 2);
}

static void ends_of_a_channel_are_apart(void **unused)
{
    (void)unused;
    // two senders conflict; if there is room, a receiver does not disturb one
    expect("chan c = [2] of { byte }; active [2] proctype P() { c!_pid }", 2, 2);
    expect("chan c = [2] of { byte }; active proctype P() { c!1; c!2 }"
           "active proctype Q() { byte x; skip; c?x }",
           1, 2);
    // who examines the length sees both
    expect("chan c = [2] of { byte }; active proctype P() { c!1 }"
           "active proctype Q() { (len(c) == 0) }",
           2, 2);
    // nempty stays true when more is sent
    expect("chan c = [2] of { byte }; active proctype P() { c!1; c!2 }"
           "active proctype Q() { skip; nempty(c) }",
           1, 2);
    expect("chan c = [2] of { byte }; active proctype P() { c!1; c!2 }"
           "active proctype Q() { empty(c) }",
           2, 2);
    // a sorted send may go to the front
    expect("chan c = [2] of { byte }; active proctype P() { c!!1 }"
           "active proctype Q() { byte x; skip; c?x }",
           1, 2);
    expect("chan c = [3] of { byte }; active proctype P() { atomic { c!5; c!7 }; c!!1 }"
           "active proctype Q() { byte x; atomic { skip; (len(c) == 0) } }",
           2, 2);
}

static void partners_come_together(void **unused)
{
    (void)unused;
    expect("chan c = [0] of { byte }; active proctype P() { c!1 }"
           "active proctype Q() { byte x; c?x } active proctype R() { byte y; y = 1 }",
           1, 2);
    // two who could receive: both ways must be tried
    expect("chan c = [0] of { byte }; active proctype P() { c!1 }"
           "active [2] proctype Q() { byte x; c?x }",
           2, 2);
    // else next to an offer: whoever may come to take it must not be put off
    expect("chan c = [0] of { byte }; active proctype P() { if :: c!1 :: else fi }"
           "active proctype Q() { byte x; x = 1; c?x }",
           2, 2);
}

static void atomic_sequences_count_as_a_whole(void **unused)
{
    (void)unused;
    expect("byte g; active proctype P() { atomic { skip; g = 1 } }"
           "active proctype Q() { (g == 0) }",
           2, 2);
    expect("byte g; active proctype P() { skip; g = 1 } active proctype Q() { (g == 0) }", 1, 2);
    // it may block inside, which depends on the other
    expect("byte g; active proctype P() { atomic { skip; (g == 1) } }"
           "active proctype Q() { g = 1 }",
           2, 2);
    expect("chan c = [1] of { byte }; active proctype P() { atomic { skip; c!1; c!2 } }"
           "active proctype Q() { byte x; atomic { skip; c?x } }",
           2, 2);
}

static void else_looks_at_its_neighbours(void **unused)
{
    (void)unused;
    expect("byte g; active proctype P() { if :: g == 1 :: else fi } active proctype Q() { g = 1 }",
           2, 2);
    expect("chan c = [1] of { byte }; active proctype P() { byte x; if :: c?x :: else fi }"
           "active proctype Q() { c!1 }",
           2, 2);
}

static void processes_come_and_go(void **unused)
{
    (void)unused;
    expect("proctype P() { skip } active proctype A() { run P() } active proctype B() { run P() }",
           2, 2);
    expect("proctype P() { skip } active proctype A() { run P() }"
           "active proctype B() { (_nr_pr == 2) }",
           2, 2);
    // what is started may do something that matters to the step of B, but starting it does not
    expect("byte g; proctype P() { g = 1 } active proctype A() { run P() }"
           "active proctype B() { do :: g == 0 -> skip; g == 1 od }",
           1, 2);
    // what is started may be the partner that an else next to an offer did not find
    expect("chan c = [0] of { byte }; proctype P() { byte x; c?x }"
           "active proctype A() { run P() }"
           "active proctype B() { end: do :: c!1 :: else -> skip od }",
           2, 2);
    // the end of B and the start of P do: P's number depends on it
    expect("byte g; proctype P() { g = 1 } active proctype A() { run P() }"
           "active proctype B() { (g == 0) }",
           2, 2);
}

static void remote_references_are_seen(void **unused)
{
    (void)unused;
    expect("active proctype P() { byte x; x = 1; here: skip } active proctype Q() { !P@here }", 2,
           2);
    expect("active proctype P() { byte x; x = 1; x = 2 } active proctype Q() { P:x == 0 }", 2, 2);
    expect("active proctype P() { byte x, y; y = 1; y = 2; x = 1 }"
           "active proctype Q() { byte z; z = 1; P:x == 0 }",
           1, 2);
}

static void timeouts_are_expanded_fully(void **unused)
{
    (void)unused;
    expect("active [2] proctype P() { byte x; timeout; x = 1 }", 2, 2);
    expect("active proctype P() { timeout } active [2] proctype Q() { byte x; x = 1 }", 1, 2);
}

// ---- what is refused ------------------------------------------------------------------

// ---- the choice in every state -----------------------------------------------------------

typedef struct walk {
    gy_system *system;
    gy_reduction *reduction;
    gy_reducer *old; // has seen the states before
    uint32_t states;
} walk;

static int compare_choices(void *user, const gy_transition *transition)
{
    walk *w = user;
    uint32_t count, marked = 0;
    uint8_t keep[64];
    gy_moves moves = {0};
    gy_worker *worker = gy_worker_new(w->system);
    gy_reducer *fresh = gy_reducer_new(w->reduction);
    const gy_word *state = transition->state;
    const gy_transition *all = gy_moves_find(&moves, worker, state, transition->words, &count);
    assert_true(count < 64);
    w->states++;
    uint32_t kept = gy_reduce_choose(w->old, state, transition->words, all, count, keep);
    for (uint32_t i = 0; i < count; i++)
        marked += keep[i];
    assert_int_equal(kept, marked);
    assert_int_equal(gy_reduce_choose(fresh, state, transition->words, all, count, moves.keep.at),
                     kept);
    assert_memory_equal(keep, moves.keep.at, count);
    for (uint32_t i = 0; i < count; i++)
        compare_choices(w, &all[i]);
    gy_reducer_free(fresh);
    gy_worker_free(worker);
    gy_moves_free(&moves);
    return 0;
}

// What was decided before is remembered by places and moves. In the two states that T leads to,
// these differ only in how many moves P and Q have.
static void choices_met_before(void **unused)
{
    (void)unused;
    const char *why = NULL;
    walk w = {.system = load("chan r = [0] of { bit }; bit go, p, q;"
                             "active proctype P() { byte y; atomic { go;"
                             "  if :: !p -> y = 1 :: !p -> y = 2 :: p -> y = 3 fi } }"
                             "active proctype Q() { byte y; atomic { go;"
                             "  if :: !q -> y = 1 :: !q -> y = 2 :: q -> y = 3 fi } }"
                             "active proctype T() { atomic { if :: p = 1 :: q = 1 fi; go = 1 } }"
                             "active proctype U() { do :: r!1 :: r?1 od }")};
    w.reduction = gy_reduction_new(w.system, NULL, &why);
    assert_non_null(w.reduction);
    w.old = gy_reducer_new(w.reduction);
    gy_worker *worker = gy_worker_new(w.system);
    gy_initial(worker, compare_choices, &w);
    assert_true(w.states > 10);
    gy_worker_free(worker);
    gy_reducer_free(w.old);
    gy_reduction_free(w.reduction);
    gy_system_free(w.system);
}

static void refuses(const char *text, const char *reason)
{
    const char *why = NULL;
    gy_system *system = load(text);
    assert_null(gy_reduction_new(system, NULL, &why));
    assert_non_null(why);
    assert_non_null(strstr(why, reason));
    gy_system_free(system);
}

static void some_models_are_refused(void **unused)
{
    (void)unused;
    refuses("active proctype P() { (_last == 0) }", "_last");
    refuses("active proctype P() priority 2 { set_priority(0, 3) }", "priorities");
    refuses("byte g; active proctype P() { (timeout || g == 1) }", "timeout");
}

// ---- searches -------------------------------------------------------------------------

static gy_search_result *search(const char *text, gy_search_kind kind, bool reduce)
{
    gy_search_options options;
    gy_system *system = load(text);
    gy_search_defaults(&options);
    options.search = kind;
    options.reduce = reduce;
    options.check_reduction = true;
    gy_search_result *result = gy_search(system, &options);
    assert_int_not_equal(result->completeness, GY_FAILED);
    if (reduce && result->reduced && result->completeness == GY_COMPLETE)
        assert_true(result->reduction_checked);
    gy_system_free(system);
    return result;
}

// Philosophers who take both forks at once: a Lucas number of states, n + 1 of which and 2n moves
// suffice (Evangelista and Pajault, SPIN 2007, figure 1). The initial state counts as a transition.
static void philosophers_with_atomic_forks(void **unused)
{
    static const uint64_t lucas[] = {2, 1, 3, 4, 7, 11, 18, 29, 47, 76, 123};
    (void)unused;
    for (unsigned n = 4; n <= 10; n++) {
        char text[512];
        snprintf(text, sizeof text,
                 "bool f[%u]; active [%u] proctype P() { end: do"
                 ":: d_step { !f[_pid] && !f[(_pid + 1) %% %u] -> f[_pid] = 1;"
                 "     f[(_pid + 1) %% %u] = 1 };"
                 "   d_step { f[_pid] = 0; f[(_pid + 1) %% %u] = 0 } od }",
                 n, n, n, n, n);
        for (gy_search_kind kind = GY_SEARCH_BFS; kind <= GY_SEARCH_DFS; kind++) {
            gy_search_result *all = search(text, kind, false), *some = search(text, kind, true);
            assert_int_equal(all->states, lucas[n]);
            assert_int_equal(some->states, n + 1);
            assert_int_equal(some->transitions, 2 * n + 1);
            assert_int_equal(all->errors + some->errors, 0);
            gy_search_result_free(all);
            gy_search_result_free(some);
        }
    }
}

// A process that goes round and round must not put another one off for ever.
static void nothing_is_ignored(void **unused)
{
    (void)unused;
    // the youngest process is tried first: it is the one that goes round
    static const char *const texts[] = {
        "active proctype Q() { assert(false) } active proctype P() { end: do :: skip od }",
        "active proctype Q() { byte y; y = 1; y = 2; assert(y == 1) }"
        "active proctype P() { byte x; end: do :: x = 1 - x od }",
        "active proctype Q() { byte y; do :: y < 5 -> y++ :: else -> break od; assert(false) }"
        "active [2] proctype P() { byte x; end: do :: x = 1 :: x = 2 :: x = 0 od }",
        "chan c = [1] of { byte };"
        "active proctype R() { byte y; y = 1; assert(y == 0) }"
        "active proctype P() { end: do :: c!1 od }"
        "active proctype Q() { byte x; end: do :: c?x od }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (gy_search_kind kind = GY_SEARCH_BFS; kind <= GY_SEARCH_DFS; kind++) {
            gy_search_result *result = search(texts[i], kind, true);
            assert_int_equal(result->errors, 1);
            assert_int_equal(result->witness_count, 1);
            gy_search_result_free(result);
        }
}

// ---- by many threads ------------------------------------------------------------------

static gy_search_result *search_by(const char *text, bool reduce, gy_store_kind store,
                                   unsigned threads, bool hostile)
{
    gy_search_options options;
    gy_system *system = load(text);
    gy_search_defaults(&options);
    options.reduce = reduce;
    options.store = store;
    options.threads = threads;
    options.hostile = hostile;
    gy_search_result *result = gy_search(system, &options);
    gy_system_free(system);
    return result;
}

// The engine for many threads has a proviso of its own.
static void threads_ignore_nothing(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "active proctype Q() { assert(false) } active proctype P() { end: do :: skip od }",
        "active proctype Q() { byte y; y = 1; y = 2; y = 3; assert(y == 1) }"
        "active [2] proctype P() { byte x; end: do :: x = (x + 1) % 50 od }",
        "active proctype Q() { byte y; do :: y < 9 -> y++ :: else -> break od; assert(false) }"
        "active [3] proctype P() { byte x; end: do :: x < 9 -> x++ :: x > 0 -> x-- od }",
        "chan c = [1] of { byte };"
        "active proctype R() { byte y; y = 1; assert(y == 0) }"
        "active proctype P() { end: do :: c!1 od }"
        "active proctype Q() { byte x; end: do :: c?x od }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (gy_store_kind store = GY_STORE_TREE; store <= GY_STORE_PLAIN; store++)
            for (unsigned threads = 1; threads < 4; threads++) {
                gy_search_result *result = search_by(texts[i], true, store, threads, threads == 2);
                assert_int_equal(result->errors, 1);
                gy_search_result_free(result);
            }
}

// Two lines that lose and repeat, going round: nearly every state leads back to old ones.
static void threads_explore_the_same_reduced_states(void **unused)
{
    (void)unused;
    static const char text[] =
        "chan data[2] = [2] of { byte }; chan ack[2] = [1] of { byte };"
        "proctype S(byte l) { byte b, a; end: do :: data[l]!b :: ack[l]?a ->"
        "  if :: a == b -> b = 1 - b :: else fi od }"
        "proctype R(byte l) { byte w, b; end: do :: data[l]?b ->"
        "  if :: b == w -> w = 1 - w :: else fi; ack[l]!(1 - w) od }"
        "proctype N(byte l) { end: do :: data[l]?_ :: ack[l]?_ od }"
        "init { atomic { run S(0); run R(0); run N(0); run S(1); run R(1); run N(1) } }";
    gy_search_result *all = search_by(text, false, GY_STORE_TREE, 1, false);
    gy_search_result *one = search_by(text, true, GY_STORE_TREE, 1, false);
    assert_true(one->states * 2 < all->states);
    assert_true(one->expanded_fully < one->expanded_reduced);
    for (gy_store_kind store = GY_STORE_TREE; store <= GY_STORE_PLAIN; store++)
        for (unsigned threads = 1; threads < 5; threads++)
            for (unsigned hostile = 0; hostile < 2; hostile++) {
                gy_search_result *result = search_by(text, true, store, threads, hostile);
                assert_true(result->reduced);
                assert_int_equal(result->states, one->states);
                assert_int_equal(result->transitions, one->transitions);
                assert_int_equal(result->expanded_fully, one->expanded_fully);
                assert_int_equal(result->errors, all->errors);
                assert_memory_equal(result->reached_edges, all->reached_edges, all->edge_count);
                gy_search_result_free(result);
            }
    gy_search_result_free(all);
    gy_search_result_free(one);
}

// Errors that depend on the order of two steps on a channel.
static void orders_on_a_channel(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "chan c = [2] of { byte }; active proctype P() { c!5; c!!1 }" // the 1 overtakes the 5
        "active proctype Q() { byte x; c?x; assert(x == 5) }",
        "chan c = [2] of { byte }; active proctype P() { c!5; c!6 }"
        "active proctype Q() { byte x; c?x; assert(len(c) == 0) }",
        "chan c = [2] of { byte }; active proctype P() { c!5 }"
        "active [2] proctype Q() { byte x; c?<x>; assert(nempty(c)); c?x }",
        "chan c = [1] of { byte }; active proctype P() { c!5; c!6 }"
        "active proctype Q() { byte x; end: do :: c?x :: full(c) -> assert(false) od }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (gy_search_kind kind = GY_SEARCH_BFS; kind <= GY_SEARCH_DFS; kind++) {
            gy_search_result *result = search(texts[i], kind, true);
            assert_int_equal(result->errors, 1);
            gy_search_result_free(result);
        }
}

// The path to an error that is reported is a shortest one nevertheless.
static void counterexamples_stay_shortest(void **unused)
{
    (void)unused;
    const char *text = "byte g; active [3] proctype P() { byte x; x = 1; x = 2; x = 3 }"
                       "active proctype Q() { g = 1; assert(g == 0) }";
    gy_search_result *result = search(text, GY_SEARCH_BFS, true);
    assert_int_equal(result->witness_count, 1);
    assert_int_equal(result->witnesses[0].step_count, 2);
    gy_search_result_free(result);
}

static void unsound_pairs_are_refused(void **unused)
{
    (void)unused;
    gy_search_options options;
    gy_system *system = load("active [2] proctype P() { byte x; x = 1 }");
    gy_search_defaults(&options);
    options.reduce = true;
    options.depth_limit = 10;
    gy_search_result *result = gy_search(system, &options);
    assert_false(result->reduced);
    assert_non_null(strstr(result->not_reduced, "depth limit"));
    gy_search_result_free(result);
    options.depth_limit = 0;
    options.search = GY_SEARCH_RANDOM;
    result = gy_search(system, &options);
    assert_false(result->reduced);
    assert_non_null(result->not_reduced);
    gy_search_result_free(result);
    gy_system_free(system);
}

// ---- formulas ---------------------------------------------------------------------------

typedef struct question {
    const char *model, *formula;
    bool holds, reduced;
} question;

#define LOOP "active proctype P() { byte x; do :: x = 1 - x od }" // youngest: tried first
#define COUNT                                                                                      \
    "byte n; bool done; active [3] proctype P() { byte i; do :: i < 3 -> i++ :: else -> break od;" \
    " n++ } active proctype Q() { (n == 3); done = true; do :: skip od }"

static const question questions[] = {
    // a process that goes round must not put the others off for ever: nor need they ever move
    {"byte g; active proctype Q() { g = 1 }" LOOP, "[] (g == 0)", false, true},
    {"byte g; active proctype Q() { g = 1 }" LOOP, "<> (g == 1)", false, true},
    {"byte g, h; active proctype Q() { byte y; y = 1; y = 2; g = 1; h = 1 }" LOOP, "[] (h == 0)",
     false, true},
    {"byte g, h; active proctype Q() { g = 1; h = 1 }" LOOP, "[] (h == 1 -> g == 1)", true, true},
    {COUNT, "<> done", true, true},
    {COUNT, "[] (done -> n == 3)", true, true},
    {COUNT, "[] !done", false, true},
    {COUNT, "(n < 3) U done", false, true},
    {COUNT, "[] <> done", true, true},
    {COUNT, "X (n == 0)", true, false},
    // both orders of two visible steps
    {"byte g, h; active proctype P() { g = 1 } active proctype Q() { h = 1 }",
     "(h == 0) U (g == 1)", false, true},
    {"byte g, h; active proctype P() { g = 1 } active proctype Q() { h = 1 }",
     "(g == 0) U (h == 1)", false, true},
    // locations and locals of others
    {"active proctype P() { byte x; x = 1; here: x = 2 } active [2] proctype Q() { byte y; y = 1 }",
     "<> P@here", true, true},
    {"active proctype P() { byte x; x = 1; x = 2 } active [2] proctype Q() { byte y; y = 1 }",
     "[] (P:x != 2)", false, true},
};

static void ask(const question *q, bool reduce)
{
    gy_diags *diags = NULL;
    gy_text problem = {0};
    gy_vacuity vacuity;
    gy_search_options options;
    gy_model *model = gy_load_model_text("test.pml", q->model, strlen(q->model), NULL, &diags);
    assert_non_null(model);
    gy_diags_free(diags);
    gy_formula *formula = gy_load_formula(model, q->formula, &diags);
    assert_non_null(formula);
    gy_diags_free(diags);
    gy_system *system = gy_system_vm(model, true, NULL);
    gy_observer *observer = gy_observe_ltl(model, formula, false, 0, &vacuity, &problem);
    assert_non_null(observer);
    gy_search_defaults(&options);
    options.reduce = reduce;
    options.check_reduction = options.hostile = true;
    gy_product_result *result = gy_product_search(system, observer, GY_FAIRNESS_NONE, &options);
    assert_int_equal(result->lasso == NULL, q->holds);
    assert_int_equal(result->figures->reduced, reduce && q->reduced);
    assert_int_equal(result->figures->reduction_checked, reduce && q->reduced);
    if (reduce && !q->reduced)
        assert_non_null(strstr(result->figures->not_reduced, "stutter-invariant"));
    gy_product_result_free(result);
    gy_observer_free(observer);
    gy_system_free(system);
    gy_text_free(&problem);
}

static void formulas_get_the_same_answers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        ask(&questions[i], false);
        ask(&questions[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_steps_go_alone),
        cmocka_unit_test(shared_variables_conflict),
        cmocka_unit_test(values_count),
        cmocka_unit_test(questions_that_come_to_fail),
        cmocka_unit_test(parameters_tell_processes_apart),
        cmocka_unit_test(ends_of_a_channel_are_apart),
        cmocka_unit_test(partners_come_together),
        cmocka_unit_test(atomic_sequences_count_as_a_whole),
        cmocka_unit_test(else_looks_at_its_neighbours),
        cmocka_unit_test(processes_come_and_go),
        cmocka_unit_test(remote_references_are_seen),
        cmocka_unit_test(timeouts_are_expanded_fully),
        cmocka_unit_test(choices_met_before),
        cmocka_unit_test(some_models_are_refused),
        cmocka_unit_test(philosophers_with_atomic_forks),
        cmocka_unit_test(nothing_is_ignored),
        cmocka_unit_test(threads_ignore_nothing),
        cmocka_unit_test(threads_explore_the_same_reduced_states),
        cmocka_unit_test(orders_on_a_channel),
        cmocka_unit_test(counterexamples_stay_shortest),
        cmocka_unit_test(unsound_pairs_are_refused),
        cmocka_unit_test(formulas_get_the_same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
