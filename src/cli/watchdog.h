// A limit of time that also holds for C of the model that never comes back.
//
// Every loop of Gyre's own checks the clock; an endless loop inside c_code cannot be made to. Nor
// can it be left from outside: it may hold a lock of the C library. So a thread waits in parallel
// with the verification. If the limit has passed and one and the same call of embedded C has been
// under way for a second since, it says what is known (inconclusive, and which C it was) and ends
// the program with status 3. Verdicts of other properties were reported already if --events is on.
//
// The same is done if the user has asked it to end, for models with embedded C.
//
// The same is done, much later, if the program is still at work for whatever reason: an atomic
// sequence may have more ways through it than can ever be counted, and they are one step. It ends
// before the report begins: a reader that takes long for it changes no verdict.
#ifndef GYRE_CLI_WATCHDOG_H
#define GYRE_CLI_WATCHDOG_H

#include "cli/command.h"

typedef struct gy_watchdog gy_watchdog;

// `seconds`: the limit, from the start of the command. 0: none, and NULL.
gy_watchdog *gy_watchdog_start(const gy_arguments *arguments, double seconds);
// Looks out for SIGINT and SIGTERM from here on (progress.h), for a model with embedded C. The
// watchdog may be NULL; a new one is given back then.
gy_watchdog *gy_watchdog_heed(gy_watchdog *watchdog, const gy_arguments *arguments);
void gy_watchdog_end(gy_watchdog *watchdog); // NULL is fine

#endif
