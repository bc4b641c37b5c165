// The states of the atomic sequence at hand, to find out whether it goes round.
//
// Representation: m->seen is an open-addressing table (linear probing, at most half full) of
// frame numbers + 1; the hash of a recorded frame is kept in the frame. Frames are taken out in
// the reverse order of being put in, so that an emptied slot never cuts a chain of probes.
#include "exec/vm/vm.h"

#include <string.h>
#include <xxhash.h>

static uint64_t hash_state(const gy_frame *frame, int32_t pid)
{
    return XXH3_64bits_withSeed(frame->state, frame->shape->words * sizeof(gy_word),
                                (uint64_t)(uint32_t)pid);
}

static void grow_seen(gy_machine *m)
{
    uint32_t *old = m->seen, room = m->seen_room;
    m->seen_room = room ? room * 2 : 64;
    m->seen = gy_alloc_zero(m->seen_room * sizeof *m->seen);
    // In the order of the frames, so that they can be taken out last in, first out.
    for (size_t f = 0; f < m->frames.n; f++)
        if (m->frames.at[f].recorded) {
            uint32_t at = (uint32_t)m->frames.at[f].hash & (m->seen_room - 1);
            while (m->seen[at])
                at = (at + 1) & (m->seen_room - 1);
            m->seen[at] = (uint32_t)f + 1;
        }
    free(old);
}

// False if this very state is already on the path; else it is put there.
bool gy_path_record(gy_machine *m, uint32_t number, int32_t pid)
{
    if (2 * (m->seen_count + 1) > m->seen_room)
        grow_seen(m);
    gy_frame *frame = &m->frames.at[number];
    frame->hash = hash_state(frame, pid);
    uint32_t at = (uint32_t)frame->hash & (m->seen_room - 1);
    for (; m->seen[at]; at = (at + 1) & (m->seen_room - 1)) {
        const gy_frame *other = &m->frames.at[m->seen[at] - 1];
        if (other->hash == frame->hash && other->shape == frame->shape && other->last == pid &&
            !memcmp(other->state, frame->state, frame->shape->words * sizeof(gy_word)))
            return false;
    }
    m->seen[at] = number + 1;
    m->seen_count++;
    frame->recorded = true;
    return true;
}

void gy_path_forget(gy_machine *m, uint32_t number)
{
    gy_frame *frame = &m->frames.at[number];
    if (!frame->recorded)
        return;
    uint32_t at = (uint32_t)frame->hash & (m->seen_room - 1);
    while (m->seen[at] != number + 1)
        at = (at + 1) & (m->seen_room - 1);
    m->seen[at] = 0; // the last one put in: nothing was probed past it
    m->seen_count--;
    frame->recorded = false;
}
