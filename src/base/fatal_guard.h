// Coming back from gy_fatal (fatal.h): for a library that must not end the program it is part of.
#ifndef GYRE_BASE_FATAL_GUARD_H
#define GYRE_BASE_FATAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

// Calls work(user). False: gy_fatal was called meanwhile, by this thread, with this message; what
// `work` had allocated is lost. It must not have started threads, nor hold locks. Calls may be
// nested.
bool gy_rescue(void (*work)(void *user), void *user, char *message, size_t room);

#endif
