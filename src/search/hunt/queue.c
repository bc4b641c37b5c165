#include "search/hunt/queue.h"

void gy_queue_init(gy_queue *q, gy_ties ties, uint64_t limit, uint64_t seed)
{
    *q = (gy_queue){.ties = ties, .limit = limit};
    gy_random_seed(&q->random, seed);
}

void gy_queue_free(gy_queue *q)
{
    for (size_t i = 0; i < q->buckets.n; i++)
        gy_vec_free(&q->buckets.at[i].items);
    gy_vec_free(&q->buckets);
    q->n = 0;
}

// ---- a bucket ------------------------------------------------------------------------------

static void sift_up(gy_queue_bucket *b, size_t at)
{
    gy_queue_item item = b->items.at[at];
    while (at && item.key < b->items.at[(at - 1) / 2].key) {
        b->items.at[at] = b->items.at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    b->items.at[at] = item;
}

static void sift_down(gy_queue_bucket *b, size_t at)
{
    gy_queue_item item = b->items.at[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= b->items.n)
            break;
        if (child + 1 < b->items.n && b->items.at[child + 1].key < b->items.at[child].key)
            child++;
        if (item.key <= b->items.at[child].key)
            break;
        b->items.at[at] = b->items.at[child];
        at = child;
    }
    b->items.at[at] = item;
}

static uint64_t take(gy_queue *q, size_t bucket, size_t at)
{
    gy_queue_bucket *b = &q->buckets.at[bucket];
    uint64_t id = b->items.at[at].id;
    b->items.at[at] = b->items.at[--b->items.n];
    if (at < b->items.n) {
        sift_up(b, at);
        sift_down(b, at);
    }
    q->n--;
    if (b->items.n == 0) {
        gy_vec_free(&b->items);
        memmove(b, b + 1, (q->buckets.n - bucket - 1) * sizeof *b);
        q->buckets.n--;
    }
    return id;
}

static size_t any_of(gy_queue *q, size_t bucket)
{
    return (size_t)gy_random_below(&q->random, q->buckets.at[bucket].items.n);
}

// ---- the queue -----------------------------------------------------------------------------

static gy_queue_bucket *bucket_of(gy_queue *q, int64_t value)
{
    size_t low = 0, high = q->buckets.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (q->buckets.at[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == q->buckets.n || q->buckets.at[low].value != value) {
        gy_vec_reserve(&q->buckets, q->buckets.n + 1);
        memmove(q->buckets.at + low + 1, q->buckets.at + low,
                (q->buckets.n - low) * sizeof *q->buckets.at);
        q->buckets.at[low] = (gy_queue_bucket){.value = value};
        q->buckets.n++;
    }
    return &q->buckets.at[low];
}

void gy_queue_push(gy_queue *q, int64_t value, uint64_t id)
{
    uint64_t key = q->ties == GY_TIES_NONE ? q->pushed : gy_random_next(&q->random);
    gy_queue_bucket *b;
    q->pushed++;
    if (q->limit && q->n >= q->limit) {
        size_t worst = q->buckets.n - 1;
        q->truncated = true;
        if (value > q->buckets.at[worst].value)
            return; // it is the worst itself
        // The new one is among those that may be dropped, if it is as bad as they are.
        bool as_bad = value == q->buckets.at[worst].value;
        uint64_t among = q->buckets.at[worst].items.n + as_bad;
        uint64_t drop = gy_random_below(&q->random, among);
        if (as_bad && drop + 1 == among)
            return;
        take(q, worst, (size_t)drop);
    }
    b = bucket_of(q, value);
    gy_vec_push(&b->items, ((gy_queue_item){key, id}));
    sift_up(b, b->items.n - 1);
    q->n++;
    q->most = q->n > q->most ? q->n : q->most;
}

uint64_t gy_queue_pop(gy_queue *q, int64_t *value)
{
    *value = q->buckets.at[0].value;
    return take(q, 0, q->ties == GY_TIES_UNIFORM ? any_of(q, 0) : 0);
}

uint64_t gy_queue_pop_any(gy_queue *q, int64_t *value)
{
    size_t bucket = (size_t)gy_random_below(&q->random, q->buckets.n);
    *value = q->buckets.at[bucket].value;
    return take(q, bucket, any_of(q, bucket));
}
