// The code of the virtual machine as text, for `gyre info --bytecode`.
#ifndef GYRE_CLI_LISTING_H
#define GYRE_CLI_LISTING_H

#include "base/text.h"
#include "gyre/gyre.h"

void gy_listing(gy_system *system, gy_text *out);

#endif
