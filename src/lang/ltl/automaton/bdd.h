// Boolean functions as reduced ordered binary decision diagrams.
//
// A gy_bdd is an index into its manager; equal functions have equal indices. 0 is false, 1 is
// true. Variables are numbered; a smaller number is nearer to the root. There is no garbage
// collection: a manager lives as long as one construction, and gy_bdd_copy carries what is to
// stay into another manager.
//
// A manager has a limit on its nodes and, if it is given one, a deadline (base/clock.h). Past
// either, gy_bdd_exhausted becomes true for good and every result is meaningless; so a caller
// may compute on and ask once per round. Nothing here aborts. Not thread-safe.
#ifndef GYRE_LANG_LTL_AUTOMATON_BDD_H
#define GYRE_LANG_LTL_AUTOMATON_BDD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t gy_bdd;
typedef struct gy_bdds gy_bdds;

enum { GY_BDD_FALSE = 0, GY_BDD_TRUE = 1 };

gy_bdds *gy_bdds_new(uint32_t max_nodes, double deadline); // deadline 0: none
void gy_bdds_free(gy_bdds *bdds);
bool gy_bdd_exhausted(const gy_bdds *bdds);
uint32_t gy_bdds_size(const gy_bdds *bdds);

gy_bdd gy_bdd_var(gy_bdds *bdds, uint32_t var);
gy_bdd gy_bdd_literal(gy_bdds *bdds, uint32_t var, bool positive);
// if var then high else low; var must be smaller than all variables of both.
gy_bdd gy_bdd_node(gy_bdds *bdds, uint32_t var, gy_bdd low, gy_bdd high);
gy_bdd gy_bdd_and(gy_bdds *bdds, gy_bdd f, gy_bdd g);
gy_bdd gy_bdd_or(gy_bdds *bdds, gy_bdd f, gy_bdd g);
gy_bdd gy_bdd_not(gy_bdds *bdds, gy_bdd f);
gy_bdd gy_bdd_minus(gy_bdds *bdds, gy_bdd f, gy_bdd g); // f and not g
bool gy_bdd_implies(gy_bdds *bdds, gy_bdd f, gy_bdd g);
bool gy_bdd_disjoint(gy_bdds *bdds, gy_bdd f, gy_bdd g);
// The same function in another manager, with `shift` added to each variable.
gy_bdd gy_bdd_copy(gy_bdds *to, const gy_bdds *from, gy_bdd f, int32_t shift);

uint32_t gy_bdd_top(const gy_bdds *bdds, gy_bdd f); // UINT32_MAX for a constant
gy_bdd gy_bdd_low(const gy_bdds *bdds, gy_bdd f);
gy_bdd gy_bdd_high(const gy_bdds *bdds, gy_bdd f);
// The value under an assignment: bit v of `values` is variable v; variables below 64 only.
bool gy_bdd_value(const gy_bdds *bdds, gy_bdd f, uint64_t values);

// A conjunction of literals over variables 0 .. 63.
typedef struct gy_cube {
    uint64_t positive, negative;
} gy_cube;

// An irredundant sum of products of f (variables below 64), handed out one cube at a time.
typedef void gy_cube_taker(void *context, gy_cube cube);
void gy_bdd_cubes(gy_bdds *bdds, gy_bdd f, gy_cube_taker *take, void *context);

// Splits f by the variables below `border`: one call per distinct remainder over the other
// variables, with the function of the variables below `border` that leads to it. The
// remainder false is left out.
typedef void gy_bdd_taker(void *context, gy_bdd label, gy_bdd remainder);
void gy_bdd_split(gy_bdds *bdds, gy_bdd f, uint32_t border, gy_bdd_taker *take, void *context);

// f must be monotone in the variables below `border`. For each assignment of the others, f is
// then a disjunction of prime cubes of positive variables below `border`. One call per cube,
// with its variables in increasing order and the function (label) of the other variables
// under which it is prime.
typedef void gy_primes_taker(void *context, const uint32_t *vars, uint32_t count, gy_bdd label);
void gy_bdd_primes(gy_bdds *bdds, gy_bdd f, uint32_t border, gy_primes_taker *take, void *context);

#endif
