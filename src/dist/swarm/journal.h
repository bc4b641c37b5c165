// The journal of a swarm: what is certain, one record after the other.
//
// A record is a line: a checksum, which goes on from that of the record before, and a text. It is
// there when gy_journal_add returns: it was forced to disk. A record that was being written when
// the computer stopped is not a record: reading ends at the first line that does not fit, and what
// is after it is cut off before anything is added.
//
// Only one process has a journal open to write (the file is locked). Owner: who opens it closes it.
#ifndef GYRE_DIST_SWARM_JOURNAL_H
#define GYRE_DIST_SWARM_JOURNAL_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define GY_JOURNAL_DRAFT ".gyre-journal" // of a journal that has no record yet

typedef struct gy_journal {
    int file;
    uint64_t hash;
    GY_VEC(char *) records; // that were there when it was opened
    bool torn;              // there was something after them
} gy_journal;

// A new one with this record, which is there as a whole or not at all; the directory is made if it
// is not there. False: *why (a sentence).
bool gy_journal_create(gy_journal *journal, const char *folder, const char *record, gy_text *why);
// Is there one? A swarm without it has not begun.
bool gy_journal_exists(const char *folder);
bool gy_journal_open(gy_journal *journal, const char *folder, gy_text *why);
// To examine alone: without a lock, nothing can be added.
bool gy_journal_look(gy_journal *journal, const char *folder, gy_text *why);
// The text has no line break. False: errno says why; the journal is not to be used any more.
bool gy_journal_add(gy_journal *journal, const char *text);
// Only the first `count` records were good: the others go.
bool gy_journal_cut(gy_journal *journal, size_t count);
void gy_journal_close(gy_journal *journal);

#endif
