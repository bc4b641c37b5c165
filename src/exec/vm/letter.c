#include "exec/vm/letter.h"

enum { MOST_BITS = 8, MOST_ATOMS = 64 };

void gy_letter_clear(gy_letter *letter)
{
    letter->atoms.n = letter->fields.n = letter->truths.n = 0;
}

void gy_letter_free(gy_letter *letter)
{
    gy_vec_free(&letter->atoms);
    gy_vec_free(&letter->fields);
    gy_vec_free(&letter->truths);
}

static const gy_letter_field *field_of(gy_letter *letter, const gy_quick_test *test)
{
    gy_letter_field new = {.word = test->word,
                           .shift = (uint32_t)test->right - test->left,
                           .mask = (1u << (32 - test->right)) - 1,
                           .first = (uint32_t)letter->truths.n};
    for (size_t i = 0; i < letter->fields.n; i++) {
        const gy_letter_field *f = &letter->fields.at[i];
        if (f->word == new.word && f->shift == new.shift && f->mask == new.mask)
            return f;
    }
    gy_vec_push(&letter->fields, new);
    for (uint32_t value = 0; value <= new.mask; value++)
        gy_vec_push(&letter->truths, 0);
    return &letter->fields.at[letter->fields.n - 1];
}

bool gy_letter_add(gy_letter *letter, gy_atom atom, const gy_quick_test *test)
{
    if (test->right < 32 - MOST_BITS || test->right > 31 || test->left > test->right ||
        letter->atoms.n == MOST_ATOMS) {
        gy_letter_clear(letter);
        return false;
    }
    uint64_t bit = 1ull << letter->atoms.n;
    const gy_letter_field *f = field_of(letter, test);
    gy_quick_test alone = *test; // of a word that has nothing else
    alone.word = 0;
    for (uint32_t value = 0; value <= f->mask; value++) {
        uint32_t word = value << f->shift;
        letter->truths.at[f->first + value] |= gy_quick_test_holds(&alone, &word) ? bit : 0;
    }
    gy_vec_push(&letter->atoms, atom);
    return true;
}
