// A message sequence chart in the terminal: one column per process, time runs downwards.
//
//       1 A(0)                B(1)
//       3   ●→ q!3              │        a message goes into a channel
//       4   │                   ●← q?3   and is taken out of it
//       7   ├──────── r!1 ─────▶│        a rendezvous is one arrow
//
// Only steps that move messages, start or end processes get a line.
#ifndef GYRE_REPORT_STEPS_MSC_H
#define GYRE_REPORT_STEPS_MSC_H

#include "report/steps/shown_step.h"
#include "verify/execution.h"

typedef struct gy_msc {
    size_t width; // of a column
    uint32_t columns;
    size_t number; // width of the step numbers
} gy_msc;

// The processes of the first moment of the path.
void gy_msc_begin(gy_msc *msc, const gy_path *path, gy_text *out);
void gy_msc_step(gy_msc *msc, const gy_report_step *told, gy_text *out);

#endif
