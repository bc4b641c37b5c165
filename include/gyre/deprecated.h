// Former names of public types and functions, kept for one release. Included by gyre.h and
// verify.h; new code does not use them.
#ifndef GYRE_DEPRECATED_H
#define GYRE_DEPRECATED_H

#ifdef __GNUC__
#define GY_FORMERLY(now) __attribute__((deprecated("use " #now)))
#else
#define GY_FORMERLY(now)
#endif

#define GY_RENAMED(old, now) typedef now old GY_FORMERLY(now)

#endif
