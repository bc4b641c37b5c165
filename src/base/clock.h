// Time: seconds on a clock that never goes back. Callable from any thread.
#ifndef GYRE_BASE_CLOCK_H
#define GYRE_BASE_CLOCK_H

#include <stdbool.h>

double gy_clock(void);     // seconds since some fixed moment
double gy_cpu_clock(void); // processor seconds of the calling thread

// A deadline is a moment on gy_clock, 0: none. A limit is a number of seconds, 0: none.
static inline double gy_deadline(double limit)
{
    return limit > 0 ? gy_clock() + limit : 0;
}

static inline bool gy_deadline_over(double deadline)
{
    return deadline > 0 && gy_clock() >= deadline;
}

#endif
