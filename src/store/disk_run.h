// A run: numbers in ascending order in a file, each once. Private to src/store/disk_*.c.
//
// Only differences are written, in blocks of one size; of each block the first number is in
// memory, so that the code that looks for a number reads one block. Blocks of a file are in the
// order in which they were written, by any number of threads; the index puts them in theirs.
//
//   block:   [ hash of what follows (64 bits) | numbers in it (32) | bytes used (32) ]
//            [ first number (64) ] [ difference to the one before, 7 bits to a byte ] …
//   index:   first number of a block -> its number in the file, by the first number
//
// The file has no name (base/file.h): it is gone when the run is freed, or the process is.
//
// Threads: a writer and a reader have one thread each; any number may write to, or read from, the
// same run, but not at once.
#ifndef GYRE_STORE_DISK_RUN_H
#define GYRE_STORE_DISK_RUN_H

#include "base/vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { GY_DISK_BLOCK = 8192, GY_DISK_EXTENT = 32 }; // bytes; blocks that are written together

// What went to and fro, and what became of it.
typedef struct gy_disk_traffic {
    _Atomic uint64_t written, read; // bytes
    _Atomic int error;              // errno of the first failure; 0: none
    _Atomic bool damaged;           // what was read is not what was written
    const atomic_int *interrupt;    // or NULL; non-zero: as if a read had failed, with EINTR
    double deadline;                // on gy_clock; later, likewise, with ETIME; 0: none
} gy_disk_traffic;

typedef struct gy_disk_entry {
    uint64_t first;
    uint32_t block;
} gy_disk_entry;

typedef GY_VEC(gy_disk_entry) gy_disk_index;

typedef struct gy_disk_run {
    int file;
    gy_disk_traffic *traffic;
    _Atomic uint32_t blocks;
    gy_disk_index index;
    uint64_t count; // numbers
} gy_disk_run;

// In that directory. NULL: see traffic->error.
gy_disk_run *gy_disk_run_new(const char *folder, gy_disk_traffic *traffic);
void gy_disk_run_free(gy_disk_run *run);
uint64_t gy_disk_run_bytes(const gy_disk_run *run);
bool gy_disk_failed(const gy_disk_traffic *traffic);

// ---- writing --------------------------------------------------------------------------

typedef struct gy_disk_writer {
    gy_disk_run *to;
    unsigned char *extent;
    uint32_t full;       // blocks of it
    uint32_t used, n;    // bytes and numbers of the next one
    uint64_t last;       // number
    gy_disk_index index; // of all blocks that were begun; who wrote appends it to that of the run
    uint64_t count;
} gy_disk_writer;

void gy_disk_writer_init(gy_disk_writer *w, gy_disk_run *run);
void gy_disk_put(gy_disk_writer *w, uint64_t number); // greater than the one before
void gy_disk_writer_end(gy_disk_writer *w);           // writes what is left; the index stays

// ---- reading --------------------------------------------------------------------------

typedef struct gy_disk_reader {
    const gy_disk_run *of;
    unsigned char *block;
    size_t entry;            // of the index
    bool loaded;             // its block is; otherwise `number` is the first of it
    const unsigned char *at; // in the block
    uint32_t left;           // numbers in it
    uint64_t number;         // at which the reader is, unless it is
    bool done;
} gy_disk_reader;

void gy_disk_reader_init(gy_disk_reader *r, const gy_disk_run *run); // at the first number
void gy_disk_reader_free(gy_disk_reader *r);
void gy_disk_load(gy_disk_reader *r, size_t entry);
void gy_disk_skip(gy_disk_reader *r, uint64_t number); // to the block that may have it

static inline void gy_disk_next(gy_disk_reader *r)
{
    if (!r->loaded)
        gy_disk_load(r, r->entry);
    if (r->done)
        return;
    if (!r->left) {
        r->done = r->entry + 1 >= r->of->index.n;
        r->loaded = false;
        if (!r->done)
            r->number = r->of->index.at[++r->entry].first;
        return;
    }
    uint64_t difference = *r->at & 127;
    for (unsigned shift = 7; *r->at++ & 128; shift += 7)
        difference |= (uint64_t)(*r->at & 127) << shift;
    r->number += difference;
    r->left--;
}

// Eight numbers further, if each of the differences between is a byte and that is not too far.
static inline bool gy_disk_leap(gy_disk_reader *r, uint64_t number)
{
    uint64_t eight, low = 0x00ff00ff00ff00ffull;
    if (r->left < 8)
        return false;
    memcpy(&eight, r->at, sizeof eight);
    uint64_t pairs = (eight & low) + (eight >> 8 & low);
    uint64_t sum = pairs * 0x0001000100010001ull >> 48;
    if (eight & 0x8080808080808080ull || r->number + sum >= number)
        return false;
    r->number += sum;
    r->at += 8;
    r->left -= 8;
    return true;
}

// To the first number that is not less.
static inline void gy_disk_seek(gy_disk_reader *r, uint64_t number)
{
    if (!r->done && r->entry + 1 < r->of->index.n && r->of->index.at[r->entry + 1].first <= number)
        gy_disk_skip(r, number);
    while (!r->done && r->number < number)
        if (!r->loaded || !gy_disk_leap(r, number))
            gy_disk_next(r);
}

#endif
