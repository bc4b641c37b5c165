// The end of the road: internal errors and exhausted memory.
//
// A model that is wrong is never fatal: it gets a diagnostic (diag.h). gy_fatal is for
// broken invariants only. Tests and the command line may install a handler, which must
// not return (it may longjmp or exit); without one, the message is printed and the
// process exits with status 4. Exhausted memory is a limit like any other: status 3.
#ifndef GYRE_BASE_FATAL_H
#define GYRE_BASE_FATAL_H

#include <stddef.h>

_Noreturn void gy_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void gy_fatal_memory(size_t bytes);

typedef void gy_fatal_handler(const char *message);
// One handler per thread; NULL restores the default. Returns the previous one.
gy_fatal_handler *gy_set_fatal_handler(gy_fatal_handler *handler);

// malloc, calloc and realloc that never return NULL.
void *gy_alloc(size_t bytes);
void *gy_alloc_zero(size_t bytes);
void *gy_realloc(void *old, size_t bytes);
// Zeroed, in cache lines of its own: for what one thread writes all the time. To be freed, not
// reallocated.
void *gy_alloc_apart(size_t bytes);
// Zeroed, and with memory behind a page only once it was written: for large tables most of which is
// never used. (calloc clears all of it if it gets memory that was in use before.) To be given back
// with gy_free_sparse and the same size.
void *gy_alloc_sparse(size_t bytes);
void gy_free_sparse(void *memory, size_t bytes); // NULL is fine

#endif
