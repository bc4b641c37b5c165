// The roots of the tree store: for each state, by id, its shape and two numbers, bit-packed.
//
// Representation: chunks of 2^chunk_bits consecutive ids. A chunk knows where its bits begin
// and how wide each of the three fields is; all its records are equally wide. Only the last
// chunk changes. When a number does not fit any more, that chunk alone is packed again with
// wider fields (at most 94 times ever); the ones before it keep their narrower records.
// Invariant: the widths of a chunk hold all of its records; 8 bytes behind the last record are
// readable.
#ifndef GYRE_STORE_NUMBERED_ROOTS_H
#define GYRE_STORE_NUMBERED_ROOTS_H

#include "base/memory.h"
#include "base/snapshot.h"

#include <endian.h>
#include <string.h>

typedef struct gy_root {
    uint32_t shape, left, right;
} gy_root;

typedef struct gy_root_chunk {
    uint64_t at; // byte where it begins
    uint8_t shape_bits, left_bits, right_bits, bits;
} gy_root_chunk;

typedef struct gy_roots {
    gy_region bits, chunks;
    uint64_t count;
    unsigned chunk_bits;
} gy_roots;

void gy_roots_init(gy_roots *roots, gy_budget *budget, bool hostile);
void gy_roots_free(gy_roots *roots);
bool gy_roots_add(gy_roots *roots, const gy_root *root); // false: no memory; as it was
void gy_roots_save(const gy_roots *roots, gy_writer *writer);
bool gy_roots_load(gy_roots *roots, gy_reader *reader);

// `bits` (at most 57) bits from bit `at` on.
static inline uint64_t gy_bits_get(const void *base, uint64_t at, unsigned bits)
{
    uint64_t word;
    memcpy(&word, (const char *)base + (at >> 3), sizeof word);
    return le64toh(word) >> (at & 7) & ((1ull << bits) - 1);
}

static inline const gy_root_chunk *gy_roots_chunk(const gy_roots *roots, uint64_t id)
{
    return (const gy_root_chunk *)roots->chunks.at + (id >> roots->chunk_bits);
}

static inline uint64_t gy_roots_position(const gy_roots *roots, const gy_root_chunk *chunk,
                                         uint64_t id)
{
    return chunk->at * 8 + (id & ((1ull << roots->chunk_bits) - 1)) * chunk->bits;
}

static inline void gy_roots_prefetch(const gy_roots *roots, uint64_t id)
{
    const gy_root_chunk *chunk = gy_roots_chunk(roots, id);
    __builtin_prefetch((const char *)roots->bits.at + gy_roots_position(roots, chunk, id) / 8);
}

static inline gy_root gy_roots_get(const gy_roots *roots, uint64_t id)
{
    const gy_root_chunk *chunk = gy_roots_chunk(roots, id);
    uint64_t at = gy_roots_position(roots, chunk, id);
    gy_root root;
    root.left = (uint32_t)gy_bits_get(roots->bits.at, at, chunk->left_bits);
    at += chunk->left_bits;
    root.right = (uint32_t)gy_bits_get(roots->bits.at, at, chunk->right_bits);
    at += chunk->right_bits;
    root.shape = (uint32_t)gy_bits_get(roots->bits.at, at, chunk->shape_bits);
    return root;
}

#endif
