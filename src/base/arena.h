// A memory arena: many small allocations, freed together.
//
// Owner: the caller of gy_arena_new. Everything allocated from the arena lives until
// gy_arena_free. Not thread-safe: one arena belongs to one thread at a time.
// Running out of memory calls gy_fatal (see fatal.h): no caller checks for NULL.
#ifndef GYRE_BASE_ARENA_H
#define GYRE_BASE_ARENA_H

#include <stddef.h>

typedef struct gy_arena gy_arena;

gy_arena *gy_arena_new(void);
void gy_arena_free(gy_arena *arena);

// Zeroed memory, aligned for any object.
void *gy_arena_alloc(gy_arena *arena, size_t bytes);
// Grows an array that was allocated from the arena: copies, never frees the old one.
void *gy_arena_grow(gy_arena *arena, void *old, size_t old_bytes, size_t new_bytes);
char *gy_arena_strdup(gy_arena *arena, const char *text);
char *gy_arena_strndup(gy_arena *arena, const char *text, size_t length);
char *gy_arena_printf(gy_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
size_t gy_arena_bytes(const gy_arena *arena);

#define GY_NEW(arena, type) ((type *)gy_arena_alloc((arena), sizeof(type)))
#define GY_NEW_ARRAY(arena, type, n) ((type *)gy_arena_alloc((arena), sizeof(type) * (size_t)(n)))

#endif
