#include "search/safety/probe_run.h"

#include "base/hash.h"

enum {
    MOST_MOVES = 1 << 16, // of one state: with more of them it is not a probe any more
    MEASURE = 1 << 14,    // transitions between two looks at the process's memory
    AHEAD = 8,            // moves that are looked up at a time
};

static void give_up(gy_probe_run *d)
{
    d->over = d->gave_up = true;
}

// The path to the state of the top frame, and one transition more if ordinal >= 0.
static void found(gy_probe_run *d, gy_fault_kind kind, int64_t ordinal)
{
    d->found = d->over = true;
    d->kind = kind;
    gy_hashed_dfs_path(&d->path, ordinal, &d->way);
}

// ---- the next state ---------------------------------------------------------------------

static uint64_t hash_of(const gy_transition *move)
{
    uint64_t hash = gy_hash_state(move->state, move->words);
    return hash + (hash == 0);
}

static void consider(gy_probe_run *d, const gy_transition *move, uint32_t ordinal, uint64_t hash)
{
    if (gy_hashed_dfs_has_seen(&d->path, hash))
        return;
    uint64_t key = d->order == GY_DIVE_AS_GIVEN   ? ordinal
                   : d->order == GY_DIVE_REVERSED ? UINT32_MAX - ordinal
                                                  : gy_hash_pair(hash, d->order);
    gy_hashed_dfs_offer(&d->path, move, ordinal, hash, key, 0);
}

static int visit_initial(void *user, const gy_transition *transition)
{
    gy_probe_run *d = user;
    const gy_fault *fault = gy_run_wanted(d->options, transition->fault);
    if (fault) {
        found(d, fault->kind, d->ordinal);
        return 1;
    }
    if (transition->state)
        consider(d, transition, d->ordinal, hash_of(transition));
    d->ordinal++;
    return 0;
}

static void look_for_errors(gy_probe_run *d, const gy_word *state, uint32_t words,
                            const gy_transition *all, uint32_t count)
{
    for (uint32_t i = 0; i < count && !d->found; i++) {
        const gy_fault *fault = gy_run_wanted(d->options, all[i].fault);
        if (fault)
            found(d, fault->kind, i);
    }
    if (count == 0 && d->options->check_end_states &&
        !gy_is_end_state(d->worker, state, words, d->options->empty_channels))
        found(d, GY_FAULT_NONE, -1);
}

static void look_around(gy_probe_run *d, const gy_hashed_dfs_frame *f)
{
    const gy_word *state = gy_hashed_dfs_state(&d->path, f);
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
    uint64_t hashes[AHEAD]; // most of the time went into waiting for what was seen
    for (uint32_t i = 0; i < count && i < AHEAD; i++)
        if (all[i].state)
            gy_hashed_dfs_prefetch(&d->path, hashes[i] = hash_of(&all[i]));
    for (uint32_t i = 0; i < count && d->path.unseen < enough; i++)
        if (all[i].state && (!reduced || keep[i]))
            consider(d, &all[i], i, i < AHEAD ? hashes[i] : hash_of(&all[i]));
}

// From the state at the end of the path to one that is new, or back.
static void advance(gy_probe_run *d)
{
    d->ordinal = 0;
    d->work++;
    if (!gy_hashed_dfs_look(&d->path))
        return;
    if (d->path.depth == 1)
        gy_initial(d->worker, visit_initial, d);
    else
        look_around(d, gy_hashed_dfs_top(&d->path));
    if (!d->found && !gy_hashed_dfs_go(&d->path, true))
        give_up(d);
}

void gy_probe_run_begin(gy_probe_run *d, gy_system *system, const gy_search_options *options,
                        const gy_reduction *reduction, uint64_t order)
{
    if (!d->worker) {
        d->worker = gy_worker_new(system);
        gy_budget_init(&d->budget, options->memory_limit);
        gy_hashed_dfs_init(&d->path, &d->budget);
    }
    gy_reducer_free(d->reducer);
    d->reducer = reduction ? gy_reducer_new(reduction) : NULL;
    d->options = options;
    d->order = order;
    d->work = d->measured = 0;
    d->over = d->gave_up = d->found = false;
    if (!gy_hashed_dfs_begin(&d->path))
        give_up(d);
}

void gy_probe_run_go_on(gy_probe_run *d, uint64_t work, uint64_t most)
{
    uint64_t end = d->work + work;
    if (d->work >= d->measured) {
        d->measured = d->work + MEASURE;
        if (!gy_budget_measure(&d->budget))
            give_up(d);
    }
    while (!d->over && d->work < end) {
        advance(d);
        if (d->path.depth == 0)
            d->over = true;
        if (d->budget.used > most && !d->found)
            give_up(d);
    }
}

void gy_probe_run_end(gy_probe_run *d)
{
    if (!d->worker)
        return;
    gy_worker_free(d->worker);
    gy_reducer_free(d->reducer);
    gy_moves_free(&d->moves);
    gy_hashed_dfs_free(&d->path);
    gy_vec_free(&d->way);
    *d = (gy_probe_run){0};
}
