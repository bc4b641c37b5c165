// The workshop: limits, the clock, and the numbering of atoms in labels.
#include "base/clock.h"
#include "lang/ltl/automaton/steps.h"

enum { MOST_SECONDS = 60 };

gy_ltl_context *gy_ltl_context_new(gy_ltl_pool *pool, const gy_ltl_limits *limits)
{
    gy_ltl_context *context = gy_alloc_zero(sizeof *context);
    context->pool = pool;
    context->rules = gy_ltl_rules_new(pool);
    if (limits)
        context->limits = *limits;
    if (!context->limits.max_states)
        context->limits.max_states = 100000;
    if (!context->limits.max_nodes)
        context->limits.max_nodes = 20000000;
    if (context->limits.max_seconds <= 0 || context->limits.max_seconds > MOST_SECONDS)
        context->limits.max_seconds = MOST_SECONDS;
    context->labels = gy_bdds_new(context->limits.max_nodes, 0);
    gy_ltl_restart(context, 0);
    return context;
}

void gy_ltl_context_free(gy_ltl_context *context)
{
    if (!context)
        return;
    gy_ltl_rules_free(context->rules);
    gy_bdds_free(context->labels);
    gy_vec_free(&context->atoms);
    free(context);
}

void gy_ltl_restart(gy_ltl_context *context, double seconds)
{
    if (seconds > 0)
        context->limits.max_seconds = seconds < MOST_SECONDS ? seconds : MOST_SECONDS;
    context->failure = GY_LTL_FITS;
    context->deadline = gy_clock() + context->limits.max_seconds;
}

gy_ltl_limit gy_ltl_failure(const gy_ltl_context *context)
{
    return context->failure;
}

void gy_ltl_failure_text(const gy_ltl_context *context, gy_text *out)
{
    gy_text_add(out, "formula too large: ");
    switch (context->failure) {
    case GY_LTL_FITS:
        gy_text_add(out, "no limit was reached");
        break;
    case GY_LTL_TOO_MANY_STATES:
        gy_text_add(out, "its automaton has more than ");
        gy_text_count(out, context->limits.max_states);
        gy_text_add(out, " states, or as many edges as such an automaton");
        break;
    case GY_LTL_TOO_MANY_NODES:
        gy_text_add(out, "its translation needs more than ");
        gy_text_count(out, context->limits.max_nodes);
        gy_text_add(out, " nodes of decision diagrams");
        break;
    case GY_LTL_TOO_MUCH_TIME:
        gy_text_add(out, "its translation takes longer than ");
        gy_text_seconds(out, context->limits.max_seconds);
        break;
    case GY_LTL_TOO_MANY_ATOMS:
        gy_text_printf(out, "it has more than %d different propositions", GY_AUTOMATON_MAX_ATOMS);
        break;
    case GY_LTL_TOO_MANY_SETS:
        gy_text_printf(out, "it has more than %d different eventualities", GY_AUTOMATON_MAX_SETS);
        break;
    }
}

gy_ltl_pool *gy_ltl_context_pool(gy_ltl_context *context)
{
    return context->pool;
}

gy_ltl_rules *gy_ltl_context_rules(gy_ltl_context *context)
{
    return context->rules;
}

gy_bdds *gy_ltl_context_labels(gy_ltl_context *context)
{
    return context->labels;
}

uint32_t gy_ltl_context_atoms(const gy_ltl_context *context)
{
    return (uint32_t)context->atoms.n;
}

uint32_t gy_ltl_context_atom(const gy_ltl_context *context, uint32_t var)
{
    return context->atoms.at[var];
}

void *ltl_fail(gy_ltl_context *context, gy_ltl_limit limit)
{
    if (!context->failure)
        context->failure = limit;
    return NULL;
}

bool ltl_alive(gy_ltl_context *context)
{
    if (!context->failure && gy_bdd_exhausted(context->labels))
        ltl_fail(context, GY_LTL_TOO_MANY_NODES);
    if (!context->failure && gy_clock() > context->deadline)
        ltl_fail(context, GY_LTL_TOO_MUCH_TIME);
    return !context->failure;
}

uint32_t ltl_variable(gy_ltl_context *context, uint32_t atom)
{
    for (uint32_t v = 0; v < context->atoms.n; v++)
        if (context->atoms.at[v] == atom)
            return v;
    if (context->atoms.n == GY_AUTOMATON_MAX_ATOMS) {
        ltl_fail(context, GY_LTL_TOO_MANY_ATOMS);
        return UINT32_MAX;
    }
    gy_vec_push(&context->atoms, atom);
    return (uint32_t)context->atoms.n - 1;
}
