// The search itself: level after level, and what the host does of it. See device_search.h.
#include "search/device/device_search.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1 << 14 }; // states that the host has made

uint64_t gy_device_others(const gy_device_search *d)
{
    gy_store_figures figures = {0};
    gy_numbered_look(d->others, &figures);
    return figures.states;
}

// ---- the host's part ----------------------------------------------------------------------------

// A state to go on from: the device's, or the host's.
static void enter(gy_device_search *d, const gy_word *state, uint32_t words)
{
    uint64_t packed[GY_DEVICE_MOST_PARTS], id;
    if (d->product) {
        gy_vec_reserve(&d->target, words + (size_t)1);
        memcpy(d->target.at, state, words * sizeof *state);
        d->target.at[words++] = d->next;
        state = d->target.at;
    }
    d->transitions++;
    if (d->code->pack(d->code, state, words, packed)) {
        for (uint32_t k = 0; k < d->code->parts; k++)
            gy_vec_push(&d->batch, packed[k]);
    } else if (gy_numbered_enter(d->others, state, words, &id) == GY_STORE_FULL)
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
}

static int visit(void *user, const gy_transition *transition)
{
    gy_device_search *d = user;
    uint64_t cost = gy_run_note(d->run, transition);
    d->any = true;
    if (transition->fault)
        gy_run_note_fault(d->run, transition->fault, d->ordinal, cost);
    d->ordinal++;
    if (transition->state)
        enter(d, transition->state, transition->words);
    return d->run->stopped;
}

// The current state is done by the virtual machine, after the monitor has moved. Where the system
// has stopped, that goes on alone.
static void expand_with_monitor(gy_device_search *d, uint64_t level)
{
    const gy_monitor *monitor = d->product->monitor;
    uint32_t words = gy_device_words(d, d->state.n);
    d->next = gy_monitor_next(monitor, d->run->worker, d->state.at, words, d->state.at[words]);
    if (d->next == GY_MONITOR_BAD && !d->silent) {
        d->run->result->errors++;
        gy_device_report(d, level, false);
    }
    if (d->next == GY_MONITOR_BAD || d->next == GY_MONITOR_DEAD)
        return;
    gy_successors(d->run->worker, d->state.at, words, visit, d);
    d->run->faults.n = 0;
    if (!d->any && monitor->observer->stutters)
        enter(d, d->state.at, words);
}

static void expand_alone(gy_device_search *d, uint64_t level)
{
    gy_run *run = d->run;
    gy_successors(run->worker, d->state.at, (uint32_t)d->state.n, visit, d);
    if (d->silent)
        run->faults.n = 0;
    if (run->faults.n)
        gy_device_report(d, level, true);
    if (!d->any && !d->silent && gy_run_bad_end(run, d->state.at, (uint32_t)d->state.n))
        gy_device_report(d, level, false);
}

static void expand_here(gy_device_search *d, uint64_t level)
{
    d->ordinal = 0;
    d->any = false;
    if (d->product)
        expand_with_monitor(d, level);
    else
        expand_alone(d, level);
    if (d->batch.n >= (size_t)BATCH * d->code->parts)
        gy_device_flush(d);
}

// What a part of a level handed back.
static void do_left(gy_device_search *d, uint64_t level)
{
    uint32_t parts = d->code->parts;
    gy_device_note_candidates(d);
    if (!d->left.n || !gy_device_spell(d))
        return;
    // Reporting an error looks for a path to it, and so uses the lists.
    GY_VEC(uint64_t) left = {0}, bits = {0};
    gy_vec_reserve(&left, d->left.n);
    gy_vec_reserve(&bits, d->spelled.n);
    memcpy(left.at, d->left.at, d->left.n * sizeof *left.at);
    memcpy(bits.at, d->spelled.at, d->spelled.n * sizeof *bits.at);
    left.n = d->left.n;
    for (size_t i = 0; i < left.n && !d->run->stopped && !gy_run_tick(d->run); i++) {
        gy_device_recall(d, bits.at + i * parts);
        expand_here(d, level);
        if (d->any && (left.at[i] & GY_DEVICE_STUCK))
            gy_run_fail_internally(d->run, "the GPU and the VM disagree");
    }
    gy_vec_free(&left);
    gy_vec_free(&bits);
}

static void do_others(gy_device_search *d, uint64_t level)
{
    uint64_t end = gy_device_others(d);
    for (uint64_t id = d->other_levels.at[level]; id < end && !gy_run_tick(d->run); id++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(d->others, id, &words);
        gy_vec_reserve(&d->state, words);
        memcpy(d->state.at, state, words * sizeof *state);
        d->state.n = words;
        expand_here(d, level);
    }
}

// The figures of the search proper.
static void tell(gy_device_search *d)
{
    gy_run *run = d->run;
    if (d->silent || d->astray)
        return;
    run->states_so_far = d->tally[GY_TALLY_NEW] + gy_device_others(d);
    run->result->transitions = d->transitions + d->tally[GY_TALLY_TRANSITIONS];
    run->result->depth = d->levels.n ? d->levels.n - 1 : 0;
    run->result->by_transitions = true;
    run->result->expanded_reduced = d->tally[GY_TALLY_REDUCED];
    run->result->expanded_fully = run->states_so_far - run->result->expanded_reduced;
    run->result->folded = d->tally[GY_TALLY_FOLDED]; // and what the host's worker has folded
}

// The states [from, to) of a level.
static void do_level(gy_device_search *d, uint64_t level, uint64_t from, uint64_t to)
{
    gy_run *run = d->run;
    for (uint64_t at = from, done; at < to && !run->stopped && !d->astray; at += done) {
        done = gy_device_part(d, at, to - at, GY_DEVICE_SEARCH, 0);
        tell(d);
        do_left(d, level);
        tell(d);
        run->pending = d->tally[GY_TALLY_NEW] - at;
        if (gy_run_tick_slow(run))
            break;
    }
}

static void note_level(gy_device_search *d, uint64_t from, uint64_t other)
{
    gy_vec_push(&d->levels, from);
    gy_vec_push(&d->other_levels, other);
}

// Several levels, the first of which, [from, to), is noted already; none of them has states that
// the host keeps. Returns where the last one ends, or 0: nothing was done.
static uint64_t do_small_levels(gy_device_search *d, uint64_t from, uint64_t to, uint64_t most)
{
    uint64_t done = gy_device_several(d, from, to, most), others = gy_device_others(d);
    if (!done)
        return 0;
    for (uint64_t i = 0; i + 1 < done; i++) {
        note_level(d, to, others);
        to = d->ends[i];
    }
    tell(d);
    do_left(d, d->levels.n - 1);
    tell(d);
    d->run->pending = d->tally[GY_TALLY_NEW] - to;
    gy_run_tick_slow(d->run);
    return to;
}

void gy_device_search_levels(gy_device_search *d, uint64_t last)
{
    gy_run *run = d->run;
    d->ordinal = 0;
    d->next = 0;
    gy_initial(run->worker, visit, d);
    if (d->silent || d->product)
        run->faults.n = 0;
    if (run->faults.n)
        gy_device_report(d, 0, true);
    uint64_t from = 0, other = 0;
    while (!run->stopped && !d->astray) {
        gy_device_flush(d);
        uint64_t to = d->level_end ? d->level_end : d->tally[GY_TALLY_NEW];
        uint64_t others = gy_device_others(d), level = d->levels.n;
        if (from == to && other == others)
            break;
        note_level(d, from, other);
        if (level == last)
            break;
        uint64_t end = 0;
        bool begun = d->level_end != 0;
        d->level_end = 0;
        if (from < to && other == others && !begun && !run->stopped)
            end = do_small_levels(d, from, to, last - level);
        if (!end && !run->stopped) {
            do_others(d, level);
            gy_device_settle(d, from, to);
            do_level(d, level, from, to);
            end = to;
        }
        gy_device_check(d, end);
        from = end;
        other = others;
    }
    tell(d);
}

bool gy_device_again(gy_device_search *d, uint64_t level)
{
    gy_store_options wanted = {.budget = &d->run->budget, .hostile = d->run->options->hostile};
    uint64_t transitions = d->transitions;
    gy_numbered_free(d->others);
    d->others = gy_numbered_new(gy_store_kind_at(gy_store_kind_quick()), &wanted);
    memset(d->tally, 0, sizeof d->tally);
    d->levels.n = d->other_levels.n = d->batch.n = 0;
    gy_device_proviso_reset(d);
    d->kept_from = d->level_end = 0;
    d->silent = d->astray = false;
    if (!d->others || !d->device->zero(d->device, d->job.table, d->table_bytes))
        return false;
    d->silent = true;
    gy_device_search_levels(d, level);
    d->silent = false;
    d->astray = true;
    d->transitions = transitions;
    return !d->run->stopped && d->levels.n > level;
}
