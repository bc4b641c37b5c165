#include "base/limit_poll.h"

#include "base/clock.h"

// Seconds between two looks, and before the first.
static const double LONG = 0.1, LONG_AT_FIRST = 1;

void gy_limit_poll_begin(gy_limit_poll *pace, uint32_t every)
{
    *pace = (gy_limit_poll){.left = every, .step = 1, .looked = gy_clock()};
}

void gy_limit_poll_look(gy_limit_poll *pace, uint32_t every)
{
    double now = gy_clock();
    bool slow = now - pace->looked > LONG;
    *pace = (gy_limit_poll){.countdown = slow ? 0 : every, .left = slow ? every : 0, .looked = now};
}

bool gy_limit_poll_is_due(gy_limit_poll *pace)
{
    if (!pace->left || !pace->step)
        return true;
    if (gy_clock() - pace->looked > LONG_AT_FIRST) {
        pace->step = 0;
        return true;
    }
    uint32_t n = pace->step < pace->left ? pace->step : pace->left;
    pace->left -= n;
    pace->countdown = n - 1; // the current state is one of them
    pace->step *= 2;
    return false;
}

bool gy_limit_poll_is_past(gy_limit_poll *pace, uint32_t states)
{
    uint32_t glance = pace->step ? 0 : 1; // takes one of them itself
    pace->countdown = 0;
    pace->left = pace->left > states ? pace->left - states + glance : 0;
    return gy_limit_poll_is_due(pace);
}
