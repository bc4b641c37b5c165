// Moves are made in up to three layers, each of which reads the list of the one below: those of the
// system, those of the product, those that a bound allows. Without an observer and a bound there is
// nothing to be copied.
#include "search/hunt/bounded_product.h"

enum { PID_BITS = 8, NOBODY = (1 << PID_BITS) - 1 };

void gy_bounded_product_init(gy_bounded_product *ground, gy_worker *worker,
                             const gy_search_options *options)
{
    *ground = (gy_bounded_product){.worker = worker, .options = options};
}

void gy_bounded_product_free(gy_bounded_product *ground)
{
    gy_reducer_free(ground->reducer);
    gy_worker_free(ground->worker);
    gy_moves_free(&ground->moves);
    gy_vec_free(&ground->list);
    gy_vec_free(&ground->origins);
    gy_vec_free(&ground->words);
    gy_vec_free(&ground->here);
    gy_vec_free(&ground->observed);
    *ground = (gy_bounded_product){0};
}

const gy_fault *gy_bounded_product_wanted(const gy_bounded_product *ground, const gy_fault *first)
{
    return ground->observer ? NULL : gy_run_wanted(ground->options, first);
}

// ---- the system ---------------------------------------------------------------------------

static int keep_initial(void *user, const gy_transition *transition)
{
    gy_bounded_product *g = user;
    gy_transition kept = *transition;
    kept.state = transition->state ? (const gy_word *)1 + g->here.n : NULL; // placed later
    kept.steps = NULL;
    kept.step_count = 0;
    gy_vec_reserve(&g->here, g->here.n + transition->words + 1);
    if (transition->state && transition->words)
        memcpy(g->here.at + g->here.n, transition->state,
               transition->words * sizeof *transition->state);
    g->here.n += transition->state ? transition->words : 0;
    gy_faults_copy(&g->moves.faults, kept.fault);
    gy_vec_push(&g->moves.list, kept);
    return 0;
}

static const gy_transition *begin(gy_bounded_product *g, uint32_t *count)
{
    size_t word = 0, fault = 0;
    g->here.n = g->moves.list.n = g->moves.faults.n = 0;
    gy_initial(g->worker, keep_initial, g);
    for (size_t i = 0; i < g->moves.list.n; i++) {
        gy_transition *t = &g->moves.list.at[i];
        if (t->state) {
            t->state = g->here.at + word;
            word += t->words;
        }
        if (t->fault)
            t->fault = gy_faults_next(&g->moves.faults, &fault);
    }
    *count = (uint32_t)g->moves.list.n;
    gy_vec_reserve(&g->moves.keep, (size_t)*count + 1);
    return g->moves.list.at;
}

static const gy_transition *moves_of_system(gy_bounded_product *g, const gy_word *state,
                                            uint32_t words, uint32_t *count)
{
    const gy_transition *all = gy_moves_find(&g->moves, g->worker, state, words, count);
    g->reduced = g->reducer && *count > 1 &&
                 gy_reduce_choose(g->reducer, state, words, all, *count, g->moves.keep.at) < *count;
    if (*count == 0 && !g->observer && g->options->check_end_states &&
        !gy_is_end_state(g->worker, state, words, g->options->empty_channels))
        g->found = GY_BOUNDED_PRODUCT_STUCK;
    return all;
}

// ---- the product --------------------------------------------------------------------------

static void add_observed(void *user, const gy_observer_move *move)
{
    gy_bounded_product *g = user;
    gy_vec_push(&g->observed, *move);
}

// False: it sees an error.
static bool observe(gy_bounded_product *g, const gy_word *state, uint32_t words, uint32_t at)
{
    const gy_observer *observer = g->observer;
    g->observed.n = 0;
    observer->moves(observer->self, g->worker, state, words, at, add_observed, g);
    for (size_t i = 0; i < g->observed.n; i++)
        if (g->observed.at[i].sight != GY_SEES_NOTHING) {
            g->sight = g->observed.at[i];
            g->found = GY_BOUNDED_PRODUCT_SIGHT;
            return false;
        }
    return true;
}

static void begin_observing(gy_bounded_product *g)
{
    const gy_observer *observer = g->observer;
    g->observed.n = 0;
    for (uint32_t i = 0; i < observer->initial_count && observer->initials; i++)
        gy_vec_push(&g->observed, (gy_observer_move){.to = observer->initials[i]});
    if (!observer->initials)
        gy_vec_push(&g->observed, (gy_observer_move){.to = observer->initial});
}

// A state with one word more, at the end of the list; its place in `words` is set later.
static void add_extended(gy_bounded_product *g, const gy_transition *from, gy_word last)
{
    gy_transition move = *from;
    gy_vec_reserve(&g->words, g->words.n + from->words + 1);
    if (from->words)
        memcpy(g->words.at + g->words.n, from->state, from->words * sizeof *from->state);
    g->words.at[g->words.n + from->words] = last;
    g->words.n += from->words + 1;
    move.words++;
    move.written = GY_WRITTEN_ALL;
    move.fault = NULL;
    gy_vec_push(&g->list, move);
}

static void place_states(gy_bounded_product *g)
{
    const gy_word *at = g->words.at;
    for (size_t i = 0; i < g->list.n; i++)
        if (g->list.at[i].state) {
            g->list.at[i].state = at;
            at += g->list.at[i].words;
        }
}

static const gy_transition *moves_of_product(gy_bounded_product *g, const gy_transition *all,
                                             const gy_word *state, uint32_t words, uint32_t *count)
{
    const gy_observer *observer = g->observer;
    gy_transition stay = {.state = state, .words = words, .exclusive = -1};
    uint32_t n = *count;
    if (n == 0 && state && observer->stutters) {
        all = &stay;
        n = 1;
    }
    g->list.n = g->words.n = g->origins.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t passed = all != &stay && state && observer->passed
                              ? observer->passed(observer->self, &all[i])
                              : 0;
        for (size_t k = 0; k < g->observed.n && all[i].state; k++) {
            if (g->observed.at[k].unless & passed)
                continue;
            add_extended(g, &all[i], g->observed.at[k].to);
            gy_vec_push(&g->origins, ((gy_bounded_product_origin){g->observed.at[k],
                                                                  all == &stay ? UINT32_MAX : i}));
        }
    }
    place_states(g);
    g->reduced = false;
    *count = (uint32_t)g->list.n;
    return g->list.at;
}

// ---- bounded schedules --------------------------------------------------------------------

static bool takes_part(const gy_transition *move, uint32_t pid)
{
    return move->step_count > 0 &&
           ((uint32_t)move->steps[0].pid == pid || (uint32_t)move->steps[0].partner == pid);
}

static bool can_move(const gy_transition *all, uint32_t count, uint32_t pid)
{
    for (uint32_t i = 0; i < count; i++)
        if (takes_part(&all[i], pid))
            return true;
    return false;
}

// Delays before this process has its turn: those that are enabled and come before it, from the one
// that moved last on.
static uint32_t delays_before(const gy_transition *all, uint32_t count, uint32_t last, uint32_t pid)
{
    bool seen[NOBODY + 1] = {0};
    uint32_t delays = 0, span = (pid - last) & NOBODY;
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].step_count == 0)
            continue;
        uint32_t other = (uint32_t)all[i].steps[0].pid & NOBODY;
        if (!seen[other] && ((other - last) & NOBODY) < span)
            delays++;
        seen[other] = true;
    }
    return delays;
}

static uint32_t price_of(const gy_bounded_product *g, const gy_transition *all, uint32_t count,
                         uint32_t i, uint32_t last, bool last_can)
{
    if (all[i].step_count == 0 || last == NOBODY)
        return 0;
    if (g->bound == GY_BOUND_CONTEXT)
        return last_can && !takes_part(&all[i], last);
    return delays_before(all, count, last, (uint32_t)all[i].steps[0].pid & NOBODY);
}

// What is not allowed leads nowhere, so that ordinals stay what they are.
static const gy_transition *moves_within(gy_bounded_product *g, const gy_transition *all,
                                         uint32_t *count, gy_word schedule)
{
    uint32_t last = schedule & NOBODY, used = schedule >> PID_BITS, n = *count;
    bool last_can = last != NOBODY && can_move(all, n, last);
    GY_VEC(gy_transition) below = {0}; // the list moves
    GY_VEC(gy_word) states = {0};
    gy_vec_reserve(&states, 1);
    for (uint32_t i = 0; i < n; i++) {
        gy_vec_push(&below, all[i]);
        for (uint32_t w = 0; all[i].state && w < all[i].words; w++)
            gy_vec_push(&states, all[i].state[w]);
    }
    g->list.n = g->words.n = 0;
    const gy_word *at = states.at;
    for (uint32_t i = 0; i < n; i++) {
        gy_transition move = below.at[i];
        if (move.state) {
            move.state = at;
            at += move.words;
        }
        uint32_t price = price_of(g, below.at, n, i, last, last_can);
        bool allowed = used + price <= g->bound_limit;
        g->bound_cut = g->bound_cut || !allowed;
        if (move.state && allowed) {
            gy_word now = move.step_count ? (uint32_t)move.steps[0].pid & NOBODY : last;
            add_extended(g, &move, (used + price) << PID_BITS | now);
        } else {
            move.state = NULL;
            move.words = 0;
            gy_vec_push(&g->list, move);
        }
        g->list.at[g->list.n - 1].fault = allowed ? below.at[i].fault : NULL;
    }
    gy_vec_free(&below);
    gy_vec_free(&states);
    place_states(g);
    g->reduced = false;
    *count = (uint32_t)g->list.n;
    return g->list.at;
}

const gy_transition *gy_bounded_product_expand(gy_bounded_product *g, const gy_word *state,
                                               uint32_t words, uint32_t *count)
{
    gy_word schedule = NOBODY;
    const gy_transition *all;
    g->found = GY_BOUNDED_PRODUCT_FINE;
    g->reduced = false;
    if (state && g->bound != GY_BOUND_NONE)
        schedule = state[--words];
    if (g->observer && state) {
        words--;
        if (!observe(g, state, words, state[words]) || g->observed.n == 0) {
            *count = 0;
            return g->list.at;
        }
    } else if (g->observer) {
        begin_observing(g);
    }
    all = state ? moves_of_system(g, state, words, count) : begin(g, count);
    if (g->observer)
        all = moves_of_product(g, all, state, words, count);
    if (g->bound != GY_BOUND_NONE)
        all = moves_within(g, all, count, schedule);
    return all;
}
