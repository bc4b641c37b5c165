// Trails as files: the first counterexample goes to FILE, further ones to FILE-2, FILE-3 …
#ifndef GYRE_VERIFY_TRAIL_TRAIL_FILE_H
#define GYRE_VERIFY_TRAIL_TRAIL_FILE_H

#include "base/arena.h"
#include "verify/properties.h"
#include "verify/trail/trail.h"

typedef struct gy_trail_file {
    const char *path; // NULL: none is wanted
    uint32_t written; // counterexamples so far
} gy_trail_file;

// Can it be written? Asked before the search, so that an hour of it is never lost.
bool gy_trail_file_probe(gy_trail_file *file, const char *path, gy_user_error *complaint);
// Each sets told->trail to the file that was written, in the arena. False: see the complaint.
bool gy_trail_file_walk(gy_trail_file *file, const gy_path *path, gy_arena *arena,
                        gy_counterexample *told, gy_user_error *complaint);
// A formula's trail comes with its automaton as a claim, in a file of its own: told->claim.
bool gy_trail_file_lasso(gy_trail_file *file, const gy_path *path, const gy_property *property,
                         gy_arena *arena, gy_counterexample *told, gy_user_error *complaint);

#endif
