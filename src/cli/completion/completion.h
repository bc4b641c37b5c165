// Completion of the command line in shells. What is printed for each is tables, from those of
// options, commands and front ends, and a script of that shell that goes by them (gyre.bash,
// gyre.zsh, gyre.fish next to this file). Names of properties the shell asks of `gyre info
// --names`.
#ifndef GYRE_CLI_COMPLETION_COMPLETION_H
#define GYRE_CLI_COMPLETION_COMPLETION_H

#include "base/text.h"

void gy_completion(const char *shell, gy_text *out); // "bash", "zsh", "fish"

#endif
