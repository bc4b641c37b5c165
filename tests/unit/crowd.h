// Threads that fill a table together and meet whenever one of them finds no room: what the engines
// do with the stores, for tests of those alone.
//
//     crowd c = {.user = user, .fill = fill, .begin = begin, .help = help, .step = step};
//     crowd_run(&c, 4);
//
// Nothing may be asserted in a thread: fill and the others count what is wrong, and the test
// examines that at the end.
#ifndef GYRE_TESTS_CROWD_H
#define GYRE_TESTS_CROWD_H

#include "base/team.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { CROWD_MOST = 8 };

typedef struct crowd {
    void *user;
    // Enters what this member has. False: no room; it will be called again and has to go on.
    bool (*fill)(void *user, unsigned member);
    void (*begin)(void *user);                 // growth, by one thread
    void (*help)(void *user, unsigned member); // by all; NULL: begin has done it all
    bool (*step)(void *user);                  // by one; true: there is more to help with
    _Atomic bool room_wanted;                  // fill may read it, and leave when it is set
    bool done[CROWD_MOST];
    enum { CROWD_FILLS, CROWD_GROWS, CROWD_IS_DONE } phase;
    unsigned size;
    gy_team team;
} crowd;

static inline void crowd_lead(void *user, unsigned member)
{
    crowd *c = user;
    bool all = true;
    (void)member;
    if (c->phase == CROWD_GROWS) {
        if (!c->step(c->user))
            c->phase = CROWD_FILLS;
        return;
    }
    for (unsigned i = 0; i < c->size; i++)
        all = all && c->done[i];
    if (all) {
        c->phase = CROWD_IS_DONE;
        return;
    }
    atomic_store(&c->room_wanted, false);
    c->begin(c->user);
    if (c->help)
        c->phase = CROWD_GROWS;
}

static inline void crowd_work(void *user, unsigned member)
{
    crowd *c = user;
    while (c->phase != CROWD_IS_DONE) {
        if (c->phase == CROWD_GROWS)
            c->help(c->user, member);
        else if (!c->done[member])
            c->done[member] = c->fill(c->user, member);
        gy_team_meet(&c->team, crowd_lead, member);
    }
}

// False: there are not so many threads to be had.
static inline bool crowd_run(crowd *c, unsigned size)
{
    c->size = size;
    c->phase = CROWD_FILLS;
    for (unsigned i = 0; i < size; i++)
        c->done[i] = false;
    return gy_team_run(size, crowd_work, c, &c->team) == size;
}

#endif
