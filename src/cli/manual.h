// What the program says about itself: usage, --help, the man page and the shell completion,
// all from the table of options.
#ifndef GYRE_CLI_MANUAL_H
#define GYRE_CLI_MANUAL_H

#include "base/text.h"

void gy_manual_usage(gy_text *out);                  // a few lines, for a wrong call
void gy_manual_help(unsigned command, gy_text *out); // 0: everything
void gy_manual_man(gy_text *out);                    // docs/gyre.1
void gy_manual_completion(gy_text *out);             // share/completions/gyre.bash

#endif
