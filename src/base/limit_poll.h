// How often a search examines its limits: every so many states and, where states take long, at the
// clock before each of them in between (a glance).
//
// What is counted is examined after the same states whatever the clock says. In the beginning, it
// is asked after 1, 2, 4 … states whether they take long; searches that are over in no time are
// over before any limit of time is examined.
#ifndef GYRE_BASE_LIMIT_POLL_H
#define GYRE_BASE_LIMIT_POLL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gy_limit_poll {
    uint32_t countdown; // states before something is due
    uint32_t left;      // and so many more before the next look; 0: that is due
    uint32_t step;      // of them, until it is asked again whether they take long; 0: they do
    double looked;      // when that was last done, on gy_clock
} gy_limit_poll;

// `every`: states between looks.
void gy_limit_poll_begin(gy_limit_poll *pace, uint32_t every);
// A look is made now.
void gy_limit_poll_look(gy_limit_poll *pace, uint32_t every);

// For the two that follow: the countdown is over.
bool gy_limit_poll_is_due(gy_limit_poll *pace);
bool gy_limit_poll_is_past(gy_limit_poll *pace, uint32_t states);

// A state is next: is something due?
static inline bool gy_limit_poll_due(gy_limit_poll *pace)
{
    return pace->countdown-- == 0 && gy_limit_poll_is_due(pace);
}

// The same after so many states were done together, at least one.
static inline bool gy_limit_poll_due_after(gy_limit_poll *pace, uint32_t states)
{
    if (pace->countdown <= states)
        return gy_limit_poll_is_past(pace, states - pace->countdown);
    pace->countdown -= states;
    return false;
}

// Something is due: is a glance enough?
static inline bool gy_limit_poll_glances(gy_limit_poll *pace)
{
    if (!pace->left)
        return false;
    pace->left--;
    pace->countdown = 0;
    return true;
}

#endif
