// One system, many threads: each explores all of it in an order of its own, and all must find
// the same. Numbers of shapes depend on who comes first, but all threads see the same ones.
#include "exec/native/native.h"
#include "exec/observe/observe.h"
#include "load/load.h"

#include "successor_lists.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 6 };

// Processes and channels come and go: many shapes.
static const char dynamic[] =
    "byte n; chan q = [1] of { chan }; "
    "proctype H(byte depth; chan up) { chan down = [1] of { bit }; "
    "  if :: depth > 0 && _nr_pr < 6 -> run H(depth - 1, down); down?1 "
    "     :: depth > 0 -> n = (n + depth) % 3 :: skip fi; up!1 } "
    "active [2] proctype C() { chan r = [1] of { bit }; end: do :: q!r; r?1 od } "
    "active proctype S() { chan c; end: do :: q?c -> atomic { _nr_pr < 5 -> run H(1, c) } od }";

// Rendezvous, atomic sequences, timeout, arrays.
static const char fixed[] =
    "byte turn, a[4]; chan c = [0] of { byte }; chan d = [2] of { byte, bit }; "
    "active [2] proctype P() { byte x; do :: atomic { turn == _pid -> a[_pid]++; "
    "    if :: a[_pid] > 2 -> a[_pid] = 0 :: else fi; turn = (turn + 1) % 2 } "
    "  :: c!_pid :: d??x, 1 :: d!a[_pid], a[_pid] & 1 :: timeout -> turn = 0 od } "
    "active proctype R() { byte y; do :: c?y -> progress: a[3] = y :: d?y, _ od } "
    "never { do :: a[0] == 2 :: a[1] > 0 && turn == 1 :: else -> accept: skip od }";

typedef struct job {
    gy_system *system;
    const gy_observer *observer;
    int predicate;
    uint64_t seed;
    pthread_barrier_t *start;
    // found: a count, and sums that do not depend on the order
    size_t states;
    uint64_t transitions, state_sum, edge_sum, sights, held, ends;
} job;

typedef struct explorer {
    job *j;
    state_set set;
    uint64_t from;
} explorer;

static int found(void *user, const gy_transition *t)
{
    explorer *e = user;
    uint64_t steps = gy_hash_bytes(t->steps, t->step_count * sizeof *t->steps, 3);
    uint64_t to = t->state ? gy_hash_words(t->state, t->words, 1) : 0;
    e->j->transitions++;
    e->j->edge_sum += gy_hash_number(e->from ^ gy_hash_number(to) ^ steps);
    if (t->state)
        add(&e->set, t->state, t->words);
    return 0;
}

static void seen_move(void *user, const gy_observer_move *move)
{
    job *j = user;
    j->sights += gy_hash_number(move->to * 64 + move->marks + (uint64_t)move->edge);
}

static void look_at(job *j, gy_worker *worker, const gy_word *state, uint32_t words, uint64_t hash)
{
    j->held += gy_holds(worker, state, words, j->predicate) ? hash : 0;
    j->ends += gy_is_end_state(worker, state, words, false) ? hash : 0;
    for (uint32_t at = 0; j->observer && at < j->observer->states; at++)
        j->observer->moves(j->observer->self, worker, state, words, at, seen_move, j);
    if (hash % 64 == 0)
        free(gy_state_text(worker, state, words));
}

static void *explore_all(void *user)
{
    job *j = user;
    explorer e = {.j = j};
    uint64_t random = j->seed;
    GY_VEC(gy_word) state = {0};
    pthread_barrier_wait(j->start);
    gy_worker *worker = gy_worker_new(j->system);
    gy_initial(worker, found, &e);
    // Next is any one of those not yet done: it changes places with the first of them.
    for (size_t i = 0; i < e.set.states.n; i++) {
        random = gy_hash_number(random + 1);
        size_t pick = i + random % (e.set.states.n - i);
        struct place place = e.set.states.at[pick];
        e.set.states.at[pick] = e.set.states.at[i];
        e.set.states.at[i] = place;
        gy_vec_reserve(&state, place.words);
        memcpy(state.at, e.set.words.at + place.at, place.words * sizeof(gy_word));
        e.from = gy_hash_words(state.at, place.words, 1);
        j->state_sum += gy_hash_number(e.from);
        look_at(j, worker, state.at, place.words, e.from);
        gy_successors(worker, state.at, place.words, found, &e);
    }
    j->states = e.set.states.n;
    gy_worker_free(worker);
    gy_vec_free(&state);
    free_set(&e.set);
    return NULL;
}

static void check(const char *text, const char *predicate, bool native)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    gy_native_options options = {
        .mode = native ? GY_NATIVE_AUTO : GY_NATIVE_OFF,
        .cache_dir = "/dev/null/none", // nothing is kept: the code always comes in the middle
        .compiler = access("/usr/bin/tcc", X_OK) == 0 ? "tcc" : NULL,
        .delay = 1e-9,
    };
    gy_system *system = gy_system_native(model, true, NULL, &options, NULL);
    assert_non_null(system);
    gy_text problem = {0};
    int32_t claim = GY_NONE;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (model->templates[t].kind == GY_TMPL_NEVER)
            claim = (int32_t)t;
    gy_observer *observer =
        claim == GY_NONE ? gy_observe_progress(model) : gy_observe_claim(model, claim, &problem);
    assert_non_null(observer);
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, THREADS);
    job jobs[THREADS + 1] = {0};
    pthread_t threads[THREADS];
    for (int i = 0; i <= THREADS; i++)
        jobs[i] = (job){.system = system,
                        .observer = observer,
                        .predicate = i ? jobs[0].predicate : gy_predicate(system, predicate, NULL),
                        .seed = (uint64_t)i,
                        .start = &start};
    assert_true(jobs[0].predicate >= 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, explore_all, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    pthread_barrier_init(&start, NULL, 1);
    explore_all(&jobs[THREADS]); // alone, on the same system
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(jobs[i].states, jobs[THREADS].states);
        assert_int_equal(jobs[i].transitions, jobs[THREADS].transitions);
        assert_true(jobs[i].state_sum == jobs[THREADS].state_sum);
        assert_true(jobs[i].edge_sum == jobs[THREADS].edge_sum);
        assert_true(jobs[i].sights == jobs[THREADS].sights);
        assert_true(jobs[i].held == jobs[THREADS].held);
        assert_true(jobs[i].ends == jobs[THREADS].ends);
    }
    assert_true(jobs[0].states > 1000);
    gy_observer_free(observer);
    gy_text_free(&problem);
    gy_system_free(system);
}

static void many_shapes(void **unused)
{
    (void)unused;
    check(dynamic, "n == 1", false);
}

static void many_shapes_native(void **unused)
{
    (void)unused;
    check(dynamic, "n == 1", true);
}

static void one_shape(void **unused)
{
    (void)unused;
    check(fixed, "a[1] == 1 && turn != 1", false);
}

static void one_shape_native(void **unused)
{
    (void)unused;
    check(fixed, "a[1] == 1 && turn != 1", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_shapes),
        cmocka_unit_test(many_shapes_native),
        cmocka_unit_test(one_shape),
        cmocka_unit_test(one_shape_native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
