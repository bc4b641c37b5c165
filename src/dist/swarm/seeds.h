// Seeds: files of states from which later jobs go on, sorted by the part that they are in.
//
// A file is whole or not there: it is written beside its place, forced to disk and renamed. Every
// section (the states of one part) has a checksum of its own, so that a reader looks at no more
// than it wants; nothing in a file is believed.
//
// Owner: who opens one closes it. One thread at a time.
#ifndef GYRE_DIST_SWARM_SEEDS_H
#define GYRE_DIST_SWARM_SEEDS_H

#include "base/text.h"
#include "base/vec.h"
#include "gyre/gyre.h"

typedef struct gy_seed_writer gy_seed_writer;
gy_seed_writer *gy_seed_writer_open(const char *path); // never NULL; errors are told at the end
// Parts come in rising order.
void gy_seed_write(gy_seed_writer *writer, uint32_t part, const gy_word *state, uint32_t words);
// Consumes the writer. False with the reason in errno: there is no such file. *print: a fingerprint
// of all that is in it.
bool gy_seed_writer_close(gy_seed_writer *writer, uint64_t *print);

typedef struct gy_seed_section {
    uint64_t part, count, at, bytes, hash;
} gy_seed_section;

typedef struct gy_seed_reader {
    int file;
    GY_VEC(gy_seed_section) sections; // by part
    uint64_t print;
} gy_seed_reader;

// False: *why is a static text.
bool gy_seed_reader_open(gy_seed_reader *reader, const char *path, const char **why);
void gy_seed_reader_close(gy_seed_reader *reader);
// Shows the states of one section. False: it is damaged (some may have been shown), or `see` said
// so.
typedef bool gy_see_seed(void *user, uint32_t part, const gy_word *state, uint32_t words);
bool gy_seed_read(gy_seed_reader *reader, const gy_seed_section *section, gy_see_seed *see,
                  void *user);

#endif
