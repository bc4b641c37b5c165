// A set of 60-bit signatures, kept in about six bytes each by quotienting (J. G. Cleary: Compact
// hash tables using bidirectional linear probing, 1984): what the place of an entry says of it is
// not stored.
//
// Lines of 64 bytes have 10 to 14 slots, the more the more lines there are. A signature s has the
// home line s * lines / 2^60 and goes to the first free slot of that line and the next REACH - 1.
// The slot keeps its low bits, 50 to 36 of them. That is enough: signatures whose home is one of
// REACH lines in a row lie in an interval no longer than 2^bits, so low bits that are equal in the
// same line belong to equal signatures, and growing recovers every signature from its slot and
// line. A signature that finds no slot goes to the stash, in full: one in fifty where lines are as
// full as they are let become.
//
//   line:  [ the low 32 bits of each slot ][ head: 5 bits ][ the other bits of each slot ]
//
// The head says how many slots are filled, from the left, and whether a thread is filling one.
// Slots that are filled never change again, so whoever has read the head may read them.
//
// Threads: entering and looking by any number of them; growth, saving and loading by one alone.
// Owner: whoever called gy_signatures_init.
#ifndef GYRE_STORE_SIGNATURES_H
#define GYRE_STORE_SIGNATURES_H

#include "base/atomic_file.h"
#include "base/memory.h"

enum { GY_SIGNATURE_BITS = 60, GY_SIGNATURE_LINE = 64 };

typedef struct gy_signatures {
    gy_budget *budget;
    gy_region memory; // the lines
    uint64_t lines;
    unsigned slots, more_bits;      // of a line; of a slot, beyond 32
    _Atomic uint64_t *stash;        // signatures + 1, open addressing
    uint64_t stash_room, stash_got; // its slots; how many bytes of it the budget knows of
    _Atomic uint64_t stashed;
    bool alone; // only one thread will ever use it
} gy_signatures;

typedef enum { GY_SIGNATURE_FOUND, GY_SIGNATURE_NEW, GY_SIGNATURE_NO_ROOM } gy_signature_answer;

// As small as it can be. False: the budget does not allow that.
bool gy_signatures_init(gy_signatures *set, gy_budget *budget, bool alone);
void gy_signatures_free(gy_signatures *set);
// How many there may be where `percent` of the slots are filled.
uint64_t gy_signatures_capacity(const gy_signatures *set, unsigned percent);
// NO_ROOM: the stash is full; growing helps.
gy_signature_answer gy_signatures_enter(gy_signatures *set, uint64_t signature);
bool gy_signatures_has(const gy_signatures *set, uint64_t signature);
bool gy_signatures_crowded(const gy_signatures *set); // entering says NO_ROOM, or soon will
// To that many lines, more than there are; lines may get more slots, too. False: no memory.
bool gy_signatures_grow(gy_signatures *set, uint64_t lines);

static inline uint64_t gy_signature_home(const gy_signatures *set, uint64_t signature)
{
    return (uint64_t)((unsigned __int128)signature * set->lines >> GY_SIGNATURE_BITS);
}

// It will be entered soon.
static inline void gy_signatures_prefetch(const gy_signatures *set, uint64_t signature)
{
    gy_fetch_to_write((const char *)set->memory.at +
                      gy_signature_home(set, signature) * GY_SIGNATURE_LINE);
}

void gy_signatures_save(const gy_signatures *set, gy_writer *writer);
// Into one that was just made. Nothing in the file is believed: false says that it is damaged, or
// over budget.
bool gy_signatures_load(gy_signatures *set, gy_reader *reader);

#endif
