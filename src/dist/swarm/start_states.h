// Seeds: files of states from which later jobs go on, sorted by the part that they are in.
//
// A file is whole or not there: it is written next to its place, forced to disk and renamed. Every
// section (the states of one part) has a checksum of its own, so that a reader reads no more
// than it wants; nothing in a file is believed.
//
// Owner: who opens one closes it. One thread at a time.
#ifndef GYRE_DIST_SWARM_START_STATES_H
#define GYRE_DIST_SWARM_START_STATES_H

#include "base/text.h"
#include "base/vec.h"
#include "gyre/gyre.h"

typedef struct gy_start_state_writer gy_start_state_writer;
gy_start_state_writer *
gy_start_state_writer_open(const char *path); // never NULL; errors are reported at the end
// Parts come in rising order.
void gy_start_state_write(gy_start_state_writer *writer, uint32_t part, const gy_word *state,
                          uint32_t words);
// Consumes the writer. False with the reason in errno: there is no such file. *print: a fingerprint
// of all that is in it.
bool gy_start_state_writer_close(gy_start_state_writer *writer, uint64_t *print);

typedef struct gy_start_state_section {
    uint64_t part, count, at, bytes, hash;
} gy_start_state_section;

typedef struct gy_start_state_reader {
    int file;
    uint64_t size;                           // of it
    GY_VEC(gy_start_state_section) sections; // by part
    uint64_t print;
} gy_start_state_reader;

// False: *why is a static text.
bool gy_start_state_reader_open(gy_start_state_reader *reader, const char *path, const char **why);
void gy_start_state_reader_close(gy_start_state_reader *reader);
// Shows the states of one section. False: it is damaged (some may have been shown), or `see` said
// so.
typedef bool gy_see_start_state(void *user, uint32_t part, const gy_word *state, uint32_t words);
bool gy_start_state_read(gy_start_state_reader *reader, const gy_start_state_section *section,
                         gy_see_start_state *see, void *user);

#endif
