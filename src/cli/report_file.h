// The files that reports are written to: `%` in a path stands for the model, where there are
// several.
#ifndef GYRE_CLI_REPORT_FILE_H
#define GYRE_CLI_REPORT_FILE_H

#include "cli/command.h"

// The path for one of the models of the command line, given as its position in `paths`.
void gy_report_file(const gy_arguments *arguments, const char *path, size_t model, gy_text *out);

// Has what is about one model alone a file for each of them? False: *why says what has not; to be
// freed.
bool gy_report_files_suffice(const gy_arguments *arguments, gy_text *why);

// Is every report in a file of its own, or with reports of the same form? False: *why says which
// two are not; to be freed.
bool gy_report_files_differ(const gy_arguments *arguments, gy_text *why);

#endif
