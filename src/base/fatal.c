#include "base/fatal.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Thread_local gy_fatal_handler *current_handler;

gy_fatal_handler *gy_set_fatal_handler(gy_fatal_handler *handler)
{
    gy_fatal_handler *previous = current_handler;
    current_handler = handler;
    return previous;
}

void gy_fatal(const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (current_handler)
        current_handler(message);
    fprintf(stderr, "gyre: internal error: %s\n", message);
    exit(4);
}

void gy_assert_failed(const char *expression, const char *file, int line, const char *function)
{
    char message[1024];
    snprintf(message, sizeof message, "%s:%d: %s: assertion failed: %s", file, line, function,
             expression);
    if (current_handler)
        current_handler(message);
    fprintf(stderr, "gyre: %s\n", message);
    abort();
}

void gy_fatal_memory(size_t bytes)
{
    char message[80];
    snprintf(message, sizeof message, "out of memory (%zu bytes requested)", bytes);
    if (current_handler)
        current_handler(message);
    fprintf(stderr, "gyre: inconclusive: %s\n", message);
    exit(3); // a limit that was reached, nobody's mistake
}

void *gy_alloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        gy_fatal_memory(bytes);
    return memory;
}

void *gy_alloc_zero(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        gy_fatal_memory(bytes);
    return memory;
}

void *gy_alloc_apart(size_t bytes)
{
    enum { APART = 128 }; // lines are fetched in pairs
    size_t whole = (bytes / APART + 1) * APART;
    void *memory = bytes < whole ? aligned_alloc(APART, whole) : NULL;
    if (!memory)
        gy_fatal_memory(bytes);
    memset(memory, 0, whole);
    return memory;
}

void *gy_alloc_sparse(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED)
        gy_fatal_memory(bytes);
    return memory;
}

void gy_free_sparse(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

void *gy_realloc(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory)
        gy_fatal_memory(bytes);
    return memory;
}
