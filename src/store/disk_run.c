#include "store/disk_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 16, FIRST = HEAD + 8, LONGEST = 10 }; // bytes; LONGEST: of a difference

typedef struct block_head {
    uint64_t hash;
    uint32_t n, used;
} block_head;

static void note_error(gy_disk_traffic *traffic, int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&traffic->error, &none, error);
}

bool gy_disk_failed(const gy_disk_traffic *traffic)
{
    return atomic_load_explicit(&traffic->error, memory_order_relaxed) ||
           atomic_load_explicit(&traffic->damaged, memory_order_relaxed);
}

gy_disk_run *gy_disk_run_new(const char *folder, gy_disk_traffic *traffic)
{
    int file = gy_temporary_file_in(folder);
    if (file < 0) {
        note_error(traffic, errno);
        return NULL;
    }
    gy_disk_run *run = gy_alloc_zero(sizeof *run);
    run->file = file;
    run->traffic = traffic;
    return run;
}

void gy_disk_run_free(gy_disk_run *run)
{
    if (!run)
        return;
    close(run->file);
    gy_vec_free(&run->index);
    free(run);
}

uint64_t gy_disk_run_bytes(const gy_disk_run *run)
{
    return (uint64_t)atomic_load_explicit(&run->blocks, memory_order_relaxed) * GY_DISK_BLOCK;
}

static uint64_t hash_block(const unsigned char *block, uint32_t used)
{
    return gy_hash_bytes(block + sizeof(uint64_t), used - sizeof(uint64_t), 0);
}

// ---- writing --------------------------------------------------------------------------

void gy_disk_writer_init(gy_disk_writer *w, gy_disk_run *run)
{
    *w = (gy_disk_writer){.to = run, .used = FIRST};
    w->extent = gy_alloc_zero((size_t)GY_DISK_EXTENT * GY_DISK_BLOCK);
}

static void write_extent(gy_disk_writer *w)
{
    gy_disk_traffic *traffic = w->to->traffic;
    uint32_t first = atomic_fetch_add_explicit(&w->to->blocks, w->full, memory_order_relaxed);
    for (uint32_t i = 0; i < w->full; i++)
        w->index.at[w->index.n - w->full + i].block = first + i;
    const unsigned char *at = w->extent;
    size_t left = (size_t)w->full * GY_DISK_BLOCK;
    off_t to = (off_t)first * GY_DISK_BLOCK;
    while (left && !gy_disk_failed(traffic)) {
        ssize_t n = pwrite(w->to->file, at, left, to);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            note_error(traffic, n < 0 ? errno : ENOSPC);
        if (n <= 0)
            continue;
        atomic_fetch_add_explicit(&traffic->written, (uint64_t)n, memory_order_relaxed);
        at += n;
        to += n;
        left -= (size_t)n;
    }
    w->full = 0;
}

static void end_block(gy_disk_writer *w)
{
    unsigned char *block = w->extent + (size_t)w->full * GY_DISK_BLOCK;
    block_head head = {.n = w->n, .used = w->used};
    memcpy(block, &head, sizeof head);
    head.hash = hash_block(block, w->used);
    memcpy(block, &head.hash, sizeof head.hash);
    w->full++;
    w->n = 0;
    w->used = FIRST;
    if (w->full == GY_DISK_EXTENT)
        write_extent(w);
}

void gy_disk_put(gy_disk_writer *w, uint64_t number)
{
    unsigned char *block = w->extent + (size_t)w->full * GY_DISK_BLOCK;
    if (w->n == 0) {
        gy_vec_push(&w->index, ((gy_disk_entry){.first = number}));
        memcpy(block + HEAD, &number, sizeof number);
    } else {
        uint64_t difference = number - w->last;
        unsigned char *at = block + w->used;
        for (; difference >= 128; difference >>= 7)
            *at++ = (unsigned char)(difference | 128);
        *at++ = (unsigned char)difference;
        w->used = (uint32_t)(at - block);
    }
    w->last = number;
    w->n++;
    w->count++;
    if (w->used + LONGEST > GY_DISK_BLOCK)
        end_block(w);
}

void gy_disk_writer_end(gy_disk_writer *w)
{
    if (w->n)
        end_block(w);
    if (w->full)
        write_extent(w);
    free(w->extent);
    w->extent = NULL;
}

// ---- reading --------------------------------------------------------------------------

void gy_disk_reader_init(gy_disk_reader *r, const gy_disk_run *run)
{
    *r = (gy_disk_reader){.of = run, .block = gy_alloc(GY_DISK_BLOCK), .done = !run->index.n};
    if (!r->done)
        r->number = run->index.at[0].first;
}

void gy_disk_reader_free(gy_disk_reader *r)
{
    free(r->block);
}

static bool read_block(const gy_disk_run *run, uint32_t number, unsigned char *block)
{
    gy_disk_traffic *traffic = run->traffic;
    size_t have = 0;
    if (traffic->interrupt && atomic_load_explicit(traffic->interrupt, memory_order_relaxed))
        note_error(traffic, EINTR);
    if (gy_deadline_over(traffic->deadline))
        note_error(traffic, ETIME);
    while (have < GY_DISK_BLOCK && !gy_disk_failed(traffic)) {
        ssize_t n = pread(run->file, block + have, GY_DISK_BLOCK - have,
                          (off_t)number * GY_DISK_BLOCK + (off_t)have);
        if (n < 0 && errno != EINTR)
            note_error(traffic, errno);
        else if (n == 0)
            atomic_store_explicit(&traffic->damaged, true, memory_order_relaxed);
        else if (n > 0)
            have += (size_t)n;
    }
    atomic_fetch_add_explicit(&traffic->read, have, memory_order_relaxed);
    return !gy_disk_failed(traffic);
}

void gy_disk_load(gy_disk_reader *r, size_t entry)
{
    const gy_disk_entry *e = &r->of->index.at[entry];
    block_head head;
    r->entry = entry;
    r->done = !read_block(r->of, e->block, r->block);
    if (r->done)
        return;
    memcpy(&head, r->block, sizeof head);
    memcpy(&r->number, r->block + HEAD, sizeof r->number);
    if (head.used < FIRST || head.used > GY_DISK_BLOCK || !head.n ||
        head.hash != hash_block(r->block, head.used) || r->number != e->first) {
        atomic_store_explicit(&r->of->traffic->damaged, true, memory_order_relaxed);
        r->done = true;
        return;
    }
    r->at = r->block + FIRST;
    r->left = head.n - 1;
    r->loaded = true;
}

void gy_disk_skip(gy_disk_reader *r, uint64_t number)
{
    const gy_disk_entry *index = r->of->index.at;
    size_t low = r->entry + 1, n = r->of->index.n, step = 1;
    // index[low] is not beyond it; most often the one that is lies near.
    while (low + step < n && index[low + step].first <= number) {
        low += step;
        step *= 2;
    }
    for (size_t high = low + step < n ? low + step : n; high - low > 1;) {
        size_t middle = low + (high - low) / 2;
        if (index[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    r->entry = low;
    r->loaded = false;
    r->number = index[low].first;
}
