// The truths of several conditions at once, where each is about a short field of a state: one look
// into a table for each field, whatever number of conditions ask for it.
//
// Owner: the VM that made it (gy_letter_free). Private to src/exec.
#ifndef GYRE_EXEC_VM_LETTER_H
#define GYRE_EXEC_VM_LETTER_H

#include "exec/vm/compile.h"

#include "base/vec.h"

typedef struct gy_letter_field {
    uint32_t word, shift, mask;
    uint32_t first; // in `truths`, by the value of the field
} gy_letter_field;

typedef struct gy_letter {
    GY_VEC(gy_atom) atoms; // in this order; none: there is no such table
    GY_VEC(gy_letter_field) fields;
    GY_VEC(uint64_t) truths; // bit i: atom i is true
} gy_letter;

// With one more atom, the next one, that is this test. False: it cannot be done; it has none
// then.
bool gy_letter_add(gy_letter *letter, gy_atom atom, const gy_quick_test *test);
void gy_letter_clear(gy_letter *letter);
void gy_letter_free(gy_letter *letter);

static inline bool gy_letter_is(const gy_letter *letter, const gy_atom *atoms, uint32_t count)
{
    const gy_atom *own = letter->atoms.at;
    if (letter->atoms.n != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (own[i] != atoms[i])
            return false;
    return true;
}

static inline uint64_t gy_letter_of(const gy_letter *letter, const uint32_t *state)
{
    const uint64_t *truths = letter->truths.at;
    uint64_t all = 0;
    for (const gy_letter_field *f = letter->fields.at, *end = f + letter->fields.n; f < end; f++)
        all |= truths[f->first + (state[f->word] >> f->shift & f->mask)];
    return all;
}

#endif
