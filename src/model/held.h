// Held channels: which channels an expression may name, whatever the order in which things happen.
//
// Channels made before the first process starts have an identity for ever and are told apart. All
// those made later count as one: their identities are used again when they die.
#ifndef GYRE_MODEL_HELD_H
#define GYRE_MODEL_HELD_H

#include "model/model.h"

enum { GY_HELD_WORDS = 4 };

typedef struct gy_channel_set {
    uint64_t word[GY_HELD_WORDS]; // bit n - 1: the n-th channel of the start; the last: any other
} gy_channel_set;

typedef struct gy_held gy_held;

gy_held *gy_held_new(const gy_model *model); // borrows the model
void gy_held_free(gy_held *held);
gy_channel_set gy_held_by(const gy_held *held, const gy_expr *chan);
bool gy_channel_sets_meet(gy_channel_set a, gy_channel_set b);

#endif
