#include "search/safety/dive.h"

#include "base/hash.h"

enum { MOST_MOVES = 1 << 16 }; // of one state: with more of them it is not a probe any more

static void give_up(gy_dive *d)
{
    d->over = d->gave_up = true;
}

// The way to the state of the top frame, and one transition more if ordinal >= 0.
static void found(gy_dive *d, gy_fault_kind kind, int64_t ordinal)
{
    d->found = d->over = true;
    d->kind = kind;
    gy_descent_way(&d->path, ordinal, &d->way);
}

// ---- the next state ---------------------------------------------------------------------

// Is this the one to be taken of those that are unseen?
static bool is_better(gy_dive *d, uint64_t hash)
{
    uint64_t key = 0;
    if (d->order >= GY_DIVE_MIXED)
        key = gy_hash_pair(hash, d->order);
    bool better = d->unseen == 0 || d->order == GY_DIVE_REVERSED ||
                  (d->order >= GY_DIVE_MIXED && key < d->chosen_key);
    if (better)
        d->chosen_key = key;
    return better;
}

static void consider(gy_dive *d, const gy_word *state, uint32_t words, uint32_t ordinal)
{
    uint64_t hash = gy_hash_state(state, words);
    hash += hash == 0;
    if (gy_descent_has_seen(&d->path, hash))
        return;
    if (is_better(d, hash)) {
        d->chosen = ordinal;
        d->chosen_hash = hash;
        gy_vec_reserve(&d->next, (size_t)words + 1);
        if (words)
            memcpy(d->next.at, state, words * sizeof *state);
        d->next.n = words;
    }
    d->unseen += d->unseen == 0 || hash != d->chosen_hash;
}

static bool is_wanted(const gy_dive *d, const gy_fault *fault)
{
    return fault && fault->kind != GY_FAULT_ATOMIC_LOOP &&
           gy_run_wants_fault(d->options, fault->kind);
}

static int visit_initial(void *user, const gy_transition *transition)
{
    gy_dive *d = user;
    if (is_wanted(d, transition->fault)) {
        found(d, transition->fault->kind, d->ordinal);
        return 1;
    }
    if (transition->state)
        consider(d, transition->state, transition->words, d->ordinal);
    d->ordinal++;
    return 0;
}

static void look_for_errors(gy_dive *d, const gy_word *state, uint32_t words,
                            const gy_transition *all, uint32_t count)
{
    for (uint32_t i = 0; i < count && !d->found; i++)
        if (is_wanted(d, all[i].fault))
            found(d, all[i].fault->kind, i);
    if (count == 0 && d->options->check_end_states &&
        !gy_is_end_state(d->worker, state, words, d->options->empty_channels))
        found(d, GY_FAULT_NONE, -1);
}

static void look_around(gy_dive *d, gy_descent_frame *f)
{
    const gy_word *state = gy_descent_state(&d->path, f);
    uint32_t count;
    d->moves.most = MOST_MOVES;
    const gy_transition *all = gy_moves_find(&d->moves, d->worker, state, f->words, &count);
    if (d->moves.cut) {
        give_up(d);
        return;
    }
    const uint8_t *keep = d->moves.keep.at;
    bool reduced = d->reducer && gy_reduce_choose(d->reducer, state, f->words, all, count,
                                                  d->moves.keep.at) < count;
    d->work += count;
    if (!f->looked)
        look_for_errors(d, state, f->words, all, count);
    // As given, the first is taken, and a second only says that this state is worth a return.
    uint32_t enough = d->order == GY_DIVE_AS_GIVEN ? 2 : UINT32_MAX;
    for (uint32_t i = 0; i < count && d->unseen < enough; i++)
        if (all[i].state && (!reduced || keep[i]))
            consider(d, all[i].state, all[i].words, i);
}

// From the state at the end of the path to one that is new, or back.
static void advance(gy_dive *d)
{
    gy_descent_frame *f = gy_descent_top(&d->path);
    d->ordinal = d->unseen = 0;
    d->work++;
    if (f->done) {
        gy_descent_pop(&d->path);
        return;
    }
    if (d->path.depth == 1)
        gy_initial(d->worker, visit_initial, d);
    else
        look_around(d, f);
    if (d->found)
        return;
    f->looked = true;
    if (!d->unseen) {
        gy_descent_pop(&d->path);
        return;
    }
    f->ordinal = d->chosen;
    f->done = d->unseen == 1;
    if (!gy_descent_mark(&d->path, d->chosen_hash) ||
        !gy_descent_push(&d->path, d->next.at, (uint32_t)d->next.n, 0))
        give_up(d);
}

void gy_dive_begin(gy_dive *d, gy_system *system, const gy_search_options *options,
                   const gy_reduction *reduction, uint64_t order)
{
    *d = (gy_dive){.options = options, .order = order};
    d->worker = gy_worker_new(system);
    d->reducer = reduction ? gy_reducer_new(reduction) : NULL;
    gy_budget_init(&d->budget, options->memory_limit);
    gy_descent_init(&d->path, &d->budget);
    if (!gy_descent_begin(&d->path))
        give_up(d);
}

void gy_dive_go_on(gy_dive *d, uint64_t work, uint64_t most)
{
    uint64_t end = d->work + work;
    if (!gy_budget_measure(&d->budget))
        give_up(d);
    while (!d->over && d->work < end) {
        advance(d);
        if (d->path.depth == 0)
            d->over = true;
        if (d->budget.used > most && !d->found)
            give_up(d);
    }
}

void gy_dive_end(gy_dive *d)
{
    if (!d->worker)
        return;
    gy_worker_free(d->worker);
    gy_reducer_free(d->reducer);
    gy_moves_free(&d->moves);
    gy_descent_free(&d->path);
    gy_vec_free(&d->way);
    gy_vec_free(&d->next);
    *d = (gy_dive){0};
}
