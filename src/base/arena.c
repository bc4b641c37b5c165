// Representation: a list of blocks, newest first; allocation bumps `used` in the newest.
// A request too large for a standard block gets a block of its own, put after the newest
// one so that the newest keeps serving small requests.
#include "base/arena.h"

#include "base/assert.h"
#include "base/fatal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

struct gy_arena {
    struct block *newest;
    size_t total;
};

static struct block *new_block(gy_arena *arena, size_t size)
{
    struct block *block = gy_alloc(sizeof *block + size);
    block->next = NULL;
    block->used = 0;
    block->size = size;
    arena->total += size;
    return block;
}

gy_arena *gy_arena_new(void)
{
    gy_arena *arena = gy_alloc(sizeof *arena);
    arena->total = 0;
    arena->newest = new_block(arena, 4096);
    return arena;
}

void gy_arena_free(gy_arena *arena)
{
    if (!arena)
        return;
    for (struct block *block = arena->newest; block;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

void *gy_arena_alloc(gy_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        gy_fatal_memory(bytes);
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct block *block = arena->newest;
    if (bytes > block->size - block->used) {
        if (bytes > BLOCK_BYTES / 4) {
            block = new_block(arena, bytes);
            block->next = arena->newest->next;
            arena->newest->next = block;
        } else {
            block = new_block(arena, BLOCK_BYTES);
            block->next = arena->newest;
            arena->newest = block;
        }
    }
    gy_assert(block->used + bytes <= block->size && block->used % ALIGNMENT == 0);
    void *result = block->bytes + block->used;
    block->used += bytes;
    return memset(result, 0, bytes);
}

void *gy_arena_grow(gy_arena *arena, void *old, size_t old_bytes, size_t new_bytes)
{
    gy_assert(old || !old_bytes);
    void *grown = gy_arena_alloc(arena, new_bytes);
    if (old_bytes)
        memcpy(grown, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    return grown;
}

char *gy_arena_strndup(gy_arena *arena, const char *text, size_t length)
{
    char *copy = gy_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *gy_arena_strdup(gy_arena *arena, const char *text)
{
    return gy_arena_strndup(arena, text, strlen(text));
}

char *gy_arena_printf(gy_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        gy_fatal("cannot format a string");
    char *text = gy_arena_alloc(arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

size_t gy_arena_bytes(const gy_arena *arena)
{
    return arena->total;
}
