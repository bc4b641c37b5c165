// The lines of a trail, with their numbers: which step each is, and which are moves of a claim.
#ifndef GYRE_SPIN_TRAIL_LINES_H
#define GYRE_SPIN_TRAIL_LINES_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gy_trail_line {
    long long number, process, transition; // the claim does not count as a process
    bool of_claim;
} gy_trail_line;

typedef struct gy_trail_lines {
    GY_VEC(gy_trail_line) list;
    size_t at;       // the next one
    long long last;  // the number of the last line
    bool merged;     // local statements have no lines
    long long claim; // the number of the claim's proctype, or -1: there is none
} gy_trail_lines;

// Free with gy_vec_free(&lines->list).
void gy_trail_lines_read(gy_trail_lines *lines, const char *trail, size_t bytes);

#endif
