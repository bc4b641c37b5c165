// The report for programs. docs/json.md lists every name; names once published do not change.
#include "report/outcome/json_stream.h"

#include "report/json.h"
#include "report/outcome/outcome_text.h"
#include "report/steps/ending.h"
#include "report/steps/shown_step.h"

static json_t *count_json(uint64_t number)
{
    return json_integer((json_int_t)number);
}

static json_t *strings_json(const char *const *list, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, gy_json_string(list[i]));
    return array;
}

// ---- counterexamples ------------------------------------------------------------------

static json_t *because_json(const gy_counterexample *walk)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < walk->because_count; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "part", gy_json_string(walk->because[i].part));
        json_object_set_new(item, "kind", json_string(walk->because[i].kind));
        json_object_set_new(item, "step", count_json(walk->because[i].step));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *unfair_json(const gy_unfair *unfair)
{
    bool known = unfair->verdict != GY_INCONCLUSIVE;
    json_t *item = json_object();
    json_object_set_new(item, "processes", strings_json(unfair->processes, unfair->process_count));
    json_object_set_new(item, "always", json_boolean(unfair->always));
    json_object_set_new(item, "fairness", json_string(unfair->fairness));
    json_object_set_new(item, "verdict",
                        known ? json_string(gy_verdict_text(unfair->verdict)) : json_null());
    return item;
}

static json_t *stuck_json(const gy_counterexample *walk)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < walk->stuck_count; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "process", gy_json_string(walk->stuck[i].process));
        json_object_set_new(item, "pid", json_integer(walk->stuck[i].pid));
        json_object_set_new(item, "waits", gy_json_string(walk->stuck[i].waits));
        json_object_set_new(item, "reason", gy_json_string(walk->stuck[i].reason));
        json_array_append_new(list, item);
    }
    return list;
}

static void put_counterexample(gy_json_stream *out, const char *key, const gy_outcome *outcome,
                               const gy_property_outcome *property, uint32_t number)
{
    const gy_counterexample *walk = &property->counterexamples[number];
    gy_json_begin(out, key, '{');
    gy_json_put(out, "kind", json_string(walk->kind));
    gy_json_put(out, "message", gy_json_string(walk->message));
    gy_json_put(out, "length", count_json(walk->length));
    gy_json_put(out, "depth", count_json(walk->depth));
    if (gy_outcome_is_safety(property))
        gy_json_put(out, "shortest", json_boolean(walk->shortest));
    if (walk->effort_spent)
        gy_json_put(out, "effort_spent", json_true());
    if (walk->first_length)
        gy_json_put(out, "first_length", count_json(walk->first_length));
    gy_json_put(out, "cycle_start",
                walk->cycle_start < 0 ? json_null() : json_integer(walk->cycle_start));
    gy_json_put(out, "trail", gy_json_string(walk->trail));
    if (strcmp(property->kind, "ltl") == 0) {
        gy_json_put(out, "claim", gy_json_string(walk->claim));
        gy_json_put(out, "explanation", gy_json_string(walk->explanation));
        gy_json_put(out, "reasons", because_json(walk));
    }
    if (walk->unfair)
        gy_json_put(out, "unfair", unfair_json(walk->unfair));
    if (walk->stuck_count) {
        gy_json_put(out, "explanation", gy_json_string(walk->explanation));
        gy_json_put(out, "stuck", stuck_json(walk));
    }
    if (outcome->wants_shortest && !gy_outcome_is_safety(property)) {
        gy_json_put(out, "cost", count_json(walk->cost));
        gy_json_put(out, "shortest", json_boolean(walk->shortest_lasso));
    }
    gy_json_put(out, "switches", count_json(walk->switches));
    if (walk->switches_found >= 0) {
        gy_json_put(out, "switches_found", json_integer(walk->switches_found));
        gy_json_put(out, "fewest_switches", json_boolean(walk->fewest_switches));
        gy_json_put(out, "not_simplified", gy_json_string(walk->not_simplified));
    }
    if (walk->cut)
        gy_json_put(out, "cut", gy_json_string(walk->cut));
    gy_json_put(out, "initial", gy_state_json(&walk->initial));
    gy_json_begin(out, "steps", '[');
    for (uint64_t i = 0; i < walk->step_count; i++)
        gy_json_put(out, NULL, gy_step_json(&walk->steps[i]));
    gy_json_end(out);
    gy_json_put(out, "final", gy_ending_json(&walk->final));
    gy_json_end(out);
}

static void put_counterexamples(gy_json_stream *out, const gy_outcome *outcome,
                                const gy_property_outcome *property)
{
    if (property->counterexample_count == 0)
        return;
    put_counterexample(out, "counterexample", outcome, property, 0);
    if (!outcome->all_errors || !gy_outcome_is_safety(property))
        return;
    gy_json_begin(out, "counterexamples", '[');
    for (uint32_t i = 0; i < property->counterexample_count; i++)
        put_counterexample(out, NULL, outcome, property, i);
    gy_json_end(out);
    gy_json_put(out, "errors", count_json(property->errors));
    gy_json_put(out, "left_out", count_json(property->left_out));
}

// ---- properties -----------------------------------------------------------------------

// Why the verdict is not `holds`: a code, and a sentence.
static void put_reason(gy_json_stream *out, const gy_property_outcome *property)
{
    const gy_figures *figures = property->figures;
    const char *code = NULL, *text = property->problem;
    if (property->counterexample_count > 0)
        code = property->counterexamples[0].kind;
    else if (property->verdict == GY_VIOLATED)
        code = "error";
    else if (property->verdict != GY_HOLDS)
        code = !property->checked          ? "not-checked"
               : figures && figures->limit ? figures->limit
                                           : "not-searched";
    if (code && !*text && figures)
        text = figures->limit_text;
    if (code)
        gy_json_put(out, "reason",
                    json_pack("{s:s, s:o}", "code", code, "text", gy_json_string(text)));
    else
        gy_json_put(out, "reason", json_null());
}

static void put_property(gy_json_stream *out, const gy_outcome *outcome,
                         const gy_property_outcome *property)
{
    const gy_figures *figures = property->figures;
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "name", gy_json_string(property->name));
    gy_json_put(out, "kind", json_string(property->kind));
    if (property->formula)
        gy_json_put(out, "formula", gy_json_string(property->formula));
    gy_json_put(out, "verdict", json_string(gy_verdict_text(property->verdict)));
    put_reason(out, property);
    if (property->expected) {
        gy_json_put(out, "expected", json_string(property->expected));
        gy_json_put(out, "as_expected",
                    json_boolean(!strcmp(property->expected, gy_verdict_text(property->verdict))));
    }
    gy_json_put(out, "checked", json_boolean(property->checked));
    gy_json_put(out, "seconds", json_real(figures ? figures->seconds : 0));
    gy_json_put(out, "states", count_json(figures ? figures->states : 0));
    gy_json_put(out, "transitions", count_json(figures ? figures->transitions : 0));
    gy_json_put(out, "depth", count_json(figures ? figures->depth : 0));
    gy_json_put(out, "depth_unit", figures ? json_string(figures->depth_unit) : json_null());
    if (!gy_outcome_is_safety(property)) {
        gy_json_put(out, "fairness", json_string(property->fair ? outcome->fairness : "none"));
        if (property->cycles)
            gy_json_put(out, "cycles", json_string(property->cycles));
        if (property->together)
            gy_json_put(out, "together", count_json(property->together));
        gy_json_put(out, "fair_statements",
                    count_json(property->fair ? outcome->fair_statements : 0));
        if (property->predicate_class)
            gy_json_put(out, "predicate",
                        json_pack("{s:s, s:I, s:s}", "class", property->predicate_class, "parts",
                                  (json_int_t)property->predicate_parts, "method",
                                  property->predicate_method));
        gy_json_put(out, "vacuous", json_boolean(property->vacuous));
        if (strcmp(property->kind, "ltl") == 0)
            gy_json_put(out, "unmet_premises",
                        strings_json(property->unmet, property->unmet_count));
    }
    put_counterexamples(out, outcome, property);
    gy_json_end(out);
}

// ---- figures --------------------------------------------------------------------------

static void put_reductions(gy_json_stream *out, const gy_outcome *outcome)
{
    json_t *names = json_array(), *reduced = json_object();
    for (uint32_t i = 0; i < outcome->reduction_count; i++) {
        const gy_reduction_use *use = &outcome->reductions[i];
        json_t *figures = json_object();
        for (uint32_t f = 0; f < use->figure_count; f++)
            json_object_set_new(figures, use->figures[f].key, count_json(use->figures[f].value));
        if (strcmp(use->key, "partial-order") == 0)
            json_object_set_new(figures, "checked",
                                json_boolean(outcome->figures->reduction_checked));
        json_array_append_new(names, json_string(use->key));
        json_object_set_new(reduced, use->key, figures);
    }
    gy_json_put(out, "reductions", names);
    gy_json_put(out, "reduced", reduced);
}

static json_t *hunters_json(const gy_figures *figures)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < figures->hunter_count; i++) {
        const gy_hunt_stats *hunter = &figures->hunters[i];
        json_t *object = json_pack("{s:s}", "strategy", hunter->strategy);
        json_object_set_new(object, "heuristic", gy_json_string(hunter->heuristic));
        json_object_set_new(object, "moves", count_json(hunter->moves));
        json_object_set_new(object, "states", count_json(hunter->states));
        json_object_set_new(object, "depth", count_json(hunter->depth));
        json_object_set_new(object, "runs", count_json(hunter->runs));
        json_object_set_new(object, "errors", count_json(hunter->errors));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *ranks_json(const gy_figures *figures)
{
    double moves = figures->transitions ? (double)figures->transitions : 1;
    json_t *object = json_object();
    json_object_set_new(object, "count", json_integer(figures->ranks));
    json_object_set_new(object, "states_fewest", count_json(figures->rank_fewest));
    json_object_set_new(object, "states_most", count_json(figures->rank_most));
    json_object_set_new(object, "sent_states", count_json(figures->sent_states));
    json_object_set_new(object, "sent_bytes", count_json(figures->sent_bytes));
    json_object_set_new(object, "sent_messages", count_json(figures->sent_batches));
    json_object_set_new(object, "bytes_per_transition",
                        json_real((double)figures->sent_bytes / moves));
    return object;
}

static json_t *disk_json(const gy_figures *figures)
{
    json_t *object = json_object();
    json_object_set_new(object, "states", count_json(figures->disk_states));
    json_object_set_new(object, "bytes", count_json(figures->disk_bytes));
    json_object_set_new(object, "written_bytes", count_json(figures->disk_written));
    json_object_set_new(object, "read_bytes", count_json(figures->disk_read));
    json_object_set_new(object, "emptied", count_json(figures->disk_emptied));
    return object;
}

static json_t *swarm_json(const gy_swarm_stats *swarm)
{
    json_t *object = json_object();
    json_object_set_new(object, "guide", gy_json_string(swarm->guide));
    json_object_set_new(object, "why", gy_json_string(swarm->why));
    json_object_set_new(object, "traces", gy_json_string(swarm->traces));
    json_object_set_new(object, "parts", json_integer(swarm->parts));
    json_object_set_new(object, "levels", json_integer(swarm->levels));
    json_object_set_new(object, "stages", count_json(swarm->stages));
    json_object_set_new(object, "divided_parts", count_json(swarm->divided));
    json_object_set_new(object, "jobs", count_json(swarm->jobs));
    json_object_set_new(object, "failed", count_json(swarm->failed));
    json_object_set_new(object, "split", count_json(swarm->split));
    json_object_set_new(object, "pruned", count_json(swarm->pruned));
    json_object_set_new(object, "visited", count_json(swarm->visited));
    json_object_set_new(object, "exact", json_boolean(swarm->exact));
    json_object_set_new(object, "redundancy", json_real(swarm->redundancy));
    json_object_set_new(object, "settled", json_real(swarm->settled));
    json_object_set_new(object, "largest_job_states", count_json(swarm->largest));
    json_object_set_new(object, "largest_job_bytes", count_json(swarm->largest_memory));
    json_object_set_new(object, "longest_job_seconds", json_real(swarm->longest));
    json_object_set_new(object, "error_job",
                        swarm->error_met ? count_json(swarm->error_job) : json_null());
    json_object_set_new(object, "error_jobs_asked", count_json(swarm->error_asked));
    json_object_set_new(object, "folder", gy_json_string(swarm->folder));
    json_object_set_new(object, "note", gy_json_string(swarm->note));
    return object;
}

static void put_stats(gy_json_stream *out, const gy_outcome *outcome)
{
    const gy_figures *figures = outcome->figures;
    double rate = figures->seconds > 0 ? (double)figures->states / figures->seconds : 0;
    gy_json_begin(out, "stats", '{');
    gy_json_put(out, "seconds", json_real(outcome->seconds));
    gy_json_put(out, "search_seconds", json_real(figures->seconds));
    gy_json_put(out, "memory_bytes", count_json(outcome->memory));
    gy_json_put(out, "search_memory_bytes", count_json(figures->memory));
    gy_json_put(out, "bytes_per_state", json_real(figures->bytes_per_state));
    gy_json_put(out, "states_per_second", json_real(rate));
    gy_json_put(out, "threads", json_integer(figures->threads));
    gy_json_put(out, "backend", gy_json_string(outcome->backend));
    gy_json_put(out, "store", json_string(figures->store));
    gy_json_put(out, "search", json_string(figures->search));
    put_reductions(out, outcome);
    gy_json_put(out, "limit", gy_json_string(figures->limit));
    if (figures->hunter_count)
        gy_json_put(out, "hunt", hunters_json(figures));
    if (figures->ranks)
        gy_json_put(out, "ranks", ranks_json(figures));
    if (figures->disk_emptied)
        gy_json_put(out, "disk", disk_json(figures));
    if (figures->swarm)
        gy_json_put(out, "swarm", swarm_json(figures->swarm));
    if (figures->guarantee)
        gy_json_put(out, "guarantee",
                    json_pack("{s:f, s:s}", "probability", figures->guarantee_chance, "text",
                              figures->guarantee));
    if (figures->tells_omission)
        gy_json_put(out, "omission_probability", json_real(figures->omission_probability));
    if (figures->tells_coverage) {
        gy_json_put(out, "coverage", json_real(figures->coverage));
        gy_json_put(out, "fill", json_real(figures->fill));
    }
    gy_json_end(out);
}

static void put_coverage(gy_json_stream *out, const gy_outcome *outcome)
{
    gy_json_begin(out, "coverage", '{');
    gy_json_put(out, "statements", count_json(outcome->statements));
    gy_json_put(out, "reached", count_json(outcome->reached));
    if (outcome->least_coverage >= 0) {
        gy_json_put(out, "least", json_real(outcome->least_coverage));
        gy_json_put(out, "enough", json_boolean(outcome->covered));
    }
    gy_json_begin(out, "unreached", '[');
    for (uint32_t i = 0; i < outcome->unreached_count; i++) {
        const gy_unreached *statement = &outcome->unreached[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "process", gy_json_string(statement->type));
        json_object_set_new(entry, "file", gy_json_string(statement->file));
        json_object_set_new(entry, "line", json_integer(statement->line));
        if (statement->column)
            json_object_set_new(entry, "column", json_integer(statement->column));
        json_object_set_new(entry, "text", gy_json_string(statement->text));
        gy_json_put(out, NULL, entry);
    }
    gy_json_end(out);
    gy_json_end(out);
}

static void put_plan(gy_json_stream *out, const gy_outcome *outcome)
{
    gy_json_begin(out, "plan", '[');
    for (uint32_t i = 0; i < outcome->plan_count; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "what", json_string(outcome->plan[i].what));
        json_object_set_new(item, "choice", gy_json_string(outcome->plan[i].choice));
        json_object_set_new(item, "reason", gy_json_string(outcome->plan[i].reason));
        gy_json_put(out, NULL, item);
    }
    gy_json_end(out);
}

static void put_diagnostics(gy_json_stream *out, const gy_diagnostic *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const gy_diagnostic *diagnostic = &list[i];
        json_t *item = json_object();
        json_object_set_new(item, "severity", json_string(diagnostic->severity));
        if (diagnostic->code)
            json_object_set_new(item, "code", json_string(diagnostic->code));
        if (diagnostic->file) {
            json_object_set_new(item, "file", gy_json_string(diagnostic->file));
            json_object_set_new(item, "line", json_integer(diagnostic->line));
            json_object_set_new(item, "column", json_integer(diagnostic->column));
        }
        if (diagnostic->file && diagnostic->end_line) {
            json_object_set_new(item, "end_line", json_integer(diagnostic->end_line));
            json_object_set_new(item, "end_column", json_integer(diagnostic->end_column));
        }
        json_object_set_new(item, "message", gy_json_string(diagnostic->message));
        if (diagnostic->hint)
            json_object_set_new(item, "hint", gy_json_string(diagnostic->hint));
        gy_json_put(out, NULL, item);
    }
}

void gy_render_json(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_json_stream stream = {.sink = sink}, *out = &stream;
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "gyre", json_string(GY_VERSION));
    gy_json_put(out, "schema", json_integer(GY_JSON_SCHEMA));
    gy_json_put(out, "report", json_string("verification"));
    gy_json_put(out, "verdict", json_string(gy_verdict_text(outcome->verdict)));
    gy_json_put(out, "model", gy_json_string(outcome->model));
    if (outcome->has_expectations)
        gy_json_put(out, "as_expected", json_boolean(!*outcome->unexpected));
    gy_json_begin(out, "properties", '[');
    for (uint32_t i = 0; i < outcome->property_count; i++)
        put_property(out, outcome, &outcome->properties[i]);
    gy_json_end(out);
    if (outcome->figures)
        put_stats(out, outcome);
    if (outcome->has_coverage)
        put_coverage(out, outcome);
    if (options->verbose)
        put_plan(out, outcome);
    gy_json_begin(out, "diagnostics", '[');
    put_diagnostics(out, outcome->diagnostics, outcome->diagnostic_count);
    put_diagnostics(out, outcome->notes, outcome->note_count);
    gy_json_end(out);
    gy_json_end(out);
    gy_text_char(&sink->text, '\n');
}
