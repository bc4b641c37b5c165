// Rounds of cells: the plan against random graphs. Jobs are played here, by the rules of
// docs/internals/swarm.md, with limits that cut them; then what is known must be what can be
// reached, and no state may have been visited twice.
#include "dist/swarm/plan_cells.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 600, DEGREE = 2, PARTS = 5, MOST_JOBS = 20000 };

typedef GY_VEC(uint32_t) states;

typedef struct game {
    gy_random random;
    uint32_t next[STATES][DEGREE], cell[STATES];
    unsigned visits[STATES];
    states left[MOST_JOBS], known[MOST_JOBS]; // by job
    uint64_t jobs, limit;
    GY_VEC(gy_interval) open; // of the round
} game;

static void see(void *user, const gy_interval *interval)
{
    game *g = user;
    gy_interval copy;
    gy_interval_init(&copy);
    gy_bigint_set(&copy.from, &interval->from);
    gy_bigint_set(&copy.to, &interval->to);
    gy_vec_push(&g->open, copy);
}

static int by_cell(const void *a, const void *b)
{
    uint32_t x = ((const gy_part_count *)a)->part, y = ((const gy_part_count *)b)->part;
    return x < y ? -1 : x > y;
}

static void count(const game *g, const states *list, gy_part_counts *counts)
{
    for (size_t i = 0; i < list->n; i++)
        gy_vec_push(counts, ((gy_part_count){PARTS + g->cell[list->at[i]], 1}));
    if (counts->n)
        qsort(counts->at, counts->n, sizeof *counts->at, by_cell);
}

// A job: 0 is the initial state, which the first round reads.
static void play(game *g, const gy_cell_plan *plan, const gy_swarm_task *task, gy_answer *a)
{
    uint64_t from = gy_bigint_u64(&task->interval.from), to = gy_bigint_u64(&task->interval.to),
             stored = 0;
    uint8_t *seen = gy_alloc_zero(STATES); // 1: known, 2: to be visited, 3: handed over
    states queue = {0};
#define OWN(s) (g->cell[s] >= from && g->cell[s] < to)
    for (size_t i = 0; i < task->known.n; i++)
        for (size_t k = 0; k < g->known[task->known.at[i]].n; k++)
            if (OWN(g->known[task->known.at[i]].at[k])) {
                seen[g->known[task->known.at[i]].at[k]] = 1;
                stored++;
            }
    if (plan->by_part && OWN(0))
        gy_vec_push(&queue, 0);
    for (size_t i = 0; i < task->inputs.n; i++)
        for (size_t k = 0; k < g->left[task->inputs.at[i]].n; k++) {
            uint32_t s = g->left[task->inputs.at[i]].at[k];
            if (!OWN(s) || seen[s])
                continue;
            gy_vec_push(&queue, s);
            seen[s] = 2;
            stored++;
        }
    size_t at = 0;
    for (; at < queue.n && (!g->limit || stored <= g->limit); at++) {
        uint32_t s = queue.at[at];
        g->visits[s]++;
        gy_vec_push(&g->known[a->number], s);
        for (unsigned d = 0; d < DEGREE; d++) {
            uint32_t t = g->next[s][d];
            if (t >= STATES || seen[t] || (t == 0 && plan->by_part && OWN(0)))
                continue;
            seen[t] = OWN(t) ? 2 : 3;
            stored++;
            if (OWN(t))
                gy_vec_push(&queue, t);
            else
                gy_vec_push(&g->left[a->number], t);
        }
    }
    a->kind = at == queue.n ? GY_ANSWER_DONE : at ? GY_ANSWER_CUT : GY_ANSWER_LARGE;
    for (; at < queue.n && a->kind == GY_ANSWER_CUT; at++)
        gy_vec_push(&g->left[a->number], queue.at[at]);
    a->visited = g->known[a->number].n;
    a->stored = stored;
    count(g, &g->left[a->number], &a->seeds);
    count(g, &g->known[a->number], &a->known);
    gy_vec_free(&queue);
    free(seen);
}

// False: one cell was too large.
static bool play_round(game *g, gy_cell_plan *plan)
{
    bool good = true;
    for (size_t i = 0; i < g->open.n; i++) {
        gy_answer a = {.number = g->jobs++};
        gy_swarm_task task;
        assert_true(g->jobs < MOST_JOBS);
        gy_swarm_task_init(&task);
        gy_bigint_set(&task.interval.from, &g->open.at[i].from);
        gy_bigint_set(&task.interval.to, &g->open.at[i].to);
        if (!plan->by_part)
            gy_cells_inputs(plan, &task);
        play(g, plan, &task, &a);
        gy_cells_take(plan, &a, false);
        if (a.kind == GY_ANSWER_LARGE) {
            gy_interval half;
            gy_interval_init(&half);
            good = gy_cells_halve(plan, &task.interval, &half.from) && good;
            gy_bigint_set(&half.to, &task.interval.to);
            if (good) {
                gy_bigint_set(&task.interval.to, &half.from);
                assert_true(gy_bigint_compare(&task.interval.from, &task.interval.to) < 0);
                see(g, &task.interval);
                see(g, &half);
            }
            gy_interval_free(&half);
        }
        gy_swarm_task_free(&task);
        gy_answer_free(&a);
    }
    for (size_t i = 0; i < g->open.n; i++)
        gy_interval_free(&g->open.at[i]);
    g->open.n = 0;
    gy_cells_end_round(plan);
    return good;
}

static void check_reached(const game *g)
{
    uint8_t reached[STATES] = {1};
    states queue = {0};
    gy_vec_push(&queue, 0);
    for (size_t i = 0; i < queue.n; i++)
        for (unsigned d = 0; d < DEGREE; d++) {
            uint32_t t = g->next[queue.at[i]][d];
            if (t < STATES && !reached[t]) {
                reached[t] = 1;
                gy_vec_push(&queue, t);
            }
        }
    for (uint32_t s = 0; s < STATES; s++)
        assert_int_equal(g->visits[s], reached[s]);
    gy_vec_free(&queue);
}

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        game *g = gy_alloc_zero(sizeof *g);
        gy_random_seed(&g->random, seed);
        uint32_t near = seed % 2 ? STATES : 30, cells = seed % 3 ? GY_CELLS : 40;
        for (uint32_t s = 0; s < STATES; s++) {
            g->cell[s] = (uint32_t)(seed % 4 < 2 ? gy_random_below(&g->random, cells)
                                                 : (uint64_t)s * cells / STATES);
            for (unsigned d = 0; d < DEGREE; d++) // beyond the last: no step
                g->next[s][d] =
                    (s + (uint32_t)gy_random_below(&g->random, near) + 1) % (STATES + 50);
        }
        g->limit = seed % 5 ? 40 + gy_random_below(&g->random, 200) : 0;
        gy_cell_plan plan = {.parts = PARTS,
                             .workers = 1 + (unsigned)gy_random_below(&g->random, 4),
                             .intervals = (uint32_t)gy_random_below(&g->random, 5),
                             .limit = g->limit};
        gy_cells_begin(&plan, 0);
        bool good = true;
        while (good && gy_cells_next(&plan, see, g))
            good = play_round(g, &plan);
        if (good)
            check_reached(g);
        assert_true(good || cells == 40); // 15 states in a cell, and all that they lead to
        for (uint64_t i = 0; i < g->jobs; i++) {
            gy_vec_free(&g->left[i]);
            gy_vec_free(&g->known[i]);
        }
        gy_vec_free(&g->open);
        gy_cells_free(&plan);
        free(g);
    }
}

static void halves(void **state)
{
    gy_cell_plan plan = {.parts = PARTS};
    gy_interval interval;
    gy_bigint middle;
    (void)state;
    gy_interval_init(&interval);
    gy_bigint_init(&middle);
    gy_bigint_set_u64(&interval.to, GY_CELLS);
    assert_true(gy_cells_halve(&plan, &interval, &middle)); // nothing is known: in the middle
    assert_int_equal(gy_bigint_u64(&middle), GY_CELLS / 2);
    gy_pending known = {.job = 1};
    gy_vec_push(&known.parts, ((gy_part_count){PARTS + 7, 10}));
    gy_vec_push(&known.parts, ((gy_part_count){PARTS + 9, 10}));
    gy_vec_push(&plan.known, known);
    assert_true(gy_cells_halve(&plan, &interval, &middle));
    assert_in_range(gy_bigint_u64(&middle), 8, 9); // between the two
    gy_bigint_set_u64(&interval.from, 7);
    gy_bigint_set_u64(&interval.to, 8);
    assert_false(gy_cells_halve(&plan, &interval, &middle));
    gy_interval_free(&interval);
    gy_bigint_free(&middle);
    gy_cells_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves),
        cmocka_unit_test(random_graphs),
    };
    return gy_bigint_is_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
