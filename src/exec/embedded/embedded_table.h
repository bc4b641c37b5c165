// The unmatched part of states, by all the rest of them: the first to come decides.
//
// States are told apart by 128 bits of their hashes. Two that agree in them by chance would share
// memory that nothing may depend on. Owner: the code that declares it, zeroed;
// gy_embedded_table_free. Not for several threads at once.
#ifndef GYRE_EXEC_EMBEDDED_EMBEDDED_TABLE_H
#define GYRE_EXEC_EMBEDDED_EMBEDDED_TABLE_H

#include "base/map.h"
#include "base/vec.h"

typedef struct gy_embedded_table {
    uint32_t at, words; // of a state: its unmatched part
    gy_map map;
    GY_VEC(uint64_t) checks; // by number: the second half of the hash
    GY_VEC(uint32_t) parts;  // by number, words of each
} gy_embedded_table;

// Puts the part of the first state that was equal to this one into it; if there was none, it is the
// first.
void gy_embedded_table_settle(gy_embedded_table *table, uint32_t *state, uint32_t words);
void gy_embedded_table_free(gy_embedded_table *table);

#endif
