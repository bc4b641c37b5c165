// The states of the current atomic sequence, to find out whether it goes round: m->seen has the
// numbers of the recorded frames, by the hash that each frame keeps.
#include "exec/vm/vm.h"

#include <string.h>
#include <xxhash.h>

static uint64_t hash_state(const gy_frame *frame, int32_t pid)
{
    return XXH3_64bits_withSeed(frame->state, frame->shape->words * sizeof(gy_word),
                                (uint64_t)(uint32_t)pid);
}

// False if this very state is already on the path; else it is put there.
bool gy_path_record(gy_machine *m, uint32_t number, int32_t pid)
{
    gy_frame *frame = &m->frames.at[number];
    frame->hash = hash_state(frame, pid);
    for (gy_map_probe p = gy_map_first(&m->seen, frame->hash); p.found; gy_map_next(&m->seen, &p)) {
        const gy_frame *other = &m->frames.at[p.number];
        if (other->hash == frame->hash && other->shape == frame->shape && other->last == pid &&
            !memcmp(other->state, frame->state, frame->shape->words * sizeof(gy_word)))
            return false;
    }
    gy_map_add(&m->seen, frame->hash, number);
    frame->recorded = true;
    return true;
}

void gy_path_forget(gy_machine *m, uint32_t number)
{
    gy_frame *frame = &m->frames.at[number];
    if (frame->recorded)
        gy_map_remove(&m->seen, frame->hash, number);
    frame->recorded = false;
}
