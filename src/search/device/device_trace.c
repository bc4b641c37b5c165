// The path to a state that a search on a device has reached: back, level by level, then forwards.
//
// Back: the code runs again over the states of the level before, and says which of them leads to
// the state. The states that it hands back, and those that the host keeps, are tried by the virtual
// machine. Forwards, the virtual machine finds each step once more; so whatever the device says,
// only what the VM can do is reported.
#include "search/device/device_search.h"

#include <stdlib.h>
#include <string.h>

typedef GY_VEC(gy_word) state_words;

typedef struct hunt {
    const state_words *target;
    uint32_t words; // of it, without the monitor's
    uint32_t ordinal;
    int64_t found; // the ordinal, or -1
} hunt;

static int compare(void *user, const gy_transition *transition)
{
    hunt *h = user;
    const state_words *target = h->target;
    if (transition->state && transition->words == h->words &&
        !memcmp(transition->state, target->at, h->words * sizeof *target->at))
        h->found = h->ordinal;
    h->ordinal++;
    return h->found >= 0;
}

// Which step of a state (NULL: the start) leads to the target? -1: none.
static int64_t step_to(gy_device_search *d, const state_words *from, const state_words *target)
{
    hunt h = {.target = target, .words = gy_device_words(d, target->n), .found = -1};
    uint32_t words = from ? gy_device_words(d, from->n) : 0;
    if (d->product) {
        uint32_t next =
            from ? gy_monitor_next(d->product->monitor, d->walker, from->at, words, from->at[words])
                 : 0;
        if (next != target->at[h.words])
            return -1;
    }
    if (from)
        gy_successors(d->walker, from->at, words, compare, &h);
    else
        gy_initial(d->walker, compare, &h);
    bool stays = d->product && from && !h.ordinal && words == h.words &&
                 !memcmp(from->at, target->at, words * sizeof *from->at);
    return stays ? GY_STUTTER : h.found;
}

static void copy(state_words *to, const gy_word *from, size_t n)
{
    gy_vec_reserve(to, n + 1);
    memcpy(to->at, from, n * sizeof *from);
    to->n = n;
}

// The name of a state of the device's, which is there.
static bool name_of(gy_device_search *d, const state_words *state, uint64_t *name)
{
    uint64_t packed[GY_DEVICE_MOST_PARTS];
    if (!d->code->pack(d->code, state->at, (uint32_t)state->n, packed))
        return false;
    gy_device_job job = d->job;
    job.left = d->bits;
    bool good = d->device->upload(d->device, d->bits, packed, d->code->parts * sizeof *packed) &&
                gy_device_write_tally(d) && d->device->launch(d->device, GY_KERNEL_NAME, &job, 1) &&
                gy_device_read(d);
    *name = d->tally[GY_TALLY_HIT];
    return good;
}

static bool try_others(gy_device_search *d, uint64_t level, const state_words *target,
                       state_words *found)
{
    uint64_t end =
        level + 1 < d->other_levels.n ? d->other_levels.at[level + 1] : gy_device_others(d);
    for (uint64_t id = d->other_levels.at[level]; id < end; id++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(d->others, id, &words);
        copy(found, state, words);
        if (step_to(d, found, target) >= 0)
            return true;
    }
    return false;
}

static bool try_left(gy_device_search *d, const state_words *target, state_words *found)
{
    if (!gy_device_spell(d))
        return false;
    for (size_t i = 0; i < d->left.n; i++) {
        if ((d->left.at[i] & GY_DEVICE_STUCK) && !d->product)
            continue;
        gy_device_recall(d, d->spelled.at + i * d->code->parts);
        copy(found, d->state.at, d->state.n);
        if (step_to(d, found, target) >= 0)
            return true;
    }
    return false;
}

// A state of level `level` that leads to the target.
static bool before(gy_device_search *d, uint64_t level, const state_words *target,
                   state_words *found)
{
    uint64_t from = d->levels.at[level], to = d->levels.at[level + 1];
    if (try_others(d, level, target, found))
        return true;
    if (from < d->kept_from) {
        if (!gy_device_again(d, level + 1) || d->levels.at[level] < d->kept_from)
            return false;
        from = d->levels.at[level];
        to = d->levels.at[level + 1];
    }
    bool named = name_of(d, target, &d->job.target);
    bool good = false;
    for (uint64_t at = from, done; !good && at < to && !d->run->stopped; at += done) {
        d->tally[GY_TALLY_HIT] = 0;
        done = gy_device_part(d, at, to - at, GY_DEVICE_SEEK, 0);
        if (!done)
            break;
        if (named && d->tally[GY_TALLY_HIT]) {
            d->left.at[0] = d->tally[GY_TALLY_HIT] & ~GY_DEVICE_TAKEN; // there is room for one
            d->left.n = 1;
        }
        good = try_left(d, target, found);
    }
    return good;
}

// The ordinals of the steps to the last state of the list, which begins with it.
static bool walk(gy_device_search *d, const state_words *states, size_t count, gy_route *route)
{
    route->n = 0;
    for (size_t i = count; i-- > 0;) {
        int64_t step = step_to(d, i + 1 < count ? &states[i + 1] : NULL, &states[i]);
        if (step < 0)
            return false;
        gy_vec_push(route, (uint32_t)step);
    }
    return true;
}

typedef enum { WAY_FOUND, WAY_FORGOTTEN, WAY_WRONG } way;

static way way_to(gy_device_search *d, uint64_t level, gy_route *route)
{
    state_words *states = gy_alloc_zero((level + 1) * sizeof *states);
    uint64_t tally[GY_TALLIES], count = 1;
    memcpy(tally, d->tally, sizeof tally);
    copy(&states[0], d->state.at, d->state.n);
    way answer = WAY_FOUND;
    for (uint64_t l = level; answer == WAY_FOUND && l-- > 0; count++)
        if (!before(d, l, &states[count - 1], &states[count]))
            answer = d->levels.n <= l || d->levels.at[l] < d->kept_from ? WAY_FORGOTTEN : WAY_WRONG;
    if (answer == WAY_FOUND && !walk(d, states, count, route))
        answer = WAY_WRONG;
    if (!d->astray) {
        memcpy(d->tally, tally, sizeof tally);
        gy_device_write_tally(d);
    }
    gy_vec_reserve(&d->state, states[0].n + 1);
    memcpy(d->state.at, states[0].at, states[0].n * sizeof *d->state.at);
    d->state.n = states[0].n;
    for (uint64_t i = 0; i <= level; i++)
        gy_vec_free(&states[i]);
    free(states);
    return answer;
}

// An error without a path to it, which the virtual machine has gone, is none.
static void report(gy_device_search *d, uint64_t level, const gy_run_fault *fault)
{
    gy_route route = {0};
    if (!d->product && gy_run_has_enough(d->run, fault ? fault->kind : GY_FAULT_NONE)) {
        d->run->result->not_kept++; // a path to it would take as long as to the others
        return;
    }
    bool initial = fault && !d->state.n; // met before the first state
    way answer = initial ? WAY_FOUND : way_to(d, level, &route);
    if (answer == WAY_FOUND && d->product) {
        d->product->found = true;
        d->product->route = route;
        gy_run_stop(d->run, GY_STOPPED_AT_ERROR);
        return;
    }
    if (answer == WAY_FOUND) {
        if (fault)
            gy_vec_push(&route, fault->ordinal);
        gy_run_report(d->run, &route, fault ? fault->kind : GY_FAULT_NONE, false);
    } else if (!d->run->stopped) {
        d->run->result->errors--;
        if (answer == WAY_WRONG)
            gy_run_fail_internally(d->run, "the GPU and the VM disagree");
        else
            gy_run_overflow(d->run, "an error was found, but the path to it is no longer in the "
                                    "GPU's memory: use --backend native");
    }
    gy_vec_free(&route);
}

void gy_device_report(gy_device_search *d, uint64_t level, bool at_fault)
{
    gy_run *run = d->run;
    if (!at_fault) {
        report(d, level, NULL);
        return;
    }
    for (size_t i = 0; i < run->faults.n && !run->stopped; i++) {
        gy_run_fault fault = run->faults.at[i];
        if (gy_run_fault_is_new(run, &fault))
            report(d, level, &fault);
    }
    run->faults.n = 0;
}
