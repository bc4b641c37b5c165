// Taking Boolean functions apart: sums of products, remainders, primes, and copies.
#include "base/numbering.h"
#include "base/vec.h"
#include "lang/ltl/automaton/bdd.h"

#include <string.h>

// ---- a small map from nodes to nodes, for one traversal -----------------------------------

struct node_map {
    gy_numbering keys;
    GY_VEC(gy_bdd) values;
};

// NULL: there is none. Valid until the next map_put.
static gy_bdd *map_find(struct node_map *map, gy_bdd key)
{
    uint32_t number = gy_number_find(&map->keys, key);
    return number == UINT32_MAX ? NULL : &map->values.at[number];
}

static void map_put(struct node_map *map, gy_bdd key, gy_bdd value)
{
    uint32_t number = gy_number(&map->keys, key);
    if (number == map->values.n)
        gy_vec_push(&map->values, value);
    map->values.at[number] = value;
}

static void map_free(struct node_map *map)
{
    gy_numbering_free(&map->keys);
    gy_vec_free(&map->values);
}

// ---- copies -------------------------------------------------------------------------------

static gy_bdd copy(gy_bdds *to, const gy_bdds *from, gy_bdd f, int32_t shift, struct node_map *memo)
{
    if (f <= GY_BDD_TRUE)
        return f;
    const gy_bdd *known = map_find(memo, f);
    if (known)
        return *known;
    gy_bdd low = copy(to, from, gy_bdd_low(from, f), shift, memo);
    gy_bdd high = copy(to, from, gy_bdd_high(from, f), shift, memo);
    gy_bdd made = gy_bdd_node(to, gy_bdd_top(from, f) + (uint32_t)shift, low, high);
    map_put(memo, f, made);
    return made;
}

gy_bdd gy_bdd_copy(gy_bdds *to, const gy_bdds *from, gy_bdd f, int32_t shift)
{
    struct node_map memo = {0};
    gy_bdd made = copy(to, from, f, shift, &memo);
    map_free(&memo);
    return made;
}

// ---- sums of products -----------------------------------------------------------------------

struct cover {
    gy_bdds *bdds;
    gy_cube_taker *take;
    void *context;
};

// Cubes that cover `lower` and stay within `upper`, each joined with `above`; what they cover.
static gy_bdd cover(struct cover *c, gy_bdd lower, gy_bdd upper, gy_cube above)
{
    gy_bdds *bdds = c->bdds;
    if (lower == GY_BDD_FALSE || gy_bdd_exhausted(bdds))
        return GY_BDD_FALSE;
    if (upper == GY_BDD_TRUE) {
        c->take(c->context, above);
        return GY_BDD_TRUE;
    }
    uint32_t l = gy_bdd_top(bdds, lower), u = gy_bdd_top(bdds, upper), var = l < u ? l : u;
    gy_bdd l0 = l == var ? gy_bdd_low(bdds, lower) : lower;
    gy_bdd l1 = l == var ? gy_bdd_high(bdds, lower) : lower;
    gy_bdd u0 = u == var ? gy_bdd_low(bdds, upper) : upper;
    gy_bdd u1 = u == var ? gy_bdd_high(bdds, upper) : upper;
    gy_cube with = above, without = above;
    with.positive |= 1ull << var;
    without.negative |= 1ull << var;
    gy_bdd c0 = cover(c, gy_bdd_minus(bdds, l0, u1), u0, without);
    gy_bdd c1 = cover(c, gy_bdd_minus(bdds, l1, u0), u1, with);
    gy_bdd rest = gy_bdd_or(bdds, gy_bdd_minus(bdds, l0, c0), gy_bdd_minus(bdds, l1, c1));
    gy_bdd both = cover(c, rest, gy_bdd_and(bdds, u0, u1), above);
    return gy_bdd_node(bdds, var, gy_bdd_or(bdds, c0, both), gy_bdd_or(bdds, c1, both));
}

void gy_bdd_cubes(gy_bdds *bdds, gy_bdd f, gy_cube_taker *take, void *context)
{
    struct cover c = {bdds, take, context};
    cover(&c, f, f, (gy_cube){0, 0});
}

// ---- remainders -----------------------------------------------------------------------------

static int by_level(const void *a, const void *b, void *bdds)
{
    gy_bdd x = *(const gy_bdd *)a, y = *(const gy_bdd *)b;
    uint32_t l = gy_bdd_top(bdds, x), m = gy_bdd_top(bdds, y);
    if (l != m)
        return l < m ? -1 : 1;
    return x < y ? -1 : x > y;
}

// Nodes reachable from f through variables below the border, in the order of their levels;
// labels then flow downwards.
void gy_bdd_split(gy_bdds *bdds, gy_bdd f, uint32_t border, gy_bdd_taker *take, void *context)
{
    GY_VEC(gy_bdd) nodes = {0};
    struct node_map label = {0};
    if (f != GY_BDD_FALSE) {
        gy_vec_push(&nodes, f);
        map_put(&label, f, GY_BDD_FALSE);
    }
    for (size_t i = 0; i < nodes.n; i++) {
        if (gy_bdd_top(bdds, nodes.at[i]) >= border)
            continue;
        gy_bdd next[2] = {gy_bdd_low(bdds, nodes.at[i]), gy_bdd_high(bdds, nodes.at[i])};
        for (int k = 0; k < 2; k++)
            if (next[k] != GY_BDD_FALSE && !map_find(&label, next[k])) {
                map_put(&label, next[k], GY_BDD_FALSE);
                gy_vec_push(&nodes, next[k]);
            }
    }
    if (nodes.n)
        map_put(&label, f, GY_BDD_TRUE);
    if (nodes.n > 1)
        qsort_r(nodes.at, nodes.n, sizeof *nodes.at, by_level, bdds);
    for (size_t i = 0; i < nodes.n && !gy_bdd_exhausted(bdds); i++) {
        gy_bdd node = nodes.at[i], here = *map_find(&label, node);
        uint32_t var = gy_bdd_top(bdds, node);
        if (var >= border) {
            take(context, here, node);
            continue;
        }
        gy_bdd next[2] = {gy_bdd_low(bdds, node), gy_bdd_high(bdds, node)};
        for (int k = 0; k < 2; k++) {
            if (next[k] == GY_BDD_FALSE)
                continue;
            gy_bdd way = gy_bdd_and(bdds, here, gy_bdd_literal(bdds, var, k));
            gy_bdd before = *map_find(&label, next[k]);
            map_put(&label, next[k], gy_bdd_or(bdds, before, way));
        }
    }
    gy_vec_free(&nodes);
    map_free(&label);
}

// ---- primes of a monotone function ----------------------------------------------------------

struct primes {
    gy_bdds *bdds;
    uint32_t border;
    gy_primes_taker *take;
    void *context;
    GY_VEC(uint32_t) vars;
};

// The primes of f that do not imply `covered`; both are monotone below the border. Under a
// fixed assignment of the variables after it, f = low or (var and high) with low implying
// high: a prime with var is var and a prime of high that does not imply low. A cube q implies
// a monotone g iff g holds where just the variables of q are true, so "implies g or implies h"
// is "implies (g or h)", and one function is enough to remember.
static void primes(struct primes *p, gy_bdd f, gy_bdd covered)
{
    gy_bdds *bdds = p->bdds;
    if (f == GY_BDD_FALSE || gy_bdd_exhausted(bdds))
        return;
    uint32_t var = gy_bdd_top(bdds, f) < p->border ? gy_bdd_top(bdds, f) : p->border;
    while (gy_bdd_top(bdds, covered) < var) // a variable that no prime of f has: false there
        covered = gy_bdd_low(bdds, covered);
    gy_bdd label = gy_bdd_minus(bdds, f, covered);
    if (label == GY_BDD_FALSE)
        return;
    if (var == p->border) {
        p->take(p->context, p->vars.at, (uint32_t)p->vars.n, label);
        return;
    }
    gy_bdd low = gy_bdd_low(bdds, f), high = gy_bdd_high(bdds, f);
    bool same = gy_bdd_top(bdds, covered) == var;
    gy_bdd c0 = same ? gy_bdd_low(bdds, covered) : covered;
    gy_bdd c1 = same ? gy_bdd_high(bdds, covered) : covered;
    primes(p, low, c0);
    gy_vec_push(&p->vars, var);
    primes(p, high, gy_bdd_or(bdds, low, c1));
    p->vars.n--;
}

void gy_bdd_primes(gy_bdds *bdds, gy_bdd f, uint32_t border, gy_primes_taker *take, void *context)
{
    struct primes p = {.bdds = bdds, .border = border, .take = take, .context = context};
    primes(&p, f, GY_BDD_FALSE);
    gy_vec_free(&p.vars);
}
