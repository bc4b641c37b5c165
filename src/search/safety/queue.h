// A queue of records, each a number of words: first in, first out.
//
// Representation: blocks of words, each with records one after the other (length, then words);
// a block is given back to the budget when its last record was taken. A record is never cut.
#ifndef GYRE_SEARCH_SAFETY_QUEUE_H
#define GYRE_SEARCH_SAFETY_QUEUE_H

#include "base/memory.h"
#include "base/snapshot.h"

typedef struct gy_queue_block gy_queue_block;

typedef struct gy_queue {
    gy_budget *budget;
    gy_queue_block *first, *last;
    uint64_t n; // records
} gy_queue;

void gy_queue_init(gy_queue *queue, gy_budget *budget);
void gy_queue_free(gy_queue *queue);
// Room for a record at the end, to be filled in at once; NULL: no memory.
uint32_t *gy_queue_push(gy_queue *queue, uint32_t words);
// The first record; only if there is one. Valid until it is dropped.
const uint32_t *gy_queue_front(const gy_queue *queue, uint32_t *words);
void gy_queue_drop(gy_queue *queue);
// Visits all records, which may be changed in place.
typedef void gy_queue_visit(void *user, uint32_t *record, uint32_t words);
void gy_queue_each(gy_queue *queue, gy_queue_visit *visit, void *user);
void gy_queue_save(const gy_queue *queue, gy_writer *writer);
bool gy_queue_load(gy_queue *queue, gy_reader *reader);

#endif
