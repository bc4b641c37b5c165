#include "search/findings.h"

#include "base/fatal.h"

#include <stdlib.h>

uint64_t gy_witness_cost(const gy_witness *witness)
{
    uint64_t cost = witness->step_count;
    for (uint64_t i = 0; i < witness->step_count; i++)
        cost += witness->steps[i].partner >= 0;
    return cost;
}

void gy_witness_free(gy_witness *witness)
{
    free(witness->message);
    free(witness->steps);
    *witness = (gy_witness){0};
}

static int shorter_first(const void *a, const void *b)
{
    const gy_witness *x = a, *y = b;
    uint64_t x_cost = gy_witness_cost(x), y_cost = gy_witness_cost(y);
    if (x_cost != y_cost)
        return x_cost < y_cost ? -1 : 1;
    return (x->step_count > y->step_count) - (x->step_count < y->step_count);
}

void gy_witnesses_sort(gy_search_result *result)
{
    if (result->witness_count > 1)
        qsort(result->witnesses, result->witness_count, sizeof *result->witnesses, shorter_first);
}

gy_findings gy_findings_take(gy_search_result *result)
{
    gy_findings taken = {result->witnesses, result->witness_count, result->errors};
    result->witnesses = NULL;
    result->witness_count = 0;
    result->errors = 0;
    return taken;
}

static gy_witness *find_same(gy_search_result *result, const gy_witness *witness)
{
    for (uint32_t i = 0; i < result->witness_count; i++)
        if (result->witnesses[i].error == witness->error &&
            result->witnesses[i].where == witness->where)
            return &result->witnesses[i];
    return NULL;
}

static void add(gy_search_result *result, const gy_witness *witness)
{
    size_t bytes = (result->witness_count + (size_t)1) * sizeof *witness;
    result->witnesses = gy_realloc(result->witnesses, bytes);
    result->witnesses[result->witness_count++] = *witness;
}

void gy_findings_merge(gy_search_result *result, gy_findings found, bool complete, uint64_t most)
{
    for (uint32_t i = 0; i < found.count; i++) {
        gy_witness *old = &found.witnesses[i], *same = find_same(result, old);
        if (same && shorter_first(old, same) < 0) {
            gy_witness longer = *same;
            *same = *old;
            *old = longer;
        }
        if (same || (complete && old->error == GY_ERROR_END_STATE))
            gy_witness_free(old);
        else
            add(result, old);
    }
    free(found.witnesses);
    result->errors = found.errors > result->errors ? found.errors : result->errors;
    gy_witnesses_sort(result);
    while (most && result->witness_count > most)
        gy_witness_free(&result->witnesses[--result->witness_count]);
}
