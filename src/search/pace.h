// How often a search looks at its limits: every so many states and, where states take long, at the
// clock before each of them in between (a glance). Private to src/search and src/dist.
//
// What is counted is looked at after the same states whatever the clock says.
#ifndef GYRE_SEARCH_PACE_H
#define GYRE_SEARCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gy_pace {
    uint32_t countdown; // states before something is due
    uint32_t glances;   // so many are due before the next look
    double looked;      // when that was last done, on gy_clock
} gy_pace;

// At first it is not known how long states take. `every`: states between looks.
void gy_pace_begin(gy_pace *pace, uint32_t every);
// A look is made now.
void gy_pace_look(gy_pace *pace, uint32_t every);

// A state is next: is something due?
static inline bool gy_pace_due(gy_pace *pace)
{
    return pace->countdown-- == 0;
}

// The same after so many states were done together, at least one.
static inline bool gy_pace_due_after(gy_pace *pace, uint32_t states)
{
    if (pace->countdown > states) {
        pace->countdown -= states;
        return false;
    }
    pace->glances = pace->glances > states ? pace->glances - (states - 1) : 0;
    return true;
}

// Something is due: is a glance enough?
static inline bool gy_pace_glances(gy_pace *pace)
{
    if (!pace->glances)
        return false;
    pace->glances--;
    pace->countdown = 0;
    return true;
}

#endif
