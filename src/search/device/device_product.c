#include "search/device/device_product.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

// ---- from a route to a witness ------------------------------------------------------------------

// A state on the way, and for each state that the observer may be in, by which move it came.
typedef struct stop {
    gy_word *state;
    uint32_t words;
    uint64_t may;            // bits
    uint32_t from[64];       // by state of the observer: the one before,
    gy_observer_move by[64]; // and the transition
    uint64_t step_count;     // of the transition from here on
} stop;

typedef struct telling {
    const gy_observer *observer;
    gy_worker *worker;
    stop *stops;
    size_t count;
    GY_VEC(gy_step) steps;
    uint32_t wanted, ordinal; // of transitions
    bool there;
    stop *at, *next;
    uint32_t observed; // the observer's state, whose moves are examined
    gy_observer_move seen;
    bool sees;
} telling;

static void keep_state(stop *to, const gy_word *state, uint32_t words)
{
    to->state = gy_alloc((words + (size_t)1) * sizeof *to->state);
    memcpy(to->state, state, words * sizeof *state);
    to->words = words;
}

static int visit(void *user, const gy_transition *transition)
{
    telling *t = user;
    if (t->ordinal++ != t->wanted)
        return 0;
    if (transition->state) {
        t->there = true;
        keep_state(t->next, transition->state, transition->words);
        for (uint32_t i = 0; i < transition->step_count && t->at; i++)
            gy_vec_push(&t->steps, transition->steps[i]);
        if (t->at)
            t->at->step_count = transition->step_count;
    }
    return 1;
}

// Goes on to the next state. False: there is no such step.
static bool walk(telling *t, stop *at, uint32_t ordinal, stop *next)
{
    t->at = at;
    t->next = next;
    t->wanted = ordinal;
    t->ordinal = 0;
    t->there = false;
    if (ordinal == GY_STUTTER && at) {
        keep_state(next, at->state, at->words);
        return true;
    }
    if (at)
        gy_successors(t->worker, at->state, at->words, visit, t);
    else
        gy_initial(t->worker, visit, t);
    return t->there;
}

static void note_move(void *user, const gy_observer_move *move)
{
    telling *t = user;
    if (move->sight != GY_SEES_NOTHING && !t->sees) {
        t->sees = true;
        t->seen = *move;
        t->seen.unless = t->observed; // from where
    }
    if (t->next && move->sight == GY_SEES_NOTHING && !(t->next->may >> move->to & 1)) {
        t->next->may |= 1ull << move->to;
        t->next->from[move->to] = t->observed;
        t->next->by[move->to] = *move;
    }
}

static void observe(telling *t, const stop *at, stop *next)
{
    const gy_observer *observer = t->observer;
    t->next = next;
    t->sees = false;
    for (uint64_t left = at->may; left; left &= left - 1) {
        t->observed = (uint32_t)__builtin_ctzll(left);
        observer->moves(observer->self, t->worker, at->state, at->words, t->observed, note_move, t);
    }
}

// The observer's own run, from its end to its beginning.
static void tell_turns(const telling *t, const gy_route *route, gy_lasso_witness *lasso)
{
    size_t last = t->count - 1;
    uint32_t at = (uint32_t)t->seen.unless;
    lasso->turns = gy_alloc_zero(t->count * sizeof *lasso->turns);
    lasso->turn_count = lasso->cycle_turn = t->count;
    lasso->turns[last] = (gy_turn){.from = at,
                                   .to = t->seen.to,
                                   .marks = t->seen.marks,
                                   .observer_edge = t->seen.edge,
                                   .ordinal = GY_STUTTER};
    for (size_t i = last; i-- > 0;) {
        const stop *next = &t->stops[i + 1];
        lasso->turns[i] = (gy_turn){.from = next->from[at],
                                    .to = at,
                                    .marks = next->by[at].marks,
                                    .observer_edge = next->by[at].edge,
                                    .ordinal = route->at[i + 1],
                                    .step_count = t->stops[i].step_count};
        at = next->from[at];
    }
}

// NULL: the virtual machine cannot follow it, or the observer sees nothing at its end.
static gy_lasso_witness *tell(gy_system *system, const gy_observer *observer, const gy_route *route)
{
    telling t = {.observer = observer, .worker = gy_worker_new(system), .count = route->n};
    gy_lasso_witness *lasso = NULL;
    t.stops = gy_alloc_zero((route->n + 1) * sizeof *t.stops);
    bool good = route->n > 0;
    for (size_t i = 0; i < route->n && good; i++)
        good = walk(&t, i ? &t.stops[i - 1] : NULL, route->at[i], &t.stops[i]);
    t.stops[0].may = 1ull << observer->initial;
    for (uint32_t i = 0; observer->initials && i < observer->initial_count; i++)
        t.stops[0].may |= 1ull << observer->initials[i];
    for (size_t i = 0; i < route->n && good; i++)
        observe(&t, &t.stops[i], i + 1 < route->n ? &t.stops[i + 1] : NULL);
    if (good && t.sees) {
        lasso = gy_alloc_zero(sizeof *lasso);
        lasso->sight = t.seen.sight;
        lasso->initial = route->at[0];
        tell_turns(&t, route, lasso);
        lasso->step_count = lasso->cycle_start = t.steps.n;
        for (size_t i = 0; i < t.steps.n; i++)
            lasso->cost += 1 + (t.steps.at[i].partner >= 0);
        lasso->steps = t.steps.at;
        t.steps.at = NULL;
    }
    for (size_t i = 0; i < route->n; i++)
        free(t.stops[i].state);
    free(t.stops);
    free(t.steps.at);
    gy_worker_free(t.worker);
    return lasso;
}

// ---- the search ---------------------------------------------------------------------------------

static gy_product_result *result_of(gy_system *system, const gy_observer *observer,
                                    const gy_device_product *product, gy_search_result *figures)
{
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    result->figures = figures;
    result->store = gy_store_kind_quick(); // exact, and not asked
    result->cycles = "components";
    result->cycles_why = "on a GPU: finite runs violate it, so no search for cycles is needed";
    if (product->found) {
        result->lasso = tell(system, observer, &product->route);
        figures->error_met = true;
        figures->errors = 1;
        if (!result->lasso) {
            figures->completeness = GY_FAILED;
            figures->failure = strdup("internal error: the path to a violation cannot be replayed");
        }
    }
    return result;
}

gy_product_result *gy_product_on_device(gy_system *system, const gy_observer *observer,
                                        const gy_search_options *options, char **note)
{
    const char *why;
    gy_device_product product = {0};
    gy_search_options wanted = *options;
    gy_monitor *monitor = gy_monitor_new(observer, &why);
    gy_product_result *result = NULL;
    product.monitor = monitor;
    wanted.search = GY_SEARCH_DEVICE;
    wanted.device_product = &product;
    wanted.check_end_states = wanted.check_faults = wanted.check_assertions = false;
    wanted.reduce = wanted.symmetry = wanted.probe = wanted.check_reduction = false;
    wanted.max_errors = 1;
    wanted.checkpoint_file = wanted.resume_file = NULL;
    gy_text text = {0};
    if (monitor) {
        gy_search_result *figures = gy_search(system, &wanted);
        if (!figures->no_device)
            result = result_of(system, observer, &product, figures);
        else {
            gy_text_add(&text, figures->device_note);
            gy_search_result_free(figures);
        }
    } else
        gy_text_printf(&text, "no GPU was used: %s", why);
    *note = result ? NULL : gy_text_take(&text);
    gy_text_free(&text);
    gy_vec_free(&product.route);
    gy_monitor_free(monitor);
    return result;
}
