// Is a shared object as long as its headers say? A linker that ran out of room may end well
// nevertheless, and reading what is not there kills the program (SIGBUS). For native_build.c.
#ifndef GYRE_EXEC_NATIVE_NATIVE_OBJECT_H
#define GYRE_EXEC_NATIVE_NATIVE_OBJECT_H

#include <stdbool.h>

// The file is on the disk when this returns.
bool gy_native_object_is_whole(const char *path);

#endif
