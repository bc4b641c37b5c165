// The report for code scanning: SARIF 2.1.0, one result for each counterexample, diagnostic and
// property that holds. A counterexample is a code flow: who executed what, step by step.
#include "report/json.h"
#include "report/outcome/json_stream.h"

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
        json_object_set_new(physical, "artifactLocation", json_pack("{s:o}", "uri", uri_of(file)));
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

static json_t *flow_step(const gy_told *step)
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

static void put_flow(gy_json_stream *out, const gy_counterexample *walk)
{
    gy_json_begin(out, "codeFlows", '[');
    gy_json_begin(out, NULL, '{');
    gy_json_begin(out, "threadFlows", '[');
    gy_json_begin(out, NULL, '{');
    gy_json_begin(out, "locations", '[');
    for (uint64_t i = 0; i < walk->step_count; i++)
        gy_json_put(out, NULL, flow_step(&walk->steps[i]));
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
    gy_json_end(out);
}

static void put_counterexample(gy_json_stream *out, const gy_outcome *outcome,
                               const gy_property_outcome *property, const gy_counterexample *walk)
{
    const gy_actor *last = walk->step_count ? &walk->steps[walk->step_count - 1].actor : NULL;
    gy_text text = {0};
    gy_text_printf(&text, "%s: %s", property->name, walk->message);
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "ruleId", json_string(walk->kind));
    gy_json_put(out, "level", json_string("error"));
    gy_json_put(out, "message", message(gy_text_str(&text)));
    gy_json_begin(out, "locations", '[');
    gy_json_put(out, NULL,
                last && last->file ? location(last->file, last->line, last->column, NULL)
                                   : location(outcome->model, 0, 0, NULL));
    gy_json_end(out);
    if (walk->step_count)
        put_flow(out, walk);
    gy_json_end(out);
    gy_text_free(&text);
}

// A property without a counterexample: it holds, or nobody knows.
static void put_other(gy_json_stream *out, const gy_outcome *outcome,
                      const gy_property_outcome *property)
{
    gy_text text = {0};
    const char *limit = property->figures ? property->figures->limit_text : NULL;
    const char *why = *property->problem ? property->problem : limit ? limit : "";
    gy_text_printf(&text, "%s: %s%s%s", property->name, gy_verdict_text(property->verdict),
                   *why ? ": " : "", why);
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "ruleId", json_string(property->kind));
    gy_json_put(out, "kind",
                json_string(property->verdict == GY_HOLDS      ? "pass"
                            : property->verdict == GY_VIOLATED ? "fail"
                                                               : "open"));
    gy_json_put(out, "level", json_string(property->verdict == GY_VIOLATED ? "error" : "none"));
    gy_json_put(out, "message", message(gy_text_str(&text)));
    gy_json_begin(out, "locations", '[');
    gy_json_put(out, NULL, location(outcome->model, 0, 0, NULL));
    gy_json_end(out);
    gy_json_end(out);
    gy_text_free(&text);
}

static void put_diagnostic(gy_json_stream *out, const gy_diagnostic *d)
{
    gy_text text = {0};
    gy_text_add(&text, d->message);
    if (d->hint)
        gy_text_printf(&text, " (%s)", d->hint);
    gy_json_begin(out, NULL, '{');
    gy_json_put(out, "ruleId", json_string("model"));
    gy_json_put(out, "level", json_string(d->severity));
    gy_json_put(out, "message", message(gy_text_str(&text)));
    if (d->file) {
        gy_json_begin(out, "locations", '[');
        gy_json_put(out, NULL, location(d->file, d->line, d->column, NULL));
        gy_json_end(out);
    }
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

void gy_render_sarif(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_json_stream out = {.sink = sink};
    (void)options;
    gy_json_begin(&out, NULL, '{');
    gy_json_put(&out, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    gy_json_put(&out, "version", json_string("2.1.0"));
    gy_json_begin(&out, "runs", '[');
    gy_json_begin(&out, NULL, '{');
    gy_json_put(&out, "tool",
                json_pack("{s:{s:s, s:s}}", "driver", "name", "Gyre", "version", GY_VERSION));
    gy_json_put(&out, "columnKind", json_string("utf16CodeUnits"));
    gy_json_put(&out, "invocations", invocations(outcome));
    gy_json_begin(&out, "results", '[');
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        for (uint32_t k = 0; k < property->counterexample_count; k++)
            put_counterexample(&out, outcome, property, &property->counterexamples[k]);
        if (!property->counterexample_count)
            put_other(&out, outcome, property);
    }
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++)
        put_diagnostic(&out, &outcome->diagnostics[i]);
    gy_json_end(&out);
    gy_json_end(&out);
    gy_json_end(&out);
    gy_json_end(&out);
    gy_text_char(&sink->text, '\n');
}
