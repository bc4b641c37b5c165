// --events: what happens during a verification, as JSON lines on standard output. docs/json.md
// says what is in them.
#ifndef GYRE_CLI_EVENTS_H
#define GYRE_CLI_EVENTS_H

#include "verify/request.h"

void gy_event_begin(const char *model);
// `search`: its number, from 1.
void gy_event_progress(const gy_search_progress *now, uint64_t search);
void gy_event_verdict(const gy_known_verdict *known);
// Properties of different kinds may have the same name: what tells one from all others. To be
// freed.
char *gy_event_key(const char *kind, const char *name);

// Verdicts that were not reported yet are; `told` has the keys of those that were.
void gy_event_end(const gy_outcome *outcome, const gy_strings *told, int status);

#endif
