// Files that are either whole or not there: how a search writes itself to disk.
//
// A gy_writer collects bytes in a temporary file next to `path`; gy_writer_commit adds a
// checksum, forces everything to disk and renames it over `path`. Errors are remembered: write
// on, and examine what commit says. Two writers to one path, in any processes, are never mixed: the
// second fails while the first writes. A gy_reader opens such a file, checks the checksum of the
// whole file first, and then hands out the bytes in the same order. Reading beyond the end
// sets `failed` and yields zeros.
// Numbers are written as they are in memory: a file belongs to the kind of machine it was
// written on (the reader finds out by the magic number).
#ifndef GYRE_BASE_ATOMIC_FILE_H
#define GYRE_BASE_ATOMIC_FILE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_writer gy_writer;
typedef struct gy_reader gy_reader;

#define GY_WRITER_TEMPORARY ".tmp" // after the name of the file

gy_writer *gy_writer_open(const char *path); // never NULL
// What a writer to `path` would overwrite though it is no such file, for the caller to free: `path`
// or the temporary file. NULL: nothing; an empty file is nothing, too.
char *gy_writer_obstacle(const char *path);
void gy_write(gy_writer *writer, const void *bytes, size_t n);
void gy_write_u64(gy_writer *writer, uint64_t value);
// Consumes the writer. False with the reason in errno: `path` is as it was before. A file that is
// there and is no such file is not replaced (EEXIST).
bool gy_writer_commit(gy_writer *writer);

// NULL with a static text in *why: cannot be opened, too short, damaged, not such a file.
gy_reader *gy_reader_open(const char *path, const char **why);
bool gy_read(gy_reader *reader, void *bytes, size_t n);
uint64_t gy_read_u64(gy_reader *reader);
bool gy_reader_failed(const gy_reader *reader);
uint64_t gy_reader_left(const gy_reader *reader); // bytes
void gy_reader_close(gy_reader *reader);

// The first `bytes` of a region, with their number.
void gy_write_region(gy_writer *writer, const gy_region *region, size_t bytes);
bool gy_read_region(gy_reader *reader, gy_region *region); // false: failed, or budget refused

#endif
