// The kinds of stores: the one list of them. A new one is a file with a constructor, and a row
// here.
#ifndef GYRE_STORE_KINDS_H
#define GYRE_STORE_KINDS_H

#include "base/text.h"
#include "store/store.h"

// Numbers of rows. Nothing outside of this room compares them, a test sees to that: what is to be
// known of a kind is one of its traits.
enum { GY_STORE_TREE, GY_STORE_PLAIN, GY_STORE_COMPACT, GY_STORE_BITSTATE, GY_STORE_AUTOMATON };

// A store that was too small for the memory.
typedef struct gy_store_small {
    double bytes;     // it took for each state
    double fill;      // of its bits
    const char *more; // what can be added to advice for stores that empty; or ""
} gy_store_small;

struct gy_store_kind_row {
    gy_store_traits traits;
    gy_store *(*make)(const gy_store_options *options);        // NULL: the budget does not allow it
    void (*advise)(const gy_store_small *small, gy_text *out); // the user: what to do about it
};

// By number; NULL: there are no more.
const gy_store_kind_row *gy_store_kind_at(unsigned number);
const gy_store_kind_row *gy_store_kind_named(const char *name); // NULL: there is none

// Numbers of kinds that are exact and give back: the one with the fewest bytes for each state, row
// 0; and the one that does so quickest.
unsigned gy_store_kind_dense(void);
unsigned gy_store_kind_quick(void);
// The kind itself if it gives back, otherwise the dense one.
unsigned gy_store_kind_giving_back(unsigned number);

// Constructors, for the table.
gy_store *gy_tree_store(const gy_store_options *options);
gy_store *gy_plain_store(const gy_store_options *options);
gy_store *gy_compact_store(const gy_store_options *options);
gy_store *gy_bitstate_store(const gy_store_options *options);
gy_store *gy_automaton_store(const gy_store_options *options);

// Advice, for the table; kind_advice.c.
void gy_tree_advise(const gy_store_small *small, gy_text *out);
void gy_plain_advise(const gy_store_small *small, gy_text *out);
void gy_compact_advise(const gy_store_small *small, gy_text *out);
void gy_bitstate_advise(const gy_store_small *small, gy_text *out);

#endif
