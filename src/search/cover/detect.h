// Answers the questions of a cover on one trace after the other. Private to search/cover.
//
// What a condition reads is changed by some events of a trace. If these follow one another (they
// do for what belongs to one process, or to one variable or channel), its truth is a list: before
// the first, after the first, and so on. A conjunction of such conditions holds in a least ideal,
// if in any: as long as one of them is false, the next event that changes it must be in the ideal.
// A disjunction is asked part by part. How many of several processes can be in some state at once
// is the width of an order on intervals. All else is tried on ideal after ideal.
//
// Owner: gy_detector_free.
#ifndef GYRE_SEARCH_COVER_DETECT_H
#define GYRE_SEARCH_COVER_DETECT_H

#include "search/cover/cover.h"
#include "search/cover/cover_trace.h"

typedef struct gy_detector gy_detector;

// The first node of the trace must be there.
gy_detector *gy_detector_new(gy_trace *trace, gy_cover *cover);
void gy_detector_free(gy_detector *detector);
// Of a trace that is complete.
void gy_detector_ask(gy_detector *detector);
// Has every question its answer?
bool gy_detector_done(const gy_detector *detector);

// A condition along the trace: the events that change it, and its truth before and after them.
typedef struct gy_course {
    GY_VEC(uint32_t) events;
    GY_VEC(uint8_t) truth; // one more
} gy_course;

// More than `over` of these at once? Then *ideal is one where they are. (interval_width.c)
bool gy_courses_overlap(const gy_trace *trace, const gy_course *courses, uint32_t count,
                        uint32_t over, gy_clock *ideal);

#endif
