// Sorting numbers, with a second one next to each if there is one. Private to src/store.
#ifndef GYRE_STORE_SORT_H
#define GYRE_STORE_SORT_H

#include <stddef.h>
#include <stdint.h>

// Two lists of the same length; `beside` may be NULL.
typedef struct gy_sortable {
    uint64_t *number, *beside;
} gy_sortable;

// By the numbers, ascending, where they are.
void gy_sort(gy_sortable list, size_t n);

#endif
