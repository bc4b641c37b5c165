// The report for code scanning: SARIF 2.1.0, a run for each model with a result for each problem.
// What holds is no result: services show every one of them as something to be fixed. A
// counterexample is a code flow: who executed what, step by step.
#include "report/json.h"
#include "report/outcome/json_stream.h"
#include "report/outcome/problems.h"
#include "report/outcome/sarif_rules.h"

#include <string.h>

static json_t *message(const char *text)
{
    return json_pack("{s:o}", "text", gy_json_string(text && *text ? text : "no details"));
}

// A path as a URI: relative ones stay so, what has a meaning in a URI is escaped.
static json_t *uri_of(const char *path)
{
    gy_text uri = {0};
    if (path[0] == '/')
        gy_text_add(&uri, "file://");
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c <= ' ' || c >= 127 || strchr("%?#[]<>\"\\^`{|}", c))
            gy_text_printf(&uri, "%%%02X", c);
        else
            gy_text_char(&uri, (char)c);
    }
    json_t *value = json_string(gy_text_str(&uri));
    gy_text_free(&uri);
    return value;
}

static json_t *location(const char *file, uint32_t line, uint32_t column, const char *text)
{
    json_t *item = json_object();
    if (file) {
        json_t *physical = json_object();
        json_object_set_new(physical, "artifactLocation",
                            json_pack("{s:o}", "uri", uri_of(gy_tidy_path(file))));
        if (line) {
            json_t *region = json_pack("{s:i}", "startLine", (int)line);
            if (column)
                json_object_set_new(region, "startColumn", json_integer(column));
            json_object_set_new(physical, "region", region);
        }
        json_object_set_new(item, "physicalLocation", physical);
    }
    if (text)
        json_object_set_new(item, "message", message(text));
    return item;
}

static json_t *flow_step(const gy_report_step *step)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s: %s", step->actor.process, step->actor.text);
    for (uint32_t i = 0; i < step->change_count; i++) {
        const gy_change *change = &step->changes[i];
        if (change->kind == GY_CHANGE_VALUE || change->kind == GY_CHANGE_CONTENTS)
            gy_text_printf(&text, "%s%s: %s → %s", i ? ", " : "; ", change->name,
                           change->before.text, change->after.text);
    }
    json_t *item = json_pack(
        "{s:o, s:I}", "location",
        location(step->actor.file, step->actor.line, step->actor.column, gy_text_str(&text)),
        "executionOrder", (json_int_t)step->number);
    gy_text_free(&text);
    return item;
}

// Services refuse files with longer flows; then the middle is left out.
enum { FLOW_MOST = 10000, FLOW_HEAD = 1000 };

static void put_flow(gy_json_stream *out, const gy_counterexample *walk)
{
    gy_json_begin(out, "codeFlows", '[');
    gy_json_begin(out, NULL, '{');
    gy_json_begin(out, "threadFlows", '[');
    gy_json_begin(out, NULL, '{');
    gy_json_begin(out, "locations", '[');
    for (uint64_t i = 0; i < walk->step_count; i++) {
        if (i == FLOW_HEAD && walk->step_count > FLOW_MOST)
            i = walk->step_count - (FLOW_MOST - FLOW_HEAD);
        gy_json_put(out, NULL, flow_step(&walk->steps[i]));
    }
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
}

static json_t *region_of(const gy_problem *problem)
{
    return location(problem->file, problem->line ? problem->line : 1,
                    problem->column ? problem->column : 1, NULL);
}

typedef struct results {
    gy_json_stream *out;
    const json_t *rules;
} results;

static void put_problem(void *user, const gy_problem *problem)
{
    const results *r = user;
    gy_json_stream *out = r->out;
    gy_text text = {0};
    int rule = gy_sarif_rule_of(r->rules, problem->code);
    bool open = problem->property && problem->property->verdict == GY_INCONCLUSIVE;
    if (problem->property)
        gy_text_printf(&text, "%s: ", problem->title);
    gy_text_add(&text, problem->walk ? problem->walk->message : problem->message);
    if (problem->hint)
        gy_text_printf(&text, " (%s)", problem->hint);
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "ruleId", json_string(gy_sarif_rule_id(r->rules, rule)));
    gy_json_put(out, "ruleIndex", json_integer(rule));
    gy_json_put(out, "kind", json_string(open ? "open" : "fail"));
    gy_json_put(out, "level", json_string(open ? "none" : problem->severity));
    gy_json_put(out, "message", message(gy_text_str(&text)));
    gy_json_put(out, "locations", json_pack("[o]", region_of(problem)));
    gy_json_put(out, "partialFingerprints",
                json_pack("{s:s}", "primaryLocationLineHash", problem->fingerprint));
    if (problem->walk && problem->walk->step_count)
        put_flow(out, problem->walk);
    gy_json_end(out);
    gy_text_free(&text);
}

static json_t *invocations(const gy_outcome *outcome)
{
    static const int status[] = {
        [GY_HOLDS] = 0, [GY_VIOLATED] = 1, [GY_INCONCLUSIVE] = 3, [GY_BROKEN] = 2};
    return json_pack("[{s:b, s:i}]", "executionSuccessful", outcome->verdict != GY_BROKEN,
                     "exitCode", outcome->internal ? 4 : status[outcome->verdict]);
}

// Uploads tell the runs of several models apart by their category: all before the last slash.
static json_t *automation(const gy_outcome *outcome, const gy_render_options *options)
{
    const char *variant = options->variant && *options->variant ? options->variant : NULL;
    gy_text id = {0};
    gy_text_printf(&id, "gyre/%s%s%s/", gy_tidy_path(outcome->model), variant ? " " : "",
                   variant ? variant : "");
    return json_pack("{s:o}", "id", gy_json_take(&id));
}

// What has been verified, as a viewer may show it: results are what is wrong.
static json_t *verdicts(const gy_outcome *outcome)
{
    json_t *list = json_object();
    for (uint32_t i = 0; i < outcome->property_count; i++)
        json_object_set_new(list, outcome->properties[i].name,
                            json_string(gy_verdict_text(outcome->properties[i].verdict)));
    return json_pack("{s:s, s:o}", "verdict", gy_verdict_text(outcome->verdict), "verdicts", list);
}

static void put_run(gy_json_stream *out, const gy_outcome *outcome,
                    const gy_render_options *options)
{
    json_t *rules = gy_sarif_rules(outcome);
    results r = {out, rules};
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "tool",
                json_pack("{s:{s:s, s:s, s:s, s:o}}", "driver", "name", "Gyre", "version",
                          GY_VERSION, "semanticVersion", GY_VERSION, "rules", json_incref(rules)));
    gy_json_put(out, "automationDetails", automation(outcome, options));
    gy_json_put(out, "columnKind", json_string("utf16CodeUnits"));
    gy_json_put(out, "invocations", invocations(outcome));
    gy_json_put(out, "properties", verdicts(outcome));
    gy_json_begin(out, "results", '[');
    gy_each_problem(outcome, put_problem, &r);
    gy_json_end(out);
    gy_json_end(out);
    json_decref(rules);
}

// A file is {…, "runs": [RUN, …]}.
void gy_render_sarif(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_json_stream out = {.sink = sink};
    if (options->goes_on) {
        gy_json_resume(&out, "{[", true);
    } else {
        gy_json_begin(&out, NULL, '{');
        gy_json_put(&out, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
        gy_json_put(&out, "version", json_string("2.1.0"));
        gy_json_begin(&out, "runs", '[');
    }
    put_run(&out, outcome, options);
    gy_json_end(&out);
    gy_json_end(&out);
    gy_text_char(&sink->text, '\n');
}
