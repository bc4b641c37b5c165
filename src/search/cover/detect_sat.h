// Conditions that read several processes, variables or channels at once: which ideal of a trace
// makes a conjunction of them true is a question for a SAT solver. Private to search/cover.
//
// An event is a variable: it belongs to the ideal or not, and with it all that comes before it.
// Each object that a condition reads is changed by events that follow one another, so what it is
// in an ideal is determined by the last of them that belongs to it. A condition is a list of the
// combinations of such last events that make it true; each is tried once, on the least ideal that
// has them, and remembered for other traces that have the same events.
//
// Owner: gy_general_free.
#ifndef GYRE_SEARCH_COVER_DETECT_SAT_H
#define GYRE_SEARCH_COVER_DETECT_SAT_H

#include "search/cover/cover_trace.h"

#include "base/map.h"
#include "base/sat.h"
#include "reduce/conditions.h"

// What was tried.
typedef struct gy_general {
    GY_VEC(uint32_t) keys; // the condition, the numbers of the events
    GY_VEC(size_t) at;
    GY_VEC(uint8_t) truth;
    gy_map map;
} gy_general;

typedef enum { GY_GENERAL_NO, GY_GENERAL_YES, GY_GENERAL_BEYOND } gy_general_answer;

void gy_general_free(gy_general *general);
// BEYOND: there are too many combinations, or the run was ended.
gy_general_answer gy_general_ask(gy_general *general, gy_trace *trace, const gy_sat *sat,
                                 const gy_conjunction *parts, gy_clock *ideal);

// Does an event change what a condition reads? (detect.c)
bool gy_trace_changes(const gy_trace *trace, size_t event, const gy_condition *condition);

#endif
