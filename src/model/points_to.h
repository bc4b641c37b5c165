// Held channels: which channels an expression may name, whatever the order in which things happen.
//
// Channels made before the first process starts have an identity for ever and are told apart. All
// those made later count as one: their identities are used again when they die.
#ifndef GYRE_MODEL_POINTS_TO_H
#define GYRE_MODEL_POINTS_TO_H

#include "model/model.h"

enum { GY_HELD_WORDS = 4 };

typedef struct gy_channel_set {
    uint64_t word[GY_HELD_WORDS]; // bit n - 1: the n-th channel of the start; the last: any other
} gy_channel_set;

typedef struct gy_points_to gy_points_to;

gy_points_to *gy_points_to_new(const gy_model *model); // borrows the model
void gy_points_to_free(gy_points_to *held);
gy_channel_set gy_points_to_by(const gy_points_to *held, const gy_expr *chan);
bool gy_channel_sets_meet(gy_channel_set a, gy_channel_set b);

#endif
