#include "report/because.h"
#include "report/coverage.h"
#include "report/json.h"
#include "report/reductions.h"
#include "report/verify.h"

static json_t *counterexample_json(const gy_verification *verification, uint32_t i)
{
    const gy_witness *witness = &verification->result->witnesses[i];
    gy_path *path = verification->paths[i];
    gy_choices choices = {0};
    json_t *item = json_object();
    json_object_set_new(item, "kind", json_string(gy_witness_kind(witness)));
    json_object_set_new(item, "message",
                        gy_json_string(witness->error == GY_ERROR_END_STATE ? "invalid end state"
                                                                            : witness->message));
    json_object_set_new(item, "length", json_integer((json_int_t)gy_path_steps(path)));
    json_object_set_new(item, "depth", json_integer((json_int_t)witness->depth));
    json_object_set_new(item, "cycle_start",
                        path->cycle_start < 0 ? json_null() : json_integer(path->cycle_start));
    json_object_set_new(item, "trail",
                        gy_json_string(verification->trails ? verification->trails[i] : NULL));
    json_object_set_new(item, "steps", gy_story_json(path));
    gy_path_choices(path, &choices);
    json_object_set_new(item, "final",
                        gy_ending_json(path, &choices, verification->options->empty_channels));
    gy_choices_free(&choices);
    return item;
}

static json_t *lasso_json(const gy_verification *verification, const gy_property *property)
{
    const gy_lasso_witness *lasso = property->live->lasso;
    gy_path *path = property->path;
    gy_choices choices = {0};
    gy_text message = {0};
    json_t *item = json_object();
    gy_property_problem(verification, property, &message);
    json_object_set_new(item, "kind", json_string(gy_lasso_kind(property)));
    json_object_set_new(item, "message", gy_json_string(gy_text_str(&message)));
    json_object_set_new(item, "length", json_integer((json_int_t)gy_path_steps(path)));
    json_object_set_new(item, "depth", json_integer((json_int_t)lasso->turn_count));
    json_object_set_new(item, "cycle_start",
                        path->cycle_start < 0 ? json_null() : json_integer(path->cycle_start));
    json_object_set_new(item, "trail", gy_json_string(property->trail));
    if (strcmp(property->kind, "ltl") == 0) {
        json_object_set_new(item, "claim", gy_json_string(property->claim));
        gy_text_clear(&message);
        gy_because_text(property, &message);
        json_object_set_new(item, "explanation", gy_json_string(gy_text_str(&message)));
        json_object_set_new(item, "reasons", gy_because_json(property));
    }
    if (verification->options->shortest_lasso) {
        json_object_set_new(item, "cost", json_integer((json_int_t)lasso->cost));
        json_object_set_new(item, "shortest", json_boolean(property->live->proved_shortest));
    }
    json_object_set_new(item, "steps", gy_story_json(path));
    gy_path_choices(path, &choices);
    json_object_set_new(item, "final",
                        gy_ending_json(path, &choices, verification->options->empty_channels));
    gy_choices_free(&choices);
    gy_text_free(&message);
    return item;
}

static json_t *property_json(const gy_verification *verification, const gy_property *property)
{
    bool safety = gy_property_is_safety(property);
    const gy_search_result *result = property->live ? property->live->figures
                                     : safety       ? verification->result
                                                    : NULL;
    gy_verdict verdict = gy_property_verdict(verification, property);
    json_t *item = json_object();
    json_object_set_new(item, "name", gy_json_string(property->name));
    json_object_set_new(item, "kind", json_string(property->kind));
    json_object_set_new(item, "verdict", json_string(gy_verdict_text(verdict)));
    json_object_set_new(item, "checked", json_boolean(property->checked));
    json_object_set_new(item, "states", json_integer(result ? (json_int_t)result->states : 0));
    json_object_set_new(item, "transitions",
                        json_integer(result ? (json_int_t)result->transitions : 0));
    json_object_set_new(item, "depth", json_integer(result ? (json_int_t)result->depth : 0));
    if (!safety) {
        json_object_set_new(item, "fairness",
                            json_string(gy_fairness_text(verification->fairness)));
        if (property->live)
            json_object_set_new(item, "cycles",
                                json_string(property->live->nested ? "nested" : "components"));
        json_object_set_new(item, "fair_statements",
                            json_integer((json_int_t)gy_fair_statements(verification)));
        json_object_set_new(
            item, "vacuous",
            json_boolean(property->vacuity != GY_NOT_VACUOUS || property->unmet.n > 0));
        if (strcmp(property->kind, "ltl") == 0) {
            json_t *unmet = json_array();
            for (size_t i = 0; i < property->unmet.n; i++)
                json_array_append_new(unmet, gy_json_string(property->unmet.at[i]));
            json_object_set_new(item, "unmet_premises", unmet);
        }
        if (property->live && property->live->lasso)
            json_object_set_new(item, "counterexample", lasso_json(verification, property));
    } else if (result && result->witness_count > 0) {
        json_object_set_new(item, "counterexample", counterexample_json(verification, 0));
        if (verification->all_errors) {
            json_t *list = json_array();
            for (uint32_t i = 0; i < result->witness_count; i++)
                json_array_append_new(list, counterexample_json(verification, i));
            json_object_set_new(item, "counterexamples", list);
            json_object_set_new(item, "errors", json_integer((json_int_t)result->errors));
        }
    }
    return item;
}

static const char *limit_name(const gy_search_result *result)
{
    switch (result->completeness) {
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

static json_t *stats_json(const gy_verification *verification)
{
    const gy_search_result *result = gy_verification_figures(verification);
    const gy_search_options *options = verification->options;
    double rate = result->seconds > 0 ? (double)result->states / result->seconds : 0;
    json_t *item = json_object();
    json_object_set_new(item, "seconds", json_real(result->seconds));
    json_object_set_new(item, "memory_bytes", json_integer((json_int_t)result->memory));
    json_object_set_new(item, "bytes_per_state", json_real(result->bytes_per_state));
    json_object_set_new(item, "states_per_second", json_real(rate));
    json_object_set_new(item, "threads", json_integer(result->threads));
    json_object_set_new(item, "backend", gy_json_string(verification->backend));
    json_object_set_new(item, "store",
                        json_string(gy_store_text(gy_verification_store(verification))));
    json_object_set_new(item, "search", json_string(gy_search_text(options->search)));
    gy_reductions_json(&verification->saved, result, item);
    json_object_set_new(item, "limit", gy_json_string(limit_name(result)));
    if (options->store == GY_STORE_COMPACT)
        json_object_set_new(item, "omission_probability", json_real(result->omission_probability));
    if (options->store == GY_STORE_BITSTATE) {
        json_object_set_new(item, "coverage", json_real(result->coverage));
        json_object_set_new(item, "fill", json_real(result->fill));
    }
    return item;
}

json_t *gy_verification_json(const gy_verification *verification)
{
    const gy_search_result *result = verification->result;
    const gy_model *model = verification->system->model;
    gy_verdict verdict = gy_verification_verdict(verification);
    json_t *report = json_object(), *properties = json_array();
    json_t *diagnostics = gy_json_diagnostics(verification->diags);
    json_object_set_new(report, "verdict", json_string(gy_verdict_text(verdict)));
    json_object_set_new(report, "model", gy_json_string(verification->system->name));
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        json_array_append_new(properties, property_json(verification, property));
        gy_text text = {0}, vacuous = {0};
        if (gy_property_verdict(verification, property) == GY_INCONCLUSIVE &&
            !gy_property_is_safety(property)) {
            gy_text_printf(&text, "%s property `%s` is not decided: ", property->kind,
                           property->name);
            gy_property_problem(verification, property, &text);
            gy_json_add_diagnostic(diagnostics, "note", gy_text_str(&text));
        }
        gy_text_clear(&text);
        gy_vacuity_text(property, &vacuous);
        if (vacuous.n > 0) {
            gy_text_printf(&text, "%s property `%s` is %s", property->kind, property->name,
                           gy_text_str(&vacuous));
            gy_json_add_diagnostic(diagnostics, "warning", gy_text_str(&text));
        }
        gy_text_free(&text);
        gy_text_free(&vacuous);
    }
    json_object_set_new(report, "properties", properties);
    if (gy_verification_figures(verification))
        json_object_set_new(report, "stats", stats_json(verification));
    if (result && model && result->reached_edges && result->edge_count == model->edge_count) {
        gy_coverage coverage;
        gy_coverage_find(&coverage, model, result->reached_edges);
        json_object_set_new(report, "coverage", gy_coverage_json(&coverage, model));
        gy_coverage_free(&coverage);
    }
    gy_text limit = {0};
    gy_limit_text(verification, &limit);
    if (limit.n > 0)
        gy_json_add_diagnostic(diagnostics, verdict == GY_BROKEN ? "error" : "note",
                               gy_text_str(&limit));
    gy_text_clear(&limit);
    gy_limit_hint(verification, &limit);
    if (limit.n > 0)
        gy_json_add_diagnostic(diagnostics, "note", gy_text_str(&limit));
    gy_text_clear(&limit);
    gy_endless_note(verification, &limit);
    if (limit.n > 0)
        gy_json_add_diagnostic(diagnostics, "warning", gy_text_str(&limit));
    gy_text_free(&limit);
    json_object_set_new(report, "diagnostics", diagnostics);
    return report;
}
