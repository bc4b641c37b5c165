#include "report/verify.h"

const char *gy_verdict_text(gy_verdict verdict)
{
    static const char *const names[] = {"holds", "violated", "inconclusive", "error"};
    return names[verdict];
}

const char *gy_search_text(gy_search_kind kind)
{
    static const char *const names[] = {"bfs", "dfs", "deepening", "random", "best"};
    return names[kind];
}

const char *gy_store_text(gy_store_kind kind)
{
    static const char *const names[] = {"tree", "plain", "compact", "bitstate", "automaton"};
    return names[kind];
}

const char *gy_witness_kind(const gy_witness *witness)
{
    return witness->error == GY_ERROR_END_STATE ? "invalid-end-state"
                                                : gy_fault_name(witness->fault);
}

bool gy_verification_walk(gy_verification *verification, const char **why)
{
    const gy_search_result *result = verification->result;
    if (!result)
        return true;
    verification->paths = gy_alloc_zero((result->witness_count + 1) * sizeof *verification->paths);
    for (uint32_t i = 0; i < result->witness_count; i++) {
        const gy_witness *witness = &result->witnesses[i];
        if (!gy_witness_check(verification->system, witness, verification->options->empty_channels,
                              why))
            return false;
        verification->paths[i] = gy_path_new(verification->system);
        *why = "its steps can't be taken one by one";
        if (!gy_path_run(verification->paths[i], witness->steps, witness->step_count))
            return false;
        if (witness->error == GY_ERROR_FAULT &&
            gy_path_last(verification->paths[i])->fault != witness->fault) {
            *why = "its last step does not fail";
            return false;
        }
    }
    return true;
}

void gy_verification_release(gy_verification *verification)
{
    uint32_t count = verification->result ? verification->result->witness_count : 0;
    for (uint32_t i = 0; verification->paths && i < count; i++)
        gy_path_free(verification->paths[i]);
    free(verification->paths);
    verification->paths = NULL;
    gy_vec_free(&verification->properties);
}

gy_verdict gy_property_verdict(const gy_verification *verification, const gy_property *property)
{
    const gy_search_result *result = verification->result;
    if (!property->checked || !result)
        return GY_INCONCLUSIVE;
    if (result->completeness == GY_FAILED)
        return GY_BROKEN;
    if (result->witness_count > 0 || result->errors > 0)
        return GY_VIOLATED;
    return result->completeness == GY_COMPLETE ? GY_HOLDS : GY_INCONCLUSIVE;
}

gy_verdict gy_verification_verdict(const gy_verification *verification)
{
    gy_verdict verdict = GY_HOLDS;
    for (size_t i = 0; i < verification->properties.n; i++) {
        gy_verdict one = gy_property_verdict(verification, &verification->properties.at[i]);
        if (one == GY_BROKEN || (one == GY_VIOLATED && verdict != GY_BROKEN))
            verdict = one;
        else if (one == GY_INCONCLUSIVE && verdict == GY_HOLDS)
            verdict = one;
    }
    return verdict;
}

void gy_limit_text(const gy_verification *verification, gy_text *out)
{
    const gy_search_options *options = verification->options;
    const gy_search_result *result = verification->result;
    switch (result ? result->completeness : GY_COMPLETE) {
    case GY_LIMIT_MEMORY:
        gy_text_add(out, "the memory limit");
        if (options->memory_limit) {
            gy_text_add(out, " of ");
            gy_text_size(out, options->memory_limit);
        }
        gy_text_add(out, " was reached");
        break;
    case GY_LIMIT_TIME:
        gy_text_add(out, "the time limit of ");
        gy_text_seconds(out, options->time_limit);
        gy_text_add(out, " was reached");
        break;
    case GY_LIMIT_DEPTH:
        gy_text_add(out, "states at the depth limit of ");
        gy_text_count(out, options->depth_limit);
        gy_text_add(out, " were not expanded");
        break;
    case GY_LIMIT_INTERRUPT:
        gy_text_add(out, "interrupted");
        break;
    case GY_LOSSY:
        if (options->search == GY_SEARCH_RANDOM)
            gy_text_add(out, "random walks do not visit every state");
        else
            gy_text_printf(out, "the %s store may have missed states",
                           gy_store_text(options->store));
        break;
    case GY_FAILED:
        gy_text_add(out, result->failure ? result->failure : "the search could not run");
        break;
    default:
        break;
    }
}

void gy_limit_hint(const gy_verification *verification, gy_text *out)
{
    const gy_search_options *options = verification->options;
    const gy_search_result *result = verification->result;
    if (!result || result->completeness != GY_LIMIT_MEMORY)
        return;
    if (options->store == GY_STORE_PLAIN)
        gy_text_add(out, "--store tree keeps the same states in a fraction of the memory");
    else if (options->store == GY_STORE_TREE || options->store == GY_STORE_AUTOMATON)
        gy_text_add(out, "--store compact goes on with a few bytes per state, --store bitstate "
                         "with a few bits (both may miss states)");
    else if (options->store == GY_STORE_COMPACT)
        gy_text_add(out, "--store bitstate goes on with a few bits per state (it may miss more)");
}

void gy_endless_note(const gy_verification *verification, gy_text *out)
{
    const gy_search_result *result = verification->result;
    const gy_model *model = verification->system->model;
    if (!result || !model || result->endless_edge < 0)
        return;
    const gy_edge *edge = &model->edges[result->endless_edge];
    gy_place_info place = gy_place_user(model->sources, edge->place);
    gy_text_printf(out, "%s:%u: the atomic sequence goes round for ever; nothing lies behind it",
                   gy_source_name(model->sources, place.file), place.line);
}
