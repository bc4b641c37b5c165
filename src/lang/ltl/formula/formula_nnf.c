// Negation normal form, and measures of a formula.
//
// The operands of a node have smaller indices, so each path here is a loop over indices with
// marks, not a recursion; a formula is shared, so `a <-> b <-> c …` stays linear.
#include "lang/ltl/formula/formula_pool.h"

#include <string.h>

// mark[i]: bits of the ways in which node i is wanted; goes down from f.
static uint8_t *wanted(const gy_ltl_pool *pool, gy_ltl f, uint8_t how, bool polarity)
{
    uint8_t *mark = gy_alloc_zero((size_t)f + 1);
    mark[f] = how;
    for (gy_ltl i = f + 1; i-- > 2;) {
        const struct ltl_node *node = &pool->nodes.at[i];
        if (!mark[i] || node->op == GY_LTL_OP_ATOM)
            continue;
        uint8_t same = mark[i], swap = (uint8_t)((mark[i] & 1) << 1 | (mark[i] & 2) >> 1);
        for (uint32_t k = 0; k < node->count; k++) {
            uint8_t down = same;
            if (polarity && node->op == GY_LTL_OP_EQUIV)
                down = 3;
            else if (polarity &&
                     (node->op == GY_LTL_OP_NOT || (node->op == GY_LTL_OP_IMPLIES && k == 0)))
                down = swap;
            mark[pool->parts.at[node->first + k]] |= down;
        }
    }
    return mark;
}

gy_ltl_op gy_ltl_dual(gy_ltl_op op)
{
    switch (op) {
    case GY_LTL_OP_AND:
        return GY_LTL_OP_OR;
    case GY_LTL_OP_OR:
        return GY_LTL_OP_AND;
    case GY_LTL_OP_F:
        return GY_LTL_OP_G;
    case GY_LTL_OP_G:
        return GY_LTL_OP_F;
    case GY_LTL_OP_U:
        return GY_LTL_OP_R;
    case GY_LTL_OP_R:
        return GY_LTL_OP_U;
    case GY_LTL_OP_W:
        return GY_LTL_OP_M;
    case GY_LTL_OP_M:
        return GY_LTL_OP_W;
    default:
        return op;
    }
}

// memo[2 * i + n]: the form of node i (n = 0) or of its negation (n = 1).
static gy_ltl normal(gy_ltl_pool *pool, gy_ltl i, unsigned n, const gy_ltl *memo)
{
    struct ltl_node node = pool->nodes.at[i];
    const gy_ltl *parts = &pool->parts.at[node.first];
    gy_ltl a = node.op == GY_LTL_OP_ATOM ? 0 : parts[0], b = node.count > 1 ? parts[1] : 0;
    switch (node.op) {
    case GY_LTL_OP_ATOM:
        return n ? gy_ltl_not(pool, i) : i;
    case GY_LTL_OP_NOT:
        return memo[2 * a + !n];
    case GY_LTL_OP_IMPLIES:
        return gy_ltl_binary(pool, n ? GY_LTL_OP_AND : GY_LTL_OP_OR, memo[2 * a + !n],
                             memo[2 * b + n]);
    case GY_LTL_OP_EQUIV: {
        gy_ltl one = gy_ltl_binary(pool, GY_LTL_OP_AND, memo[2 * a], memo[2 * b + n]);
        gy_ltl two = gy_ltl_binary(pool, GY_LTL_OP_AND, memo[2 * a + 1], memo[2 * b + !n]);
        return gy_ltl_binary(pool, GY_LTL_OP_OR, one, two);
    }
    default: {
        gy_ltl *made = gy_alloc(node.count * sizeof *made);
        for (uint32_t k = 0; k < node.count; k++)
            made[k] = memo[2 * parts[k] + n];
        gy_ltl result = gy_ltl_rebuild(pool, n ? gy_ltl_dual(node.op) : node.op, made, node.count);
        free(made);
        return result;
    }
    }
}

gy_ltl gy_ltl_nnf(gy_ltl_pool *pool, gy_ltl f, bool negated)
{
    if (f <= GY_LTL_TRUE)
        return negated ? GY_LTL_TRUE - f : f;
    if (!negated && (pool->nodes.at[f].traits & GY_LTL_NNF))
        return f;
    uint8_t *mark = wanted(pool, f, negated ? 2 : 1, true);
    gy_ltl *memo = gy_alloc_zero(2 * ((size_t)f + 1) * sizeof *memo);
    memo[1] = GY_LTL_TRUE;  // !false
    memo[2] = GY_LTL_TRUE;  // true
    memo[3] = GY_LTL_FALSE; // !true
    for (gy_ltl i = 2; i <= f; i++)
        for (unsigned n = 0; n < 2; n++)
            if (mark[i] & (1u << n))
                memo[2 * i + n] = normal(pool, i, n, memo);
    gy_ltl result = memo[2 * f + negated];
    free(mark);
    free(memo);
    return result;
}

uint32_t gy_ltl_distinct(const gy_ltl_pool *pool, gy_ltl f)
{
    uint8_t *mark = wanted(pool, f, 1, false);
    uint32_t count = 0;
    for (gy_ltl i = 0; i <= f; i++)
        count += mark[i];
    free(mark);
    return count;
}

uint32_t gy_ltl_length(const gy_ltl_pool *pool, gy_ltl f)
{
    uint8_t *mark = wanted(pool, f, 1, false);
    uint64_t *length = gy_alloc_zero(((size_t)f + 1) * sizeof *length);
    for (gy_ltl i = 0; i <= f; i++) {
        const struct ltl_node *node = &pool->nodes.at[i];
        length[i] = node->count > 2 ? node->count - 1 : 1; // n operands: n - 1 operators
        if (!mark[i] || node->op == GY_LTL_OP_ATOM || node->op == GY_LTL_OP_CONST)
            continue;
        for (uint32_t k = 0; k < node->count; k++)
            length[i] += length[pool->parts.at[node->first + k]];
        if (length[i] > UINT32_MAX)
            length[i] = UINT32_MAX;
    }
    uint32_t result = (uint32_t)length[f];
    free(mark);
    free(length);
    return result;
}

void gy_ltl_support(const gy_ltl_pool *pool, gy_ltl f, bool *found)
{
    memset(found, 0, pool->atoms.n * sizeof *found);
    uint8_t *mark = wanted(pool, f, 1, false);
    for (gy_ltl i = 2; i <= f; i++)
        if (mark[i] && pool->nodes.at[i].op == GY_LTL_OP_ATOM)
            found[gy_ltl_atom_index(pool, i)] = true;
    free(mark);
}
