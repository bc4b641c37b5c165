#include "verify/limits.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>

static const double LEAST = 1e-6;        // for a search that must end at once
static const double GRACE = 0.3;         // seconds, where a limit is short …
static const double GRACE_SHARE = 0.025; // … and the part of it, where it is long
static const double MEMORY_SHARE = 0.95; // of the limit: the rest is for writing
enum { MEMORY_GRACE = 8 << 20 };         // bytes, where the limit is almost reached

double gy_limits_left(const gy_limits *limits)
{
    if (limits->seconds <= 0)
        return 0;
    double left = limits->started + limits->seconds - gy_clock();
    return left > LEAST ? left : LEAST;
}

bool gy_limits_over(const gy_limits *limits)
{
    return limits->ended || (limits->interrupt && *limits->interrupt) ||
           (limits->seconds > 0 && gy_clock() >= limits->started + limits->seconds);
}

void gy_limits_tell(gy_limits *limits)
{
    double share = limits->seconds * GRACE_SHARE, least = share > GRACE ? share : GRACE;
    double part = gy_limits_left(limits) / 3;
    uint64_t within = (uint64_t)(MEMORY_SHARE * (double)limits->memory);
    uint64_t some = gy_memory_resident() + MEMORY_GRACE;
    if (limits->seconds > 0)
        limits->told_by = gy_clock() + (part > least ? part : least);
    if (limits->memory)
        limits->told_within = within > some ? within : some;
    if (limits->interrupt && *limits->interrupt)
        limits->interrupt = NULL;
}

const char *gy_limits_enough(void *user)
{
    const gy_limits *limits = user;
    if (limits->interrupt && *limits->interrupt)
        return "interrupted";
    if (gy_deadline_over(limits->told_by))
        return "the time limit was reached";
    if (limits->told_within && gy_memory_resident() > limits->told_within)
        return "the memory limit was reached";
    return NULL;
}

// What getrusage says begins with the size of the process that started this one.
uint64_t gy_memory_peak(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long long kilobytes = 0;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %llu kB", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return kilobytes * 1024;
}
