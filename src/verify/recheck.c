#include "verify/recheck.h"

#include "verify/explain/formula_reasons.h"

typedef struct cycle_wanted {
    uint64_t start, round; // in steps
    const char **why;
    const gy_property *violated; // NULL: steps tell states
} cycle_wanted;

// Does this way through steps that choose values, of which there may be several, violate the
// formula?
static bool violates(gy_path *path, void *user)
{
    const cycle_wanted *wanted = user;
    *wanted->why = "no choice of values violates it";
    return gy_is_because(wanted->violated, path);
}

static bool closes(gy_path *path, void *user)
{
    const cycle_wanted *wanted = user;
    const gy_path_state *begin = &path->moments.at[wanted->start];
    for (uint64_t i = 1; i <= 2; i++) {
        const gy_path_state *end = &path->moments.at[wanted->start + i * wanted->round];
        *wanted->why = "the cycle does not close";
        if (end->words != begin->words ||
            (end->words && memcmp(end->state, begin->state, end->words * sizeof *end->state)))
            return false;
    }
    return !wanted->violated || violates(path, user);
}

// Does the last turn before the cycle do what the last one of the cycle does, in the same state?
static bool can_fold(const gy_lasso_witness *lasso, const gy_path *path)
{
    if (lasso->cycle_turn == 0)
        return false;
    const gy_turn *a = &lasso->turns[lasso->cycle_turn - 1];
    const gy_turn *b = &lasso->turns[lasso->turn_count - 1];
    if (a->ordinal != b->ordinal || a->step_count != b->step_count)
        return false;
    const gy_path_state *before_a = &path->moments.at[lasso->cycle_start - a->step_count];
    const gy_path_state *before_b = &path->moments.at[lasso->step_count - b->step_count];
    return before_a->words == before_b->words &&
           memcmp(before_a->state, before_b->state, before_a->words * sizeof *before_a->state) == 0;
}

// Observers often enter a cycle later than the system does. The same infinite run, reported with a
// shorter stem: the cycle begins earlier and ends earlier. (The observer's states no longer close
// it; nothing examines them any more, but in the trail of a never claim.)
static void fold(gy_lasso_witness *lasso, gy_path *path)
{
    while (can_fold(lasso, path)) {
        uint64_t steps = lasso->turns[--lasso->turn_count].step_count;
        lasso->cycle_turn--;
        lasso->cycle_start -= steps;
        for (; steps > 0; steps--) {
            lasso->cost -= 1 + (lasso->steps[--lasso->step_count].partner >= 0);
            gy_path_undo(path);
        }
    }
    path->cycle_start = (int64_t)lasso->cycle_start;
}

static gy_step *twice_round(const gy_lasso_witness *lasso, uint64_t round)
{
    gy_step *twice = gy_alloc((lasso->step_count + round + 1) * sizeof *twice);
    if (lasso->step_count)
        memcpy(twice, lasso->steps, lasso->step_count * sizeof *twice);
    if (round)
        memcpy(twice + lasso->step_count, lasso->steps + lasso->cycle_start, round * sizeof *twice);
    return twice;
}

// ---- never claims that change variables of processes ----------------------------------

typedef struct claim_move {
    const gy_turn *turn;
    gy_path_state *moment;
    bool found;
} claim_move;

static void take_move(void *user, const gy_observer_move *move)
{
    claim_move *m = user;
    if (m->found || move->to != m->turn->to || move->edge != m->turn->observer_edge)
        return;
    m->found = true;
    if (move->state)
        memcpy(m->moment->state, move->state, m->moment->words * sizeof *move->state);
}

static bool take_turn(gy_path *path, const gy_observer *observer, const gy_turn *turn)
{
    gy_path_state *last = &path->moments.at[path->moments.n - 1];
    gy_word *before = gy_alloc((last->words + (size_t)1) * sizeof *before);
    memcpy(before, last->state, last->words * sizeof *before);
    claim_move m = {turn, last, false};
    observer->moves(observer->self, path->worker, before, last->words, turn->from, take_move, &m);
    free(before);
    return m.found;
}

// Before a step the claim has moved, several times if the system could not go on: what it has
// changed is a part of the moment. After the last turn, the cycle begins again.
static bool move_claim(gy_path *path, uint64_t step, void *user)
{
    const gy_property *property = user;
    const gy_lasso_witness *lasso = property->live->lasso;
    bool again = lasso->step_count > lasso->cycle_start;
    uint64_t count = lasso->turn_count - (lasso->sight != GY_SEES_NOTHING), at = 0;
    for (uint64_t i = 0; i < count && at <= step;) {
        const gy_turn *turn = &lasso->turns[i++];
        if (at == step && !take_turn(path, property->observer, turn))
            return false;
        if (at == step && turn->step_count)
            return true;
        at += turn->step_count;
        if (i == count && again)
            i = lasso->cycle_turn;
    }
    return true;
}

// First judged by the search's own path, twice round the cycle, then taken statement by statement
// in the exact system, twice round as well; kept is once. In the exact system the cycle leads back
// to where it begins but for variables that the reductions have found not to matter (a counter that
// nothing reads goes on counting).
bool gy_recheck_lasso(gy_path *path, gy_system *searched, const gy_property *property,
                      gy_fairness fairness, const char **why)
{
    gy_lasso_witness *lasso = property->live->lasso;
    if (!gy_lasso_check(searched, property->observer, fairness, lasso, why))
        return false;
    bool cycle = lasso->sight == GY_SEES_NOTHING;
    uint64_t round = cycle ? lasso->step_count - lasso->cycle_start : 0;
    gy_step *twice = twice_round(lasso, round);
    bool chooses = path->system->model && path->system->model->uses_choice;
    bool ambiguous = chooses && gy_property_is_ltl(property) && lasso->turn_count > 0;
    cycle_wanted wanted = {lasso->cycle_start, round, why, ambiguous ? property : NULL};
    gy_path_fits *fits = cycle && path->system == searched ? closes : ambiguous ? violates : NULL;
    *why = "a step cannot be executed";
    path->before = property->observer->changes ? move_claim : NULL;
    path->before_user = (void *)(uintptr_t)property;
    bool good = gy_path_run(path, twice, lasso->step_count + round, fits, &wanted);
    path->before = NULL;
    free(twice);
    if (!good || !cycle)
        return good;
    for (uint64_t i = 0; i < round; i++)
        gy_path_undo(path);
    path->cycle_start = (int64_t)lasso->cycle_start;
    if (strcmp(property->kind, "never") != 0)
        fold(lasso, path);
    return true;
}

typedef struct end_wanted {
    const gy_witness *witness;
    const char **why;
} end_wanted;

static bool ends_as_told(gy_path *path, void *user)
{
    const end_wanted *wanted = user;
    gy_choices next = {0};
    bool good;
    if (wanted->witness->error == GY_ERROR_FAULT) {
        *wanted->why = "the last step does not fail";
        good = gy_path_last(path)->fault == wanted->witness->fault;
    } else {
        *wanted->why = "it continues after the last step";
        gy_path_choices(path, &next);
        good = next.list.n == 0;
        gy_choices_free(&next);
    }
    return good;
}

bool gy_recheck_witness(gy_path *path, const gy_witness *witness, bool empty_channels,
                        const char **why)
{
    if (!gy_witness_check(path->system, witness, empty_channels, why))
        return false;
    *why = "a step cannot be executed";
    end_wanted wanted = {witness, why};
    path->about = witness->error == GY_ERROR_FAULT ? witness->fault : GY_FAULT_NONE;
    return gy_path_run(path, witness->steps, witness->step_count, ends_as_told, &wanted);
}
