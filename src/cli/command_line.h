// The command line of `gyre`, all but `gyre spin`.
#ifndef GYRE_CLI_COMMAND_LINE_H
#define GYRE_CLI_COMMAND_LINE_H

int gy_command_gyre(int argc, char **argv); // the exit status

#endif
