// What a never claim does where it has been before: its transitions from a state of its own, by the
// values of the global variables that it reads. For claims whose transitions hang on nothing else.
//
// Owner: gy_claim_memo_free. One thread at a time.
#ifndef GYRE_EXEC_OBSERVE_CLAIM_MEMO_H
#define GYRE_EXEC_OBSERVE_CLAIM_MEMO_H

#include "gyre/observer.h"
#include "model/model.h"

enum { GY_MEMO_WORDS = 4, GY_MEMO_MOVES = 4 };

// A place in the memo. It is empty if `used` is not set.
typedef struct gy_claim_answer {
    bool used;
    uint32_t at, count;
    gy_word key[GY_MEMO_WORDS];
    gy_observer_move moves[GY_MEMO_MOVES];
} gy_claim_answer;

typedef struct gy_claim_memo gy_claim_memo;

// NULL: the claim reads more than that.
gy_claim_memo *gy_claim_memo_new(const gy_model *model, int32_t tmpl);
void gy_claim_memo_free(gy_claim_memo *memo);
// The answer for `at` in this state of a system that has this model; or a place for it, not in use,
// with the question filled in. NULL: nothing can be remembered here.
gy_claim_answer *gy_claim_memo_find(gy_claim_memo *memo, const gy_model *model,
                                    const gy_word *state, uint32_t at);

#endif
