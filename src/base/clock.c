#include "base/clock.h"

#include <time.h>

static double seconds_on(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double gy_clock(void)
{
    return seconds_on(CLOCK_MONOTONIC);
}

double gy_cpu_clock(void)
{
    return seconds_on(CLOCK_THREAD_CPUTIME_ID);
}
