// A place on a path that moves both ways: what stepping by hand, on a terminal, by a program or in
// a debugger, is made of.
//
// A cursor follows some step of a path. The moments that it has gone back over are kept, so
// that it can go forward again without executing anything; where nothing guides it, it may also
// take another step, and forgets them then. A guided cursor has one way only: that of the path it
// was given and rewound over.
//
// Owner: gy_cursor_free; the path is borrowed, must keep all its moments (not forgetful), and
// belongs to the cursor meanwhile. One thread at a time.
#ifndef GYRE_VERIFY_CURSOR_H
#define GYRE_VERIFY_CURSOR_H

#include "verify/execution.h"

typedef struct gy_cursor {
    gy_path *path;               // to where the cursor is
    GY_VEC(gy_path_state) ahead; // moments that it went back over, the next one last
    bool guided;                 // by a trail: no other steps
    uint64_t random;             // for random steps (sim_random.h)
    gy_choices choices;          // see gy_cursor_choices
    bool has_choices;
} gy_cursor;

void gy_cursor_init(gy_cursor *cursor, gy_path *path, uint64_t seed);
void gy_cursor_free(gy_cursor *cursor);

// ---- looking ------------------------------------------------------------------------------

// All steps that can be taken from here, in a fixed order. Valid until the cursor moves.
const gy_choices *gy_cursor_choices(gy_cursor *cursor);
uint64_t gy_cursor_total(const gy_cursor *cursor); // steps, with those ahead
// What is after step `number`, after the cursor or ahead of it; NULL: there is no such step.
const gy_path_state *gy_cursor_moment(const gy_cursor *cursor, uint64_t number);
const gy_path_state *gy_cursor_next(const gy_cursor *cursor); // the next one ahead, or NULL

// ---- moving: each returns false if that is not possible -----------------------------------

bool gy_cursor_forward(gy_cursor *cursor); // the step ahead, or the only one there is
bool gy_cursor_back(gy_cursor *cursor);
bool gy_cursor_take(gy_cursor *cursor, size_t choice); // of gy_cursor_choices, from 0
bool gy_cursor_take_random(gy_cursor *cursor);
void gy_cursor_rewind(gy_cursor *cursor);              // to the start; all of it lies ahead then
void gy_cursor_jump(gy_cursor *cursor, uint64_t step); // back, or on (by random steps in the end)

#endif
