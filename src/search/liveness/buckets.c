#include "search/liveness/buckets.h"

void gy_buckets_init(gy_buckets *buckets, gy_budget *budget)
{
    *buckets = (gy_buckets){.budget = budget};
}

void gy_buckets_free(gy_buckets *buckets)
{
    for (size_t i = 0; i < buckets->by_cost.n; i++)
        gy_queue_free(&buckets->by_cost.at[i].queue);
    gy_vec_free(&buckets->by_cost);
}

gy_queue *gy_buckets_at(gy_buckets *buckets, uint64_t cost)
{
    size_t low = 0, high = buckets->by_cost.n;
    while (low < high) { // the first whose cost is not above `cost`
        size_t middle = (low + high) / 2;
        if (buckets->by_cost.at[middle].cost > cost)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < buckets->by_cost.n && buckets->by_cost.at[low].cost == cost)
        return &buckets->by_cost.at[low].queue;
    gy_vec_push(&buckets->by_cost, (gy_bucket){0});
    gy_bucket *at = &buckets->by_cost.at[low];
    memmove(at + 1, at, (buckets->by_cost.n - 1 - low) * sizeof *at);
    at->cost = cost;
    gy_queue_init(&at->queue, buckets->budget);
    return &at->queue;
}

uint64_t gy_buckets_least(const gy_buckets *buckets)
{
    return buckets->by_cost.n ? buckets->by_cost.at[buckets->by_cost.n - 1].cost : UINT64_MAX;
}

void gy_buckets_drop_least(gy_buckets *buckets)
{
    gy_queue_free(&buckets->by_cost.at[--buckets->by_cost.n].queue);
}

uint64_t gy_buckets_count(const gy_buckets *buckets)
{
    uint64_t count = 0;
    for (size_t i = 0; i < buckets->by_cost.n; i++)
        count += buckets->by_cost.at[i].queue.n;
    return count;
}

void gy_buckets_save(const gy_buckets *buckets, gy_writer *writer)
{
    gy_write_u64(writer, buckets->by_cost.n);
    for (size_t i = 0; i < buckets->by_cost.n; i++) {
        gy_write_u64(writer, buckets->by_cost.at[i].cost);
        gy_queue_save(&buckets->by_cost.at[i].queue, writer);
    }
}

bool gy_buckets_load(gy_buckets *buckets, gy_reader *reader)
{
    uint64_t n = gy_read_u64(reader);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t cost = gy_read_u64(reader);
        if (cost >= gy_buckets_least(buckets)) // the dearest comes first
            return false;
        if (gy_reader_failed(reader) || !gy_queue_load(gy_buckets_at(buckets, cost), reader))
            return false;
    }
    return !gy_reader_failed(reader);
}
