// Memory for searches: a budget for the whole process, and regions that grow without a copy.
//
// A gy_budget is a promise: the regions that draw on it, plus everything else that the
// process has in memory, stay below the limit. `used` is what the regions hold; `other` is
// the rest of the resident memory, measured when the budget is made and whenever
// gy_budget_measure is called. A region asks before it grows and says no instead of exceeding
// the limit: nothing here aborts, and a refused region keeps its contents.
//
// A gy_region is an array of bytes, zero where never written. Large ones are mapped, with address
// space in reserve after them, so that they mostly grow where they are; otherwise they move piece
// by piece to a larger reserve. Old and new are never in memory at once. A region may move when it
// grows: keep offsets, not pointers. Owner: the caller of gy_region_init; free it there.
//
// Threads: a budget may be shared by all threads; a region has one owner at a time.
#ifndef GYRE_BASE_MEMORY_H
#define GYRE_BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_budget {
    uint64_t limit; // bytes, resident, whole process; 0: none
    _Atomic uint64_t used, peak;
    _Atomic uint64_t other;
    _Atomic uint64_t promised; // of `used`: drawn for later, and not in memory for certain
    uint64_t apart_from_heap;  // of `other`, when the budget was made
} gy_budget;

void gy_budget_init(gy_budget *budget, uint64_t limit);
// Looks at the process's resident memory again. True while it is below the limit.
bool gy_budget_measure(gy_budget *budget);
bool gy_budget_take(gy_budget *budget, uint64_t bytes); // false: would exceed the limit
void gy_budget_give(gy_budget *budget, uint64_t bytes);
// Bytes that were taken will not be in memory before they are kept.
void gy_budget_promise(gy_budget *budget, uint64_t bytes);
void gy_budget_keep(gy_budget *budget, uint64_t bytes); // they may be from now on
uint64_t gy_budget_room(const gy_budget *budget);       // UINT64_MAX if there is no limit

uint64_t gy_memory_resident(void); // of this process, in bytes; 0 if unknown
uint64_t gy_memory_physical(void); // of this machine or container; 0 if unknown

typedef struct gy_region {
    void *at;
    size_t room;     // usable bytes
    size_t reserved; // address space, if it is mapped; 0: it is on the heap
    gy_budget *budget;
} gy_region;

void gy_region_init(gy_region *region, gy_budget *budget);
void gy_region_free(gy_region *region);
// Makes room for at least `bytes`, a little more than that if the budget allows. False: it
// does not, or the system has no more; the region is as it was.
bool gy_region_reserve(gy_region *region, size_t bytes);
// The same, without the little more.
bool gy_region_resize(gy_region *region, size_t bytes);
// The same, for tables that will be read before they are written, and soon all over: the memory is
// there at once. (Otherwise a page is first mapped to one of zeroes that all share, and then, when
// it is written, to one of its own, which all threads have to be informed of.)
bool gy_region_fill(gy_region *region, size_t bytes);
// Makes it be there for some of the bytes; several threads may do so at the same time.
void gy_region_touch(const gy_region *region, size_t from, size_t to);
// All zero again, of a region of which the first `used` bytes were written: those of [from, to) are
// cleared, and the memory behind them is touched.
void gy_region_clear(const gy_region *region, size_t used, size_t from, size_t to);

// Starts fetching a line that will probably be written: other processors lose it now, not when it
// is written, which would have to be waited for. (What the compiler has for this is but a fetch,
// unless it knows the processor. Old processors take the instruction for one that does nothing.)
static inline void gy_fetch_to_write(const void *at)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
    __builtin_prefetch(at, 1);
#endif
}

#endif
