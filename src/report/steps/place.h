// Places of a model, as reports show them.
#ifndef GYRE_REPORT_STEPS_PLACE_H
#define GYRE_REPORT_STEPS_PLACE_H

#include "base/text.h"
#include "verify/tell/naming.h"

// "model.pml:12", without folders; without the line if there is none.
static inline void gy_place_short(const char *file, uint32_t line, gy_text *out)
{
    gy_text_add(out, gy_base_name(file));
    if (line)
        gy_text_printf(out, ":%u", line);
}

#endif
