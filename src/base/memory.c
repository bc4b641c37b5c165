// See memory.h. Regions below MAP_FROM bytes live on the heap, larger ones in mappings of
// their own: `reserved` bytes from a multiple of HUGE_PAGE on, of which the first `room` may be
// used. `room` is what was drawn from the budget in both cases.
#include "base/memory.h"

#include "base/assert.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAP_FROM = 1 << 16, PAGE = 1 << 12, HUGE_PAGE = 1 << 21, HUGE_FROM = 1 << 21 };

// What malloc has from the system for small pieces, of all threads; 0: unknown.
static uint64_t heap_bytes(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
    return mallinfo2().arena;
#else
    return 0;
#endif
}

void gy_budget_init(gy_budget *budget, uint64_t limit)
{
    uint64_t resident = gy_memory_resident(), heap = limit ? heap_bytes() : 0;
    budget->limit = limit;
    budget->apart_from_heap = resident > heap ? resident - heap : 0;
    atomic_init(&budget->used, 0);
    atomic_init(&budget->peak, 0);
    atomic_init(&budget->promised, 0);
    atomic_init(&budget->other, resident);
}

bool gy_budget_measure(gy_budget *budget)
{
    if (!budget->limit)
        return true;
    // Other threads take and give meanwhile: what they hold at either time is not "other".
    uint64_t before = atomic_load_explicit(&budget->used, memory_order_relaxed);
    uint64_t resident = gy_memory_resident();
    uint64_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    used = used > before ? used : before;
    // Looked at last, as it only gets less while threads are at work.
    used -= atomic_load_explicit(&budget->promised, memory_order_relaxed);
    uint64_t other = atomic_load_explicit(&budget->other, memory_order_relaxed);
    // Regions that are not filled yet hide part of the rest: only ever raise it. The heap, where
    // each thread has a share, cannot hide.
    uint64_t seen = resident > used ? resident - used : 0;
    uint64_t known = budget->apart_from_heap + heap_bytes();
    seen = seen > known ? seen : known;
    if (seen > other)
        atomic_store_explicit(&budget->other, seen, memory_order_relaxed);
    return resident <= budget->limit;
}

bool gy_budget_take(gy_budget *budget, uint64_t bytes)
{
    uint64_t used = atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed) + bytes;
    uint64_t other = atomic_load_explicit(&budget->other, memory_order_relaxed);
    if (budget->limit && used + other > budget->limit) {
        atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
        return false;
    }
    uint64_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    while (used > peak && !atomic_compare_exchange_weak(&budget->peak, &peak, used))
        ;
    return true;
}

void gy_budget_give(gy_budget *budget, uint64_t bytes)
{
    uint64_t used = atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
    gy_assert(bytes <= used); // nothing gives back what was not taken
    (void)used;
}

void gy_budget_promise(gy_budget *budget, uint64_t bytes)
{
    atomic_fetch_add_explicit(&budget->promised, bytes, memory_order_relaxed);
}

void gy_budget_keep(gy_budget *budget, uint64_t bytes)
{
    uint64_t promised = atomic_fetch_sub_explicit(&budget->promised, bytes, memory_order_relaxed);
    gy_assert(bytes <= promised);
    (void)promised;
}

uint64_t gy_budget_room(const gy_budget *budget)
{
    if (!budget->limit)
        return UINT64_MAX;
    uint64_t taken = atomic_load_explicit(&budget->used, memory_order_relaxed) +
                     atomic_load_explicit(&budget->other, memory_order_relaxed);
    return taken < budget->limit ? budget->limit - taken : 0;
}

uint64_t gy_memory_resident(void)
{
    unsigned long long total, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    int found = fscanf(file, "%llu %llu", &total, &resident);
    fclose(file);
    return found == 2 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t gy_memory_physical(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    unsigned long long bound;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file) {
        if (fscanf(file, "%llu", &bound) == 1 && (!bytes || bound < bytes))
            bytes = bound;
        fclose(file);
    }
    return bytes;
}

void gy_region_init(gy_region *region, gy_budget *budget)
{
    *region = (gy_region){.budget = budget};
}

void gy_region_free(gy_region *region)
{
    if (region->reserved)
        munmap(region->at, region->reserved);
    else
        free(region->at);
    if (region->room)
        gy_budget_give(region->budget, region->room);
    gy_region_init(region, region->budget);
}

static bool grow_on_heap(gy_region *region, size_t bytes)
{
    char *memory = realloc(region->at, bytes);
    if (!memory)
        return false;
    memset(memory + region->room, 0, bytes - region->room);
    region->at = memory;
    return true;
}

// Address space without memory behind it, at a multiple of HUGE_PAGE.
static char *reserve(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *memory = mmap(NULL, bytes + HUGE_PAGE, PROT_NONE, flags, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(memory, before);
    munmap(memory + before + bytes, HUGE_PAGE - before);
    return memory + before;
}

// Copies a region to a new reserve, giving back the old memory piece by piece on the way.
static bool move(gy_region *region, size_t bytes)
{
    size_t wanted = bytes * (bytes > SIZE_MAX / 128 ? 4 : 64);
    char *memory = reserve(wanted), *old = region->at;
    if (!memory) // address space is scarce: less of a reserve, or none
        memory = reserve(wanted = bytes * 4);
    if (!memory)
        memory = reserve(wanted = bytes);
    if (!memory)
        return false;
    if (mprotect(memory, bytes, PROT_READ | PROT_WRITE)) {
        munmap(memory, wanted);
        return false;
    }
    for (size_t done = 0; done < region->room;) {
        size_t piece = region->room - done < HUGE_PAGE ? region->room - done : HUGE_PAGE;
        memcpy(memory + done, old + done, piece);
        if (region->reserved)
            munmap(old + done, piece);
        done += piece;
    }
    if (region->reserved > region->room)
        munmap(old + region->room, region->reserved - region->room);
    else if (!region->reserved)
        free(old);
    region->at = memory;
    region->reserved = wanted;
    return true;
}

static bool grow_mapping(gy_region *region, size_t bytes)
{
    bool moves = bytes > region->reserved;
    if (moves && !move(region, bytes))
        return false;
    if (bytes >= HUGE_FROM &&
        (moves || region->room < HUGE_FROM)) // random access: fewer TLB misses
        madvise(region->at, region->reserved, MADV_HUGEPAGE);
    return !mprotect(region->at, bytes, PROT_READ | PROT_WRITE);
}

bool gy_region_resize(gy_region *region, size_t bytes)
{
    if (bytes <= region->room)
        return true;
    if (bytes > SIZE_MAX / 4)
        return false;
    bool map = bytes >= MAP_FROM;
    bytes = map ? (bytes + PAGE - 1) / PAGE * PAGE : (bytes + 63) / 64 * 64;
    if (!gy_budget_take(region->budget, bytes - region->room))
        return false;
    if (!(map ? grow_mapping(region, bytes) : grow_on_heap(region, bytes))) {
        gy_budget_give(region->budget, bytes - region->room);
        return false;
    }
    region->room = bytes;
    gy_assert(!region->reserved || region->room <= region->reserved);
    return true;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void gy_region_touch(const gy_region *region, size_t from, size_t to)
{
    gy_assert(to <= region->room);
    from = from / PAGE * PAGE;
    if (!region->reserved || from >= to || // what is on the heap has been written
        !madvise((char *)region->at + from, to - from, MADV_POPULATE_WRITE))
        return;
    for (; from < to; from += PAGE) // a system that does not know of it
        atomic_fetch_add_explicit((_Atomic char *)region->at + from, 0, memory_order_relaxed);
}

void gy_region_clear(const gy_region *region, size_t used, size_t from, size_t to)
{
    gy_assert(used <= region->room);
    to = to < region->room ? to : region->room;
    if (from < used)
        memset((char *)region->at + from, 0, (to < used ? to : used) - from);
    if (to > used)
        gy_region_touch(region, from > used ? from : used, to);
}

bool gy_region_fill(gy_region *region, size_t bytes)
{
    size_t from = region->reserved ? region->room : 0;
    if (!gy_region_resize(region, bytes))
        return false;
    gy_region_touch(region, from, region->room);
    return true;
}

bool gy_region_reserve(gy_region *region, size_t bytes)
{
    if (bytes <= region->room)
        return true;
    size_t next = region->room + (region->room < MAP_FROM ? region->room : region->room / 16);
    if (next >= HUGE_FROM) // a page that is there in part only cannot be huge
        next = (next + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (bytes < next && gy_region_resize(region, next))
        return true;
    return gy_region_resize(region, bytes);
}
