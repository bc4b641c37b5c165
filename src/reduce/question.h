// What a state is asked when an edge can't fire: is this what it waits for? Private to src/reduce.
//
// A wait (instance.h) of a process becomes a question when it is known where in the state the
// answer lies; that is so for all states of a process class.
#ifndef GYRE_REDUCE_QUESTION_H
#define GYRE_REDUCE_QUESTION_H

#include "exec/vm/inline_fields.h"
#include "reduce/process_class.h"

typedef enum { GY_HOLDS, GY_PERHAPS, GY_FAILS, GY_ANSWERS } gy_answer;

typedef struct gy_question {
    const gy_wait *wait;
    const gy_channel_type *type; // of a channel; NULL: it is about a variable
    uint32_t at;                 // where the channel is, or the block with the variable
} gy_question;

// False: the answer is GY_PERHAPS, whatever the state.
bool gy_question_pose(const gy_reduction *r, const gy_process_class *class, uint32_t pid,
                      const gy_wait *wait, gy_question *question);
gy_answer gy_question_channel(const gy_reduction *r, const gy_word *state, gy_question question);

static inline gy_answer gy_question_ask(const gy_reduction *r, const gy_word *state,
                                        gy_question question)
{
    const gy_wait *wait = question.wait;
    if (question.type)
        return gy_question_channel(r, state, question);
    uint32_t value = (uint32_t)gy_get_var(state + question.at, wait->var, wait->element);
    return (value - wait->low <= wait->span) != wait->inverted ? GY_HOLDS : GY_FAILS;
}

#endif
