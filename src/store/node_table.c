#include "store/node_table.h"

#include <string.h>

#define BUSY UINT64_MAX

enum { FIRST_LINES = 8, HOSTILE_LINES = 1, SMALL = 1 << 12, LARGE = 1 << 14, LINE = 64 };

void gy_node_table_init(gy_node_table *rows, uint32_t pairs, gy_budget *budget, bool hostile)
{
    *rows = (gy_node_table){.pairs = pairs, .hostile = hostile};
    gy_region_init(&rows->slots, budget);
    gy_region_init(&rows->rows, budget);
}

void gy_node_table_free(gy_node_table *rows)
{
    gy_region_free(&rows->slots);
    gy_region_free(&rows->rows);
}

static uint64_t hash_of(const gy_node_table *rows, const uint64_t *row)
{
    uint64_t hash = GY_ROW_SEED;
    for (uint32_t i = 0; i < rows->pairs; i++)
        hash = gy_row_hash(hash, row[i]);
    return hash;
}

static uint64_t next_line(const gy_node_table *rows, uint64_t line)
{
    return line + 1 == rows->lines ? 0 : line + 1;
}

// ---- growth ---------------------------------------------------------------------------

typedef struct growth {
    gy_node_table *rows;
    uint64_t count;
    uint64_t used; // bytes of the table that have to be cleared
    bool alone;
} growth;

enum { CLEARED = 1 << 16, REFILLED = 1 << 12 }; // bytes, rows: what is done at a time

// Memory that was used before is cheaper than memory that was not: there is no second table.
static void clear_piece(void *user, unsigned member, uint64_t piece)
{
    const growth *g = user;
    (void)member;
    gy_region_clear(&g->rows->slots, g->used, piece * CLEARED, (piece + 1) * CLEARED);
}

// Into the first free slot.
static void put_again(const growth *g, uint64_t hash, uint64_t number)
{
    gy_node_table *rows = g->rows;
    uint64_t slot = gy_node_table_tag(hash) | (number + 1);
    for (uint64_t at = gy_node_table_home(rows, hash);; at = next_line(rows, at)) {
        _Atomic uint64_t *line = gy_node_table_line(rows, at);
        for (uint32_t i = 0; i < GY_NODE_TABLE_SLOTS; i++) {
            uint64_t there = atomic_load_explicit(&line[i], memory_order_relaxed);
            if (!there && g->alone) {
                atomic_store_explicit(&line[i], slot, memory_order_relaxed);
                return;
            }
            if (!there && atomic_compare_exchange_strong_explicit(
                              &line[i], &there, slot, memory_order_relaxed, memory_order_relaxed))
                return;
        }
    }
}

// Some rows, the lines of those that come soon being fetched meanwhile.
static void refill_piece(void *user, unsigned member, uint64_t piece)
{
    enum { AHEAD = 16 };
    const growth *g = user;
    uint64_t hashes[AHEAD], from = piece * REFILLED;
    uint64_t to = from + REFILLED < g->count ? from + REFILLED : g->count;
    (void)member;
    for (uint64_t number = from; number < to + AHEAD; number++) {
        if (number >= from + AHEAD)
            put_again(g, hashes[number % AHEAD], number - AHEAD);
        if (number < to) {
            hashes[number % AHEAD] = hash_of(g->rows, gy_node_table_get(g->rows, (uint32_t)number));
            gy_node_table_prefetch(g->rows, hashes[number % AHEAD]);
        }
    }
}

bool gy_node_table_grow(gy_node_table *rows, gy_team *team)
{
    uint64_t count = gy_node_table_count(rows);
    uint64_t lines = rows->lines + rows->lines / (count < SMALL ? 1 : count < LARGE ? 2 : 4);
    if (!rows->lines)
        lines = rows->hostile ? HOSTILE_LINES : FIRST_LINES;
    if (rows->hostile && rows->lines)
        lines = rows->lines + 1 + rows->lines / 4;
    uint64_t most = lines * GY_NODE_TABLE_SLOTS * 29 / 32;
    if (most >= GY_ROW_NONE - 1 ||
        !gy_region_resize(&rows->rows, most * rows->pairs * sizeof(uint64_t)) ||
        !gy_region_resize(&rows->slots, lines * LINE))
        return false;
    growth g = {rows, count, rows->lines * LINE, gy_team_size(team) == 1};
    rows->lines = lines;
    rows->wanted = lines * GY_NODE_TABLE_SLOTS * 27 / 32;
    rows->most = most;
    gy_team_share(team, (rows->slots.room + CLEARED - 1) / CLEARED, clear_piece, &g);
    gy_team_share(team, (count + REFILLED - 1) / REFILLED, refill_piece, &g);
    return true;
}

// ---- adding ---------------------------------------------------------------------------

// A number for a row that is being added; GY_ROW_NONE: none is left.
static uint32_t take_number(gy_node_table *rows)
{
    uint64_t count = gy_node_table_count(rows);
    do
        if (count >= rows->most)
            return GY_ROW_NONE;
    while (!atomic_compare_exchange_weak_explicit(&rows->count, &count, count + 1,
                                                  memory_order_relaxed, memory_order_relaxed));
    return (uint32_t)count;
}

// The slot is BUSY, and ours.
static uint32_t fill(gy_node_table *rows, _Atomic uint64_t *slot, const uint64_t *row,
                     uint64_t hash)
{
    uint32_t number = take_number(rows);
    if (number == GY_ROW_NONE) {
        atomic_store_explicit(slot, 0, memory_order_release);
        return number;
    }
    if (rows->pairs)
        memcpy(gy_node_table_get(rows, number), row, rows->pairs * sizeof *row);
    atomic_store_explicit(slot, gy_node_table_tag(hash) | (number + 1), memory_order_release);
    return number;
}

uint32_t gy_node_table_add(gy_node_table *rows, const uint64_t *row, uint64_t hash)
{
    if (!rows->lines)
        return GY_ROW_NONE;
    for (uint64_t at = gy_node_table_home(rows, hash);; at = next_line(rows, at)) {
        _Atomic uint64_t *line = gy_node_table_line(rows, at);
        for (uint32_t i = 0; i < GY_NODE_TABLE_SLOTS; i++) {
            uint64_t there = atomic_load_explicit(&line[i], memory_order_acquire);
            if (there == 0 &&
                atomic_compare_exchange_strong_explicit(&line[i], &there, BUSY,
                                                        memory_order_acquire, memory_order_acquire))
                return fill(rows, &line[i], row, hash);
            while (there == BUSY)
                there = atomic_load_explicit(&line[i], memory_order_acquire);
            if (there == 0) // whoever claimed it found the table full
                return GY_ROW_NONE;
            if ((there ^ gy_node_table_tag(hash)) >> 32 == 0 &&
                gy_row_same(gy_node_table_get(rows, (uint32_t)there - 1), row, rows->pairs))
                return (uint32_t)there - 1;
        }
    }
}

uint32_t gy_node_table_intern(gy_node_table *rows, const uint64_t *row, uint64_t hash)
{
    uint32_t number = gy_node_table_find(rows, row, hash);
    if (number != GY_ROW_NONE)
        return number;
    if (gy_node_table_want_room(rows) && !gy_node_table_grow(rows, NULL) &&
        gy_node_table_count(rows) >= rows->most)
        return GY_ROW_NONE;
    return gy_node_table_add(rows, row, hash);
}

// ---- files ----------------------------------------------------------------------------

void gy_node_table_save(const gy_node_table *rows, gy_writer *writer)
{
    uint64_t count = gy_node_table_count(rows);
    gy_write_u64(writer, count);
    gy_write(writer, rows->rows.at, count * rows->pairs * sizeof(uint64_t));
}

bool gy_node_table_load(gy_node_table *rows, gy_reader *reader)
{
    uint64_t count = gy_read_u64(reader), row[GY_ROW_PAIRS];
    if (gy_reader_failed(reader) || count > gy_reader_left(reader))
        return false;
    for (uint64_t i = 0; i < count && !gy_reader_failed(reader); i++) {
        gy_read(reader, row, rows->pairs * sizeof *row);
        if (gy_node_table_intern(rows, row, hash_of(rows, row)) != i)
            return false;
    }
    return !gy_reader_failed(reader);
}
