#include "lang/ltl/automaton/strong_premises.h"

#include "lang/ltl/automaton/steps.h"

static bool is_boolean(const gy_ltl_pool *pool, gy_ltl f)
{
    return gy_ltl_traits(pool, f) & GY_LTL_BOOLEAN;
}

// Is f `outer inner a` with a condition a?
static bool is_twice(const gy_ltl_pool *pool, gy_ltl f, gy_ltl_op outer, gy_ltl_op inner,
                     gy_ltl *condition)
{
    if (gy_ltl_operator(pool, f) != outer)
        return false;
    gy_ltl part = gy_ltl_operand(pool, f, 0);
    if (gy_ltl_operator(pool, part) != inner)
        return false;
    *condition = gy_ltl_operand(pool, part, 0);
    return is_boolean(pool, *condition);
}

// <>[] a, and []<> b or not: as a pair. FALSE stands for what is missing.
static bool is_pair(const gy_ltl_pool *pool, gy_ltl f, gy_ltl *always, gy_ltl *again)
{
    *always = *again = GY_LTL_FALSE;
    if (is_twice(pool, f, GY_LTL_OP_F, GY_LTL_OP_G, always))
        return true;
    if (gy_ltl_operator(pool, f) != GY_LTL_OP_OR || gy_ltl_arity(pool, f) != 2)
        return false;
    gy_ltl a = gy_ltl_operand(pool, f, 0), b = gy_ltl_operand(pool, f, 1);
    return (is_twice(pool, a, GY_LTL_OP_F, GY_LTL_OP_G, always) &&
            is_twice(pool, b, GY_LTL_OP_G, GY_LTL_OP_F, again)) ||
           (is_twice(pool, b, GY_LTL_OP_F, GY_LTL_OP_G, always) &&
            is_twice(pool, a, GY_LTL_OP_G, GY_LTL_OP_F, again));
}

static gy_bdd label_of(gy_ltl_context *context, gy_ltl f)
{
    const gy_ltl_pool *pool = context->pool;
    gy_bdds *labels = context->labels;
    gy_ltl_op op = gy_ltl_operator(pool, f);
    if (f <= GY_LTL_TRUE)
        return f == GY_LTL_TRUE ? GY_BDD_TRUE : GY_BDD_FALSE;
    if (op == GY_LTL_OP_ATOM) {
        uint32_t variable = ltl_variable(context, gy_ltl_atom_index(pool, f));
        return variable == UINT32_MAX ? GY_BDD_FALSE : gy_bdd_var(labels, variable);
    }
    gy_bdd label = label_of(context, gy_ltl_operand(pool, f, 0));
    if (op == GY_LTL_OP_NOT)
        return gy_bdd_not(labels, label);
    for (uint32_t k = 1; k < gy_ltl_arity(pool, f); k++) {
        gy_bdd part = label_of(context, gy_ltl_operand(pool, f, k));
        label =
            op == GY_LTL_OP_AND ? gy_bdd_and(labels, label, part) : gy_bdd_or(labels, label, part);
    }
    return label;
}

gy_ltl gy_ltl_split_strong(gy_ltl_context *context, gy_ltl f, uint32_t least, uint32_t most,
                           gy_strong_pairs *pairs)
{
    gy_ltl_pool *pool = context->pool;
    gy_ltl always, again;
    uint32_t count = 0, parts = gy_ltl_arity(pool, f);
    if (gy_ltl_operator(pool, f) != GY_LTL_OP_AND)
        return f;
    for (uint32_t k = 0; k < parts; k++)
        count += is_pair(pool, gy_ltl_operand(pool, f, k), &always, &again);
    if (count < least || count > most)
        return f;
    GY_VEC(gy_ltl) rest = {0};
    for (uint32_t k = 0; k < parts; k++) {
        gy_ltl part = gy_ltl_operand(pool, f, k);
        if (is_pair(pool, part, &always, &again)) {
            gy_bdd quiet = label_of(context, always);
            gy_strong_pair pair = {gy_bdd_not(context->labels, quiet), label_of(context, again)};
            gy_vec_push(pairs, pair);
        } else {
            gy_vec_push(&rest, part);
        }
    }
    gy_ltl left =
        rest.n ? gy_ltl_many(pool, GY_LTL_OP_AND, rest.at, (uint32_t)rest.n) : GY_LTL_TRUE;
    gy_vec_free(&rest);
    return left;
}
