#include "store/flat.h"

#include "base/fatal.h"

#include <stdlib.h>

void gy_flat_init(gy_flat *flat, const gy_coder *coder)
{
    for (uint32_t side = 0; side < 2; side++) {
        size_t pairs = coder->flat && side < coder->shape->leaves ? coder->tables[side].pairs : 0;
        flat->rows[side] = gy_alloc((GY_FLAT_MOST + 1) * (pairs + 1) * sizeof *flat->rows[side]);
    }
    gy_flat_clear(flat);
}

void gy_flat_free(gy_flat *flat)
{
    free(flat->rows[0]);
    free(flat->rows[1]);
    flat->rows[0] = flat->rows[1] = NULL;
    gy_flat_clear(flat);
}

// Inlined for the usual lengths of rows. What does not change is copied first: the compiler can't
// know that the stores in the loop leave it alone.
__attribute__((always_inline)) static inline void add_side(gy_flat *flat, const gy_coder *coder,
                                                           const gy_incoming *in, uint32_t added,
                                                           uint32_t side, const uint32_t pairs)
{
    enum { FEW = 3 };
    const gy_rows *table = &coder->tables[side];
    uint32_t first[FEW], second[FEW], (*sources)[2] = coder->sources[side];
    uint64_t mask = coder->pieces_of[side], lines = table->lines;
    const char *slots = table->slots.at;
    uint32_t count = flat->halves[side];
    uint64_t *row = flat->rows[side] + (size_t)count * pairs, *hashes = flat->hashes[side];
    uint32_t *of = flat->of[side], i = flat->n, few = pairs < FEW ? pairs : FEW;
#pragma GCC unroll 3
    for (uint32_t k = 0; k < few; k++) {
        first[k] = sources[k][0];
        second[k] = sources[k][1];
    }
    for (const gy_incoming *end = in + added; in < end; in++, i++) {
        bool differs = in->written & mask;
        if (pairs > FEW && !differs)
            continue;
        const uint32_t *state = in->state;
        uint64_t hash = GY_ROW_SEED;
#pragma GCC unroll 3
        for (uint32_t k = 0; k < pairs; k++) {
            uint64_t low = state[pairs <= FEW ? first[k] : sources[k][0]];
            uint64_t high = state[pairs <= FEW ? second[k] : sources[k][1]];
            row[k] = low | high << 32;
            hash = gy_row_hash(hash, low | high << 32);
        }
        __builtin_prefetch(slots + (uint64_t)((unsigned __int128)hash * lines >> 64) * 64);
        hashes[count] = hash;
        of[count] = i;
        // Short rows are made in any case: whether a half differs can't be foreseen, and a wrong
        // guess costs more.
        row += differs ? pairs : 0;
        count += differs;
    }
    flat->halves[side] = count;
}

void gy_flat_add(gy_flat *flat, const gy_coder *coder, const gy_incoming *in, uint32_t count)
{
    for (uint32_t side = 0; side < coder->shape->leaves; side++)
        switch (coder->tables[side].pairs) {
        case 1:
            add_side(flat, coder, in, count, side, 1);
            break;
        case 2:
            add_side(flat, coder, in, count, side, 2);
            break;
        case 3:
            add_side(flat, coder, in, count, side, 3);
            break;
        default:
            add_side(flat, coder, in, count, side, coder->tables[side].pairs);
        }
    flat->n += count;
}

__attribute__((always_inline)) static inline bool number_side(gy_flat *flat, gy_coder *coder,
                                                              uint32_t side, const uint32_t pairs)
{
    gy_rows_where table = gy_rows_whereabouts(&coder->tables[side]);
    const uint64_t *row = flat->rows[side], *hashes = flat->hashes[side];
    const uint32_t *of = flat->of[side];
    uint32_t count = flat->halves[side], *numbers = flat->numbers[side];
    for (uint32_t k = 0; k < count; k++, row += pairs) {
        uint32_t number = gy_rows_seek(table, row, hashes[k], pairs);
        if (__builtin_expect(number == GY_ROW_NONE, 0)) {
            number = gy_coder_add(coder, side, row, hashes[k]);
            if (number == GY_ROW_NONE)
                return false;
            table = gy_rows_whereabouts(&coder->tables[side]); // alone, it may have grown
        }
        numbers[of[k]] = number;
    }
    return true;
}

bool gy_flat_number(gy_flat *flat, gy_coder *coder)
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
