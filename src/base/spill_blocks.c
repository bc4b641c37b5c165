#include "base/spill_blocks.h"

#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, BLOCKS = 64 }; // of a slab

static size_t slab_bytes(const gy_spill_blocks *pages)
{
    return pages->block * BLOCKS;
}

void gy_spill_blocks_init(gy_spill_blocks *pages, gy_budget *budget, size_t block_bytes)
{
    *pages = (gy_spill_blocks){.budget = budget, .file = -1, .used = BLOCKS};
    pages->block = (block_bytes + PAGE - 1) / PAGE * PAGE;
    pthread_mutex_init(&pages->lock, NULL);
}

void gy_spill_blocks_free(gy_spill_blocks *pages)
{
    for (size_t i = 0; i < pages->slabs.n; i++)
        munmap(pages->slabs.at[i].at, slab_bytes(pages));
    gy_vec_free(&pages->slabs);
    gy_budget_keep(pages->budget, pages->aside);
    gy_budget_give(pages->budget, pages->paid + pages->aside);
    if (pages->file >= 0)
        close(pages->file);
    pthread_mutex_destroy(&pages->lock);
}

// Room in the file for that slab: the disk must not turn out to be full when it is written.
static bool reserve_file(gy_spill_blocks *pages, size_t slab)
{
    if (pages->file < 0)
        pages->file = pages->folder ? gy_temporary_file_in(pages->folder) : gy_temporary_file();
    return pages->file >= 0 && posix_fallocate(pages->file, (off_t)(slab * slab_bytes(pages)),
                                               (off_t)slab_bytes(pages)) == 0;
}

// Maps it at an address, or (NULL) anywhere.
static void *map_file(const gy_spill_blocks *pages, size_t slab, void *at)
{
    int flags = MAP_SHARED | (at ? MAP_FIXED : 0);
    return mmap(at, slab_bytes(pages), PROT_READ | PROT_WRITE, flags, pages->file,
                (off_t)(slab * slab_bytes(pages)));
}

static bool add_slab(gy_spill_blocks *pages, bool in_file)
{
    size_t number = pages->slabs.n;
    void *at = MAP_FAILED;
    if (!in_file)
        at = mmap(NULL, slab_bytes(pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                  0);
    else if (reserve_file(pages, number))
        at = map_file(pages, number, NULL);
    if (at == MAP_FAILED)
        return false;
    gy_vec_push(&pages->slabs, ((gy_slab){at, in_file}));
    pages->used = 0;
    return true;
}

static bool is_spilled(const gy_spill_blocks *pages)
{
    return atomic_load_explicit(&pages->spilled, memory_order_relaxed);
}

void gy_spill_blocks_set_aside(gy_spill_blocks *pages, size_t bytes)
{
    if (!gy_budget_take(pages->budget, bytes))
        return;
    gy_budget_promise(pages->budget, bytes);
    pages->aside += bytes;
}

// Memory for a block, from the budget.
static bool pay(gy_spill_blocks *pages)
{
    if (pages->aside >= pages->block) {
        pages->aside -= pages->block;
        gy_budget_keep(pages->budget, pages->block);
    } else if (gy_budget_room(pages->budget) < GY_PAGES_TIGHT ||
               !gy_budget_take(pages->budget, pages->block)) {
        return false;
    }
    pages->paid += pages->block;
    return true;
}

void *gy_spill_blocks_new(gy_spill_blocks *pages)
{
    void *block = NULL;
    pthread_mutex_lock(&pages->lock);
    bool in_file = is_spilled(pages) || !pay(pages);
    if (in_file && !is_spilled(pages))
        atomic_store_explicit(&pages->pressed, true, memory_order_relaxed);
    // A block of a slab that is in memory has been paid for, or there is a new slab.
    bool fits = pages->used < BLOCKS && pages->slabs.at[pages->slabs.n - 1].in_file == in_file;
    if (fits || add_slab(pages, in_file))
        block = pages->slabs.at[pages->slabs.n - 1].at + pages->block * pages->used++;
    pthread_mutex_unlock(&pages->lock);
    return block;
}

void gy_spill_blocks_rest(const gy_spill_blocks *pages, void *block)
{
    if (is_spilled(pages))
        madvise(block, pages->block, MADV_DONTNEED);
}

void gy_spill_blocks_wake(const gy_spill_blocks *pages, void *block)
{
#ifdef MADV_POPULATE_WRITE
    if (is_spilled(pages))
        madvise(block, pages->block, MADV_POPULATE_WRITE);
#else
    (void)pages, (void)block;
#endif
}

static bool write_all(int file, const char *at, size_t bytes, off_t to)
{
    while (bytes > 0) {
        ssize_t n = pwrite(file, at, bytes, to);
        if (n <= 0)
            return false;
        at += n;
        to += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool gy_spill_blocks_to_file(gy_spill_blocks *pages)
{
    atomic_store_explicit(&pages->pressed, false, memory_order_relaxed);
    if (is_spilled(pages) || !pages->slabs.n)
        return false;
    bool fine = true;
    for (size_t i = 0; i < pages->slabs.n && fine; i++) {
        gy_slab *slab = &pages->slabs.at[i];
        off_t to = (off_t)(i * slab_bytes(pages));
        if (slab->in_file)
            continue;
        fine = reserve_file(pages, i) && write_all(pages->file, slab->at, slab_bytes(pages), to) &&
               map_file(pages, i, slab->at) != MAP_FAILED;
        slab->in_file = fine;
    }
    if (!fine) // some are there; all that were paid for count as if they were not
        return false;
    gy_budget_keep(pages->budget, pages->aside);
    gy_budget_give(pages->budget, pages->paid + pages->aside);
    pages->paid = pages->aside = 0;
    atomic_store_explicit(&pages->spilled, true, memory_order_relaxed);
    return true;
}
