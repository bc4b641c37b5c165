// Queues by cost: records that fall due when a search has reached their cost.
//
// Representation: one queue per cost in use, the smallest cost last. There are as many as
// different costs are pending at once: a handful.
#ifndef GYRE_SEARCH_LIVENESS_BUCKETS_H
#define GYRE_SEARCH_LIVENESS_BUCKETS_H

#include "search/safety/queue.h"

#include "base/vec.h"

typedef struct gy_bucket {
    uint64_t cost;
    gy_queue queue;
} gy_bucket;

typedef struct gy_buckets {
    gy_budget *budget;
    GY_VEC(gy_bucket) by_cost; // descending
} gy_buckets;

void gy_buckets_init(gy_buckets *buckets, gy_budget *budget);
void gy_buckets_free(gy_buckets *buckets);
gy_queue *gy_buckets_at(gy_buckets *buckets, uint64_t cost); // made if there is none
uint64_t gy_buckets_least(const gy_buckets *buckets);        // UINT64_MAX if empty
void gy_buckets_drop_least(gy_buckets *buckets);
uint64_t gy_buckets_count(const gy_buckets *buckets); // records
void gy_buckets_save(const gy_buckets *buckets, gy_writer *writer);
bool gy_buckets_load(gy_buckets *buckets, gy_reader *reader);

#endif
