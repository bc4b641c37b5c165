#include "reduce/question.h"

bool gy_question_pose(const gy_reduction *r, const gy_process_class *class, uint32_t pid,
                      const gy_wait *wait, gy_question *question)
{
    *question = (gy_question){.wait = wait};
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

gy_answer gy_question_channel(const gy_reduction *r, const gy_word *state, gy_question question)
{
    uint32_t length = gy_chan_len(state + question.at, question.type);
    bool full = length >= question.type->capacity;
    switch (question.wait->kind) {
    case GY_WAIT_MESSAGE:
        return length ? GY_HOLDS : GY_FAILS;
    case GY_WAIT_NOTHING:
        return length ? GY_FAILS : GY_HOLDS;
    case GY_WAIT_ROOM:
        return !full ? GY_HOLDS : r->lossy ? GY_PERHAPS : GY_FAILS;
    case GY_WAIT_FULL:
        return full ? GY_HOLDS : GY_FAILS;
    default: // GY_WAIT_MATCH: without a message there is another reason
        return length ? GY_PERHAPS : GY_HOLDS;
    }
}
