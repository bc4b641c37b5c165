// What the files of gyre swarm share. Private to cli/swarm*.c.
#ifndef GYRE_CLI_SWARM_PARTS_H
#define GYRE_CLI_SWARM_PARTS_H

#include "cli/command.h"
#include "dist/swarm/swarm.h"

typedef GY_VEC(const char *) gy_words;

// Diversified searches that prove nothing (swarm_blind.c). `swarm` has the directory, the workers
// and how they are started; returns the exit status.
int gy_swarm_blind(const gy_arguments *arguments, gy_swarm *swarm);
// One of them: the report goes to a file of the directory.
int gy_swarm_work_blind(const gy_arguments *arguments);

// May the journal of a swarm, which may come from a stranger, set this? Nothing that it sets starts
// programs, writes outside of the directory or decides what counts as a success.
bool gy_swarm_from_journal(gy_option_id id);

#endif
