// Checking candidates: small graphs with known answers, and random ones in which every state must
// lead to a fully expanded one at the end, by brute force, whatever the names and the order of
// reports.
#include "search/safety/level_proviso.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST = 400, DEGREE = 4 };

// A state has moves; the first `kept` of them are taken, all if it is expanded fully.
typedef struct graph {
    uint32_t size;
    uint32_t moves[MOST], kept[MOST], to[MOST][DEGREE];
} graph;

typedef struct search {
    const graph *g;
    uint64_t name[MOST]; // by state
    uint32_t threads;
    uint64_t allowance;
    uint64_t remembered;
    uint32_t shuffle; // seed of the order of reports
    gy_budget budget;
    gy_level_proviso proviso;
    gy_number_set next, full;
    gy_proviso_reports reports[3];
    bool seen[MOST], failed[MOST];
    uint32_t level[MOST], count;      // the states of this level
    uint32_t next_level[MOST], newer; // and of the next
    uint32_t asked[MOST], ask_count;
    uint32_t looks, failures, states;
    uint32_t *interrupted; // at once, so many times; NULL: never
} search;

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static gy_ref named(const search *s, uint32_t state)
{
    return s->name[state];
}

static uint32_t state_of(const search *s, gy_ref ref)
{
    for (uint32_t i = 0; i < s->g->size; i++)
        if (s->name[i] == ref)
            return i;
    fail_msg("a reference that was never given");
    return 0;
}

static bool is_full(const graph *g, uint32_t state)
{
    return g->kept[state] == g->moves[state];
}

static void report(search *s, uint32_t state)
{
    gy_proviso_reports *to = &s->reports[state % s->threads];
    bool full = is_full(s->g, state);
    assert_true(
        gy_proviso_reports_add(to, full ? GY_PROVISO_FULL : GY_PROVISO_REDUCED, named(s, state)));
    for (uint32_t i = 0; !full && i < s->g->kept[state]; i++)
        assert_true(gy_proviso_reports_add(to, GY_PROVISO_LEAD, named(s, s->g->to[state][i])));
}

static void hear(search *s)
{
    for (uint32_t i = 0; i < s->threads; i++) {
        uint32_t at = (i + s->shuffle) % s->threads;
        assert_true(gy_level_proviso_hear(&s->proviso, &s->reports[at], &s->next, &s->full));
        s->reports[at].n = 0;
    }
}

static void ask(void *user, gy_ref state)
{
    search *s = user;
    s->asked[s->ask_count++] = state_of(s, state);
}

static uint64_t rank(void *user, gy_ref state)
{
    return state_of(user, state) * 0x9e3779b97f4a7c15u; // of the state, whatever its name
}

static void note_failed(void *user, gy_ref state)
{
    search *s = user;
    uint32_t number = state_of(s, state);
    assert_false(s->failed[number] || is_full(s->g, number));
    s->failed[number] = true;
    s->failures++;
    assert_true(gy_number_set_add(&s->full, state));
}

static bool enter(search *s, uint32_t state)
{
    if (s->seen[state])
        return false;
    s->seen[state] = true;
    s->states++;
    s->next_level[s->newer++] = state;
    return true;
}

static void check(search *s)
{
    assert_true(gy_number_set_begin(&s->next, s->newer));
    for (uint32_t i = 0; i < s->newer; i++)
        assert_true(gy_number_set_add(&s->next, s->name[s->next_level[i]]));
    gy_level_proviso_begin(&s->proviso, s->remembered);
    do {
        hear(s);
        s->ask_count = 0;
        gy_level_proviso_ask(&s->proviso, s->allowance, ask, s);
        for (uint32_t i = 0; i < s->ask_count; i++)
            report(s, s->asked[i]);
        s->looks += s->ask_count;
    } while (s->ask_count);
    gy_level_proviso_fail(&s->proviso, rank, note_failed, s);
}

static void expand_level(search *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t state = s->level[(i + s->shuffle) % s->count];
        bool leads_on = is_full(s->g, state);
        for (uint32_t k = 0; k < s->g->kept[state]; k++)
            leads_on |= enter(s, s->g->to[state][k]);
        if (!leads_on)
            report(s, state);
    }
}

static bool interrupt(void *times)
{
    ++*(uint32_t *)times;
    return true;
}

static void run(search *s)
{
    gy_budget_init(&s->budget, 0);
    gy_level_proviso_init(&s->proviso, &s->budget);
    s->proviso.interrupted = s->interrupted ? interrupt : NULL;
    s->proviso.of = s->interrupted;
    gy_number_set_init(&s->next, &s->budget);
    gy_number_set_init(&s->full, &s->budget);
    for (uint32_t i = 0; i < 3; i++)
        gy_proviso_reports_init(&s->reports[i], &s->budget);
    enter(s, 0);
    while (s->newer) {
        memcpy(s->level, s->next_level, sizeof s->level);
        s->count = s->newer;
        s->newer = 0;
        expand_level(s);
        check(s);
        for (uint32_t i = 0; i < s->count; i++)
            for (uint32_t k = 0; s->failed[s->level[i]] && k < s->g->moves[s->level[i]]; k++)
                enter(s, s->g->to[s->level[i]][k]);
    }
    gy_level_proviso_free(&s->proviso);
    gy_number_set_free(&s->next);
    gy_number_set_free(&s->full);
    for (uint32_t i = 0; i < 3; i++)
        gy_proviso_reports_free(&s->reports[i]);
}

static search new_search(const graph *g)
{
    search s = {.g = g, .threads = 1, .allowance = UINT64_MAX, .remembered = UINT64_MAX};
    for (uint32_t i = 0; i < g->size; i++)
        s.name[i] = i;
    return s;
}

// Every state leads to one that is expanded fully, by what was taken.
static void check_nothing_is_ignored(const search *s)
{
    bool fine[MOST] = {0}, changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < s->g->size; i++) {
            bool now = is_full(s->g, i) || s->failed[i];
            for (uint32_t k = 0; k < s->g->kept[i]; k++)
                now |= fine[s->g->to[i][k]];
            changed |= now && !fine[i];
            fine[i] |= now;
        }
    }
    for (uint32_t i = 0; i < s->g->size; i++)
        assert_true(!s->seen[i] || fine[i]);
}

// ---- known answers --------------------------------------------------------------------

// 0 -> 1 -> ... -> n - 1 -> 0, one move each; those who are reduced have a second one to n.
static graph ring(uint32_t n, uint32_t full)
{
    graph g = {.size = n + 1};
    for (uint32_t i = 0; i < n; i++) {
        g.moves[i] = 2;
        g.kept[i] = i == full ? 2 : 1;
        g.to[i][0] = (i + 1) % n;
        g.to[i][1] = n;
    }
    return g;
}

static void a_ring_takes_one_fail(void **unused)
{
    (void)unused;
    for (uint32_t n = 1; n < 40; n++) {
        graph g = ring(n, UINT32_MAX);
        search s = new_search(&g);
        run(&s);
        assert_int_equal(s.failures, 1);
        assert_int_equal(s.states, n + 1);
        assert_int_equal(s.looks, n - 1); // all but the candidate, once each
    }
}

static void a_full_state_on_the_ring_is_found(void **unused)
{
    (void)unused;
    for (uint32_t full = 0; full < 20; full++) {
        graph g = ring(20, full);
        search s = new_search(&g);
        run(&s);
        assert_int_equal(s.failures, 0);
        assert_int_equal(s.looks, full == 19 ? 0 : full + 1);
    }
}

// Two rings with a path from the first to the second: one fails, in the second.
static void who_leads_to_a_fail_is_cleared(void **unused)
{
    (void)unused;
    graph g = {.size = 5};
    static const uint32_t to[4][2] = {{1, 4}, {0, 2}, {3, 4}, {2, 4}};
    for (uint32_t i = 0; i < 4; i++) {
        g.moves[i] = i == 1 ? 3 : 2;
        g.kept[i] = i == 1 ? 2 : 1;
        memcpy(g.to[i], to[i], sizeof to[i]);
        g.to[i][2] = 4;
    }
    search s = new_search(&g);
    run(&s);
    assert_int_equal(s.failures, 1);
    assert_true(s.failed[2] || s.failed[3]);
}

// A limit ends the asking: then nothing is examined any more, and what is left counts as failed.
static void it_can_be_interrupted(void **unused)
{
    (void)unused;
    graph g = ring(40, UINT32_MAX);
    search s = new_search(&g);
    uint32_t times = 0;
    s.interrupted = &times;
    run(&s);
    assert_true(times > 0);
    assert_int_equal(s.looks, 0); // 39 otherwise
    assert_int_equal(s.failures, 1);
}

// ---- random graphs --------------------------------------------------------------------

static graph random_graph(uint64_t seed)
{
    graph g = {.size = 2 + next_random(&seed) % (MOST - 2)};
    uint32_t near = 1 + next_random(&seed) % 30, full = 1 + next_random(&seed) % 60;
    for (uint32_t i = 0; i < g.size; i++) {
        g.moves[i] = next_random(&seed) % 50 ? 1 + next_random(&seed) % DEGREE : 0;
        g.kept[i] = g.moves[i] > 1 && next_random(&seed) % full
                        ? (next_random(&seed) % 3 || g.moves[i] == 2 ? 1u : 2u)
                        : g.moves[i];
        for (uint32_t k = 0; k < g.moves[i]; k++) // a little ahead, and sometimes far back
            g.to[i][k] = next_random(&seed) % 4 ? (i + next_random(&seed) % near) % g.size
                                                : next_random(&seed) % (i + 1);
    }
    return g;
}

static void other_names(search *s, uint64_t seed)
{
    for (uint32_t i = s->g->size; i-- > 1;) {
        uint32_t j = next_random(&seed) % (i + 1);
        uint64_t name = s->name[i];
        s->name[i] = s->name[j];
        s->name[j] = name;
    }
    s->shuffle = 1 + next_random(&seed) % 7;
}

static void nothing_is_ignored_and_order_does_not_matter(void **unused)
{
    (void)unused;
    static const uint64_t allowances[] = {0, 100, 400, UINT64_MAX};
    uint32_t failures[4] = {0};
    for (uint64_t seed = 0; seed < 1500; seed++) {
        graph g = random_graph(seed);
        for (uint32_t a = 0; a < 4; a++) {
            search one = new_search(&g), other = new_search(&g);
            one.allowance = other.allowance = allowances[a];
            one.remembered = other.remembered = seed % 3 ? UINT64_MAX : 20;
            other_names(&other, seed);
            other.threads = 3;
            run(&one);
            run(&other);
            check_nothing_is_ignored(&one);
            assert_int_equal(one.states, other.states);
            assert_int_equal(one.looks, other.looks);
            assert_memory_equal(one.failed, other.failed, sizeof one.failed);
            failures[a] += one.failures;
        }
    }
    printf("failures, the more may be looked at: %u %u %u %u\n", failures[0], failures[1],
           failures[2], failures[3]);
    for (uint32_t a = 1; a < 4; a++) // looking pays
        assert_true(failures[a] < failures[a - 1]);
    assert_true(failures[3] > 100); // and there was something to find
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_takes_one_fail),
        cmocka_unit_test(a_full_state_on_the_ring_is_found),
        cmocka_unit_test(who_leads_to_a_fail_is_cleared),
        cmocka_unit_test(it_can_be_interrupted),
        cmocka_unit_test(nothing_is_ignored_and_order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
