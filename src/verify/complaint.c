#include "verify/complaint.h"

bool gy_refuse(gy_complaint *complaint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(&complaint->message);
    gy_text_vprintf(&complaint->message, format, args);
    va_end(args);
    return false;
}

void gy_complaint_free(gy_complaint *complaint)
{
    gy_text_free(&complaint->message);
    gy_text_free(&complaint->excerpt);
}
