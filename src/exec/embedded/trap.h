// Calling code of the user's that may crash: a division by zero, a bad pointer or a stack that
// overflows comes back as a sentence, not as the end of the program.
//
// Signals are the process's, not a library's: so the handlers are there only while some system has
// embedded C (install, remove), they act only on faults that the VM itself reports
// (SIGFPE, SIGSEGV, SIGBUS, SIGILL) of a thread that is inside gy_trap_run, and hand everything
// else to the handler that was there before. A fault of Gyre's own is never caught.
//
// abort() from inside a library (a corrupt heap, a smashed stack) cannot be survived: its place is
// written to standard error, and the process ends as it would have.
//
// Any number of threads may be inside gy_trap_run at once.
#ifndef GYRE_EXEC_EMBEDDED_TRAP_H
#define GYRE_EXEC_EMBEDDED_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each install is followed by one remove.
void gy_trap_install(void);
void gy_trap_remove(void);

// Calls call(user). NULL if it came back; else why it did not, "" if it left by gy_trap_leave.
// `place`: what runs, for a message that is the last one.
const char *gy_trap_run(void (*call)(void *user), void *user, const char *place);
// Is a call under way? Its number, from 1, and its place (copied; cut if there is no room); else 0.
// Of several threads inside, the one that was the last to enter. From any thread.
uint64_t gy_trap_inside(char *place, size_t room);
// Called from inside: gy_trap_run returns at once. Does nothing elsewhere.
void gy_trap_leave(void);

#endif
