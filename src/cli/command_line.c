// The command `gyre`: finds the subcommand and calls it.
#include "cli/command_line.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/aliases.h"
#include "cli/command.h"
#include "cli/completion/completion.h"
#include "cli/manual.h"
#include "dist/mpi/launch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int print_about(const gy_arguments *arguments)
{
    gy_text out = {0};
    if (gy_given(arguments, GY_OPT_VERSION))
        gy_text_add(&out, "gyre " GY_VERSION "\n");
    else if (gy_given(arguments, GY_OPT_PRINT_OPTIONS))
        gy_manual_json(&out);
    else if (gy_given(arguments, GY_OPT_PRINT_COMPLETION))
        gy_completion(arguments->value[GY_OPT_PRINT_COMPLETION].text, &out);
    else if (arguments->command == 0)
        gy_manual_short_help(&out);
    else
        gy_manual_help(arguments->command, &out);
    gy_put(&out);
    gy_text_free(&out);
    return 0;
}

// A launcher gives its standard input to rank 0; the others might wait for theirs for ever.
static bool is_out_of_reach(const gy_arguments *arguments)
{
    bool first;
    if (!gy_given(arguments, GY_OPT_MPI) || !gy_launched(&first))
        return false;
    if (first)
        gy_complain(arguments, "--mpi: a model in standard input is read by rank 0 alone\n  hint: "
                               "write it to a file that all ranks see");
    return true;
}

// `-` is standard input, which is read once and kept. False: it complained.
static bool take_input(gy_arguments *arguments, gy_file *input)
{
    unsigned uses = 0;
    const char *name = gy_given(arguments, GY_OPT_STDIN_NAME)
                           ? arguments->value[GY_OPT_STDIN_NAME].text
                           : GY_STDIN;
    if (arguments->command == GY_ON_LTL || arguments->command == GY_ON_TEST ||
        arguments->command == GY_ON_BEEM || arguments->command == GY_ON_UI)
        return true;
    for (size_t i = 0; i < arguments->paths.n; i++)
        if (strcmp(arguments->paths.at[i], "-") == 0) {
            arguments->paths.at[i] = name;
            uses++;
        }
    if (arguments->file_count > 0 && strcmp(arguments->files[0], "-") == 0)
        uses += arguments->paths.n == 0;
    if (uses == 0)
        return true;
    if (strcmp(arguments->files[0], "-") == 0)
        arguments->files[0] = name;
    if (uses > 1 || gy_given(arguments, GY_OPT_INTERACTIVE)) {
        gy_complain_once(arguments, gy_given(arguments, GY_OPT_MPI),
                         uses > 1
                             ? "standard input can be used for one model only"
                             : "a model from standard input cannot be combined with --interactive");
        return false;
    }
    if (is_out_of_reach(arguments))
        return false;
    gy_file_rules rules = {.most_bytes = 128u << 20}; // as for a model in a file
    if (!gy_file_read_open(STDIN_FILENO, &rules, input)) {
        gy_complain(arguments, "cannot read standard input: %s", input->problem);
        return false;
    }
    arguments->input = input->text;
    arguments->input_name = name;
    arguments->input_bytes = input->bytes;
    return true;
}

// Is what it prints for programs, or the model's own?
static bool prints_exactly(const gy_arguments *arguments)
{
    return arguments->command == GY_ON_CONVERT || arguments->command == GY_ON_FORMAT ||
           (arguments->command == GY_ON_SIM && gy_given(arguments, GY_OPT_QUIET)) ||
           gy_given(arguments, GY_OPT_CHART) || gy_given(arguments, GY_OPT_DOT) ||
           gy_given(arguments, GY_OPT_C) || gy_given(arguments, GY_OPT_CUDA);
}

// No model, formula or directory. What else was given says that the manual is not what is wanted.
static int miss_argument(const gy_arguments *arguments)
{
    if (gy_given(arguments, GY_OPT_MPI))
        return gy_complain_once(arguments, true, "gyre needs a model");
    if (arguments->command || arguments->given.n > 0)
        return gy_complain(arguments, "%s needs a %s",
                           arguments->command ? gy_command_text(arguments->command) : "gyre",
                           arguments->command == GY_ON_LTL    ? "formula"
                           : arguments->command == GY_ON_BEEM ? "directory"
                                                              : "model");
    gy_text usage = {0};
    gy_manual_usage(&usage);
    fputs(gy_text_str(&usage), stderr);
    gy_text_free(&usage);
    return GY_EXIT_WRONG;
}

static int run(const gy_arguments *arguments)
{
    if (prints_exactly(arguments))
        gy_output_exact();
    if (gy_given(arguments, GY_OPT_HELP) || gy_given(arguments, GY_OPT_VERSION) ||
        gy_given(arguments, GY_OPT_PRINT_OPTIONS) || gy_given(arguments, GY_OPT_PRINT_COMPLETION))
        return print_about(arguments);
    if (arguments->file_count == 0 && arguments->command != GY_ON_UI &&
        !gy_given(arguments, GY_OPT_SWARM_RESUME) && !gy_takes_nothing(arguments->command))
        return miss_argument(arguments);
    switch (arguments->command) {
    case GY_ON_SIM:
        return gy_command_sim(arguments);
    case GY_ON_REPLAY:
        return gy_command_replay(arguments);
    case GY_ON_INFO:
        return gy_command_info(arguments);
    case GY_ON_LTL:
        return gy_command_ltl(arguments);
    case GY_ON_TEST:
        return gy_command_test(arguments);
    case GY_ON_STATS:
        return gy_command_stats(arguments);
    case GY_ON_BEEM:
        return gy_command_beem(arguments);
    case GY_ON_SWARM:
        return gy_command_swarm(arguments);
    case GY_ON_HUNT:
        return gy_command_hunt(arguments);
    case GY_ON_LSP:
        return gy_command_lsp(arguments);
    case GY_ON_CONVERT:
        return gy_command_convert(arguments);
    case GY_ON_FORMAT:
        return gy_command_format(arguments);
    case GY_ON_UI:
        return gy_command_ui(arguments);
    case GY_ON_DAP:
        return gy_command_dap(arguments);
    default:
        return gy_command_verify(arguments);
    }
}

static bool asks_for_ranks(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--mpi") == 0)
            return true;
    return false;
}

int gy_command_gyre(int argc, char **argv)
{
    gy_arguments arguments;
    gy_text problem = {0};
    int status;
    if (gy_alias(&argc, argv, &status))
        return status;
    bool good = gy_arguments_parse(&arguments, argc, argv, &problem);
    if (!good)
        gy_note_json(&arguments, argc, argv);
    gy_file input = {0};
    if (good)
        status = take_input(&arguments, &input) ? run(&arguments) : GY_EXIT_WRONG;
    else
        status = gy_complain_once(&arguments, asks_for_ranks(argc, argv), gy_text_str(&problem));
    gy_text_free(&problem);
    gy_arguments_free(&arguments);
    gy_file_free(&input);
    return status;
}
