// The files that reports are written to: `%` in a path stands for the model, where there are several.
#ifndef GYRE_CLI_REPORT_FILE_H
#define GYRE_CLI_REPORT_FILE_H

#include "cli/command.h"

// The path for one of the models of the command line, given as its position in `paths`.
void gy_report_file(const gy_arguments *arguments, const char *path, size_t model, gy_text *out);

// Is every report in a file of its own? False: *why says which two are not; to be freed.
bool gy_report_files_differ(const gy_arguments *arguments, gy_text *why);

#endif
