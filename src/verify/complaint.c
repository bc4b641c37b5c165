#include "verify/complaint.h"

#include "gyre/gyre.h"

bool gy_refuse(gy_complaint *complaint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(&complaint->message);
    gy_text_vprintf(&complaint->message, format, args);
    va_end(args);
    return false;
}

bool gy_refuse_internally(gy_complaint *complaint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(&complaint->message);
    gy_text_add(&complaint->message, "internal error: ");
    gy_text_vprintf(&complaint->message, format, args);
    va_end(args);
    complaint->internal = true;
    return false;
}

const char *gy_complaint_hint(const gy_complaint *complaint, bool impure)
{
#define SEND "send the model, the command line and the version (gyre " GY_VERSION ")"
    if (!complaint->internal)
        return "";
    return impure ? "embedded C may depend on the state only: what it keeps from one execution to "
                    "the next belongs into c_state or a matched c_track; if it does so, please "
                    "report this bug: " SEND
                  : "please report this bug: " SEND;
#undef SEND
}

void gy_complaint_free(gy_complaint *complaint)
{
    gy_text_free(&complaint->message);
    gy_text_free(&complaint->excerpt);
}
