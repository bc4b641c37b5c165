// What the program says about itself: usage, --help, and the tables that the manual is made with,
// all from the table of options.
#ifndef GYRE_CLI_MANUAL_H
#define GYRE_CLI_MANUAL_H

#include "base/text.h"

void gy_manual_usage(gy_text *out);                  // a few lines, for a wrong call
void gy_manual_short_help(gy_text *out);             // on one screen
void gy_manual_help(unsigned command, gy_text *out); // 0: all commands and options
void gy_manual_json(gy_text *out);                   // all that is in the tables

// The commands; the first is that without a name.
typedef struct gy_command_about {
    unsigned command; // one of GY_ON_…
    const char *synopsis, *help;
} gy_command_about;
extern const gy_command_about gy_command_list[];
extern const size_t gy_command_count;

#endif
