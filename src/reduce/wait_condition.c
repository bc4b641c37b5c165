#include "reduce/wait_condition.h"

bool gy_wait_condition_pose(const gy_reduction *r, const gy_process_class *class, uint32_t pid,
                            const gy_wait *wait, gy_wait_condition *question)
{
    *question = (gy_wait_condition){.wait = wait};
    if (wait->kind == GY_WAIT_PERHAPS)
        return false;
    if (wait->kind == GY_WAIT_VALUE) {
        question->at = wait->var->owner != GY_NONE ? class->members[pid].offset : 0;
        return true;
    }
    const gy_state_layout *shape = class->shape;
    if ((uint32_t)wait->id > shape->channel_count)
        return false;
    question->at = shape->channel[wait->id - 1].offset;
    question->type = &r->model->channel_types[shape->channel[wait->id - 1].type];
    return question->type->capacity != 0;
}

gy_answer gy_wait_condition_channel(const gy_reduction *r, const gy_word *state,
                                    gy_wait_condition question)
{
    uint32_t length = gy_chan_len(state + question.at, question.type);
    bool full = length >= question.type->capacity;
    switch (question.wait->kind) {
    case GY_WAIT_MESSAGE:
        return length ? GY_WAIT_HOLDS : GY_WAIT_FAILS;
    case GY_WAIT_NOTHING:
        return length ? GY_WAIT_FAILS : GY_WAIT_HOLDS;
    case GY_WAIT_ROOM:
        return !full ? GY_WAIT_HOLDS : r->lossy ? GY_WAIT_MAYBE : GY_WAIT_FAILS;
    case GY_WAIT_FULL:
        return full ? GY_WAIT_HOLDS : GY_WAIT_FAILS;
    default: // GY_WAIT_MATCH: without a message there is another reason
        return length ? GY_WAIT_MAYBE : GY_WAIT_HOLDS;
    }
}
