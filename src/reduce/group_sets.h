// Stubborn sets for systems that say what groups of steps have to do with the words of a state
// (gy_dependencies), and nothing else: shared objects. Behind reduce.h; for stubborn.c only.
//
// Owner: who made them frees them, choosers first. A gy_group_sets is shared by all threads.
#ifndef GYRE_REDUCE_GROUP_SETS_H
#define GYRE_REDUCE_GROUP_SETS_H

#include "reduce/reduce.h"

typedef struct gy_group_sets gy_group_sets;
typedef struct gy_group_chooser gy_group_chooser;

// NULL: see *why.
gy_group_sets *gy_group_sets_new(const gy_system *system, const gy_reduce_needs *needs,
                                 const char **why);
void gy_group_sets_free(gy_group_sets *sets);

// One thread's.
gy_group_chooser *gy_group_chooser_new(const gy_group_sets *sets);
void gy_group_chooser_free(gy_group_chooser *chooser);
// As gy_reduce_choose.
uint32_t gy_group_choose(gy_group_chooser *chooser, const gy_word *state, uint32_t words,
                         const gy_transition *all, uint32_t count, uint8_t *keep);

#endif
