// Partial-order reduction on a device: the tables of a choice (exec/stubborn_table.h) as code. For
// exec/device only.
#ifndef GYRE_EXEC_DEVICE_STUBBORN_CODE_H
#define GYRE_EXEC_DEVICE_STUBBORN_CODE_H

#include "exec/device/device_layout.h"
#include "exec/stubborn_table.h"
#include "model/model.h"

// What comes before all that is generated: how many processes there are at most, and which of
// its node's each edge is.
void gy_choice_write_limits(const gy_device_layout *layout, const gy_model *model,
                            const gy_choice_maker *choices, gy_text *out);
// For each shape choice_<i>(r, s): which processes suffice. True: there is a shape with a choice.
bool gy_choice_write(const gy_device_layout *layout, const gy_model *model,
                     const gy_choice_maker *choices, gy_text *out);

#endif
