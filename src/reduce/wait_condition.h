// What a state is asked when an edge cannot fire: is this what it waits for? Private to src/reduce.
//
// A wait (instance.h) of a process becomes a question when it is known where in the state the
// answer lies; that is so for all states of a process class.
#ifndef GYRE_REDUCE_WAIT_CONDITION_H
#define GYRE_REDUCE_WAIT_CONDITION_H

#include "exec/vm/inline_fields.h"
#include "reduce/process_class.h"

typedef enum { GY_WAIT_HOLDS, GY_WAIT_MAYBE, GY_WAIT_FAILS, GY_WAIT_ANSWERS } gy_answer;

typedef struct gy_wait_condition {
    const gy_wait *wait;
    const gy_channel_type *type; // of a channel; NULL: it is about a variable
    uint32_t at;                 // where the channel is, or the block with the variable
} gy_wait_condition;

// False: the answer is GY_WAIT_MAYBE, whatever the state.
bool gy_wait_condition_pose(const gy_reduction *r, const gy_process_class *class, uint32_t pid,
                            const gy_wait *wait, gy_wait_condition *question);
gy_answer gy_wait_condition_channel(const gy_reduction *r, const gy_word *state,
                                    gy_wait_condition question);

static inline gy_answer gy_wait_condition_ask(const gy_reduction *r, const gy_word *state,
                                              gy_wait_condition question)
{
    const gy_wait *wait = question.wait;
    if (question.type)
        return gy_wait_condition_channel(r, state, question);
    uint32_t value = (uint32_t)gy_get_var(state + question.at, wait->var, wait->element);
    return (value - wait->low <= wait->span) != wait->inverted ? GY_WAIT_HOLDS : GY_WAIT_FAILS;
}

#endif
