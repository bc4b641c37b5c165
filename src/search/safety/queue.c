#include "search/safety/queue.h"

#include "base/fatal.h"

#include <stdlib.h>

enum { SMALL_BLOCK = 1 << 10, BLOCK = 1 << 18 }; // words

struct gy_queue_block {
    gy_region memory;
    gy_queue_block *next;
    size_t from, to; // words
};

void gy_queue_init(gy_queue *queue, gy_budget *budget)
{
    *queue = (gy_queue){.budget = budget};
}

static void free_first(gy_queue *queue)
{
    gy_queue_block *block = queue->first;
    queue->first = block->next;
    if (!queue->first)
        queue->last = NULL;
    gy_region_free(&block->memory);
    free(block);
}

void gy_queue_free(gy_queue *queue)
{
    while (queue->first)
        free_first(queue);
    queue->n = 0;
}

static bool add_block(gy_queue *queue, size_t words)
{
    gy_queue_block *block = gy_alloc_zero(sizeof *block);
    size_t room = queue->last ? BLOCK : SMALL_BLOCK;
    gy_region_init(&block->memory, queue->budget);
    if (!gy_region_resize(&block->memory, (room > words ? room : words) * sizeof(uint32_t)) &&
        !gy_region_resize(&block->memory, words * sizeof(uint32_t))) {
        free(block);
        return false;
    }
    if (queue->last)
        queue->last->next = block;
    else
        queue->first = block;
    queue->last = block;
    return true;
}

uint32_t *gy_queue_push(gy_queue *queue, uint32_t words)
{
    gy_queue_block *block = queue->last;
    size_t need = (size_t)words + 1;
    if (!block || block->memory.room / sizeof(uint32_t) - block->to < need) {
        if (!add_block(queue, need))
            return NULL;
        block = queue->last;
    }
    uint32_t *record = (uint32_t *)block->memory.at + block->to;
    record[0] = words;
    block->to += need;
    queue->n++;
    return record + 1;
}

const uint32_t *gy_queue_front(const gy_queue *queue, uint32_t *words)
{
    const uint32_t *record = (const uint32_t *)queue->first->memory.at + queue->first->from;
    *words = record[0];
    return record + 1;
}

void gy_queue_drop(gy_queue *queue)
{
    gy_queue_block *block = queue->first;
    block->from += (size_t)((const uint32_t *)block->memory.at)[block->from] + 1;
    queue->n--;
    if (block->from < block->to)
        return;
    if (block == queue->last)
        block->from = block->to = 0;
    else
        free_first(queue);
}

void gy_queue_each(gy_queue *queue, gy_queue_visit *visit, void *user)
{
    for (gy_queue_block *block = queue->first; block; block = block->next)
        for (size_t at = block->from; at < block->to;) {
            uint32_t *record = (uint32_t *)block->memory.at + at;
            at += (size_t)record[0] + 1;
            visit(user, record + 1, record[0]);
        }
}

void gy_queue_save(const gy_queue *queue, gy_writer *writer)
{
    uint64_t blocks = 0;
    for (const gy_queue_block *block = queue->first; block; block = block->next)
        blocks++;
    gy_write_u64(writer, queue->n);
    gy_write_u64(writer, blocks);
    for (const gy_queue_block *block = queue->first; block; block = block->next) {
        size_t words = block->to - block->from;
        gy_write_u64(writer, words);
        gy_write(writer, (const uint32_t *)block->memory.at + block->from,
                 words * sizeof(uint32_t));
    }
}

// How many records a block holds; UINT64_MAX: they do not end where it ends.
static uint64_t count_records(const gy_queue_block *block)
{
    uint64_t count = 0;
    size_t at = block->from;
    for (; at < block->to; count++)
        at += (size_t)((const uint32_t *)block->memory.at)[at] + 1;
    return at == block->to ? count : UINT64_MAX;
}

bool gy_queue_load(gy_queue *queue, gy_reader *reader)
{
    uint64_t n = gy_read_u64(reader);
    uint64_t blocks = gy_read_u64(reader);
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t words = gy_read_u64(reader);
        if (words > gy_reader_left(reader) / sizeof(uint32_t))
            return false;
        if (!words)
            continue;
        if (!add_block(queue, words) ||
            !gy_read(reader, queue->last->memory.at, words * sizeof(uint32_t)))
            return false;
        queue->last->to = words;
        uint64_t count = count_records(queue->last);
        if (count > n - queue->n)
            return false;
        queue->n += count;
    }
    return !gy_reader_failed(reader) && queue->n == n;
}
