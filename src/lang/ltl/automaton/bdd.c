// The manager: nodes in one array, a hash map over them, and a direct-mapped cache of
// results. Recursion is as deep as there are variables on a path.
//
// Algorithms: Bryant, "Graph-based algorithms for Boolean function manipulation", IEEE ToC
// 1986; gy_bdd_cubes (bdd_cubes.c): Minato, "Fast generation of irredundant sum-of-products
// forms from binary decision diagrams", 1992.
#include "lang/ltl/automaton/bdd.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"

#include <string.h>

struct bdd_node {
    uint32_t var;
    gy_bdd low, high;
};

struct bdd_entry {
    uint32_t op; // 0: empty
    gy_bdd f, g, result;
};

struct gy_bdds {
    GY_VEC(struct bdd_node) nodes;
    gy_map map; // of nodes
    struct bdd_entry *cache;
    size_t cache_room;
    uint32_t max_nodes, ticks;
    double deadline;
    bool exhausted;
};

enum { OP_AND = 1, OP_OR, OP_MINUS };

gy_bdds *gy_bdds_new(uint32_t max_nodes, double deadline)
{
    gy_bdds *bdds = gy_alloc_zero(sizeof *bdds);
    bdds->max_nodes = max_nodes;
    bdds->deadline = deadline;
    struct bdd_node constant = {UINT32_MAX, 0, 0};
    gy_vec_push(&bdds->nodes, constant);
    gy_vec_push(&bdds->nodes, constant);
    bdds->cache_room = 1024;
    bdds->cache = gy_alloc_zero(bdds->cache_room * sizeof *bdds->cache);
    return bdds;
}

void gy_bdds_free(gy_bdds *bdds)
{
    if (!bdds)
        return;
    gy_vec_free(&bdds->nodes);
    gy_map_free(&bdds->map);
    free(bdds->cache);
    free(bdds);
}

bool gy_bdd_exhausted(const gy_bdds *bdds)
{
    return bdds->exhausted;
}

uint32_t gy_bdds_size(const gy_bdds *bdds)
{
    return (uint32_t)bdds->nodes.n;
}

uint32_t gy_bdd_top(const gy_bdds *bdds, gy_bdd f)
{
    return bdds->nodes.at[f].var;
}

gy_bdd gy_bdd_low(const gy_bdds *bdds, gy_bdd f)
{
    return bdds->nodes.at[f].low;
}

gy_bdd gy_bdd_high(const gy_bdds *bdds, gy_bdd f)
{
    return bdds->nodes.at[f].high;
}

// The cache grows with the nodes, and starts afresh.
static void grow_cache(gy_bdds *bdds)
{
    free(bdds->cache);
    bdds->cache_room *= 2;
    bdds->cache = gy_alloc_zero(bdds->cache_room * sizeof *bdds->cache);
}

gy_bdd gy_bdd_node(gy_bdds *bdds, uint32_t var, gy_bdd low, gy_bdd high)
{
    if (low == high || bdds->exhausted)
        return low;
    uint64_t hash = gy_hash_pair((uint64_t)low << 32 | high, var);
    for (gy_map_probe p = gy_map_first(&bdds->map, hash); p.found; gy_map_next(&bdds->map, &p)) {
        const struct bdd_node *node = &bdds->nodes.at[p.number];
        if (node->var == var && node->low == low && node->high == high)
            return p.number;
    }
    if (bdds->nodes.n >= bdds->max_nodes) {
        bdds->exhausted = true;
        return low;
    }
    struct bdd_node node = {var, low, high};
    uint32_t made = (uint32_t)bdds->nodes.n;
    gy_vec_push(&bdds->nodes, node);
    gy_map_add(&bdds->map, hash, made);
    if (bdds->nodes.n * 2 > bdds->cache_room)
        grow_cache(bdds);
    return made;
}

gy_bdd gy_bdd_literal(gy_bdds *bdds, uint32_t var, bool positive)
{
    return gy_bdd_node(bdds, var, positive ? GY_BDD_FALSE : GY_BDD_TRUE,
                       positive ? GY_BDD_TRUE : GY_BDD_FALSE);
}

gy_bdd gy_bdd_var(gy_bdds *bdds, uint32_t var)
{
    return gy_bdd_literal(bdds, var, true);
}

static void tick(gy_bdds *bdds)
{
    if ((++bdds->ticks & 0xffff) == 0 && gy_deadline_over(bdds->deadline))
        bdds->exhausted = true;
}

// The result if it needs no recursion, else UINT32_MAX.
static gy_bdd trivial(uint32_t op, gy_bdd f, gy_bdd g)
{
    switch (op) {
    case OP_AND:
        if (f == GY_BDD_FALSE || g == GY_BDD_FALSE)
            return GY_BDD_FALSE;
        if (f == GY_BDD_TRUE || f == g)
            return g;
        return g == GY_BDD_TRUE ? f : UINT32_MAX;
    case OP_OR:
        if (f == GY_BDD_TRUE || g == GY_BDD_TRUE)
            return GY_BDD_TRUE;
        if (f == GY_BDD_FALSE || f == g)
            return g;
        return g == GY_BDD_FALSE ? f : UINT32_MAX;
    default:
        if (f == GY_BDD_FALSE || g == GY_BDD_TRUE || f == g)
            return GY_BDD_FALSE;
        return g == GY_BDD_FALSE ? f : UINT32_MAX;
    }
}

static gy_bdd apply(gy_bdds *bdds, uint32_t op, gy_bdd f, gy_bdd g)
{
    gy_bdd result = trivial(op, f, g);
    if (result != UINT32_MAX)
        return result;
    if (bdds->exhausted)
        return GY_BDD_FALSE;
    if (op != OP_MINUS && f > g) {
        gy_bdd swap = f;
        f = g;
        g = swap;
    }
    uint64_t hash = gy_hash_pair((uint64_t)f << 32 | g, op);
    const struct bdd_entry *hit = &bdds->cache[hash & (bdds->cache_room - 1)];
    if (hit->op == op && hit->f == f && hit->g == g)
        return hit->result;
    tick(bdds);
    struct bdd_node x = bdds->nodes.at[f], y = bdds->nodes.at[g];
    uint32_t var = x.var < y.var ? x.var : y.var;
    gy_bdd low = apply(bdds, op, x.var == var ? x.low : f, y.var == var ? y.low : g);
    gy_bdd high = apply(bdds, op, x.var == var ? x.high : f, y.var == var ? y.high : g);
    result = gy_bdd_node(bdds, var, low, high);
    bdds->cache[hash & (bdds->cache_room - 1)] = (struct bdd_entry){op, f, g, result};
    return result;
}

gy_bdd gy_bdd_and(gy_bdds *bdds, gy_bdd f, gy_bdd g)
{
    return apply(bdds, OP_AND, f, g);
}

gy_bdd gy_bdd_or(gy_bdds *bdds, gy_bdd f, gy_bdd g)
{
    return apply(bdds, OP_OR, f, g);
}

gy_bdd gy_bdd_minus(gy_bdds *bdds, gy_bdd f, gy_bdd g)
{
    return apply(bdds, OP_MINUS, f, g);
}

gy_bdd gy_bdd_not(gy_bdds *bdds, gy_bdd f)
{
    return apply(bdds, OP_MINUS, GY_BDD_TRUE, f);
}

bool gy_bdd_implies(gy_bdds *bdds, gy_bdd f, gy_bdd g)
{
    return apply(bdds, OP_MINUS, f, g) == GY_BDD_FALSE;
}

bool gy_bdd_disjoint(gy_bdds *bdds, gy_bdd f, gy_bdd g)
{
    return apply(bdds, OP_AND, f, g) == GY_BDD_FALSE;
}

bool gy_bdd_value(const gy_bdds *bdds, gy_bdd f, uint64_t values)
{
    while (f > GY_BDD_TRUE) {
        const struct bdd_node *node = &bdds->nodes.at[f];
        f = values >> node->var & 1 ? node->high : node->low;
    }
    return f == GY_BDD_TRUE;
}
