// Running a lasso again: every turn, twice round the cycle, on a fresh worker.
#include "search/liveness/product.h"

#include "base/vec.h"

typedef GY_VEC(gy_word) word_list;

// A process (action 0), or a statement of it that is marked as fair; what was seen of it in this
// round of the cycle.
typedef struct served {
    int32_t pid;
    uint32_t action;
    bool strong;
    bool able_now;
    bool able, unable, moved; // at some point
} served;

typedef struct check {
    const gy_system *system;
    gy_worker *worker;
    const gy_observer *observer;
    const gy_lasso_witness *lasso;
    const gy_turn *turn;
    const gy_step *steps; // of this turn
    word_list state, next, changed;
    uint32_t at; // of the observer
    uint32_t ordinal, wanted;
    bool found, fits;
    gy_fairness fairness;
    GY_VEC(served) served;
    bool begun; // this round has
    uint64_t marks, asked, unless;
    const char *why;
} check;

static void copy(word_list *list, const gy_word *state, uint32_t words)
{
    gy_vec_reserve(list, (size_t)words + 1);
    if (words)
        memcpy(list->at, state, words * sizeof *state);
    list->n = words;
}

static void note_one(check *c, served given, bool first, bool taken)
{
    size_t i = 0;
    while (i < c->served.n &&
           (c->served.at[i].pid != given.pid || c->served.at[i].action != given.action))
        i++;
    if (i == c->served.n) {
        given.unable = c->begun;
        gy_vec_push(&c->served, given);
    }
    served *known = &c->served.at[i];
    known->able_now = known->able_now || first;
    known->moved = known->moved || taken;
}

static void note(check *c, int32_t pid, int32_t edge, bool first, bool taken)
{
    served process = {.pid = pid, .strong = c->fairness == GY_FAIRNESS_STRONG};
    served action = {.pid = pid};
    if (pid < 0 || c->fairness == GY_FAIRNESS_NONE)
        return;
    if (c->fairness != GY_FAIRNESS_ACTIONS)
        note_one(c, process, first, taken);
    action.action = gy_edge_fairness(c->system, edge, &action.strong);
    if (action.action)
        note_one(c, action, first, taken);
}

static void note_transition(check *c, const gy_transition *transition, bool taken)
{
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        note(c, step->pid, step->edge, i == 0, taken);
        note(c, step->partner, step->partner_edge, i == 0, taken);
    }
}

static int visit_initial(void *user, const gy_transition *transition)
{
    check *c = user;
    if (c->ordinal++ != c->wanted)
        return 0;
    c->found = transition->state != NULL;
    if (c->found)
        copy(&c->state, transition->state, transition->words);
    return 1;
}

static bool same_steps(const check *c, const gy_transition *transition)
{
    if (transition->step_count != c->turn->step_count)
        return false;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *a = &transition->steps[i], *b = &c->steps[i];
        if (a->pid != b->pid || a->edge != b->edge || a->partner != b->partner ||
            a->partner_edge != b->partner_edge || a->choice != b->choice ||
            a->partner_choice != b->partner_choice)
            return false;
    }
    return true;
}

static int visit(void *user, const gy_transition *transition)
{
    check *c = user;
    bool taken = c->ordinal++ == c->turn->ordinal && transition->state && same_steps(c, transition);
    note_transition(c, transition, taken);
    uint64_t passed =
        taken && c->observer->passed ? c->observer->passed(c->observer->self, transition) : 0;
    if (taken && !(passed & c->unless)) {
        c->found = true;
        c->marks |= passed;
        copy(&c->next, transition->state, transition->words);
    }
    return 0;
}

static void match_move(void *user, const gy_observer_move *move)
{
    check *c = user;
    if (move->to != c->turn->to || move->edge != c->turn->observer_edge ||
        (move->marks & ~c->turn->marks))
        return;
    c->fits = true;
    c->unless = move->unless;
    c->marks |= move->marks;
    if (move->state)
        copy(&c->changed, move->state, (uint32_t)c->state.n);
    else
        copy(&c->changed, c->state.at, (uint32_t)c->state.n);
}

static bool fail(check *c, const char *why)
{
    c->why = why;
    return false;
}

static bool take(check *c)
{
    c->fits = c->found = false;
    if (c->turn->from != c->at)
        return fail(c, "the property is not where it should be");
    c->observer->moves(c->observer->self, c->worker, c->state.at, (uint32_t)c->state.n, c->at,
                       match_move, c);
    if (!c->fits)
        return fail(c, "a transition of the property cannot be executed");
    if (c->observer->strong)
        c->asked |=
            c->observer->asks(c->observer->self, c->worker, c->state.at, (uint32_t)c->state.n);
    c->at = c->turn->to;
    if (c->observer->changes)
        copy(&c->state, c->changed.at, (uint32_t)c->changed.n);
    for (size_t i = 0; i < c->served.n; i++)
        c->served.at[i].able_now = false;
    c->ordinal = 0;
    gy_successors(c->worker, c->state.at, (uint32_t)c->state.n, visit, c);
    c->begun = true;
    for (size_t i = 0; i < c->served.n; i++) {
        served *s = &c->served.at[i];
        s->able = s->able || s->able_now;
        s->unable = s->unable || !s->able_now;
    }
    if (c->turn->ordinal == GY_STUTTER)
        return c->ordinal == 0 || fail(c, "the system has not stopped where it should");
    if (!c->found)
        return fail(c, "a step cannot be taken");
    copy(&c->state, c->next.at, (uint32_t)c->next.n);
    return true;
}

static void sees(void *user, const gy_observer_move *move)
{
    check *c = user;
    if (move->sight == c->lasso->sight)
        c->found = true;
}

static bool take_turns(check *c, uint64_t first, uint64_t end, uint64_t first_step)
{
    c->steps = c->lasso->steps + first_step;
    for (uint64_t i = first; i < end; i++) {
        c->turn = &c->lasso->turns[i];
        if (!take(c))
            return false;
        c->steps += c->turn->step_count;
    }
    return true;
}

static void begin_round(check *c)
{
    c->marks = c->asked = 0;
    c->begun = false;
    c->served.n = 0;
}

static bool round_is_good(check *c, const word_list *start, uint32_t at)
{
    uint64_t all = c->observer->sets >= 64 ? ~0ull : (1ull << c->observer->sets) - 1;
    if (c->at != at || c->state.n != start->n ||
        (start->n && memcmp(c->state.at, start->at, start->n * sizeof *start->at)))
        return fail(c, "the cycle does not lead back to where it begins");
    if ((c->marks & all) != all || (c->asked & ~c->marks))
        return fail(c, "the cycle is not accepting");
    for (size_t i = 0; i < c->served.n; i++) {
        const served *s = &c->served.at[i];
        if (!s->moved && (s->strong ? s->able : !s->unable))
            return fail(c, "the cycle is not fair");
    }
    return true;
}

// Where the observer is at first.
static bool begin(check *c)
{
    const gy_observer *observer = c->observer;
    c->at = c->lasso->turn_count ? c->lasso->turns[0].from : observer->initial;
    bool known = c->at == observer->initial;
    for (uint32_t i = 0; i < observer->initial_count && !known; i++)
        known = c->at == observer->initials[i];
    return known;
}

static bool walk(check *c)
{
    const gy_lasso_witness *lasso = c->lasso;
    c->wanted = lasso->initial;
    gy_initial(c->worker, visit_initial, c);
    if (!c->found)
        return fail(c, "no such initial state exists");
    if (!begin(c))
        return fail(c, "the property cannot begin like this");
    bool cycle = lasso->sight == GY_SEES_NOTHING;
    if (!cycle) {
        if (!take_turns(c, 0, lasso->turn_count - 1, 0))
            return false;
        c->found = false;
        c->observer->moves(c->observer->self, c->worker, c->state.at, (uint32_t)c->state.n, c->at,
                           sees, c);
        return c->found || fail(c, "the property does not see the error");
    }
    if (!take_turns(c, 0, lasso->cycle_turn, 0))
        return false;
    word_list start = {0};
    copy(&start, c->state.at, (uint32_t)c->state.n);
    uint32_t at = c->at;
    bool good = lasso->cycle_turn < lasso->turn_count || fail(c, "the cycle is empty");
    for (int round = 0; round < 2 && good; round++) {
        begin_round(c);
        good = take_turns(c, lasso->cycle_turn, lasso->turn_count, lasso->cycle_start) &&
               round_is_good(c, &start, at);
    }
    gy_vec_free(&start);
    return good;
}

bool gy_lasso_check(gy_system *system, const gy_observer *observer, gy_fairness fairness,
                    const gy_lasso_witness *lasso, const char **why)
{
    check c = {.observer = lasso->tight ? observer->tight : observer,
               .lasso = lasso,
               .fairness = fairness,
               .why = ""};
    c.system = system;
    c.worker = gy_worker_new(system);
    bool good = walk(&c);
    gy_worker_free(c.worker);
    gy_vec_free(&c.state);
    gy_vec_free(&c.next);
    gy_vec_free(&c.changed);
    gy_vec_free(&c.served);
    *why = c.why;
    return good;
}
