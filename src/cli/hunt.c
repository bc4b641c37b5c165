// gyre hunt MODEL: a verification by another search, or an experiment (--trials).
#include "cli/command.h"

int gy_command_hunt(const gy_arguments *arguments)
{
    return gy_command_verify(arguments);
}
