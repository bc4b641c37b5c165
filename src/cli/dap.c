// gyre dap: the debug adapter.
#include "serve/dap/dap.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// The client's streams get numbers of their own: C code of a model that prints, or reads, must not
// do so in the middle of a message.
static bool part_streams(int *in, int *out)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool good = nothing >= 0 && *in >= 0 && *out >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    int why = errno;
    if (nothing >= 0)
        close(nothing);
    errno = why;
    return good;
}

int gy_command_dap(const gy_arguments *arguments)
{
    gy_dap_options options = {.embedded_c = gy_given(arguments, GY_OPT_ALLOW_C)};
    int in, out;
    if (isatty(STDIN_FILENO))
        fputs("gyre dap talks to editors over standard input: see docs/dap.md\n", stderr);
    if (!part_streams(&in, &out))
        return gy_complain(arguments, "no standard input and output to speak over: %s",
                           strerror(errno));
    return gy_dap_serve(&options, in, out) ? GY_EXIT_HOLDS : GY_EXIT_WRONG;
}
