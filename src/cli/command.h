// What the subcommands share: output, errors, loading a model. One function per subcommand.
#ifndef GYRE_CLI_COMMAND_H
#define GYRE_CLI_COMMAND_H

#include "base/new_file.h"
#include "cli/options.h"
#include "cli/streams.h"
#include "report/style.h"
#include "verify/loaded_model.h"

#include <jansson.h>

enum {
    GY_EXIT_HOLDS = 0,
    GY_EXIT_VIOLATED = 1,
    GY_EXIT_WRONG = 2,
    GY_EXIT_INCONCLUSIVE = 3,
    GY_EXIT_INTERNAL = 4,
};

int gy_command_verify(const gy_arguments *arguments);
int gy_command_sim(const gy_arguments *arguments);
int gy_command_replay(const gy_arguments *arguments);
int gy_command_info(const gy_arguments *arguments);
int gy_command_ltl(const gy_arguments *arguments);
int gy_command_test(const gy_arguments *arguments);
int gy_command_stats(const gy_arguments *arguments);
int gy_command_beem(const gy_arguments *arguments);
int gy_command_swarm(const gy_arguments *arguments);
int gy_command_hunt(const gy_arguments *arguments);
int gy_command_convert(const gy_arguments *arguments);
int gy_command_format(const gy_arguments *arguments);
int gy_command_ui(const gy_arguments *arguments);
int gy_command_dap(const gy_arguments *arguments);
int gy_command_lsp(const gy_arguments *arguments);

// "gyre: error: …" on standard error; returns GY_EXIT_WRONG. With --json the report is an
// object with the verdict `error`.
int gy_complain(const gy_arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The same before ranks are launched. With `mpi`, one rank reports, of those that have to complain,
// and all ranks end.
int gy_complain_once(const gy_arguments *arguments, bool mpi, const char *message);

// The object alone, with these diagnostics.
void gy_complain_json(const gy_arguments *arguments, const gy_diags *diags);
// Sets --json and --events if they are there, for what is wrong before all is understood.
void gy_note_json(gy_arguments *arguments, int argc, char **argv);

// The line alone.
void gy_say_error(const gy_arguments *arguments, const char *message);

gy_style gy_command_style(const gy_arguments *arguments);

// gy_put for prose: lines are broken at the width of the terminal, if it is one.
bool gy_put_wrapped(gy_text *text, const gy_style *style);
// All of a file, or NULL with errno set. One that the user did not name must be a regular file:
// others may have put a pipe there, which would be waited for.
char *gy_read_file(const char *path, gy_file_origin origin, size_t *bytes);

// The request that the command line makes, or NULL after having complained.
gy_request *gy_request_for(const gy_arguments *arguments);
// Each returns 0, or the exit status after having complained; then nothing is left to be freed.
// Reads the model of the request and prints its diagnostics. A foreign system is there at once.
int gy_read_for(const gy_arguments *arguments, const gy_request *request, gy_loaded_model *subject);
// Reports the errors that were found since it was read; returns GY_EXIT_WRONG.
int gy_refuse_model(const gy_arguments *arguments, const gy_loaded_model *subject);
// Reads the model and makes a system of it that is neither reduced nor compiled.
int gy_load_for(const gy_arguments *arguments, gy_loaded_model *subject);

#endif
