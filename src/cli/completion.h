// Completion of the command line in shells, from the table of options (share/completions).
#ifndef GYRE_CLI_COMPLETION_H
#define GYRE_CLI_COMPLETION_H

#include "base/text.h"

void gy_completion(const char *shell, gy_text *out); // "bash", "zsh", "fish"

#endif
