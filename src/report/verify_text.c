#include "report/because.h"
#include "report/coverage.h"
#include "report/reductions.h"
#include "report/verify.h"

static const char *verdict_colour(gy_verdict verdict, const gy_style *style)
{
    return verdict == GY_HOLDS          ? style->good
           : verdict == GY_INCONCLUSIVE ? style->unsure
                                        : style->bad;
}

static size_t count_verdicts(const gy_verification *verification, gy_verdict verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        n += !gy_property_is_safety(property) &&
             gy_property_verdict(verification, property) == verdict;
    }
    return n;
}

// What was shown to be absent, in words that match what was checked.
static void say_absent(const gy_search_options *options, const char *none, gy_text *out)
{
    const char *parts[3];
    size_t n = 0;
    if (options->check_faults && options->check_assertions)
        parts[n++] = "assertion violation";
    if (options->check_end_states)
        parts[n++] = "invalid end state";
    if (options->check_faults)
        parts[n++] = "run-time error";
    if (n == 0)
        gy_text_add(out, "nothing was to be checked");
    for (size_t i = 0; i < n; i++)
        gy_text_printf(out, "%s%s %s", i == 0 ? "" : i + 1 < n ? ", " : " and ", none, parts[i]);
}

static void say_witness(const gy_witness *witness, gy_text *out)
{
    if (witness->error == GY_ERROR_END_STATE)
        gy_text_add(out, "invalid end state (no process can move)");
    else
        gy_text_add(out, witness->message && *witness->message ? witness->message
                                                               : gy_fault_name(witness->fault));
}

// "acceptance", "ltl property `p`"
static void say_name(const gy_property *property, gy_text *out)
{
    if (strcmp(property->name, property->kind) == 0)
        gy_text_add(out, property->name);
    else
        gy_text_printf(out, "%s `%s`", property->kind, property->name);
}

static void say_first_violated(const gy_verification *verification, gy_text *out)
{
    size_t violated = count_verdicts(verification, GY_VIOLATED);
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        if (gy_property_is_safety(property) ||
            gy_property_verdict(verification, property) != GY_VIOLATED)
            continue;
        say_name(property, out);
        gy_text_add(out, ": ");
        gy_property_problem(verification, property, out);
        break;
    }
    if (violated > 1)
        gy_text_printf(out, ", and %zu more propert%s violated", violated - 1,
                       violated == 2 ? "y" : "ies");
}

static void say_others(const gy_verification *verification, bool first, gy_text *out)
{
    size_t holding = count_verdicts(verification, GY_HOLDS);
    size_t open = count_verdicts(verification, GY_INCONCLUSIVE);
    if (holding) {
        gy_text_printf(out, "%s%zu propert%s", first ? "" : ", ", holding,
                       holding == 1 ? "y holds" : "ies hold");
        first = false;
    }
    if (open)
        gy_text_printf(out, "%s%zu propert%s not decided", first ? "" : ", but ", open,
                       open == 1 ? "y was" : "ies were");
}

static void say_verdict(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    gy_verdict verdict = gy_verification_verdict(verification);
    const gy_search_result *result = verification->result;
    gy_text_printf(out, "%s%s%s: %s%s%s: ", style->strong, verification->system->name, style->off,
                   verdict_colour(verdict, style), gy_verdict_text(verdict), style->off);
    gy_text limit = {0}, hint = {0};
    gy_limit_text(verification, &limit);
    gy_limit_hint(verification, &hint);
    if (verdict == GY_VIOLATED && !(result && result->errors > 0)) {
        say_first_violated(verification, out);
    } else if (verdict == GY_VIOLATED) {
        if (result->witness_count > 0)
            say_witness(&result->witnesses[0], out);
        else
            gy_text_add(out, "there is an error");
        if (result->witness_count > 1)
            gy_text_printf(out, ", and %u more error%s", result->witness_count - 1,
                           result->witness_count > 2 ? "s" : "");
        if (limit.n > 0)
            gy_text_printf(out, " (%s)", gy_text_str(&limit));
    } else if (!result) {
        if (verification->properties.n == 0)
            gy_text_add(out, "nothing was to be checked");
        say_others(verification, true, out);
    } else if (limit.n > 0) {
        gy_text_add(out, gy_text_str(&limit));
        if (!result->error_met)
            gy_text_add(out, "; no error was found up to there");
    } else {
        say_absent(verification->options, "no", out);
        say_others(verification, false, out);
    }
    gy_text_char(out, '\n');
    if (hint.n > 0)
        gy_text_printf(out, "hint: %s\n", gy_text_str(&hint));
    gy_text_clear(&hint);
    gy_endless_note(verification, &hint);
    if (hint.n > 0)
        gy_text_printf(out, "warning: %s\n", gy_text_str(&hint));
    gy_text_free(&limit);
    gy_text_free(&hint);
}

static void say_properties(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    size_t width = 0;
    if (verification->properties.n < 2 &&
        (verification->properties.n == 0 || gy_property_is_safety(&verification->properties.at[0])))
        return;
    for (size_t i = 0; i < verification->properties.n; i++) {
        size_t n = gy_columns(verification->properties.at[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        gy_verdict verdict = gy_property_verdict(verification, property);
        gy_text_add(out, "  ");
        gy_pad(out, property->name, width + 2);
        gy_pad(out, strcmp(property->kind, property->name) == 0 ? "" : property->kind, 12);
        gy_text_printf(out, "%s%s%s", verdict_colour(verdict, style), gy_verdict_text(verdict),
                       style->off);
        gy_text problem = {0};
        if (!gy_property_is_safety(property))
            gy_property_problem(verification, property, &problem);
        if (problem.n > 0)
            gy_text_printf(out, ": %s", gy_text_str(&problem));
        gy_text_clear(&problem);
        gy_vacuity_text(property, &problem);
        if (problem.n > 0)
            gy_text_printf(out, " (%s)", gy_text_str(&problem));
        gy_text_free(&problem);
        if (property->live) {
            gy_text_printf(out, "%s; ", style->faint);
            gy_text_count(out, property->live->figures->states);
            gy_text_add(out, property->live->figures->states == 1 ? " state, " : " states, ");
            gy_text_count(out, property->live->figures->transitions);
            gy_text_add(out, property->live->figures->transitions == 1 ? " transition, "
                                                                       : " transitions, ");
            gy_text_seconds(out, property->live->figures->seconds);
            if (verification->fairness != GY_FAIRNESS_NONE) {
                gy_text_add(out, "; ");
                gy_fairness_assumed(verification, out);
            }
            if (property->live->figures->reduced)
                gy_text_add(out, "; reduced by partial order");
            else if (verification->verbose && property->live->figures->not_reduced)
                gy_text_printf(out, "; no partial-order reduction: %s",
                               property->live->figures->not_reduced);
            gy_text_add(out, style->off);
        }
        gy_text_char(out, '\n');
    }
}

// The search counts an atomic sequence as one step.
static void say_shortest(const gy_verification *verification, const gy_witness *witness,
                         gy_text *out)
{
    if (!verification->shortest || !witness->shortest)
        return;
    gy_text_add(out, " (no shorter one exists");
    if (witness->depth < witness->step_count)
        gy_text_add(out, ", an atomic sequence counted as one step");
    gy_text_char(out, ')');
}

static void say_counterexamples(const gy_verification *verification, const gy_style *style,
                                gy_text *out)
{
    const gy_search_result *result = verification->result;
    for (uint32_t i = 0; result && i < result->witness_count; i++) {
        gy_path *path = verification->paths[i];
        uint64_t steps = gy_path_steps(path);
        gy_story_options options = {
            .show = {.steps = true, .changes = true, .prints = true, .full = verification->full},
            .style = *style,
            .empty_channels = verification->options->empty_channels,
        };
        gy_text_printf(out, "\n%sCounterexample", style->strong);
        if (result->witness_count > 1)
            gy_text_printf(out, " %u of %u", i + 1, result->witness_count);
        gy_text_printf(out, "%s: ", style->off);
        if (result->witness_count > 1) {
            say_witness(&result->witnesses[i], out);
            gy_text_add(out, "; ");
        }
        gy_text_count(out, steps);
        gy_text_add(out, steps == 1 ? " step" : " steps");
        if (i == 0)
            say_shortest(verification, &result->witnesses[i], out);
        gy_text_char(out, '\n');
        gy_story_text(path, &options, out);
        if (verification->trails && verification->trails[i])
            gy_text_printf(out, "\ntrail written to %s\n", verification->trails[i]);
    }
}

static void say_lassos(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        if (!property->live || !property->live->lasso)
            continue;
        gy_path *path = property->path;
        uint64_t steps = gy_path_steps(path);
        gy_story_options options = {
            .show = {.steps = true, .changes = true, .prints = true, .full = verification->full},
            .style = *style,
            .empty_channels = verification->options->empty_channels,
        };
        gy_text_printf(out, "\n%sCounterexample%s to ", style->strong, style->off);
        say_name(property, out);
        gy_text_add(out, ": ");
        gy_property_problem(verification, property, out);
        gy_text_add(out, "; ");
        if (path->cycle_start >= 0) {
            gy_text_count(out, (unsigned long long)path->cycle_start);
            gy_text_printf(out, " step%s, then ", path->cycle_start == 1 ? "" : "s");
            steps -= (uint64_t)path->cycle_start;
            if (steps == 0) {
                gy_text_add(out, "the system has stopped and its last state lasts for ever");
            } else {
                gy_text_count(out, steps);
                gy_text_printf(out, " that repeat%s for ever", steps == 1 ? "s" : "");
            }
        } else {
            gy_text_count(out, steps);
            gy_text_add(out, steps == 1 ? " step" : " steps");
        }
        if (property->live->proved_shortest)
            gy_text_add(out, " (no shorter one in the product with the property)");
        gy_text_char(out, '\n');
        if (property->reasons.n > 0) {
            gy_text_add(out, "because ");
            gy_because_text(property, out);
            gy_text_char(out, '\n');
        }
        gy_story_text(path, &options, out);
        if (property->trail)
            gy_text_printf(out, "\ntrail written to %s%s%s\n", property->trail,
                           property->claim ? ", the claim that goes with it to " : "",
                           property->claim ? property->claim : "");
    }
}

static void say_rate(double rate, gy_text *out)
{
    if (rate >= 1e6)
        gy_text_printf(out, "%.1f million", rate / 1e6);
    else
        gy_text_count(out, (unsigned long long)rate);
    gy_text_add(out, " states/s");
}

static void say_figures(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    const gy_search_result *result = verification->result;
    const gy_search_options *options = verification->options;
    gy_text_char(out, '\n');
    gy_text_count(out, result->states);
    gy_text_add(out, result->states == 1 ? " state, " : " states, ");
    gy_text_count(out, result->transitions);
    gy_text_add(out, result->transitions == 1 ? " transition" : " transitions");
    if (result->depth || result->states <= 1) { // else it is not known
        gy_text_add(out, ", depth ");
        gy_text_count(out, result->depth);
    }
    gy_text_add(out, "; ");
    gy_text_seconds(out, result->seconds);
    if (result->seconds >= 0.005) {
        gy_text_add(out, ", ");
        say_rate((double)result->states / result->seconds, out);
    }
    gy_text_add(out, "; ");
    gy_text_size(out, result->memory);
    if (result->bytes_per_state > 0)
        gy_text_printf(out, ", %.1f bytes per state", result->bytes_per_state);
    gy_text_printf(out, "\n%ssearch %s, store %s, backend %s, %u thread%s, ", style->faint,
                   gy_search_text(options->search), gy_store_text(options->store),
                   verification->backend, result->threads, result->threads == 1 ? "" : "s");
    gy_reductions_text(&verification->saved, result, out);
    gy_text_printf(out, "%s\n", style->off);
    if (options->store == GY_STORE_COMPACT && result->omission_probability > 0)
        gy_text_printf(out, "probability of having missed a state: %.2g\n",
                       result->omission_probability);
    if (options->store == GY_STORE_BITSTATE)
        gy_text_printf(out, "expected coverage %.4g%% of the states, %.3g%% of the bits set\n",
                       result->coverage * 100, result->fill * 100);
    if (verification->verbose && result->not_reduced)
        gy_text_printf(out, "no partial-order reduction: %s\n", result->not_reduced);
    if (verification->verbose && result->not_symmetric)
        gy_text_printf(out, "no symmetry: %s\n", result->not_symmetric);
    if (verification->verbose) {
        gy_text_count(out, result->states);
        gy_text_add(out, " transitions led to new states, ");
        gy_text_count(out, result->matched);
        gy_text_add(out, " to known ones; ");
        gy_text_count(out, result->errors);
        gy_text_printf(out, " error%s met, %u kept\n", result->errors == 1 ? "" : "s",
                       result->witness_count);
    }
}

static void say_coverage(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    const gy_search_result *result = verification->result;
    const gy_model *model = verification->system->model;
    gy_coverage coverage;
    if (!model || !result->reached_edges || result->edge_count != model->edge_count)
        return;
    bool whole = result->completeness == GY_COMPLETE;
    if (!whole && !verification->unreached)
        return;
    gy_coverage_find(&coverage, model, result->reached_edges);
    gy_text_printf(out, "%u of %u statements reached", coverage.reached, coverage.statements);
    if (coverage.statements > 0) // rounded down: 100% means all
        gy_text_printf(out, " (%u%%)", (unsigned)(coverage.reached * 100ull / coverage.statements));
    if (!whole)
        gy_text_add(out, " before the search ended");
    if (coverage.unreached.n > 0 && !verification->unreached)
        gy_text_add(out, "; --unreached lists the others");
    gy_text_char(out, '\n');
    if (verification->unreached)
        gy_coverage_text(&coverage, model, style, out);
    gy_coverage_free(&coverage);
}

void gy_verification_text(const gy_verification *verification, const gy_style *style, gy_text *out)
{
    say_verdict(verification, style, out);
    if (verification->quiet)
        return;
    say_properties(verification, style, out);
    say_lassos(verification, style, out);
    if (!verification->result)
        return;
    say_counterexamples(verification, style, out);
    say_figures(verification, style, out);
    say_coverage(verification, style, out);
}
