#include "store/numbered/roots.h"

enum { CHUNK_BITS = 12, HOSTILE_CHUNK_BITS = 2, PADDING = 8 };

void gy_roots_init(gy_roots *roots, gy_budget *budget, bool hostile)
{
    roots->count = 0;
    roots->chunk_bits = hostile ? HOSTILE_CHUNK_BITS : CHUNK_BITS;
    gy_region_init(&roots->bits, budget);
    gy_region_init(&roots->chunks, budget);
}

void gy_roots_free(gy_roots *roots)
{
    gy_region_free(&roots->bits);
    gy_region_free(&roots->chunks);
}

static uint8_t width_of(uint32_t value)
{
    return value ? (uint8_t)(32 - __builtin_clz(value)) : 0;
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static void put_bits(void *base, uint64_t at, unsigned bits, uint64_t value)
{
    uint64_t word, mask = ((1ull << bits) - 1) << (at & 7);
    memcpy(&word, (char *)base + (at >> 3), sizeof word);
    word = (le64toh(word) & ~mask) | value << (at & 7);
    word = htole64(word);
    memcpy((char *)base + (at >> 3), &word, sizeof word);
}

static void put_root(gy_roots *roots, const gy_root_chunk *chunk, uint64_t id, const gy_root *root)
{
    uint64_t at = gy_roots_position(roots, chunk, id);
    put_bits(roots->bits.at, at, chunk->left_bits, root->left);
    at += chunk->left_bits;
    put_bits(roots->bits.at, at, chunk->right_bits, root->right);
    at += chunk->right_bits;
    put_bits(roots->bits.at, at, chunk->shape_bits, root->shape);
}

static bool fits(const gy_root_chunk *chunk, const gy_root *root)
{
    return width_of(root->left) <= chunk->left_bits && width_of(root->right) <= chunk->right_bits &&
           width_of(root->shape) <= chunk->shape_bits;
}

static gy_root_chunk widened(gy_root_chunk chunk, const gy_root *root)
{
    chunk.shape_bits = larger(chunk.shape_bits, width_of(root->shape));
    chunk.left_bits = larger(chunk.left_bits, width_of(root->left));
    chunk.right_bits = larger(chunk.right_bits, width_of(root->right));
    chunk.bits = (uint8_t)(chunk.shape_bits + chunk.left_bits + chunk.right_bits);
    return chunk;
}

// Room for records 0 .. n-1 of the chunk.
static bool reserve(gy_roots *roots, const gy_root_chunk *chunk, uint64_t n)
{
    return gy_region_reserve(&roots->bits, chunk->at + (n * chunk->bits + 7) / 8 + PADDING);
}

static bool begin_chunk(gy_roots *roots, const gy_root *root)
{
    uint64_t number = roots->count >> roots->chunk_bits;
    gy_root_chunk chunk = {0};
    if (number) { // numbers only ever grow: begin with the widths of the chunk before
        chunk = ((const gy_root_chunk *)roots->chunks.at)[number - 1];
        chunk.at += (((uint64_t)chunk.bits << roots->chunk_bits) + 7) / 8;
    }
    chunk = widened(chunk, root);
    if (!gy_region_reserve(&roots->chunks, (number + 1) * sizeof chunk) ||
        !reserve(roots, &chunk, 1))
        return false;
    ((gy_root_chunk *)roots->chunks.at)[number] = chunk;
    return true;
}

// Packs the last chunk again, from the last record to the first: each one moves to a later
// place, over records that have moved already.
static bool widen_chunk(gy_roots *roots, uint64_t n, const gy_root *root)
{
    uint64_t number = roots->count >> roots->chunk_bits;
    gy_root_chunk *chunk = (gy_root_chunk *)roots->chunks.at + number;
    gy_root_chunk wide = widened(*chunk, root);
    if (!reserve(roots, &wide, n + 1))
        return false;
    for (uint64_t i = n; i-- > 0;) {
        uint64_t id = (number << roots->chunk_bits) + i;
        gy_root record = gy_roots_get(roots, id);
        put_root(roots, &wide, id, &record);
    }
    *chunk = wide;
    return true;
}

bool gy_roots_add(gy_roots *roots, const gy_root *root)
{
    uint64_t n = roots->count & ((1ull << roots->chunk_bits) - 1);
    if (!n && !begin_chunk(roots, root))
        return false;
    const gy_root_chunk *chunk = gy_roots_chunk(roots, roots->count);
    if (!fits(chunk, root) && !widen_chunk(roots, n, root))
        return false;
    if (!reserve(roots, chunk, n + 1))
        return false;
    put_root(roots, chunk, roots->count, root);
    roots->count++;
    return true;
}

void gy_roots_save(const gy_roots *roots, gy_writer *writer)
{
    uint64_t chunks = (roots->count + (1ull << roots->chunk_bits) - 1) >> roots->chunk_bits;
    size_t bytes = 0;
    if (chunks) {
        const gy_root_chunk *last = (const gy_root_chunk *)roots->chunks.at + chunks - 1;
        uint64_t n = roots->count - ((chunks - 1) << roots->chunk_bits);
        bytes = last->at + (n * last->bits + 7) / 8 + PADDING;
    }
    gy_write_u64(writer, roots->count);
    gy_write_region(writer, &roots->chunks, chunks * sizeof(gy_root_chunk));
    gy_write_region(writer, &roots->bits, bytes);
}

bool gy_roots_load(gy_roots *roots, gy_reader *reader)
{
    roots->count = gy_read_u64(reader);
    return gy_read_region(reader, &roots->chunks) && gy_read_region(reader, &roots->bits);
}
