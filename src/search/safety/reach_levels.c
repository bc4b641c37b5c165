// The reachability search, level by level: what the members do next is decided here, at their
// meetings.
#include "search/safety/reach_parts.h"

enum { FEW = 256 }; // states of a level that are not worth waking the others for

// What the members have found becomes what is to be expanded.
static void begin_level(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_close_block(&r->members[i]);
        gy_reach_gather(r, i, &r->members[i].sure);
        gy_reach_gather(r, i, &r->members[i].full);
    }
    r->chore = GY_REACH_EXPAND;
    r->run->pending = r->level_states;
    if (r->trace && r->level_states)
        gy_reach_tag_level(r);
    if (!r->level_states)
        r->done = true;
    else
        r->level++;
}

// What was in the shares is done (depth first, some of it may be left): check the candidates, fix
// those that failed, and go on to the next level.
static void go_on(gy_reach *r)
{
    bool reduced = r->members[0].reducer != NULL;
    gy_reach_task done = r->chore;
    r->level_states = 0;
    gy_reach_drop_used(r);
    if (reduced && r->depth_first && done == GY_REACH_EXPAND)
        gy_reach_take_back(r); // candidates come first
    if (reduced && done != GY_REACH_TAKE_REST && r->once)
        gy_reach_gather_those_left(r);
    else if (reduced && done != GY_REACH_TAKE_REST)
        gy_reach_gather_candidates(r);
    if (gy_reach_is_up(&r->stop))
        return;
    if (reduced && done != GY_REACH_TAKE_REST && !r->level_states && !r->once)
        gy_reach_gather_failed(r);
    gy_reach_sift(r);
    if (gy_reach_is_up(&r->stop) || (!r->level_states && r->trace && gy_reach_next_traced(r)))
        return;
    if (!r->level_states || gy_reach_goes_deep(r))
        begin_level(r);
}

// ---- references change ----------------------------------------------------------------

static gy_ref reencode(void *store, gy_ref ref)
{
    return gy_store_reencode(store, 0, ref);
}

// The store learns, if it can.
static void settle(gy_reach *r)
{
    if (!gy_store_plan(r->store, &r->team))
        return;
    gy_reach_reencode_blocks(r);
    for (unsigned i = 0; i < r->size; i++)
        gy_proviso_reports_reencode(&r->members[i].reports, reencode, r->store);
    gy_level_proviso_reencode_all(&r->proviso, reencode, r->store);
    gy_store_settle(r->store);
    gy_number_set_clear(&r->full);
    gy_reach_list_states(r, &r->full, &r->failed);
    if (r->chore == GY_REACH_CHECK) // in the middle of it
        gy_reach_list_next_level(r);
}

static void grow(gy_reach *r)
{
    bool full = gy_reach_disk_wants(r) || !gy_store_grow(r->store, &r->team);
    if (full && !r->disk)
        full = !(gy_spill_blocks_to_file(&r->pages) && gy_store_grow(r->store, &r->team));
    if (!full || gy_reach_leave(r))
        return;
    r->fills_up = r->trace && r->run->options->checkpoint_file;
    if (r->fills_up)
        gy_run_stop(r->run, GY_LIMIT_MEMORY);
    else
        gy_reach_out_of_memory(r);
}

static bool wants_room(const gy_reach *r)
{
    return !r->fills_up && (gy_store_wants_room(r->store) || gy_reach_disk_wants(r));
}

// ---- meetings -------------------------------------------------------------------------

// Does no state of the level wait to be checked?
static bool is_clean(const gy_reach *r)
{
    return r->chore == GY_REACH_EXPAND || r->chore == GY_REACH_TAKE_DUE;
}

// A checkpoint, and the end of a search that has only waited for it.
static void write_if_due(gy_reach *r)
{
    gy_run *run = r->run;
    if (!r->trace || !run->options->checkpoint_file || !is_clean(r))
        return;
    if (run->checkpoint_due || gy_checkpoint_last_wanted(run))
        gy_reach_write(r);
    if (run->stopped)
        gy_reach_raise(&r->stop);
}

// It was stopped, and is at a point where it can be written down as soon as nothing is under way.
static bool waits_for_checkpoint(const gy_reach *r)
{
    return r->trace && is_clean(r) && gy_checkpoint_last_wanted(r->run);
}

// What comes next, decided while nothing works.
static void decide(gy_reach *r)
{
    if (!gy_reach_is_up(&r->stop) && wants_room(r)) {
        grow(r);
    } else if (!gy_reach_is_up(&r->stop)) {
        atomic_store_explicit(&r->pause, false, memory_order_relaxed);
        if (gy_spill_blocks_pressed(&r->pages))
            gy_spill_blocks_to_file(&r->pages);
        if (gy_reach_unsettled(r) && !r->run->stopped)
            settle(r);
        write_if_due(r);
        if (!gy_reach_is_up(&r->stop) && (gy_reach_goes_deep(r) || !gy_reach_left(r)))
            go_on(r);
    }
    if (waits_for_checkpoint(r))
        gy_reach_raise(&r->pause);
    r->done = r->done || gy_reach_is_up(&r->stop);
}

// Levels that are not worth waking the others for are done here.
static void work_alone(gy_reach *r, unsigned number, bool all)
{
    r->solo = true;
    while (!r->done && (all || r->level_states <= FEW)) {
        gy_reach_explore(&r->members[number]);
        gy_store_tell(r->members[number].view);
        decide(r);
    }
    r->solo = false;
}

static void lead(void *user, unsigned number)
{
    gy_reach *r = user;
    // A member that came for room is in the middle of things and must go on first.
    bool clean = !wants_room(r);
    decide(r);
    if (clean && r->level_states <= FEW)
        work_alone(r, number, false);
}

static void meet(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    gy_store_tell(m->view);
    gy_team_meet(&r->team, lead, (unsigned)(m - r->members));
}

bool gy_reach_make_room(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    if (r->fills_up) {
        gy_reach_out_of_memory(r);
    } else if (r->solo) {
        gy_store_tell(m->view);
        grow(r);
    } else {
        meet(m);
    }
    return !gy_reach_is_up(&r->stop);
}

static void work(void *user, unsigned number)
{
    gy_reach *r = user;
    while (!r->done) {
        gy_reach_explore(&r->members[number]);
        if (!r->done) // it may have met the others on the way
            meet(&r->members[number]);
    }
}

void gy_reach_search(gy_reach *r)
{
    gy_reach_member *first = &r->members[0];
    bool resumes = r->trace && r->run->options->resume_file;
    r->solo = true;
    if (resumes)
        gy_reach_resume(r);
    else
        gy_reach_begin(first);
    gy_store_tell(first->view);
    do // room may be wanted first
        decide(r);
    while (!resumes && !r->done && !r->level);
    r->level = resumes ? r->level : 0;
    work_alone(r, 0, r->size == 1);
    if (!r->done)
        gy_team_run(r->size, work, r, &r->team);
}
