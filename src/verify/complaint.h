// Why something can't be done, for the user.
#ifndef GYRE_VERIFY_COMPLAINT_H
#define GYRE_VERIFY_COMPLAINT_H

#include "base/text.h"

#include <stdbool.h>

typedef struct gy_complaint {
    gy_text message; // one line; a hint may follow in a second one
    gy_text excerpt; // source lines with carets, or empty
    bool internal;   // a mistake of Gyre's own
} gy_complaint;

// Returns false, for `return gy_refuse(…)`.
bool gy_refuse(gy_complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// An internal error: "internal error: " is put before what `format` says. Returns false as well.
bool gy_refuse_internally(gy_complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// What the user can do about an internal error: a sentence or two. `impure`: the model has C, which
// may be what differs from one execution to the next.
const char *gy_complaint_hint(const gy_complaint *complaint, bool impure);
void gy_complaint_free(gy_complaint *complaint);

#endif
