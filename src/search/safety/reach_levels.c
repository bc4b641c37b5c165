// The reachability search, level by level: what the members do next is decided here, at their
// meetings.
#include "search/safety/reach_parts.h"

enum { FEW = 256 }; // states of a level that are not worth waking the others for

// What the members have found becomes what is to be expanded.
static void begin_level(gy_reach *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gy_reach_gather(r, i, &r->members[i].full);
        gy_reach_gather(r, i, &r->members[i].open);
    }
    r->chore = GY_REACH_EXPAND;
    r->run->pending = r->level_states;
    if (!r->level_states)
        r->done = true;
    else
        r->level++;
}

// What was in the shares is done (depth first, some of it may be left): judge those suspect, mend
// those convicted, and go on to the next level.
static void go_on(gy_reach *r)
{
    bool reduced = r->members[0].reducer != NULL;
    gy_reach_chore done = r->chore;
    r->level_states = 0;
    gy_reach_drop_used(r);
    if (reduced && done != GY_REACH_TAKE_REST)
        gy_reach_gather_suspects(r);
    if (reduced && done != GY_REACH_TAKE_REST && !r->level_states)
        gy_reach_gather_convicts(r);
    if (!r->level_states || r->depth_first)
        begin_level(r);
}

// ---- names change ---------------------------------------------------------------------

static uint64_t renamed(gy_named state)
{
    uint32_t name[2];
    gy_reach_unpack(state.name, name);
    gy_forest_rename(state.wood, 0, name);
    return gy_reach_pack(name);
}

// The forest learns, if it can.
static void settle(gy_reach *r)
{
    if (!gy_forest_plan(r->forest, &r->team))
        return;
    gy_reach_rename_blocks(r);
    for (unsigned i = 0; i < r->size; i++)
        gy_sightings_rename(&r->members[i].sightings, renamed);
    gy_trial_rename(&r->trial, renamed);
    gy_forest_settle(r->forest);
    gy_names_clear(&r->full);
    gy_reach_list_names(r, &r->full, &r->convicts);
    if (r->chore == GY_REACH_JUDGE) // in the middle of it
        gy_reach_list_next_level(r);
}

// ---- meetings -------------------------------------------------------------------------

// What comes next, decided while nobody works.
static void decide(gy_reach *r)
{
    if (!gy_reach_is_up(&r->stop) && gy_reach_wants_room(r)) {
        gy_reach_grow(r);
    } else if (!gy_reach_is_up(&r->stop)) {
        atomic_store_explicit(&r->pause, false, memory_order_relaxed);
        if (r->forest && gy_forest_unsettled(r->forest))
            settle(r);
        if (r->depth_first || !gy_reach_left(r))
            go_on(r);
    }
    r->done = r->done || gy_reach_is_up(&r->stop);
}

// Levels that are not worth waking the others for are done here.
static void work_alone(gy_reach *r, unsigned number, bool all)
{
    r->solo = true;
    while (!r->done && (all || r->level_states <= FEW)) {
        gy_reach_explore(&r->members[number]);
        gy_reach_tell_store(&r->members[number]);
        decide(r);
    }
    r->solo = false;
}

static void lead(void *user, unsigned number)
{
    gy_reach *r = user;
    // Somebody who came for room is in the middle of things and must go on first.
    bool clean = !gy_reach_wants_room(r);
    decide(r);
    if (clean && r->level_states <= FEW)
        work_alone(r, number, false);
}

void gy_reach_meet(gy_reach_member *m)
{
    gy_reach *r = m->reach;
    gy_reach_tell_store(m);
    gy_team_meet(&r->team, lead, (unsigned)(m - r->members));
}

static void work(void *user, unsigned number)
{
    gy_reach *r = user;
    while (!r->done) {
        gy_reach_explore(&r->members[number]);
        if (!r->done) // it may have met the others on the way
            gy_reach_meet(&r->members[number]);
    }
}

void gy_reach_search(gy_reach *r)
{
    gy_reach_member *first = &r->members[0];
    r->solo = true;
    gy_reach_begin(first);
    gy_reach_tell_store(first);
    decide(r);
    r->level = 0;
    work_alone(r, 0, r->size == 1);
    if (!r->done)
        gy_team_run(r->size, work, r, &r->team);
}
