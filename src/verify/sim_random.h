// Random choices of a simulation: splitmix64 (Steele, Lea, Flood 2014). A seed gives the same run
// on every machine and in every version of Gyre, whatever generator the searches use.
#ifndef GYRE_VERIFY_SIM_RANDOM_H
#define GYRE_VERIFY_SIM_RANDOM_H

#include <stdint.h>

static inline uint64_t gy_sim_random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Uniform over 0 .. count-1; count > 0. Draws again where the remainder would be biased.
static inline uint64_t gy_sim_random_below(uint64_t *state, uint64_t count)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % count, drawn;
    do
        drawn = gy_sim_random_next(state);
    while (drawn >= limit);
    return drawn % count;
}

#endif
