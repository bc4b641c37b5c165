// The program: gyre, or, by its first argument or the name that it is called by, Spin's command
// line.
#include "cli/command_line.h"
#include "spin/spin.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_spin(const char *program)
{
    const char *slash = program ? strrchr(program, '/') : NULL;
    return program && strcmp(slash ? slash + 1 : program, "spin") == 0;
}

// What was printed without gy_put may still wait to be written.
static int finish(int status)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO};
    bool good = fflush(stdout) == 0 && !ferror(stdout);
    int why = errno;
    if (good || why == EPIPE || (poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR)))
        return status; // a reader that went away is no error
    fprintf(stderr, "gyre: error: cannot write to standard output: %s\n", strerror(why));
    return 2; // as for a wrong command line
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); // a reader that goes away is no reason to die: see gy_put
    signal(SIGXFSZ, SIG_IGN); // nor a file that may not grow: writing it fails
    if (is_spin(argv[0]))
        return finish(gy_command_spin(argc, argv));
    if (argc > 1 && strcmp(argv[1], "spin") == 0)
        return finish(gy_command_spin(argc - 1, argv + 1));
    return finish(gy_command_gyre(argc, argv));
}
