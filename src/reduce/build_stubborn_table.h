// A reduction's choices as tables (exec/stubborn_table.h).
//
// One thread. The reduction must outlive it.
#ifndef GYRE_REDUCE_BUILD_STUBBORN_TABLE_H
#define GYRE_REDUCE_BUILD_STUBBORN_TABLE_H

#include "reduce/reduce.h"

struct gy_choice_maker;

// NULL: this reduction has none; *why (static text) says for which reason.
struct gy_choice_maker *gy_choice_maker_new(const gy_reduction *reduction, uint32_t most_kept,
                                            const char **why);
void gy_choice_maker_free(struct gy_choice_maker *choices); // may be NULL

#endif
