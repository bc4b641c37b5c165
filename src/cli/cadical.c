#include "cli/cadical.h"

#include <stddef.h>

#ifdef GYRE_CADICAL
#include <ccadical.h>

// Variables are false first: few events make a short counterexample.
static void *begin(void)
{
    CCaDiCaL *solver = ccadical_init();
    ccadical_set_option(solver, "phase", 0);
    ccadical_set_option(solver, "quiet", 1);
    return solver;
}

static void add(void *solver, int literal)
{
    ccadical_add(solver, literal);
}

static int solve(void *solver, int (*leave)(void *user), void *user)
{
    ccadical_set_terminate(solver, user, leave);
    return ccadical_solve(solver);
}

static int value(void *solver, int variable)
{
    return ccadical_val(solver, variable);
}

static void end(void *solver)
{
    ccadical_release(solver);
}

const gy_sat *gy_cadical(void)
{
    static const gy_sat cadical = {"CaDiCaL", begin, add, solve, value, end};
    return &cadical;
}
#else
const gy_sat *gy_cadical(void)
{
    return NULL;
}
#endif
