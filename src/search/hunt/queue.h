// The states that a best-first search has found and not expanded yet, by the value that a guide has
// given them.
//
// One bucket for each value. Within a bucket, ties are broken by a random key that each state gets
// once, when it comes in (GY_TIES_INSERTION): old states that are still there have large keys, so
// that fresh ones tend to go first. GY_TIES_UNIFORM takes any of the bucket instead, which is
// another search; GY_TIES_NONE the oldest. After Rungta, Mercer, "Generating counter-examples
// through randomized guided search" (SPIN 2007).
//
// With a limit, the queue never holds more: of the states with the highest value, any one is
// dropped, and the queue is `truncated` from then on.
//
// Private to src/search. One thread. Owner: gy_queue_free.
#ifndef GYRE_SEARCH_HUNT_QUEUE_H
#define GYRE_SEARCH_HUNT_QUEUE_H

#include "base/random.h"
#include "base/vec.h"

#include <stdbool.h>

typedef enum { GY_TIES_INSERTION, GY_TIES_UNIFORM, GY_TIES_NONE } gy_ties;

typedef struct gy_queue_item {
    uint64_t key, id;
} gy_queue_item;

typedef struct gy_queue_bucket {
    int64_t value;
    GY_VEC(gy_queue_item) items; // a binary heap by key
} gy_queue_bucket;

typedef struct gy_queue {
    gy_ties ties;
    uint64_t limit; // 0: none
    gy_random random;
    GY_VEC(gy_queue_bucket) buckets; // by value; none is empty
    uint64_t n, most;                // items; their largest number so far
    uint64_t pushed;
    bool truncated;
} gy_queue;

void gy_queue_init(gy_queue *queue, gy_ties ties, uint64_t limit, uint64_t seed);
void gy_queue_free(gy_queue *queue);
void gy_queue_push(gy_queue *queue, int64_t value, uint64_t id);
// The next one; the queue is not empty.
uint64_t gy_queue_pop(gy_queue *queue, int64_t *value);
// Any one of any bucket: first the bucket is chosen, then one of its states, both evenly. Leaves
// plateaus: see Xie, Müller, Holte, Imai, "Type-based exploration with multiple search queues for
// satisficing planning" (AAAI 2014), with the values as types.
uint64_t gy_queue_pop_any(gy_queue *queue, int64_t *value);

#endif
