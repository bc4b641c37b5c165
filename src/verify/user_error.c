#include "verify/user_error.h"

#include "gyre/gyre.h"

bool gy_refuse(gy_user_error *complaint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(&complaint->message);
    gy_text_vprintf(&complaint->message, format, args);
    va_end(args);
    return false;
}

bool gy_refuse_internally(gy_user_error *complaint, const char *format, ...)
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

const char *gy_user_error_hint(const gy_user_error *complaint, bool impure)
{
#define SEND "send the model, the command line and the version (gyre " GY_VERSION ")"
    if (!complaint->internal)
        return "";
    return impure ? "keep what embedded C needs from one execution to the next in c_state or a "
                    "matched c_track; if it does, please report this bug: " SEND
                  : "please report this bug: " SEND;
#undef SEND
}

void gy_user_error_free(gy_user_error *complaint)
{
    gy_text_free(&complaint->message);
    gy_text_free(&complaint->excerpt);
}
