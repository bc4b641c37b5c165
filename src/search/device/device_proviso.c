// Partial-order reduction on a device: candidates, which may be going round in circles.
//
// The device sees at once whether a kept successor is of the next level: names in its table are
// marked for as long as they are. Reduced states without such a one are handed back; at the end of
// the level they are checked together, as by the CPU threads (search/safety/level_proviso.h), who
// ask for what states lead to, in their thousands: the device reports. Those that fail are expanded
// fully there, and all that comes of it is of the next level. States that the host expands are
// expanded fully.
#include "search/device/device_search.h"

#include "search/safety/level_proviso.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef GY_VEC(uint64_t) names;

typedef struct gy_device_proviso {
    gy_level_proviso level;
    gy_number_set next; // of the states that were reported: those of the next level
    gy_number_set full; // all that failed
    gy_proviso_reports reports;
    names candidates, asked, failed;
    names bits;     // of the candidates
    bool no_memory; // what is reported is not complete
} gy_device_proviso;

static bool is_interrupted(void *of)
{
    return gy_run_tick_slow(of);
}

bool gy_device_proviso_init(gy_device_search *d)
{
    gy_budget *budget = &d->run->budget;
    gy_device_proviso *p = d->proviso = gy_alloc_zero(sizeof *p);
    gy_level_proviso_init(&p->level, budget);
    p->level.interrupted = is_interrupted;
    p->level.of = d->run;
    gy_number_set_init(&p->next, budget);
    gy_number_set_init(&p->full, budget);
    gy_proviso_reports_init(&p->reports, budget);
    return gy_number_set_begin(&p->full, 1);
}

void gy_device_proviso_free(gy_device_search *d)
{
    gy_device_proviso *p = d->proviso;
    if (!p)
        return;
    gy_level_proviso_free(&p->level);
    gy_number_set_free(&p->next);
    gy_number_set_free(&p->full);
    gy_proviso_reports_free(&p->reports);
    gy_vec_free(&p->candidates);
    gy_vec_free(&p->asked);
    gy_vec_free(&p->failed);
    gy_vec_free(&p->bits);
    free(p);
    d->proviso = NULL;
}

void gy_device_proviso_reset(gy_device_search *d)
{
    bool had = d->proviso != NULL;
    gy_device_proviso_free(d);
    if (had && !gy_device_proviso_init(d))
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
}

void gy_device_note_candidates(gy_device_search *d)
{
    size_t left = 0;
    if (!d->proviso)
        return;
    for (size_t i = 0; i < d->left.n; i++) {
        uint64_t name = d->left.at[i];
        if (!(name & GY_DEVICE_STUCK) && name & GY_DEVICE_CANDIDATE)
            gy_vec_push(&d->proviso->candidates, name & ~GY_DEVICE_CANDIDATE);
        else
            d->left.at[left++] = name;
    }
    d->left.n = left;
}

void gy_device_settle(gy_device_search *d, uint64_t from, uint64_t to)
{
    if (!d->proviso || from == to || d->run->stopped)
        return;
    gy_device_job job = d->job;
    job.from = from % job.ring_size;
    job.count = to - from;
    d->tally[GY_TALLY_DONE] = 0;
    if (!gy_device_write_tally(d) ||
        !d->device->launch(d->device, GY_KERNEL_SETTLE, &job, job.count)) {
        gy_device_fail(d);
        return;
    }
    if (gy_device_read(d))
        gy_device_has_done(d, to - from);
}

// ---- what states lead to ------------------------------------------------------------------------

static void report(gy_device_proviso *p, gy_proviso_report_kind what, uint64_t name)
{
    p->no_memory = !gy_proviso_reports_add(&p->reports, what, name) || p->no_memory;
}

static int by_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Pairs in d->left: of a state, and of what a kept transition of it leads to.
static void read_pairs(gy_device_search *d)
{
    gy_device_proviso *p = d->proviso;
    size_t pairs = d->left.n / 2;
    uint64_t *at = d->left.at;
    if (pairs)
        qsort(at, pairs, 2 * sizeof *at, by_first);
    for (size_t i = 0; i < pairs; i++) {
        uint64_t from = at[2 * i], to = at[2 * i + 1];
        if (to == UINT64_MAX) {
            report(p, GY_PROVISO_FULL, from);
            continue;
        }
        if (!i || at[2 * i - 2] != from)
            report(p, GY_PROVISO_REDUCED, from);
        uint64_t lead = to & ~GY_DEVICE_NEXT;
        if (to & GY_DEVICE_NEXT)
            p->no_memory = !gy_number_set_add(&p->next, lead) || p->no_memory;
        report(p, GY_PROVISO_LEAD, lead);
    }
}

// Does something with all states of a list. False: the search has ended.
static bool do_list(gy_device_search *d, const names *list, uint64_t next, gy_device_mode mode)
{
    for (size_t at = 0; at < list->n;) {
        uint64_t now = list->n - at < GY_DEVICE_LEFT ? list->n - at : GY_DEVICE_LEFT;
        if (!d->device->upload(d->device, d->names, list->at + at, now * sizeof *list->at)) {
            gy_device_fail(d);
            return false;
        }
        for (uint64_t from = 0, done; from < now; from += done) {
            done = gy_device_part(d, next, now - from, mode, d->names + from * sizeof(uint64_t));
            if (!done)
                return false;
            if (mode == GY_DEVICE_REPORT)
                read_pairs(d);
            else if (d->left.n)
                gy_run_fail_internally(d->run, "the device has changed its mind on a state");
        }
        at += now;
    }
    return !d->run->stopped;
}

static bool hear(gy_device_search *d, const names *list, uint64_t next)
{
    gy_device_proviso *p = d->proviso;
    p->reports.n = 0;
    if (!do_list(d, list, next, GY_DEVICE_REPORT))
        return false;
    if (!p->no_memory && gy_level_proviso_hear(&p->level, &p->reports, &p->next, &p->full))
        return true;
    gy_run_stop(d->run, GY_LIMIT_MEMORY);
    return false;
}

// ---- the check ----------------------------------------------------------------------------------

static void ask_for(void *user, gy_ref state)
{
    gy_device_search *d = user;
    gy_vec_push(&d->proviso->asked, state);
}

static void note_failed(void *user, gy_ref state)
{
    gy_device_search *d = user;
    gy_vec_push(&d->proviso->failed, state);
}

// By content: names differ from run to run. The candidates are in order, and their bits at hand.
static uint64_t rank_of(void *user, gy_ref state)
{
    gy_device_search *d = user;
    const gy_device_proviso *p = d->proviso;
    const uint64_t *found =
        bsearch(&state, p->candidates.at, p->candidates.n, sizeof state, by_first);
    size_t number = found ? (size_t)(found - p->candidates.at) : 0;
    gy_device_recall(d, p->bits.at + number * d->code->parts);
    return gy_hash_state(d->state.at, (uint32_t)d->state.n);
}

static bool spell_candidates(gy_device_search *d)
{
    gy_device_proviso *p = d->proviso;
    uint32_t parts = d->code->parts;
    if (p->candidates.n)
        qsort(p->candidates.at, p->candidates.n, sizeof *p->candidates.at, by_first);
    gy_vec_reserve(&p->bits, p->candidates.n * parts + 1);
    for (size_t at = 0; at < p->candidates.n; at += d->left.n) {
        size_t now = p->candidates.n - at;
        d->left.n = now < GY_DEVICE_LEFT ? now : GY_DEVICE_LEFT;
        gy_vec_reserve(&d->left, d->left.n + 1);
        memcpy(d->left.at, p->candidates.at + at, d->left.n * sizeof *d->left.at);
        if (!gy_device_spell(d))
            return false;
        memcpy(p->bits.at + at * parts, d->spelled.at, d->left.n * parts * sizeof *p->bits.at);
    }
    return true;
}

static bool look_ahead(gy_device_search *d, uint64_t states, uint64_t next)
{
    gy_device_proviso *p = d->proviso;
    if (!gy_number_set_begin(&p->next, p->candidates.n)) {
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
        return false;
    }
    if (!hear(d, &p->candidates, next))
        return false;
    for (;;) {
        p->asked.n = 0;
        gy_level_proviso_ask(&p->level, gy_level_proviso_allowance(states), ask_for, d);
        if (!p->asked.n)
            return !d->run->stopped;
        if (!hear(d, &p->asked, next))
            return false;
    }
}

void gy_device_check(gy_device_search *d, uint64_t next)
{
    gy_device_proviso *p = d->proviso;
    if (!p || d->run->stopped)
        return;
    uint64_t states = d->tally[GY_TALLY_NEW] + gy_device_others(d);
    gy_level_proviso_begin(&p->level, gy_level_proviso_memory(&p->level, states));
    if (p->candidates.n && look_ahead(d, states, next) && spell_candidates(d)) {
        p->failed.n = 0;
        gy_level_proviso_fail(&p->level, rank_of, note_failed, d);
        for (size_t i = 0; i < p->failed.n; i++)
            p->no_memory = !gy_number_set_add(&p->full, p->failed.at[i]) || p->no_memory;
        if (p->no_memory)
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
        else
            do_list(d, &p->failed, next, GY_DEVICE_REST);
    }
    p->candidates.n = 0;
}
