#include "store/encode_batch.h"

#include "base/fatal.h"

#include <stdlib.h>

void gy_encode_batch_init(gy_encode_batch *flat, const gy_coder *coder)
{
    for (uint32_t side = 0; side < 2; side++) {
        size_t pairs = coder->flat && side < coder->shape->leaves ? coder->tables[side].pairs : 0;
        flat->rows[side] =
            gy_alloc((GY_ENCODE_BATCH_MOST + 1) * (pairs + 1) * sizeof *flat->rows[side]);
    }
    gy_encode_batch_clear(flat);
}

void gy_encode_batch_free(gy_encode_batch *flat)
{
    free(flat->rows[0]);
    free(flat->rows[1]);
    flat->rows[0] = flat->rows[1] = NULL;
    gy_encode_batch_clear(flat);
}

// Inlined for the usual lengths of rows. What does not change is copied first: the compiler cannot
// know that the stores in the loop leave it alone.
__attribute__((always_inline)) static inline void
gather_side(gy_encode_batch *flat, const gy_coder *coder, uint32_t side, const uint32_t pairs)
{
    enum { FEW = 3 };
    const gy_node_table *table = &coder->tables[side];
    uint32_t first[FEW], second[FEW], (*sources)[2] = coder->sources[side];
    uint64_t lines = table->lines, *hashes = flat->hashes[side];
    const char *slots = table->slots.at;
    const uint32_t *of = flat->of[side], *const *states = flat->states;
    uint32_t k = flat->gathered[side], end = flat->halves[side], few = pairs < FEW ? pairs : FEW;
    uint64_t *row = flat->rows[side] + (size_t)k * pairs;
#pragma GCC unroll 3
    for (uint32_t i = 0; i < few; i++) {
        first[i] = sources[i][0];
        second[i] = sources[i][1];
    }
    for (; k < end; k++, row += pairs) {
        const uint32_t *state = states[of[k]];
        uint64_t hash = GY_ROW_SEED;
#pragma GCC unroll 3
        for (uint32_t i = 0; i < pairs; i++) {
            uint64_t low = state[pairs <= FEW ? first[i] : sources[i][0]];
            uint64_t high = state[pairs <= FEW ? second[i] : sources[i][1]];
            row[i] = low | high << 32;
            hash = gy_row_hash(hash, low | high << 32);
        }
        __builtin_prefetch(slots + (uint64_t)((unsigned __int128)hash * lines >> 64) * 64);
        hashes[k] = hash;
    }
    flat->gathered[side] = end;
}

void gy_encode_batch_gather(gy_encode_batch *flat, const gy_coder *coder)
{
    for (uint32_t side = 0; side < coder->shape->leaves; side++)
        switch (coder->tables[side].pairs) {
        case 1:
            gather_side(flat, coder, side, 1);
            break;
        case 2:
            gather_side(flat, coder, side, 2);
            break;
        case 3:
            gather_side(flat, coder, side, 3);
            break;
        default:
            gather_side(flat, coder, side, coder->tables[side].pairs);
        }
}

__attribute__((always_inline)) static inline bool
number_side(gy_encode_batch *flat, gy_coder *coder, uint32_t side, const uint32_t pairs)
{
    gy_node_table_where table = gy_node_table_whereabouts(&coder->tables[side]);
    const uint64_t *row = flat->rows[side], *hashes = flat->hashes[side];
    const uint32_t *of = flat->of[side];
    uint32_t count = flat->halves[side], *numbers = flat->numbers[side];
    for (uint32_t k = 0; k < count; k++, row += pairs) {
        uint32_t number = gy_node_table_seek(table, row, hashes[k], pairs);
        if (__builtin_expect(number == GY_ROW_NONE, 0)) {
            number = gy_coder_add(coder, side, row, hashes[k]);
            if (number == GY_ROW_NONE)
                return false;
            table = gy_node_table_whereabouts(&coder->tables[side]); // alone, it may have grown
        }
        numbers[of[k]] = number;
    }
    return true;
}

bool gy_encode_batch_number(gy_encode_batch *flat, gy_coder *coder)
{
    bool fine = true;
    for (uint32_t side = 0; side < coder->shape->leaves && fine; side++)
        switch (coder->tables[side].pairs) {
        case 1:
            fine = number_side(flat, coder, side, 1);
            break;
        case 2:
            fine = number_side(flat, coder, side, 2);
            break;
        case 3:
            fine = number_side(flat, coder, side, 3);
            break;
        default:
            fine = number_side(flat, coder, side, coder->tables[side].pairs);
        }
    return fine;
}
