// A variable whose type has parts becomes several variables of the model, one for each scalar in
// it: this is what is known on the path from the whole to such a scalar. The whole begins with its
// name, its place and count 1.
//
// For the lowerings of languages. Texts belong to the arena.
#ifndef GYRE_LANG_COMMON_VARIABLE_PARTS_H
#define GYRE_LANG_COMMON_VARIABLE_PARTS_H

#include "base/arena.h"
#include "model/model.h"

enum { GY_PART_MOST_DIMS = 8 };

typedef struct gy_part {
    const char *name, *format; // so far
    uint32_t dims[GY_PART_MOST_DIMS], dim_count, count;
    const char *const *names[GY_PART_MOST_DIMS]; // of the indices, or NULL: numbers from 0
    bool named;                                  // some have
    gy_location place;
} gy_part;

// One dimension more, of `count` elements; there is room for it. `shown`: in the format, too.
void gy_part_add_dimension(gy_part *part, gy_arena *arena, uint32_t count, const char *const *names,
                           bool shown);
// A member of `of`.
gy_part gy_part_member(const gy_part *of, gy_arena *arena, const char *member);
// The variable for a scalar, as large as its type allows.
gy_variable gy_part_variable(const gy_part *part, gy_arena *arena, gy_type type);

gy_type gy_type_between(int64_t low, int64_t high); // the smallest that holds both
// It holds nothing else than these, and 0 before the first assignment.
void gy_variable_between(gy_variable *var, int64_t low, int64_t high);

#endif
