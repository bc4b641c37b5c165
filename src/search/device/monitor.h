// An observer (include/gyre/observer.h) as a deterministic automaton, for a device to run along
// with a system. Private to src/search.
//
// Only observers that decide after finitely many steps: every run that they accept comes by a
// transition that sees an error. So if no such transition is ever made, nothing is accepted, and no
// cycles need be looked for. A state of the monitor is a set of the observer's; a number stands for
// each.
//
// Owner: gy_monitor_free. The observer must outlive it. Read-only once made.
#ifndef GYRE_SEARCH_DEVICE_MONITOR_H
#define GYRE_SEARCH_DEVICE_MONITOR_H

#include "device/code.h"
#include "gyre/observer.h"

#include "base/vec.h"

typedef struct gy_monitor {
    const gy_observer *observer;
    GY_VEC(uint64_t) sets;   // by number: bits, the states of the observer; number 0 begins
    gy_device_monitor table; // of all transitions
} gy_monitor;

// NULL: it is not one of these, or too large; *why (static text) says which.
gy_monitor *gy_monitor_new(const gy_observer *observer, const char **why);
void gy_monitor_free(gy_monitor *monitor); // may be NULL
// From `number` on, in a state of the worker's system, as the observer says: a number, or
// GY_MONITOR_BAD: an error is seen, or GY_MONITOR_DEAD: from here on there is none.
uint32_t gy_monitor_next(const gy_monitor *monitor, gy_worker *worker, const gy_word *state,
                         uint32_t words, uint32_t number);

#endif
