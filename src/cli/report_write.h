// Writes the reports that are asked for. Those of several models are in one file, unless `%` in
// its name gives each its own: every report is put before the end of the file, which is whole
// at any time.
#ifndef GYRE_CLI_REPORT_WRITE_H
#define GYRE_CLI_REPORT_WRITE_H

#include "cli/command.h"
#include "gyre/verify.h"

// Which files have been begun by this command. All zeros at first.
typedef struct gy_report_writer {
    bool begun[GY_OPT_COUNT];
} gy_report_writer;

// 0, or the exit status after having complained. `variant`: the options of this run of the model,
// or NULL.
int gy_report_write(gy_report_writer *writer, const gy_arguments *arguments,
                    const gy_outcome *outcome, const char *variant);
// The one that this option asks for, if it does.
int gy_report_write_one(gy_report_writer *writer, const gy_arguments *arguments,
                        gy_option_id option, const gy_outcome *outcome, const char *variant);

#endif
