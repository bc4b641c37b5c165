// What people type who come from elsewhere, or who guess: Spin's options, `gyre verify`, `gyre
// help`, subcommands that are nearly right.
#ifndef GYRE_CLI_ALIASES_H
#define GYRE_CLI_ALIASES_H

#include <stdbool.h>

// Looks at the first argument. True: it was answered, *status is the exit status. Else it may have
// changed the command line: the word that may be left out was left out.
bool gy_alias(int *argc, char **argv, int *status);

// The subcommand that this word is, or is often typed for: "sim" of "simulate". NULL: none.
const char *gy_alias_command(const char *word);

#endif
