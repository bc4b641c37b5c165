// Places of a model, as reports show them: so that a terminal, or an editor that shows one, makes
// them links.
#ifndef GYRE_REPORT_STEPS_LOCATION_H
#define GYRE_REPORT_STEPS_LOCATION_H

#include "report/style.h"

#include <stdint.h>

// "models/mutex.pml:12:5": the file as it was named on the command line or in an #include; without
// the column, or both, if they are not known.
void gy_location_typed(const char *file, uint32_t line, uint32_t column, gy_text *out);

// The same as a cell of a table: padded to `width` (0: any), cut to the name of the file without
// directories if it does not fit, and a hyperlink where the style has them.
void gy_place_cell(const char *file, uint32_t line, uint32_t column, size_t width,
                   const gy_style *style, gy_text *out);

#endif
