// Two dives go on in turns. One tries successors as they are given and is never given up while
// there is memory: it comes by where Spin comes by. The other begins again repeatedly, in
// another order each time: the first time the other way round, then mixed; with and without a
// reduction. Its runs are of 1, 2, 1, 4, 1, 2, 1, 8 … times the same length.
#include "search/safety/probe.h"

#include "search/replay.h"
#include "search/safety/probe_run.h"

#include "base/hash.h"

enum {
    FROM = 10000, // transitions of the search before the first slice
    HEAD_START = 1 << 15,
    SHARE = 10,       // one transition of so many,
    KNEE = 1 << 19,   // of the first so many,
    LATER_SHARE = 80, // and of all others: what is easily found has been found by then
    LEAST = 1 << 11,  // in a slice
    MOST = 1 << 14,   // likewise
    TURN = 1 << 10,   // of one dive
    BIT = 1 << 4,     // likewise, between checks of the clock: steps may take long where it is deep
    LENGTH = 1 << 12, // of the shortest run of the second dive
};

static const uint64_t SOME_MEMORY = 64 << 20; // and a share of what the search has
enum { MEMORY_SHARE = 8, LIMIT_SHARE = 16, LEAST_MEMORY = 1 << 20 };

struct gy_probe {
    gy_run *run;
    gy_probe_run deep, wild;
    uint64_t deep_work, wild_work; // wild: of the runs before this one
    uint64_t runs;                 // of the second dive
    bool wild_runs;                // one of them has begun and not ended
    bool done;                     // all there is was seen
    const gy_probe_run *found;
};

static uint64_t memory_for(const gy_probe *p)
{
    uint64_t limit = p->run->options->memory_limit;
    return limit ? limit / LIMIT_SHARE : SOME_MEMORY + p->run->budget.used / MEMORY_SHARE;
}

gy_probe *gy_probe_new(gy_run *run)
{
    gy_probe *p = gy_alloc_zero(sizeof *p);
    p->run = run;
    p->done = memory_for(p) < LEAST_MEMORY; // the search needs all there is
    return p;
}

void gy_probe_free(gy_probe *p)
{
    if (!p)
        return;
    gy_probe_run_end(&p->deep);
    gy_probe_run_end(&p->wild);
    free(p);
}

bool gy_probe_found(const gy_probe *p)
{
    return p && p->found;
}

// What a dive has come to.
static void judge(gy_probe *p, const gy_probe_run *d)
{
    if (d->found)
        p->found = d;
    else if (d->over && !d->gave_up && !d->reducer) // a reduction may have put something off
        p->done = true;
}

static void take_turn(gy_probe *p, gy_probe_run *d)
{
    uint64_t most = memory_for(p);
    for (uint64_t end = d->work + TURN; d->work < end && !d->over && !gy_run_glance(p->run);)
        gy_probe_run_go_on(d, BIT, most);
}

static void go_deep(gy_probe *p)
{
    gy_probe_run *d = &p->deep;
    if (!d->worker)
        gy_probe_run_begin(d, p->run->system, p->run->options, p->run->reduction, GY_DIVE_AS_GIVEN);
    take_turn(p, d);
    p->deep_work = d->work;
    judge(p, d);
    if (d->over && !d->found) {
        p->deep_work = UINT64_MAX; // no more turns
        gy_probe_run_end(d);
    }
}

static uint64_t length_of(uint64_t run)
{
    return (uint64_t)LENGTH << __builtin_ctzll(run);
}

static void go_wild(gy_probe *p)
{
    gy_probe_run *d = &p->wild;
    if (!p->wild_runs) {
        const gy_reduction *reduction = p->runs % 2 ? NULL : p->run->reduction;
        uint64_t order = GY_DIVE_REVERSED + p->runs / 2;
        if (order > GY_DIVE_REVERSED)
            order = GY_DIVE_MIXED + (gy_hash_pair(p->run->options->seed, order) >> 1);
        gy_probe_run_begin(d, p->run->system, p->run->options, reduction, order);
        p->wild_runs = true;
        p->runs++;
    }
    take_turn(p, d);
    judge(p, d);
    if (!d->found && (d->over || d->work >= length_of(p->runs))) {
        p->wild_work += d->work;
        d->work = 0;
        p->wild_runs = false;
    }
}

bool gy_probe_keep_up(gy_probe *p, uint64_t transitions, const _Atomic bool *stop)
{
    uint64_t head = transitions / 2 < HEAD_START ? transitions / 2 : HEAD_START;
    uint64_t later = transitions > KNEE ? transitions - KNEE : 0;
    uint64_t allowed = head + (transitions - later) / SHARE + later / LATER_SHARE;
    for (uint64_t spent = 0; transitions >= FROM && !p->done && !p->found && spent < MOST;) {
        uint64_t wild = p->wild_work + p->wild.work, deep = p->deep_work;
        uint64_t both = wild + (deep == UINT64_MAX ? wild : deep);
        if (both + (spent ? 0 : LEAST) > allowed || p->run->stopped ||
            atomic_load_explicit(stop, memory_order_relaxed))
            break;
        if (deep <= wild)
            go_deep(p);
        else
            go_wild(p);
        spent += TURN;
    }
    return p->found != NULL;
}

void gy_probe_report(gy_probe *p)
{
    gy_run_report_real(p->run, &p->found->way, p->found->kind);
    p->run->result->probed = true;
}
