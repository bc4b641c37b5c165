// What the subcommands share: output, errors, loading a model. One function per subcommand.
#ifndef GYRE_CLI_COMMAND_H
#define GYRE_CLI_COMMAND_H

#include "base/diag.h"
#include "cli/options.h"
#include "exec/system.h"
#include "model/passes/passes.h"
#include "report/style.h"

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

// "gyre: error: …" on standard error; returns GY_EXIT_WRONG. With --json the report is an
// object with the verdict `error`.
int gy_complain(const gy_arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

gy_style gy_command_style(const gy_arguments *arguments);

// Writes the text to standard output and clears it. If nobody reads any more, returns false
// (and from then on writes nothing): the caller finishes quietly.
bool gy_put(gy_text *text);
// All of a file, or NULL with errno set.
char *gy_read_file(const char *path, size_t *bytes);

// A model that is ready to run.
typedef struct gy_loaded {
    gy_system *system;
    gy_system *exact; // by gy_exact_system, or NULL
    gy_model *model;  // the exact one; NULL for a foreign system
    gy_saved saved;   // how the system differs from it
    gy_diags *diags;  // warnings; NULL for a foreign system
} gy_loaded;

// Each returns 0, or the exit status after having complained.
// Reads arguments->files[0] and prints its diagnostics. A foreign system is there at once.
int gy_read_for(const gy_arguments *arguments, gy_loaded *loaded);
// Makes loaded->system: of the exact model or, if `watched` tells what will be looked at, of its
// reduced form.
int gy_start_for(const gy_arguments *arguments, const gy_watched *watched, gy_loaded *loaded);
// Both, without reductions. Nothing is left to be freed if it fails.
int gy_load_for(const gy_arguments *arguments, gy_loaded *loaded);
// A system of the exact model, for running witnesses again; made on the first call. NULL after
// having complained.
gy_system *gy_exact_system(const gy_arguments *arguments, gy_loaded *loaded);
void gy_loaded_free(gy_loaded *loaded);

#endif
