#include "verify/enum_names.h"

#include "search/engines.h"
#include "store/kinds.h"

const char *gy_verdict_text(gy_verdict verdict)
{
    static const char *const names[] = {"holds", "violated", "inconclusive", "error"};
    return names[verdict];
}

const char *gy_search_text(gy_search_kind kind)
{
    return gy_engine_at(kind)->name;
}

const char *gy_store_text(gy_store_kind kind)
{
    return gy_store_kind_at(kind)->traits.name;
}

const char *gy_fairness_text(gy_fairness fairness)
{
    static const char *const names[] = {"actions", "none", "weak", "strong"};
    return names[fairness];
}

const char *gy_limit_text(gy_completeness why)
{
    switch (why) {
    case GY_LIMIT_MEMORY:
        return "memory";
    case GY_LIMIT_TIME:
        return "time";
    case GY_LIMIT_STATES:
        return "states";
    case GY_LIMIT_CAPACITY:
        return "capacity";
    case GY_LIMIT_DEPTH:
        return "depth";
    case GY_LIMIT_INTERRUPT:
        return "interrupt";
    case GY_LOSSY:
        return "lossy";
    default:
        return NULL;
    }
}

const char *gy_witness_kind(const gy_system *system, const gy_witness *witness)
{
    return witness->error == GY_ERROR_END_STATE ? "invalid-end-state"
                                                : gy_fault_row_of(system, witness->fault)->name;
}

const char *gy_lasso_kind(const gy_property *property)
{
    switch (property->live->lasso->sight) {
    case GY_SEES_END:
        return "claim-end";
    case GY_SEES_VIOLATION:
        return "ltl-violation";
    case GY_SEES_ASSERTION:
        return "assertion";
    case GY_SEES_FAULT:
        return "formula-fault";
    case GY_SEES_NOTHING:
        break;
    }
    return strcmp(property->kind, "progress") == 0 ? "non-progress-cycle" : "acceptance-cycle";
}

const char *gy_lasso_text(const gy_property *property)
{
    switch (property->live->lasso->sight) {
    case GY_SEES_END:
        return "the claim reaches its end";
    case GY_SEES_VIOLATION:
        return "a finite run violates it";
    case GY_SEES_ASSERTION:
        return "an assertion of the claim fails";
    case GY_SEES_FAULT:
        return "the formula cannot be evaluated (as with an uninitialised channel or an index out "
               "of bounds)";
    case GY_SEES_NOTHING:
        break;
    }
    return strcmp(property->kind, "progress") == 0 ? "non-progress cycle" : "accepting cycle";
}
