// One run: a task of an instance, verified in a process of its own, so that one that fails, or
// needs all the memory, is one row of the table and nothing more.
#ifndef GYRE_CLI_BEEM_BEEM_RUN_H
#define GYRE_CLI_BEEM_BEEM_RUN_H

#include "cli/beem/beem_set.h"
#include "cli/command.h"

typedef enum {
    BEEM_EQUAL,
    BEEM_DIFFERS,
    BEEM_UNRECORDED, // there is nothing to compare with
    BEEM_LIMIT,      // of time or memory
    BEEM_ERROR,      // it could not be run
    BEEM_STATUSES
} beem_status;

typedef struct beem_result {
    beem_status status;
    char found[16];    // counts: "complete"; reach, ltl: "yes", "no"; "" if nothing is known
    char message[400]; // what differs, which limit, what is wrong; "" if it is equal
    uint64_t states, transitions, depth;
    uint64_t length; // of the counterexample; 0: none
    double seconds;
    uint64_t memory; // peak of the process
} beem_result;

const char *beem_status_text(beem_status status); // "equal" …

// The options --time, --memory, --threads and --backend of the arguments bound each run. *interrupt
// becoming non-zero ends it.
void beem_run(const gy_arguments *arguments, const beem_instance *instance, const beem_task *task,
              atomic_int *interrupt, beem_result *result);

#endif
