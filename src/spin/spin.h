// gyre spin …, and a program called `spin` that is a link to gyre: Spin's own command line, with
// its output and its exit statuses. docs/spin.md says what is taken and what is refused.
#ifndef GYRE_SPIN_SPIN_H
#define GYRE_SPIN_SPIN_H

// `argv` begins with the name of the program; Spin's arguments follow.
int gy_command_spin(int argc, char **argv);

#endif
