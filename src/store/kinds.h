// The kinds of stores: the one list of them. A new one is a file with a constructor, and a row
// here.
#ifndef GYRE_STORE_KINDS_H
#define GYRE_STORE_KINDS_H

#include "store/store.h"

struct gy_store_kind_row {
    gy_store_traits traits;
    gy_store *(*make)(const gy_store_options *options); // NULL: the budget does not allow it
};

// By number, in the order of gy_store_kind (search.h); NULL: there are no more.
const gy_store_kind_row *gy_store_kind_at(unsigned number);
const gy_store_kind_row *gy_store_kind_named(const char *name); // NULL: there is none

// Constructors, for the table.
gy_store *gy_tree_store(const gy_store_options *options);
gy_store *gy_plain_store(const gy_store_options *options);
gy_store *gy_compact_store(const gy_store_options *options);
gy_store *gy_bitstate_store(const gy_store_options *options);
gy_store *gy_automaton_store(const gy_store_options *options);

#endif
