// Satisfiable, valid, equivalent.
//
// A word of an automaton is a witness; that it is one is checked by the definition of the
// operators (lasso_word.c), so that no error of the translation gets out as a wrong witness.
#include "lang/ltl/automaton/decide.h"

#include "lang/ltl/automaton/steps.h"

// The words of f and not g; g false: of f alone.
static gy_answer find_word(gy_ltl_context *context, gy_ltl f, gy_ltl g, gy_lasso *witness)
{
    gy_ltl both = gy_ltl_binary(context->pool, GY_LTL_OP_AND, f, gy_ltl_not(context->pool, g));
    gy_automaton *a = gy_ltl_translate(context, both);
    if (!a)
        return GY_UNKNOWN;
    gy_lasso lasso = {0};
    bool found = gy_automaton_lasso(a, &lasso);
    gy_automaton_free(a);
    if (found && !gy_lasso_satisfies(context, &lasso, both))
        gy_fatal("the automaton of a formula accepts a word that the formula rejects");
    if (found && witness)
        *witness = lasso;
    else
        gy_lasso_free(&lasso);
    return found ? GY_YES : GY_NO;
}

gy_answer gy_ltl_satisfiable(gy_ltl_context *context, gy_ltl f, gy_lasso *witness)
{
    gy_ltl_pool *pool = context->pool;
    gy_ltl normal = gy_ltl_nnf(pool, f, false);
    gy_answer answer = GY_NO;
    if (gy_ltl_operator(pool, normal) != GY_LTL_OP_OR)
        return find_word(context, f, GY_LTL_FALSE, witness);
    for (uint32_t k = 0; k < gy_ltl_arity(pool, normal) && answer == GY_NO; k++)
        answer = find_word(context, gy_ltl_operand(pool, normal, k), GY_LTL_FALSE, witness);
    return answer;
}

static gy_answer opposite(gy_answer answer)
{
    return answer == GY_UNKNOWN ? GY_UNKNOWN : answer == GY_YES ? GY_NO : GY_YES;
}

gy_answer gy_ltl_valid(gy_ltl_context *context, gy_ltl f, gy_lasso *witness)
{
    return opposite(find_word(context, GY_LTL_TRUE, f, witness));
}

gy_answer gy_ltl_equivalent(gy_ltl_context *context, gy_ltl f, gy_ltl g, gy_lasso *witness)
{
    gy_answer differ = find_word(context, f, g, witness);
    if (differ == GY_NO)
        differ = find_word(context, g, f, witness);
    return opposite(differ);
}
