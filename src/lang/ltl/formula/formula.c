// The pool: one array of nodes, one of operands, and a hash map over the nodes.
//
// Invariant: the operands of a node have smaller indices than the node, so that a loop over
// indices is a bottom-up traversal. Node 0 is false, node 1 is true.
#include "lang/ltl/formula/formula_pool.h"

#include <string.h>

static uint32_t depth_of(const gy_ltl_pool *pool, const gy_ltl *parts, uint32_t count)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++)
        if (pool->nodes.at[parts[i]].depth > depth)
            depth = pool->nodes.at[parts[i]].depth;
    return depth + 1;
}

static uint64_t hash_node(gy_ltl_op op, const gy_ltl *parts, uint32_t count)
{
    uint64_t hash = gy_hash_pair((uint64_t)op, count);
    for (uint32_t i = 0; i < count; i++)
        hash = gy_hash_pair(hash, parts[i]);
    return hash;
}

// For an ATOM, the single "part" is the atom's number.
static gy_ltl intern(gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count)
{
    uint64_t hash = hash_node(op, parts, count);
    for (gy_map_probe p = gy_map_first(&pool->map, hash); p.found; gy_map_next(&pool->map, &p)) {
        const struct ltl_node *node = &pool->nodes.at[p.number];
        if (node->op == op && node->count == count &&
            !memcmp(&pool->parts.at[node->first], parts, count * sizeof *parts))
            return p.number;
    }
    struct ltl_node node = {.op = op, .count = count, .first = (uint32_t)pool->parts.n};
    node.depth = op == GY_LTL_OP_ATOM ? 1 : depth_of(pool, parts, count);
    for (uint32_t i = 0; i < count; i++)
        gy_vec_push(&pool->parts, parts[i]);
    node.traits = ltl_traits_of(pool, op, &pool->parts.at[node.first], count);
    gy_vec_push(&pool->nodes, node);
    gy_map_add(&pool->map, hash, (uint32_t)pool->nodes.n - 1);
    return (gy_ltl)pool->nodes.n - 1;
}

gy_ltl_pool *gy_ltl_pool_new(void)
{
    gy_ltl_pool *pool = gy_alloc_zero(sizeof *pool);
    pool->arena = gy_arena_new();
    struct ltl_node constant = {.op = GY_LTL_OP_CONST, .depth = 1, .traits = LTL_ALL_TRAITS};
    gy_vec_push(&pool->nodes, constant);
    gy_vec_push(&pool->nodes, constant);
    return pool;
}

void gy_ltl_pool_free(gy_ltl_pool *pool)
{
    if (!pool)
        return;
    gy_vec_free(&pool->nodes);
    gy_vec_free(&pool->parts);
    gy_vec_free(&pool->atoms);
    gy_vec_free(&pool->names);
    gy_map_free(&pool->map);
    gy_map_free(&pool->atom_map);
    gy_arena_free(pool->arena);
    free(pool);
}

gy_ltl gy_ltl_atom(gy_ltl_pool *pool, uint32_t atom)
{
    return intern(pool, GY_LTL_OP_ATOM, &atom, 1);
}

gy_ltl gy_ltl_not(gy_ltl_pool *pool, gy_ltl f)
{
    if (f <= GY_LTL_TRUE)
        return GY_LTL_TRUE - f;
    if (pool->nodes.at[f].op == GY_LTL_OP_NOT)
        return gy_ltl_operand(pool, f, 0);
    return intern(pool, GY_LTL_OP_NOT, &f, 1);
}

gy_ltl gy_ltl_unary(gy_ltl_pool *pool, gy_ltl_op op, gy_ltl f)
{
    if (op == GY_LTL_OP_NOT)
        return gy_ltl_not(pool, f);
    if (f <= GY_LTL_TRUE)
        return f;
    if (op != GY_LTL_OP_X && pool->nodes.at[f].op == op)
        return f;
    return intern(pool, op, &f, 1);
}

gy_ltl gy_ltl_binary(gy_ltl_pool *pool, gy_ltl_op op, gy_ltl f, gy_ltl g)
{
    gy_ltl parts[2] = {f, g};
    switch (op) {
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR:
        return gy_ltl_many(pool, op, parts, 2);
    case GY_LTL_OP_IMPLIES:
        if (f == GY_LTL_FALSE || g == GY_LTL_TRUE || f == g)
            return GY_LTL_TRUE;
        if (f == GY_LTL_TRUE)
            return g;
        if (g == GY_LTL_FALSE)
            return gy_ltl_not(pool, f);
        break;
    case GY_LTL_OP_EQUIV:
        if (f == g)
            return GY_LTL_TRUE;
        if (f <= GY_LTL_TRUE)
            return f == GY_LTL_TRUE ? g : gy_ltl_not(pool, g);
        if (g <= GY_LTL_TRUE)
            return g == GY_LTL_TRUE ? f : gy_ltl_not(pool, f);
        break;
    case GY_LTL_OP_U:
    case GY_LTL_OP_W:
        if (g <= GY_LTL_TRUE && (op == GY_LTL_OP_U || g == GY_LTL_TRUE))
            return g;
        if (f == GY_LTL_FALSE || f == g)
            return g;
        if (f == GY_LTL_TRUE)
            return op == GY_LTL_OP_W ? GY_LTL_TRUE : gy_ltl_unary(pool, GY_LTL_OP_F, g);
        if (g == GY_LTL_FALSE)
            return gy_ltl_unary(pool, GY_LTL_OP_G, f);
        break;
    default: // R, M
        if (g <= GY_LTL_TRUE && (op == GY_LTL_OP_R || g == GY_LTL_FALSE))
            return g;
        if (f == GY_LTL_TRUE || f == g)
            return g;
        if (f == GY_LTL_FALSE)
            return op == GY_LTL_OP_M ? GY_LTL_FALSE : gy_ltl_unary(pool, GY_LTL_OP_G, g);
        if (g == GY_LTL_TRUE)
            return gy_ltl_unary(pool, GY_LTL_OP_F, f);
        break;
    }
    return intern(pool, op, parts, 2);
}

static int by_index(const void *a, const void *b)
{
    gy_ltl x = *(const gy_ltl *)a, y = *(const gy_ltl *)b;
    return x < y ? -1 : x > y;
}

gy_ltl gy_ltl_many(gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count)
{
    gy_ltl zero = op == GY_LTL_OP_AND ? GY_LTL_FALSE : GY_LTL_TRUE, one = GY_LTL_TRUE - zero;
    GY_VEC(gy_ltl) all = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct ltl_node *node = &pool->nodes.at[parts[i]];
        if (node->op == op)
            for (uint32_t k = 0; k < node->count; k++)
                gy_vec_push(&all, pool->parts.at[node->first + k]);
        else
            gy_vec_push(&all, parts[i]);
    }
    if (all.n > 1)
        qsort(all.at, all.n, sizeof *all.at, by_index);
    size_t kept = 0;
    gy_ltl result = GY_LTL_TRUE + 1; // none yet
    for (size_t i = 0; i < all.n && result > GY_LTL_TRUE; i++) {
        gy_ltl f = all.at[i];
        if (f == one || (kept && all.at[kept - 1] == f))
            continue;
        if (f == zero)
            result = zero;
        else if (pool->nodes.at[f].op == GY_LTL_OP_NOT) { // its operand has a smaller index
            gy_ltl positive = gy_ltl_operand(pool, f, 0);
            if (bsearch(&positive, all.at, kept, sizeof *all.at, by_index))
                result = zero;
        }
        all.at[kept++] = f;
    }
    if (result > GY_LTL_TRUE)
        result = kept == 0 ? one : kept == 1 ? all.at[0] : intern(pool, op, all.at, (uint32_t)kept);
    gy_vec_free(&all);
    return result;
}

gy_ltl gy_ltl_rebuild(gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count)
{
    if (op == GY_LTL_OP_AND || op == GY_LTL_OP_OR)
        return gy_ltl_many(pool, op, parts, count);
    return count == 1 ? gy_ltl_unary(pool, op, parts[0])
                      : gy_ltl_binary(pool, op, parts[0], parts[1]);
}

gy_ltl_op gy_ltl_operator(const gy_ltl_pool *pool, gy_ltl f)
{
    return pool->nodes.at[f].op;
}

uint32_t gy_ltl_arity(const gy_ltl_pool *pool, gy_ltl f)
{
    return pool->nodes.at[f].op == GY_LTL_OP_ATOM ? 0 : pool->nodes.at[f].count;
}

gy_ltl gy_ltl_operand(const gy_ltl_pool *pool, gy_ltl f, uint32_t i)
{
    return pool->parts.at[pool->nodes.at[f].first + i];
}

uint32_t gy_ltl_atom_index(const gy_ltl_pool *pool, gy_ltl f)
{
    return pool->parts.at[pool->nodes.at[f].first];
}

uint32_t gy_ltl_traits(const gy_ltl_pool *pool, gy_ltl f)
{
    return pool->nodes.at[f].traits;
}

uint32_t gy_ltl_depth(const gy_ltl_pool *pool, gy_ltl f)
{
    return pool->nodes.at[f].depth;
}
