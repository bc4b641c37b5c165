// Formulas of linear temporal logic over numbered atoms, each stored once.
//
// A gy_ltl is an index into its pool; equal formulas have equal indices, so that equality is
// `==` and a memo is an array. 0 is false, 1 is true. Conjunctions and disjunctions have any
// number of operands, sorted by index, without repetition and without nesting; the
// constructors apply the laws that need no thought (constants, idempotence, p & !p) and
// nothing more: simplify.h does the rest.
//
//     F a  eventually     a U b  until (b must come)      a R b  release (spin: V)
//     G a  always         a W b  weak until               a M b  strong release (a must come)
//
// Owner: gy_ltl_pool_new / gy_ltl_pool_free; a formula lives as long as its pool. Not
// thread-safe: one pool, one thread. A formula is at most GY_LTL_MAX_DEPTH operators deep, so
// that recursion over it is safe: gy_ltl_depth must be asked while building from input.
#ifndef GYRE_LANG_LTL_FORMULA_FORMULA_H
#define GYRE_LANG_LTL_FORMULA_FORMULA_H

#include "base/text.h"
#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t gy_ltl;
typedef struct gy_ltl_pool gy_ltl_pool;

enum { GY_LTL_FALSE = 0, GY_LTL_TRUE = 1, GY_LTL_MAX_DEPTH = 4000 };

typedef enum {
    GY_LTL_OP_CONST,
    GY_LTL_OP_ATOM,
    GY_LTL_OP_NOT,
    GY_LTL_OP_AND,
    GY_LTL_OP_OR,
    GY_LTL_OP_IMPLIES,
    GY_LTL_OP_EQUIV,
    GY_LTL_OP_X,
    GY_LTL_OP_F,
    GY_LTL_OP_G,
    GY_LTL_OP_U,
    GY_LTL_OP_R,
    GY_LTL_OP_W,
    GY_LTL_OP_M,
} gy_ltl_op;

// What can be read off the shape of a formula. A bit that is set is certain; one that is not
// set says nothing.
enum {
    GY_LTL_BOOLEAN = 1,   // no temporal operator
    GY_LTL_EVENTUAL = 2,  // f = F f
    GY_LTL_UNIVERSAL = 4, // f = G f
    GY_LTL_NO_NEXT = 8,   // no X: stutter-invariant
    GY_LTL_SAFETY = 16,
    GY_LTL_GUARANTEE = 32,
    GY_LTL_OBLIGATION = 64, // a Boolean combination of the two
    GY_LTL_NNF = 128,       // negation on atoms only, no implication, no equivalence
};

gy_ltl_pool *gy_ltl_pool_new(void);
void gy_ltl_pool_free(gy_ltl_pool *pool);

// ---- atoms ----------------------------------------------------------------------------

// The atom with this text; made if it is new. Texts are compared without their white space.
uint32_t gy_ltl_atom_named(gy_ltl_pool *pool, const char *text);
// The atom of a predicate of a system, which this formula's text names so.
uint32_t gy_ltl_atom_of(gy_ltl_pool *pool, gy_atom predicate, const char *text);
uint32_t gy_ltl_atom_count(const gy_ltl_pool *pool);
const char *gy_ltl_atom_text(const gy_ltl_pool *pool, uint32_t atom);
gy_atom gy_ltl_atom_predicate(const gy_ltl_pool *pool, uint32_t atom); // 0 if named

// ---- building and reading ---------------------------------------------------------------

gy_ltl gy_ltl_atom(gy_ltl_pool *pool, uint32_t atom);
gy_ltl gy_ltl_not(gy_ltl_pool *pool, gy_ltl f);
gy_ltl gy_ltl_unary(gy_ltl_pool *pool, gy_ltl_op op, gy_ltl f); // NOT X F G
gy_ltl gy_ltl_binary(gy_ltl_pool *pool, gy_ltl_op op, gy_ltl f, gy_ltl g);
gy_ltl gy_ltl_many(gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count);
// The same operator over other operands.
gy_ltl gy_ltl_rebuild(gy_ltl_pool *pool, gy_ltl_op op, const gy_ltl *parts, uint32_t count);

gy_ltl_op gy_ltl_operator(const gy_ltl_pool *pool, gy_ltl f);
uint32_t gy_ltl_arity(const gy_ltl_pool *pool, gy_ltl f);
gy_ltl gy_ltl_operand(const gy_ltl_pool *pool, gy_ltl f, uint32_t i);
uint32_t gy_ltl_atom_index(const gy_ltl_pool *pool, gy_ltl f); // of an ATOM
uint32_t gy_ltl_traits(const gy_ltl_pool *pool, gy_ltl f);
uint32_t gy_ltl_depth(const gy_ltl_pool *pool, gy_ltl f);

// Nodes of the tree, capped at UINT32_MAX; of the shared graph.
uint32_t gy_ltl_length(const gy_ltl_pool *pool, gy_ltl f);
uint32_t gy_ltl_distinct(const gy_ltl_pool *pool, gy_ltl f);
// The atoms that occur in f: found[0 .. atom_count-1] set to true.
void gy_ltl_support(const gy_ltl_pool *pool, gy_ltl f, bool *found);

// The operator o with !(a op b) = !a o !b, of those in negation normal form.
gy_ltl_op gy_ltl_dual(gy_ltl_op op);
// Negation normal form of f, or of !f.
gy_ltl gy_ltl_nnf(gy_ltl_pool *pool, gy_ltl f, bool negated);

// From the form in which formulas arrive, over predicates of this model (NULL: of a system without
// one). False: nested too deeply.
bool gy_ltl_from_model(gy_ltl_pool *pool, const gy_model *model, const gy_formula *formula,
                       gy_ltl *out);

// ---- text -------------------------------------------------------------------------------

typedef enum {
    GY_LTL_SPIN,    // [] <> U V W X ! && || -> <->; M and R spelled out with these
    GY_LTL_PLAIN,   // G F U R W M X ! & | -> <->
    GY_LTL_WRITTEN, // as SPIN, with the names that the user gave to atoms
} gy_ltl_style;

void gy_ltl_print(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_style style, gy_text *out);

#endif
