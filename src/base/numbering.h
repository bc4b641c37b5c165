// Dense numbers for 64-bit keys: the first new key gets 0, the next 1, and so on. What belongs to
// a key is kept in an array of the user's, by number.
//
// A zeroed struct is empty. Owner: the code that declares it; gy_numbering_free. Any number of
// threads may find while none adds.
#ifndef GYRE_BASE_NUMBERING_H
#define GYRE_BASE_NUMBERING_H

#include "base/map.h"
#include "base/vec.h"

#include <stdint.h>

typedef struct gy_numbering {
    GY_VEC(uint64_t) keys; // by number
    gy_map map;
} gy_numbering;

uint32_t gy_number(gy_numbering *numbering, uint64_t key);
// UINT32_MAX: it has none yet.
uint32_t gy_number_find(const gy_numbering *numbering, uint64_t key);
void gy_numbering_free(gy_numbering *numbering);

#endif
