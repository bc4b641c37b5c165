// The messages of a path as a chart that other programs draw: SVG, Mermaid, PlantUML, ShiViz.
//
// A chart has a column for each process and an event for each send, receive, rendezvous, start and
// end. A receive is tied to the send of the message it takes: the oldest one of that channel with
// these contents that nothing has taken. (msc.h draws in the terminal, step by step.)
// Owner: gy_chart_free.
#ifndef GYRE_REPORT_STEPS_CHART_H
#define GYRE_REPORT_STEPS_CHART_H

#include "report/steps/shown_step.h"

typedef enum {
    GY_EVENT_SEND,       // `mate`: the receive, or -1
    GY_EVENT_RECEIVE,    // `mate`: the send, or -1: it was there before the path began
    GY_EVENT_RENDEZVOUS, // from `column` to `other`
    GY_EVENT_START,
    GY_EVENT_END,
    GY_EVENT_PRINT,
} gy_event_kind;

typedef struct gy_event {
    gy_event_kind kind;
    uint64_t step;
    uint32_t column, other;
    int64_t mate;
    bool taken;  // SEND: not in the channel any more
    char *label; // q!3, or what was printed
    char *key;   // q and the contents: what ties a receive to its send; NULL: none
} gy_event;

typedef struct gy_chart {
    GY_VEC(char *) columns; // names of processes, in order of appearance
    GY_VEC(gy_event) events;
} gy_chart;

void gy_chart_of(gy_chart *chart, const gy_path *path); // needs a path with all its moments
void gy_chart_free(gy_chart *chart);

// A format by its name ("svg", "mermaid", "plantuml", "shiviz"); NULL: there is none such.
typedef void gy_chart_format(const gy_chart *chart, gy_text *out);
gy_chart_format *gy_chart_format_named(const char *name);

void gy_chart_svg(const gy_chart *chart, gy_text *out);
void gy_chart_mermaid(const gy_chart *chart, gy_text *out);
void gy_chart_plantuml(const gy_chart *chart, gy_text *out);
void gy_chart_shiviz(const gy_chart *chart, gy_text *out);

#endif
