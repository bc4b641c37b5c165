// A path of the system as a witness of an observer that sees an error at its end.
#include "search/liveness/product.h"

#include "base/vec.h"

// A state that the observer may be in before it reads a state of the path.
typedef struct place {
    uint32_t at;
    uint32_t from; // the place before, of the state before
    gy_observer_move move;
} place;

typedef struct walk {
    const gy_observer *observer;
    gy_worker *worker;
    GY_VEC(place) places;
    GY_VEC(size_t) levels; // by state of the path: its first place
    uint32_t from;
    bool seen;
    place sight; // where an error is seen first
    GY_VEC(gy_word) state;
    GY_VEC(gy_step) steps;
    GY_VEC(uint64_t) counts; // of steps, by transition
    uint32_t wanted, ordinal;
    bool found;
} walk;

static void note_move(void *user, const gy_observer_move *move)
{
    walk *w = user;
    place new = {move->to, w->from, *move};
    if (move->sight != GY_SEES_NOTHING) {
        if (!w->seen)
            w->sight = new;
        w->seen = true;
        return;
    }
    for (size_t i = w->levels.at[w->levels.n - 1]; i < w->places.n; i++)
        if (w->places.at[i].at == move->to)
            return;
    gy_vec_push(&w->places, new);
}

// The observer reads the state.
static void look(walk *w)
{
    size_t first = w->levels.at[w->levels.n - 1], behind = w->places.n;
    gy_vec_push(&w->levels, behind);
    for (size_t i = first; i < behind && !w->seen; i++) {
        w->from = (uint32_t)i;
        w->observer->moves(w->observer->self, w->worker, w->state.at, (uint32_t)w->state.n,
                           w->places.at[i].at, note_move, w);
    }
}

static int go(void *user, const gy_transition *transition)
{
    walk *w = user;
    if (w->ordinal++ != w->wanted)
        return 0;
    w->found = transition->state != NULL;
    if (!w->found)
        return 1;
    gy_vec_reserve(&w->state, (size_t)transition->words + 1);
    memcpy(w->state.at, transition->state, transition->words * sizeof *transition->state);
    w->state.n = transition->words;
    gy_vec_push(&w->counts, transition->step_count);
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&w->steps, transition->steps[i]);
    return 1;
}

static gy_turn turn_of(const walk *w, const place *p, uint32_t ordinal, uint64_t steps)
{
    return (gy_turn){.from = w->places.at[p->from].at,
                     .to = p->at,
                     .marks = p->move.marks,
                     .observer_edge = p->move.edge,
                     .ordinal = ordinal,
                     .step_count = steps};
}

static gy_lasso_witness *tell(walk *w, const uint32_t *route, uint32_t length)
{
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    lasso->sight = w->sight.move.sight;
    lasso->initial = route[0];
    lasso->turns = gy_alloc(length * sizeof *lasso->turns);
    lasso->turn_count = lasso->cycle_turn = length;
    lasso->turns[length - 1] = turn_of(w, &w->sight, GY_STUTTER, 0);
    uint32_t at = w->sight.from;
    for (uint32_t i = length - 1; i > 0; i--) {
        lasso->turns[i - 1] = turn_of(w, &w->places.at[at], route[i], w->counts.at[i]);
        at = w->places.at[at].from;
    }
    lasso->steps = w->steps.at;
    lasso->step_count = lasso->cycle_start = w->steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    return lasso;
}

gy_lasso_witness *gy_lasso_along(gy_system *system, const gy_observer *observer,
                                 const uint32_t *route, uint32_t length)
{
    walk w = {.observer = observer, .worker = gy_worker_new(system), .wanted = route[0]};
    gy_lasso_witness *lasso = NULL;
    gy_vec_push(&w.levels, 0);
    for (uint32_t i = 0; i < observer->initial_count; i++)
        gy_vec_push(&w.places, ((place){.at = observer->initials[i]}));
    if (!observer->initials)
        gy_vec_push(&w.places, ((place){.at = observer->initial}));
    gy_initial(w.worker, go, &w);
    uint32_t at = 1;
    for (; w.found; at++) {
        look(&w);
        if (w.seen || at == length)
            break;
        w.found = false;
        w.ordinal = 0;
        w.wanted = route[at];
        gy_successors(w.worker, w.state.at, (uint32_t)w.state.n, go, &w);
    }
    if (w.seen)
        lasso = tell(&w, route, at);
    else
        gy_vec_free(&w.steps);
    gy_vec_free(&w.places);
    gy_vec_free(&w.levels);
    gy_vec_free(&w.state);
    gy_vec_free(&w.counts);
    gy_worker_free(w.worker);
    return lasso;
}
