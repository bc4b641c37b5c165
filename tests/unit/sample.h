// For tests that go over all models, or do something many times: over all of them, or over every
// Nth and fewer times, where the environment has GYRE_TEST_SAMPLE=N (make check, sanitizers).
#ifndef GYRE_TESTS_SAMPLE_H
#define GYRE_TESTS_SAMPLE_H

#include <stdlib.h>

static inline unsigned sample_every(void)
{
    const char *every = getenv("GYRE_TEST_SAMPLE");
    int n = every ? atoi(every) : 1;
    return n > 1 ? (unsigned)n : 1;
}

// Where a number decides by its remainders what is tested: a step that meets all of them.
static inline unsigned sample_step(void)
{
    return sample_every() > 1 ? 7 : 1;
}

#endif
