// What bounds a whole verification, from its start to the end of the report: time, memory, and the
// wish of the user to stop. Searches get what is left of it; steps through counterexamples ask.
#ifndef GYRE_VERIFY_LIMITS_H
#define GYRE_VERIFY_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct gy_limits {
    double started;              // on gy_clock
    double seconds;              // 0: no limit
    uint64_t memory;             // bytes, resident, whole process; 0: no limit
    const atomic_int *interrupt; // non-zero: the current search is to end …
    bool ended;                  // … and no other is to begin
    // Of what follows the searches; 0: no limit.
    double told_by;       // what is not reported by then is left out
    uint64_t told_within; // bytes, resident
} gy_limits;

// Seconds that a search may take: 0 if there is no limit, and never more than are left.
double gy_limits_left(const gy_limits *limits);
// Is the time over, or has the user had enough?
bool gy_limits_over(const gy_limits *limits);
// The searches are over. Of the time that is left, a third is for stepping through counterexamples
// and the rest for writing about them, which takes longer; a little is granted if nothing is left,
// because a verdict that was found should be reported. For the same reason, who has interrupted a
// search has to do so again.
void gy_limits_tell(gy_limits *limits);
// Why no more should be reported, in words; NULL: go on.
const char *gy_limits_enough(void *limits);

// Peak resident memory of this process, in bytes; 0 if unknown.
uint64_t gy_memory_peak(void);

#endif
