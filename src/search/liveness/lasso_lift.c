// Two paths side by side: one over representatives, as the lasso has it, one over real states. Of
// the steps of the real state one is taken that leads to a state with the next representative: the
// steps of a state come in the same order, whether the worker folds or not.
#include "search/liveness/lasso_lift.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 1 << 14 }; // processes that could change places so often are too many to show

typedef GY_VEC(gy_word) gy_state_words;

typedef struct lifting {
    gy_worker *real, *folding;
    gy_state_words state, folded; // where the two paths are
    gy_state_words next;          // what is taken
    uint32_t wanted, seen;        // by ordinal; or, UINT32_MAX, …
    const gy_state_words *goal;   // … by the state that it leads to
    bool found;
    bool telling; // steps are kept
    GY_VEC(gy_step) list;
    GY_VEC(gy_turn) turns;
} lifting;

static void copy(gy_state_words *to, const gy_word *words, size_t count)
{
    gy_vec_reserve(to, count + 1);
    memcpy(to->at, words, count * sizeof *words);
    to->n = count;
}

static bool is_same(const gy_state_words *a, const gy_word *words, size_t count)
{
    return a->n == count && memcmp(a->at, words, count * sizeof *words) == 0;
}

static int visit(void *user, const gy_transition *transition)
{
    lifting *l = user;
    uint32_t ordinal = l->seen++;
    bool it = l->wanted == UINT32_MAX
                  ? transition->state && is_same(l->goal, transition->state, transition->words)
                  : ordinal == l->wanted;
    if (!it)
        return 0;
    l->wanted = ordinal;
    l->found = transition->state != NULL;
    if (l->found)
        copy(&l->next, transition->state, transition->words);
    for (uint32_t i = 0; l->telling && i < transition->step_count; i++)
        gy_vec_push(&l->list, transition->steps[i]);
    return 1;
}

static bool take(lifting *l, gy_worker *worker, const gy_state_words *from, uint32_t wanted)
{
    l->wanted = wanted;
    l->seen = 0;
    l->found = false;
    if (from)
        gy_successors(worker, from->at, (uint32_t)from->n, visit, l);
    else
        gy_initial(worker, visit, l);
    return l->found;
}

// One turn of both. False: it is not to be found.
static bool take_turn(lifting *l, const gy_turn *given)
{
    gy_turn turn = *given;
    size_t before = l->list.n;
    if (turn.ordinal != GY_STUTTER) {
        l->telling = false;
        if (!take(l, l->folding, &l->folded, turn.ordinal))
            return false;
        copy(&l->folded, l->next.at, l->next.n);
        l->goal = &l->folded;
        if (!take(l, l->folding, &l->state, UINT32_MAX))
            return false;
        turn.ordinal = l->wanted;
        l->telling = true;
        if (!take(l, l->real, &l->state, turn.ordinal))
            return false;
        copy(&l->state, l->next.at, l->next.n);
    }
    turn.step_count = l->list.n - before;
    gy_vec_push(&l->turns, turn);
    return true;
}

// Where a round of the cycle began.
typedef struct beginning {
    gy_state_words state;
    size_t turns, steps;
} beginning;

// Rounds, until one begins where an earlier one has.
static bool go_round(lifting *l, const gy_lasso_witness *given, gy_lasso_witness *lifted)
{
    GY_VEC(beginning) begun = {0};
    bool good = true, closed = false;
    while (good && !closed && begun.n < MOST_ROUNDS) {
        for (size_t i = 0; i < begun.n && !closed; i++) {
            closed = is_same(&begun.at[i].state, l->state.at, l->state.n);
            lifted->cycle_turn = begun.at[i].turns;
            lifted->cycle_start = begun.at[i].steps;
        }
        if (closed)
            break;
        beginning now = {.turns = l->turns.n, .steps = l->list.n};
        copy(&now.state, l->state.at, l->state.n);
        gy_vec_push(&begun, now);
        for (uint64_t i = given->cycle_turn; i < given->turn_count && good; i++)
            good = take_turn(l, &given->turns[i]);
    }
    for (size_t i = 0; i < begun.n; i++)
        gy_vec_free(&begun.at[i].state);
    gy_vec_free(&begun);
    return good && closed;
}

static bool lift(lifting *l, const gy_lasso_witness *given, gy_lasso_witness *lifted)
{
    bool cycle = given->cycle_turn < given->turn_count;
    if (!take(l, l->folding, NULL, given->initial))
        return false;
    copy(&l->folded, l->next.at, l->next.n);
    if (!take(l, l->real, NULL, given->initial))
        return false;
    copy(&l->state, l->next.at, l->next.n);
    for (uint64_t i = 0; i < given->cycle_turn; i++)
        if (!take_turn(l, &given->turns[i]))
            return false;
    lifted->initial = given->initial;
    lifted->sight = given->sight;
    lifted->cycle_turn = l->turns.n;
    lifted->cycle_start = l->list.n;
    return !cycle || go_round(l, given, lifted);
}

gy_lasso_witness *gy_lasso_lift(gy_system *system, const gy_symmetry *symmetry,
                                const gy_lasso_witness *given)
{
    lifting l = {.real = gy_worker_new(system), .folding = gy_worker_new(system)};
    gy_lasso_witness *lifted = gy_alloc_zero(sizeof *lifted);
    gy_symmetry_fold(symmetry, l.folding);
    bool good = lift(&l, given, lifted);
    gy_worker_free(l.real);
    gy_worker_free(l.folding);
    gy_vec_free(&l.state);
    gy_vec_free(&l.folded);
    gy_vec_free(&l.next);
    if (!good) {
        gy_vec_free(&l.list);
        gy_vec_free(&l.turns);
        free(lifted);
        return NULL;
    }
    lifted->turns = l.turns.at;
    lifted->turn_count = l.turns.n;
    lifted->steps = l.list.at;
    lifted->step_count = l.list.n;
    for (uint64_t i = 0; i < lifted->step_count; i++)
        lifted->cost += 1 + (lifted->steps[i].partner >= 0);
    return lifted;
}
