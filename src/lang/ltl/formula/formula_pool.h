// Inside of the pool of formulas: for the files formula*.c only.
#ifndef GYRE_LANG_LTL_FORMULA_FORMULA_POOL_H
#define GYRE_LANG_LTL_FORMULA_FORMULA_POOL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "lang/ltl/formula/formula.h"

enum { LTL_ALL_TRAITS = 255 };

struct ltl_node {
    gy_ltl_op op;
    uint32_t traits, depth;
    uint32_t first, count; // its operands in `parts`; ATOM: the number of the atom
};

struct ltl_atom {
    const char *text, *key; // key: the text without white space
    const char *written;    // the user's own text, or NULL
    gy_atom predicate;      // or 0
    uint64_t hash;          // of the predicate if there is one, else of the key
};

// A formula that is no atom, and the name that the user gave it.
struct ltl_name {
    gy_ltl formula;
    const char *written;
};

struct gy_ltl_pool {
    GY_VEC(struct ltl_node) nodes;
    GY_VEC(gy_ltl) parts;
    GY_VEC(struct ltl_name) names;
    GY_VEC(struct ltl_atom) atoms;
    gy_arena *arena; // texts of atoms
    gy_map map;      // of nodes
    gy_map atom_map; // by ltl_atom.hash
};

// formula_traits.c
uint32_t ltl_traits_of(const gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count);

#endif
