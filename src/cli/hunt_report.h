// What trials have come to: as a table, as JSON, as CSV.
#ifndef GYRE_CLI_HUNT_REPORT_H
#define GYRE_CLI_HUNT_REPORT_H

#include "report/style.h"
#include "verify/experiment.h"

#include <jansson.h>

void gy_trials_text(const gy_trials *trials, const gy_style *style, gy_text *out);
json_t *gy_trials_json(const gy_trials *trials); // methods, each with its figures and its trials
void gy_trials_csv(const gy_trials *trials, gy_text *out); // a line for each trial

#endif
