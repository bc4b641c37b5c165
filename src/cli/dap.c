// gyre dap: the debug adapter.
#include "serve/dap/dap.h"

#include "cli/command.h"

#include <unistd.h>

int gy_command_dap(const gy_arguments *arguments)
{
    gy_dap_options options = {.embedded_c = gy_given(arguments, GY_OPT_EMBEDDED_C)};
    return gy_dap_serve(&options, STDIN_FILENO, STDOUT_FILENO) ? GY_EXIT_HOLDS : GY_EXIT_WRONG;
}
