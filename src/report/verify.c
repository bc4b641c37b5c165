#include "report/verify.h"

#include "report/because.h"

const char *gy_verdict_text(gy_verdict verdict)
{
    static const char *const names[] = {"holds", "violated", "inconclusive", "error"};
    return names[verdict];
}

const char *gy_search_text(gy_search_kind kind)
{
    static const char *const names[] = {"bfs", "dfs", "deepening", "random", "best", "cartesian"};
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

bool gy_property_is_safety(const gy_property *property)
{
    return strcmp(property->kind, "safety") == 0;
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

const char *gy_fairness_text(gy_fairness fairness)
{
    static const char *const names[] = {"actions", "none", "weak", "strong"};
    return names[fairness];
}

uint32_t gy_fair_statements(const gy_verification *verification)
{
    const gy_model *model = verification->system->model;
    return verification->fairness == GY_FAIRNESS_NONE || !model ? 0 : model->fair_action_count;
}

void gy_fairness_assumed(const gy_verification *verification, gy_text *out)
{
    uint32_t statements = gy_fair_statements(verification);
    const char *plural = statements == 1 ? "" : "s";
    if (verification->fairness == GY_FAIRNESS_ACTIONS) {
        gy_text_printf(out, "fairness of %u labelled statement%s assumed", statements, plural);
        return;
    }
    gy_text_printf(out, "%s fairness assumed", gy_fairness_text(verification->fairness));
    if (statements)
        gy_text_printf(out, ", and of %u labelled statement%s", statements, plural);
}

void gy_vacuity_text(const gy_property *property, gy_text *out)
{
    if (property->vacuity == GY_ALWAYS_TRUE)
        gy_text_add(out, "vacuous: it holds whatever the model does");
    else if (property->vacuity == GY_NEVER_TRUE)
        gy_text_add(out, "vacuous: it can't hold, whatever the model does");
    for (size_t i = 0; i < property->unmet.n; i++)
        gy_text_printf(out, "%s`%s`", i == 0 ? "vacuous: its premise is never met: " : ", ",
                       property->unmet.at[i]);
}

const gy_search_result *gy_verification_figures(const gy_verification *verification)
{
    if (verification->result)
        return verification->result;
    for (size_t i = 0; i < verification->properties.n; i++)
        if (verification->properties.at[i].live)
            return verification->properties.at[i].live->figures;
    return NULL;
}

gy_store_kind gy_verification_store(const gy_verification *verification)
{
    for (size_t i = 0; i < verification->properties.n && !verification->result; i++)
        if (verification->properties.at[i].live)
            return verification->properties.at[i].live->store;
    return verification->options->store;
}

static bool closes(const gy_path *path, uint64_t start, uint64_t round, const char **why)
{
    const gy_moment *begin = &path->moments.at[start];
    for (uint64_t i = 1; i <= 2; i++) {
        const gy_moment *end = &path->moments.at[start + i * round];
        *why = "its cycle does not close";
        if (end->words != begin->words ||
            (end->words && memcmp(end->state, begin->state, end->words * sizeof *end->state)))
            return false;
    }
    return true;
}

// Does the last turn before the cycle do what the last one of the cycle does, in the same state?
static bool can_fold(const gy_lasso_witness *lasso, const gy_path *path)
{
    if (lasso->cycle_turn == 0)
        return false;
    const gy_turn *a = &lasso->turns[lasso->cycle_turn - 1];
    const gy_turn *b = &lasso->turns[lasso->turn_count - 1];
    if (a->ordinal != b->ordinal || a->step_count != b->step_count)
        return false;
    const gy_moment *before_a = &path->moments.at[lasso->cycle_start - a->step_count];
    const gy_moment *before_b = &path->moments.at[lasso->step_count - b->step_count];
    return before_a->words == before_b->words &&
           memcmp(before_a->state, before_b->state, before_a->words * sizeof *before_a->state) == 0;
}

// Observers often enter a cycle later than the system does. The same infinite run, told with a
// shorter stem: the cycle begins earlier and ends earlier. (The observer's states no longer close
// it; nobody looks at them any more, but in the trail of a never claim.)
static void fold(gy_lasso_witness *lasso, gy_path *path)
{
    while (can_fold(lasso, path)) {
        uint64_t steps = lasso->turns[--lasso->turn_count].step_count;
        lasso->cycle_turn--;
        lasso->cycle_start -= steps;
        for (; steps > 0; steps--) {
            lasso->cost -= 1 + (lasso->steps[--lasso->step_count].partner >= 0);
            gy_path_undo(path);
        }
    }
    path->cycle_start = (int64_t)lasso->cycle_start;
}

// A lasso as a path: first judged by the search's own walk, twice round the cycle, then taken
// statement by statement in the exact system, twice round as well; kept is once. In the exact
// system the cycle leads back to where it begins but for variables that the reductions have found
// not to matter (a counter that nobody reads goes on counting).
static bool walk_lasso(gy_verification *verification, gy_property *property, const char **why)
{
    gy_lasso_witness *lasso = property->live->lasso;
    if (!gy_lasso_check(verification->searched, property->observer, verification->fairness, lasso,
                        why))
        return false;
    uint64_t round = lasso->step_count - lasso->cycle_start;
    if (lasso->sight != GY_SEES_NOTHING)
        round = 0;
    gy_step *twice = gy_alloc((lasso->step_count + round + 1) * sizeof *twice);
    if (lasso->step_count)
        memcpy(twice, lasso->steps, lasso->step_count * sizeof *twice);
    if (round)
        memcpy(twice + lasso->step_count, lasso->steps + lasso->cycle_start, round * sizeof *twice);
    gy_path *path = property->path = gy_path_new(verification->system);
    bool good = gy_path_run(path, twice, lasso->step_count + round);
    free(twice);
    *why = "its steps can't be taken one by one";
    if (!good)
        return false;
    if (lasso->sight != GY_SEES_NOTHING)
        return true;
    if (verification->system == verification->searched &&
        !closes(path, lasso->cycle_start, round, why))
        return false;
    for (uint64_t i = 0; i < round; i++)
        gy_path_undo(path);
    path->cycle_start = (int64_t)lasso->cycle_start;
    if (strcmp(property->kind, "never") != 0)
        fold(lasso, path);
    return true;
}

bool gy_verification_walk(gy_verification *verification, const char **why)
{
    for (size_t i = 0; i < verification->properties.n; i++) {
        gy_property *property = &verification->properties.at[i];
        if (!property->live || !property->live->lasso)
            continue;
        if (!walk_lasso(verification, property, why))
            return false;
        gy_because_find(property);
    }
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
    for (size_t i = 0; i < verification->properties.n; i++) {
        gy_property *property = &verification->properties.at[i];
        gy_path_free(property->path);
        gy_product_result_free(property->live);
        gy_observer_free(property->observer);
        free(property->problem);
        free(property->trail);
        free(property->claim);
        gy_reasons_free(&property->reasons);
        for (size_t k = 0; k < property->unmet.n; k++)
            free(property->unmet.at[k]);
        gy_vec_free(&property->unmet);
    }
    gy_vec_free(&verification->properties);
    gy_vec_free(&verification->formulas);
}

gy_verdict gy_property_verdict(const gy_verification *verification, const gy_property *property)
{
    const gy_search_result *result = verification->result;
    if (property->live) {
        if (property->live->lasso || property->live->figures->error_met)
            return GY_VIOLATED;
        return property->live->figures->completeness == GY_COMPLETE ? GY_HOLDS : GY_INCONCLUSIVE;
    }
    if (!property->checked || !result || !gy_property_is_safety(property))
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

static void limit_of(const gy_verification *verification, const gy_search_result *result,
                     gy_text *out)
{
    const gy_search_options *options = verification->options;
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
    case GY_LIMIT_STATES:
        gy_text_add(out, "the limit of ");
        gy_text_count(out, options->state_limit);
        gy_text_add(out, " states was reached");
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
    case GY_LIMIT_CAPACITY:
    case GY_FAILED:
        gy_text_add(out, result->failure ? result->failure : "the search could not run");
        break;
    default:
        return;
    }
    if (result->error_met && !result->witness_count)
        gy_text_add(out, " while looking for the way to an error that was met");
}

void gy_limit_text(const gy_verification *verification, gy_text *out)
{
    limit_of(verification, verification->result, out);
}

void gy_property_problem(const gy_verification *verification, const gy_property *property,
                         gy_text *out)
{
    if (property->problem) {
        gy_text_add(out, property->problem);
    } else if (!property->live) {
        if (!property->checked)
            gy_text_add(out, "not checked");
    } else if (!property->live->lasso) {
        limit_of(verification, property->live->figures, out);
    } else {
        switch (property->live->lasso->sight) {
        case GY_SEES_END:
            gy_text_add(out, "the claim reaches its end");
            break;
        case GY_SEES_VIOLATION:
            gy_text_add(out, "the formula is violated");
            break;
        case GY_SEES_ASSERTION:
            gy_text_add(out, "an assertion of the claim is violated");
            break;
        case GY_SEES_FAULT:
            gy_text_add(out, "the formula can't be evaluated (as with an uninitialised channel or "
                             "an index out of bounds)");
            break;
        case GY_SEES_NOTHING:
            gy_text_add(out, strcmp(property->kind, "progress") == 0 ? "a cycle without progress"
                                                                     : "an acceptance cycle");
            break;
        }
        if (property->live->lasso->sight != GY_SEES_NOTHING)
            return;
        if (verification->fairness == GY_FAIRNESS_ACTIONS)
            gy_text_add(out, ", fair");
        else if (verification->fairness != GY_FAIRNESS_NONE)
            gy_text_printf(out, ", %sly fair", gy_fairness_text(verification->fairness));
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
