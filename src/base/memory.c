// See memory.h. Regions below MAP_FROM bytes live on the heap, larger ones in mappings of
// their own; `room` is what was drawn from the budget in both cases.
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAP_FROM = 1 << 16, PAGE = 1 << 12, HUGE_FROM = 1 << 22 };

void gy_budget_init(gy_budget *budget, uint64_t limit)
{
    budget->limit = limit;
    atomic_init(&budget->used, 0);
    atomic_init(&budget->peak, 0);
    atomic_init(&budget->other, gy_memory_resident());
}

bool gy_budget_measure(gy_budget *budget)
{
    if (!budget->limit)
        return true;
    uint64_t resident = gy_memory_resident();
    uint64_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    uint64_t other = atomic_load_explicit(&budget->other, memory_order_relaxed);
    // Regions that are not filled yet hide part of the rest: only ever raise it.
    if (resident > used && resident - used > other)
        atomic_store_explicit(&budget->other, resident - used, memory_order_relaxed);
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
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
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
    if (region->mapped)
        munmap(region->at, region->room);
    else
        free(region->at);
    if (region->room)
        gy_budget_give(region->budget, region->room);
    gy_region_init(region, region->budget);
}

static void *grow_on_heap(gy_region *region, size_t bytes)
{
    char *memory = realloc(region->at, bytes);
    if (memory)
        memset(memory + region->room, 0, bytes - region->room);
    return memory;
}

static void *grow_mapping(gy_region *region, size_t bytes)
{
    void *memory;
    if (region->mapped) {
        memory = mremap(region->at, region->room, bytes, MREMAP_MAYMOVE);
        if (memory == MAP_FAILED)
            return NULL;
        if (bytes >= HUGE_FROM && region->room < HUGE_FROM)
            madvise(memory, bytes, MADV_HUGEPAGE); // random access: fewer TLB misses
        return memory;
    }
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (bytes >= HUGE_FROM)
        madvise(memory, bytes, MADV_HUGEPAGE);
    if (region->room)
        memcpy(memory, region->at, region->room);
    free(region->at);
    return memory;
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
    void *memory = map ? grow_mapping(region, bytes) : grow_on_heap(region, bytes);
    if (!memory) {
        gy_budget_give(region->budget, bytes - region->room);
        return false;
    }
    region->at = memory;
    region->room = bytes;
    region->mapped = map;
    return true;
}

bool gy_region_reserve(gy_region *region, size_t bytes)
{
    if (bytes <= region->room)
        return true;
    size_t more = region->room < MAP_FROM ? region->room : region->room / 16;
    if (bytes < region->room + more && gy_region_resize(region, region->room + more))
        return true;
    return gy_region_resize(region, bytes);
}
