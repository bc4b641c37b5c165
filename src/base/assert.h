// gy_assert: what a header promises, stated where it can be checked.
//
// On where GYRE_DEBUG is defined (make DEBUG=1, SANITIZE=1, TSAN=1): an expression that is false
// is reported with its file, line and function, and the process aborts, unless the thread has a
// handler (gy_set_fatal_handler), which gets the same text and must not return; that is how tests
// catch one. Off otherwise: the expression is compiled, so that it cannot rot, but never evaluated.
//
// For what cannot happen unless Gyre itself is wrong. What a model, a file or a command line can
// bring about gets a diagnostic; what would give a wrong verdict in a release build, too, is
// gy_fatal (fatal.h). For a check that takes more than an expression: if (GY_DEBUG) { ... }.
// May be used from any thread and in any room.
#ifndef GYRE_BASE_ASSERT_H
#define GYRE_BASE_ASSERT_H

_Noreturn void gy_assert_failed(const char *expression, const char *file, int line,
                                const char *function);

#ifdef GYRE_DEBUG
#define GY_DEBUG 1
#define gy_assert(expression)                                                                      \
    ((expression) ? (void)0 : gy_assert_failed(#expression, __FILE__, __LINE__, __func__))
#else
#define GY_DEBUG 0
#define gy_assert(expression) ((void)(0 && (expression)))
#endif

#endif
