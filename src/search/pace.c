#include "search/pace.h"

#include "base/clock.h"

static const double LONG = 0.1; // seconds between two looks

void gy_pace_begin(gy_pace *pace, uint32_t every)
{
    *pace = (gy_pace){.glances = every, .looked = gy_clock()};
}

void gy_pace_look(gy_pace *pace, uint32_t every)
{
    double now = gy_clock();
    bool slow = now - pace->looked > LONG;
    *pace = (gy_pace){slow ? 0 : every, slow ? every : 0, now};
}
