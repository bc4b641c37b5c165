// A child of gyre that one talks to in lines: `gyre sim MODEL --json --interactive`
// (docs/protocol.md). One question at a time; each is answered by one line, or by the end of the
// child.
//
// The caller ignores SIGPIPE: the child may end while it is being asked. A thread of its own reads;
// `told` is called by it. Calls for one session must not overlap, but for those that come from
// `told`'s side. gy_session_free ends the child and waits for the thread: not to be called by
// `told`.
#ifndef GYRE_SERVE_JOB_SESSION_H
#define GYRE_SERVE_JOB_SESSION_H

#include "serve/job/child.h"

typedef struct gy_session gy_session;

// Starts the child, whose first line comes unasked: `told` is called when it is there. NULL: it
// cannot be started. An answer that takes longer than `patience` seconds ends the child.
gy_session *gy_session_start(const gy_child_request *request, double patience,
                             void (*told)(void *user), void *user);
// False: the last question was not answered yet, or the child has ended; `told` is not called.
bool gy_session_ask(gy_session *session, const char *line, void (*told)(void *user), void *user);
// The answer, to be freed; NULL: the child has ended instead.
char *gy_session_answer(gy_session *session);
// Ends the child without waiting; a question that waits is answered so.
void gy_session_end(gy_session *session);
void gy_session_free(gy_session *session);

#endif
