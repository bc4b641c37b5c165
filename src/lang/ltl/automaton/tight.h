// An automaton of a formula in which every word has a run of its own shape: if the word is a lasso
// of so many letters before and in the cycle, so is a run on it. For shortest counterexamples:
// smaller automata may have to go further before their state repeats.
//
// After Clarke, Grumberg and Hamaguchi (the tableau), and Schuppan and Biere, "Shortest
// counterexamples for symbolic model checking of LTL with past" (TACAS 2005), who saw that it is
// tight. A state is the guess which temporal subformulas hold from here on, a bit for each; a
// transition checks the guess against a letter and the next one. As the truth of a formula without
// past depends on nothing but what is to come, the right guesses repeat when the word does. Guesses
// that something does not hold are checked step by step only: nothing relies on them, in negation
// normal form.
//
// There are up to 2^bits states, none of them is ever stored. Owner: gy_tight_free; the pool is
// borrowed, not changed and must live longer. Any number of threads may use it once it is made.
#ifndef GYRE_LANG_LTL_AUTOMATON_TIGHT_H
#define GYRE_LANG_LTL_AUTOMATON_TIGHT_H

#include "base/vec.h"
#include "lang/ltl/formula/formula.h"

typedef struct gy_tight gy_tight;

typedef struct gy_tight_move {
    uint32_t to;
    uint64_t marks; // acceptance sets
} gy_tight_move;
typedef GY_VEC(gy_tight_move) gy_tight_moves;

// f: in negation normal form, over at most 64 atoms; atoms[v] is the atom of bit v of a letter.
// NULL: more bits or acceptance sets than this.
gy_tight *gy_tight_new(const gy_ltl_pool *pool, gy_ltl f, const uint32_t *atoms,
                       uint32_t atom_count, uint32_t most_bits, uint32_t most_sets);
void gy_tight_free(gy_tight *tight);

uint32_t gy_tight_bits(const gy_tight *tight);
uint32_t gy_tight_sets(const gy_tight *tight);
// The states in which a word of the formula may begin.
const uint32_t *gy_tight_initials(const gy_tight *tight, uint32_t *count);
// Appends the transitions from `state` with a letter.
void gy_tight_step(const gy_tight *tight, uint32_t state, uint64_t letter, gy_tight_moves *out);

#endif
