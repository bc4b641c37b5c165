// The tree store for many threads: a set of states without ids, in six to ten bytes per state.
//
// States are cut into leaves and named by pairs of numbers as in tree.h (coder.h does it); the
// pairs are in a quotient table (cleary.h). States of one length share a coder and a table: a
// gy_wood. There is no number for a state but its name, so engines keep names where they
// would keep ids: in their queues.
//
// One gy_forest_view per thread. Most woods are flat; their states are added to a lane each
// (gy_forest_lane, gy_flat_add, gy_flat_gather), and entered many at a time (gy_forest_enter_lane),
// so that their memory traffic overlaps. For other woods, entering a state takes two calls:
//
//     gy_forest_name(view, state, words, &arrival)    // false: see below
//     gy_forest_enter(&arrival)
//
// Successors of the state last spelled whose written words are known can be put aside there
// (gy_forest_put_aside) and named together later (gy_forest_name_pending).
//
// When either says that there is no room, or gy_forest_wants_room does, the threads have to meet:
// all call gy_forest_note, and who leads calls gy_forest_grow. Names stay; arrivals have to be
// looked up anew (gy_forest_look_up).
//
// At certain sizes the forest can learn better shapes from the states it has. Then names change:
// at a meeting, one calls gy_forest_plan; if that is true, gy_forest_rename for every name that was
// kept, and gy_forest_settle.
#ifndef GYRE_STORE_FOREST_H
#define GYRE_STORE_FOREST_H

#include "store/cleary.h"
#include "store/flat.h"

typedef struct gy_renaming gy_renaming;

typedef struct gy_wood { // states of one length
    uint32_t words;
    bool planned;                          // its shape was chosen from a sample
    uint64_t planned_count, planned_bytes; // states, and what nodes took, after that
    gy_coder *coder;
    gy_cleary roots;
    gy_renaming *renaming; // while names change; else NULL
} gy_wood;

typedef struct gy_forest {
    gy_budget *budget;
    bool alone, hostile;
    pthread_mutex_t lock;      // for adding woods
    _Atomic(gy_wood *) *woods; // in order of appearance; room for GY_MOST_WOODS
    _Atomic uint32_t wood_count;
    _Atomic bool room_wanted;
    uint64_t generation; // how often names have changed
    uint64_t plan_at;    // states
} gy_forest;

enum { GY_MOST_WOODS = 1 << 16, GY_FOREST_RECENT = 64 };

typedef struct gy_arrival {
    gy_wood *wood;
    uint32_t name[2];
    gy_cleary_key key;
} gy_arrival;

typedef struct gy_lane { // states on their way into a flat wood
    gy_wood *wood;
    gy_flat flat;
} gy_lane;

typedef struct gy_forest_view {
    gy_forest *forest;
    GY_VEC(gy_coder_base) bases; // by wood
    GY_VEC(uint64_t) entered;    // by wood: new entries not yet told to the table
    uint64_t generation;
    gy_wood *current; // of the state last spelled: its base stays as it is
    uint32_t current_number;
    gy_coder_base *current_base;
    gy_pending pending; // states of wood pending_wood
    gy_wood *pending_wood;
    GY_VEC(gy_lane *) lanes; // by wood; NULL: not needed so far
    struct {
        gy_wood *wood;
        uint32_t number;
    } recent[GY_FOREST_RECENT]; // by length
} gy_forest_view;

// `alone`: one thread only. `hostile`, for tests: tables are tiny and grow at every chance.
gy_forest *gy_forest_new(gy_budget *budget, bool alone, bool hostile);
void gy_forest_free(gy_forest *forest);
uint64_t gy_forest_count(const gy_forest *forest); // states that views have told of

void gy_forest_view_init(gy_forest_view *view, gy_forest *forest);
void gy_forest_view_free(gy_forest_view *view);

// False: no room.
bool gy_forest_name(gy_forest_view *view, const uint32_t *state, uint32_t words,
                    gy_arrival *arrival);
// A state of the length of the one last spelled and much like it, to be named later; `written`
// counts in pieces of words, at most 64 (see coder.h). False: that can't be.
bool gy_forest_put_aside(gy_forest_view *view, const uint32_t *state, uint32_t words,
                         uint64_t written);
// Names those that were put aside, in order; there are view->pending.n of them. False: no room.
bool gy_forest_name_pending(gy_forest_view *view, gy_arrival *arrivals);

// The lane for states of a length. NULL: their wood is not flat, or there are too many woods.
gy_lane *gy_forest_lane(gy_forest_view *view, uint32_t words);
// Enters what was added to a lane; lists in fresh[*n ...] which of them are new. False: no room;
// once there is some, the same call goes on. They stay listed until gy_flat_clear.
bool gy_forest_enter_lane(gy_forest_view *view, gy_lane *lane, uint32_t *fresh, uint32_t *n);

static inline void gy_forest_look_up(gy_arrival *arrival)
{
    gy_cleary *roots = &arrival->wood->roots;
    arrival->key = gy_cleary_key_of(roots, arrival->name[0], arrival->name[1]);
    gy_cleary_prefetch(roots, &arrival->key);
}
const uint32_t *gy_forest_spell(gy_forest_view *view, gy_wood *wood, const uint32_t name[2]);

// Starts fetching what gy_forest_spell will look at.
static inline void gy_forest_prefetch(const gy_wood *wood, const uint32_t name[2])
{
    const gy_coder *coder = wood->coder;
    for (unsigned i = 0; i < 2; i++)
        if (coder->top[i] < coder->shape->nodes)
            __builtin_prefetch(gy_rows_get(&coder->tables[coder->top[i]], name[i]));
}

static inline gy_cleary_answer gy_forest_enter(const gy_arrival *arrival)
{
    return gy_cleary_enter(&arrival->wood->roots, &arrival->key);
}

static inline bool gy_forest_wants_room(const gy_forest *forest)
{
    return atomic_load_explicit(&forest->room_wanted, memory_order_relaxed);
}

// One new state of that wood was entered through this view.
void gy_forest_count_in(gy_forest_view *view, gy_wood *wood);
void gy_forest_note(gy_forest_view *view);
bool gy_forest_grow(gy_forest *forest, gy_team *team); // false: no memory

bool gy_forest_unsettled(const gy_forest *forest);
bool gy_forest_plan(gy_forest *forest, gy_team *team);
// By any member of that team; outside of a shared job, any number of one will do.
void gy_forest_rename(gy_wood *wood, unsigned member, uint32_t name[2]);
void gy_forest_settle(gy_forest *forest);

#endif
