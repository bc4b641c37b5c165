// Which rank a state belongs to: a hash of a part of it decides.
//
// If all of a state counted, nearly every step would lead to another rank. So bits that few steps
// change count, and no more of them than it takes to spread the states evenly: most steps stay on
// their rank then, and cost no message. Which bits these are is seen on random walks before the
// search begins; where no part will do, the whole state counts.
//
// Everything is made from the system and a fixed seed, and so is the same on all ranks. Owner: the
// caller of gy_owner_init frees. Once made, any thread may ask.
#ifndef GYRE_DIST_MPI_OWNER_H
#define GYRE_DIST_MPI_OWNER_H

#include "base/hash.h"
#include "gyre/gyre.h"

typedef struct gy_owner {
    unsigned size;  // ranks
    gy_word *mask;  // bits that count; NULL: all
    uint32_t words; // of it; behind, all count
} gy_owner;

// All of a state counts.
void gy_owner_init(gy_owner *owner, unsigned size);
// As above. The worker is used, not kept.
void gy_owner_look(gy_owner *owner, gy_worker *worker);
void gy_owner_free(gy_owner *owner);

static inline unsigned gy_owner_of(const gy_owner *owner, const gy_word *state, uint32_t words)
{
    uint64_t hash;
    if (owner->size == 1)
        return 0;
    if (!owner->mask) {
        hash = gy_hash_state(state, words);
    } else {
        hash = words ^ 0x9e3779b97f4a7c15ull;
        for (uint32_t i = 0; i < words; i++) {
            gy_word part = i < owner->words ? state[i] & owner->mask[i] : state[i];
            if (part)
                hash = gy_hash_fold(hash ^ part, 0xd6e8feb86659fd93ull + 2 * i);
        }
    }
    // The bits are mixed again, because stores make use of those of the first hash, too.
    hash = gy_hash_number(hash ^ 0xa0761d6478bd642full);
    return (unsigned)((unsigned __int128)hash * owner->size >> 64);
}

#endif
