// What can be read off the shape of a formula, computed once when it is made.
//
// Eventual and universal formulas: Etessami and Holzmann, "Optimizing Büchi automata",
// CONCUR 2000, extended to R, W and M. Safety, guarantee and obligation: the syntactic classes
// of Chang, Manna and Pnueli, "Characterization of temporal property classes", ICALP 1992.
#include "lang/ltl/formula/formula_pool.h"

enum {
    E = GY_LTL_EVENTUAL,
    A = GY_LTL_UNIVERSAL,
    S = GY_LTL_SAFETY,
    C = GY_LTL_GUARANTEE, // "co-safety"
    O = GY_LTL_OBLIGATION,
    BOTH = GY_LTL_NO_NEXT | GY_LTL_NNF, // kept by every operator that does not break it
};

// Negation swaps the dual classes.
static uint32_t negated(uint32_t t)
{
    uint32_t r = t & (GY_LTL_BOOLEAN | GY_LTL_NO_NEXT | O);
    r |= t & E ? A : 0;
    r |= t & A ? E : 0;
    r |= t & S ? C : 0;
    r |= t & C ? S : 0;
    return r;
}

// Operands a, b of U, W, R, M.
static uint32_t binary(gy_ltl_op op, uint32_t a, uint32_t b)
{
    uint32_t both = a & b, r = both & (BOTH | E | A);
    switch (op) {
    case GY_LTL_OP_U:
        r |= both & C;
        r |= b & E;
        if ((a & O) && (b & C))
            r |= O;
        break;
    case GY_LTL_OP_M: // b U (a & b)
        r |= both & C;
        if ((b & O) && (a & C))
            r |= O;
        break;
    case GY_LTL_OP_W:
        r |= both & S;
        if ((b & O) && (a & S))
            r |= O;
        break;
    default: // R: b W (a & b)
        r |= both & S;
        r |= b & A;
        if ((a & O) && (b & S))
            r |= O;
        break;
    }
    return r | (r & (S | C) ? O : 0);
}

uint32_t ltl_traits_of(const gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count)
{
    if (op == GY_LTL_OP_ATOM)
        return GY_LTL_BOOLEAN | GY_LTL_NO_NEXT | S | C | O | GY_LTL_NNF;
    uint32_t a = pool->nodes.at[parts[0]].traits;
    uint32_t b = count > 1 ? pool->nodes.at[parts[1]].traits : 0;
    switch (op) {
    case GY_LTL_OP_NOT:
        return negated(a) |
               (pool->nodes.at[parts[0]].op == GY_LTL_OP_ATOM ? (uint32_t)GY_LTL_NNF : 0u);
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR:
        for (uint32_t i = 1; i < count; i++)
            a &= pool->nodes.at[parts[i]].traits;
        return a;
    case GY_LTL_OP_IMPLIES:
        return negated(a) & b;
    case GY_LTL_OP_EQUIV:
        return negated(a) & b & a & negated(b);
    case GY_LTL_OP_X:
        return a & ~(uint32_t)(GY_LTL_BOOLEAN | GY_LTL_NO_NEXT);
    case GY_LTL_OP_F:
        return (a & (BOTH | A | C)) | E | (a & C ? O : 0);
    case GY_LTL_OP_G:
        return (a & (BOTH | E | S)) | A | (a & S ? O : 0);
    default:
        return binary(op, a, b);
    }
}
