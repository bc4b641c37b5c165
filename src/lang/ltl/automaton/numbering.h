// Dense numbers for keys: the first new key gets 0, the next 1, and so on.
//
// Representation: the keys in order, and an open hash table of their numbers + 1. A zeroed
// struct is empty. Owner: whoever declares it; ltl_numbering_free.
#ifndef GYRE_LANG_LTL_AUTOMATON_NUMBERING_H
#define GYRE_LANG_LTL_AUTOMATON_NUMBERING_H

#include "base/vec.h"

#include <stdint.h>

struct ltl_numbering {
    GY_VEC(uint64_t) keys; // by number
    uint32_t *table;
    size_t room;
};

uint32_t ltl_number(struct ltl_numbering *numbering, uint64_t key);
void ltl_numbering_free(struct ltl_numbering *numbering);

#endif
