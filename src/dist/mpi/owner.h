// Which rank a state belongs to.
//
// At first a hash of all of it decides. Then nearly every step leads to another rank. When there
// are many states, something better is chosen from them: bits of the rank that are sums (modulo
// two) of bits of the state, such that few steps change them, but they are as often 0 as 1: most
// steps stay on their rank then, and cost no message.
//
// One rank chooses, and informs the others. Owner: the caller of gy_owner_init frees. Once made,
// any thread may ask.
#ifndef GYRE_DIST_MPI_OWNER_H
#define GYRE_DIST_MPI_OWNER_H

#include "base/hash.h"
#include "base/vec.h"
#include "gyre/gyre.h"

typedef struct gy_owner {
    unsigned size;     // ranks
    bool chosen;       // forms were looked for
    uint32_t words;    // of a mask
    uint32_t forms;    // there are so many masks of what is summed up; 0: all is hashed
    gy_word *masks;    // one after the other
    uint32_t from, to; // words of which something counts
    uint64_t pieces;   // the same, as gy_incoming.written has it, for states of that length
} gy_owner;

enum { GY_OWNER_STATES = 1 << 15, GY_OWNER_FORMS = 12 };

// States that it is chosen by, fewer than GY_OWNER_STATES.
typedef struct gy_owner_states {
    uint32_t count;
    uint32_t newest;          // the first of those that were found last
    uint64_t of;              // they are one of so many
    GY_VEC(gy_word) content;  // of one after the other
    GY_VEC(uint32_t) lengths; // of each
} gy_owner_states;

// All of a state counts.
void gy_owner_init(gy_owner *owner, unsigned size);
// Chooses forms, if there are some that help. The worker is used, not kept.
void gy_owner_choose(gy_owner *owner, gy_worker *worker, const gy_owner_states *known);
void gy_owner_hash(gy_owner *owner); // all of a state counts, after all
void gy_owner_set(gy_owner *owner);  // words, forms and masks are set: sets the rest
void gy_owner_free(gy_owner *owner);

static inline unsigned gy_owner_of(const gy_owner *owner, const gy_word *state, uint32_t words)
{
    if (owner->size == 1)
        return 0;
    if (!owner->forms || words < owner->words) {
        // The bits are mixed again, because stores make use of those of the first hash, too.
        uint64_t hash = gy_hash_number(gy_hash_state(state, words) ^ 0xa0761d6478bd642full);
        return (unsigned)((unsigned __int128)hash * owner->size >> 64);
    }
    const gy_word *mask = owner->masks;
    uint32_t sums = 0;
    for (uint32_t k = 0; k < owner->forms; k++, mask += owner->words) {
        gy_word sum = 0;
        for (uint32_t i = owner->from; i < owner->to; i++)
            sum ^= state[i] & mask[i];
        sums |= (uint32_t)__builtin_parity(sum) << k;
    }
    return (unsigned)((uint64_t)sums * owner->size >> owner->forms);
}

// Does a state belong where the one does that it was made from, for sure? What was written is as
// gy_incoming has it.
static inline bool gy_owner_stays(const gy_owner *owner, uint64_t written, uint32_t words)
{
    return owner->forms && words == owner->words && !(written & owner->pieces);
}

#endif
