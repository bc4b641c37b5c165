// Time: seconds on a clock that never goes back. Callable from any thread.
#ifndef GYRE_BASE_CLOCK_H
#define GYRE_BASE_CLOCK_H

double gy_clock(void);     // seconds since some fixed moment
double gy_cpu_clock(void); // processor seconds of the calling thread

#endif
