// pan -d, -D: the states and transitions of all process types, as a table or for dot.
#ifndef GYRE_SPIN_PAN_TABLE_H
#define GYRE_SPIN_PAN_TABLE_H

#include "spin/pan_options.h"

int gy_pan_table(const gy_pan *pan, bool dot);

#endif
