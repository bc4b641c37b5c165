// Why something cannot be done, for the user.
#ifndef GYRE_VERIFY_USER_ERROR_H
#define GYRE_VERIFY_USER_ERROR_H

#include "base/text.h"

#include <stdbool.h>

typedef struct gy_user_error {
    gy_text message; // one line; a hint may follow in a second one
    gy_text excerpt; // source lines with carets, or empty
    bool internal;   // a mistake of Gyre's own
} gy_user_error;

// Returns false, for `return gy_refuse(…)`.
bool gy_refuse(gy_user_error *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// An internal error: "internal error: " is put before what `format` says. Returns false as well.
bool gy_refuse_internally(gy_user_error *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// What the user can do about an internal error: a sentence or two. `impure`: the model has C, which
// may be what differs from one execution to the next.
const char *gy_user_error_hint(const gy_user_error *complaint, bool impure);
void gy_user_error_free(gy_user_error *complaint);

#endif
