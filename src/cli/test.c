// gyre test PATH...: models that say in comments what is expected of them.
//
//     gyre: expect violated                       of the whole
//     gyre: expect NAME violated                  of one property
//     gyre: with -D FIXED expect holds            another run, with options
//
// stands anywhere in a model, in a comment of its language. A model that says nothing is expected
// to hold, and so is a property of which nothing is said, unless something is said of the whole. A
// path is a file, or a directory, of which all models are taken, those in directories below it too.
#include "base/clock.h"
#include "base/file.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "cli/expectations.h"
#include "cli/github.h"
#include "cli/report_write.h"
#include "cli/watchdog.h"
#include "load/front_ends.h"
#include "report/json.h"
#include "report/render.h"
#include "report/xml.h"
#include "verify/request.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tests {
    const gy_arguments *arguments;
    gy_style style;
    gy_text xml;  // test cases, for --junit
    json_t *json; // the same for --json, else NULL
    uint64_t passed, failed;
    gy_report_writer reports; // --sarif
    bool failed_to_write;
} tests;

// ---- runs -----------------------------------------------------------------------------------

static const char *verdict_of(const gy_outcome *outcome, const char *property)
{
    if (!property)
        return gy_verdict_text(outcome->verdict);
    for (uint32_t i = 0; i < outcome->property_count; i++)
        if (!strcmp(outcome->properties[i].name, property))
            return gy_verdict_text(outcome->properties[i].verdict);
    return "missing";
}

static void tell_json(tests *t, const char *model, const gy_expectation *e, const char *verdict,
                      const char *why, double seconds)
{
    json_t *item = json_pack("{s:o, s:b, s:f, s:o}", "model", gy_json_string(model), "passed", !why,
                             "seconds", seconds, "message", gy_json_string(why));
    if (e && e->line)
        json_object_set_new(item, "line", json_integer(e->line));
    if (e) {
        json_object_set_new(item, "options", gy_json_string(e->options));
        json_object_set_new(item, "property", gy_json_string(e->property));
        json_object_set_new(item, "expected", gy_json_string(e->verdict));
        json_object_set_new(item, "verdict", gy_json_string(verdict));
    }
    json_array_append_new(t->json, item);
}

// The property whose verdict was not the expected one, if there is a counterexample to it; else
// NULL.
static const gy_property_outcome *violated_in(const gy_outcome *outcome, const char *property)
{
    for (uint32_t i = 0; outcome && i < outcome->property_count; i++) {
        const gy_property_outcome *p = &outcome->properties[i];
        if (p->counterexample_count && (!property || !strcmp(p->name, property)))
            return p;
    }
    return NULL;
}

// A test case of --junit. A failure has the counterexample of the outcome, which may be NULL.
static void tell_junit(tests *t, const char *name, const char *model, const char *why,
                       const gy_outcome *outcome, const char *property)
{
    const gy_property_outcome *violated = violated_in(outcome, property);
    double seconds = outcome ? outcome->seconds : 0;
    gy_sink sink = {0};
    gy_text_add(&t->xml, "    <testcase");
    gy_xml_attribute(&t->xml, "classname", model);
    gy_xml_attribute(&t->xml, "name", name);
    gy_text_printf(&t->xml, " time=\"%.3f\">", seconds);
    if (why) {
        gy_text_add(&t->xml, "<failure");
        gy_xml_attribute(&t->xml, "message", why);
        gy_text_char(&t->xml, '>');
        if (violated)
            gy_junit_counterexample(outcome, violated, &sink);
        gy_text_bytes(&t->xml, gy_text_str(&sink.text), sink.text.n);
        gy_text_add(&t->xml, "</failure>");
    }
    gy_text_add(&t->xml, "</testcase>\n");
    gy_text_free(&sink.text);
}

static void tell(tests *t, const char *name, const char *why, double seconds)
{
    gy_text line = {0};
    if (why)
        t->failed++;
    else
        t->passed++;
    if (!t->json && (why || !gy_given(t->arguments, GY_OPT_QUIET))) {
        gy_text_printf(&line, "%s%s%s  %s", why ? t->style.bad : t->style.good,
                       why ? "FAILED" : "ok    ", t->style.off, name);
        if (why)
            gy_text_printf(&line, ": %s", why);
        gy_text_add(&line, "  (");
        gy_text_seconds(&line, seconds);
        gy_text_add(&line, ")\n");
        gy_put(&line);
    }
    gy_text_free(&line);
}

// What is no run of a model: a file that cannot be tested.
static void tell_problem(tests *t, const char *model, const gy_expectation *e, uint32_t line,
                         const char *why)
{
    gy_text name = {0};
    gy_text_add(&name, model);
    if (line)
        gy_text_printf(&name, ":%u", line);
    tell(t, gy_text_str(&name), why, 0);
    tell_junit(t, gy_text_str(&name), model, why, NULL, NULL);
    if (t->json)
        tell_json(t, model, e, NULL, why, 0);
    gy_github_mark(model, line, why);
    gy_text_free(&name);
}

// The first thing that a model which cannot be read complains of.
static void add_error(const gy_outcome *outcome, gy_text *why)
{
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *d = &outcome->diagnostics[i];
        if (strcmp(d->severity, "error") != 0)
            continue;
        gy_text_printf(why, " (%s%s", d->message, d->file ? ", " : ")");
        if (d->file)
            gy_text_printf(why, "%s:%u)", d->file, d->line);
        return;
    }
}

static void say_verdict(const char *verdict, gy_text *why)
{
    if (strcmp(verdict, gy_verdict_text(GY_HOLDS)) == 0)
        gy_text_add(why, "it holds");
    else if (strcmp(verdict, gy_verdict_text(GY_BROKEN)) == 0)
        gy_text_add(why, "it ends with an error");
    else
        gy_text_printf(why, "it is %s", verdict);
}

static void judge(tests *t, const char *model, const gy_expectation *e, const gy_outcome *outcome)
{
    gy_text name = {0}, why = {0};
    const char *verdict = verdict_of(outcome, e->property);
    gy_text_printf(&name, "%s%s%s%s%s %s", model, *e->options ? " " : "", e->options,
                   e->property ? " " : "", e->property ? e->property : "", e->verdict);
    if (strcmp(verdict, e->verdict) != 0) {
        say_verdict(verdict, &why);
        if (outcome->verdict == GY_BROKEN)
            add_error(outcome, &why);
        else if (e->property && !e->line)
            gy_text_add(&why, ", and no line says so");
    }
    tell(t, gy_text_str(&name), why.n ? gy_text_str(&why) : NULL, outcome->seconds);
    tell_junit(t, gy_text_str(&name), model, why.n ? gy_text_str(&why) : NULL, outcome,
               e->property);
    if (t->json)
        tell_json(t, model, e, verdict, why.n ? gy_text_str(&why) : NULL, outcome->seconds);
    gy_text_free(&name);
    gy_text_free(&why);
}

static bool covers(const gy_expectations *list, const char *options, const char *property)
{
    for (size_t i = 0; i < list->n; i++) {
        const gy_expectation *e = &list->at[i];
        if (!strcmp(e->options, options) && (!e->property || !strcmp(e->property, property)))
            return true;
    }
    return false;
}

// What no line speaks of is expected to hold, as with --expect. It is a test if it does not.
static void judge_others(tests *t, const char *model, const gy_expectations *list, size_t first,
                         const gy_outcome *outcome)
{
    const char *options = list->at[first].options;
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        gy_expectation e = {list->at[first].options, (char *)property->name, "holds", 0};
        if (property->verdict != GY_HOLDS && !covers(list, options, property->name))
            judge(t, model, &e, outcome);
    }
}

// A run, and all that is expected of it: the entries from `first` on with the same options.
static void run(tests *t, const char *model, const gy_expectations *list, size_t first)
{
    const char *options = list->at[first].options;
    gy_text problem = {0};
    gy_arguments one = *t->arguments;
    one.files[0] = model;
    one.started = gy_clock();
    gy_request *request = gy_request_for(&one);
    if (!request || !gy_expectation_options(request, options, &problem)) {
        const char *why = problem.n ? gy_text_str(&problem) : "these options cannot be used";
        tell_problem(t, model, &list->at[first], list->at[first].line, why);
    } else {
        gy_watchdog *watchdog = gy_watchdog_start(&one, request->time);
        gy_outcome *outcome = gy_verify(request);
        gy_watchdog_end(watchdog);
        for (size_t i = first; i < list->n; i++)
            if (!strcmp(list->at[i].options, options))
                judge(t, model, &list->at[i], outcome);
        judge_others(t, model, list, first, outcome);
        gy_expectations_tell(outcome, list, options);
        gy_github_tell(outcome, options);
        if (gy_report_write_one(&t->reports, &one, GY_OPT_SARIF, outcome, options))
            t->failed_to_write = true;
        gy_outcome_free(outcome);
    }
    gy_text_free(&problem);
    gy_request_free(request);
}

static void test_model(tests *t, const char *model)
{
    gy_file file;
    gy_expectations list = {0};
    uint32_t bad;
    if (!gy_file_read(model, NULL, &file)) {
        tell_problem(t, model, NULL, 0, file.problem);
        return;
    }
    if (!gy_expectations_read(file.text, &list, &bad)) {
        tell_problem(t, model, NULL, bad,
                     "after `gyre:`, `[with OPTIONS] expect [PROPERTY] VERDICT`");
    }
    for (size_t i = 0; i < list.n; i++) {
        bool before = false;
        for (size_t k = 0; k < i; k++)
            before |= !strcmp(list.at[k].options, list.at[i].options);
        if (!before)
            run(t, model, &list, i);
    }
    gy_expectations_free(&list);
    gy_file_free(&file);
}

// ---- directories --------------------------------------------------------------------------------

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

// All models at or below a path. False: it cannot be read.
static bool test_path(tests *t, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    bool good = true;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *at; tree && (at = fts_read(tree));) {
        if (at->fts_info == FTS_NS || at->fts_info == FTS_DNR || at->fts_info == FTS_ERR) {
            gy_complain(t->arguments, "cannot read %s: %s", at->fts_path, strerror(at->fts_errno));
            good = false;
        } else if (at->fts_info == FTS_F &&
                   (at->fts_level == 0 || gy_front_end_claiming(at->fts_path, NULL, 0))) {
            test_model(t, at->fts_path);
        }
    }
    if (tree)
        fts_close(tree);
    return good && tree;
}

static int write_junit(const tests *t, const char *path, double seconds)
{
    gy_text out = {0};
    gy_text_printf(&out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                   "  <testsuite name=\"gyre test\" tests=\"%llu\" failures=\"%llu\" errors=\"0\" "
                   "time=\"%.3f\">\n%s  </testsuite>\n</testsuites>\n",
                   (unsigned long long)(t->passed + t->failed), (unsigned long long)t->failed,
                   seconds, gy_text_str(&t->xml));
    bool good = gy_new_file_put(path, GY_NAMED, gy_text_str(&out), out.n);
    int error = errno;
    gy_text_free(&out);
    return good ? 0 : gy_complain(t->arguments, "cannot write %s: %s", path, strerror(error));
}

static void put_json(const tests *t, double seconds, gy_text *out)
{
    json_t *report = gy_json_report("test");
    json_object_set_new(report, "passed", json_integer((json_int_t)t->passed));
    json_object_set_new(report, "failed", json_integer((json_int_t)t->failed));
    json_object_set_new(report, "seconds", json_real(seconds));
    json_object_set(report, "tests", t->json);
    gy_json_dump(report, out, false);
}

int gy_command_test(const gy_arguments *arguments)
{
    tests t = {.arguments = arguments, .style = gy_command_style(arguments)};
    const char *junit = arguments->value[GY_OPT_JUNIT].text;
    bool good = true;
    double started = gy_clock();
    gy_text summary = {0};
    if (gy_given(arguments, GY_OPT_JSON))
        t.json = json_array();
    for (size_t i = 0; i < arguments->paths.n && (good || !t.json); i++)
        good &= test_path(&t, arguments->paths.at[i]);
    if (good && t.passed + t.failed == 0) {
        gy_complain(arguments, "no models in %s", arguments->files[0]);
        good = false;
    }
    if (t.json && good)
        put_json(&t, gy_clock() - started, &summary);
    else if (!t.json)
        gy_text_printf(&summary, "%llu passed, %llu failed\n", (unsigned long long)t.passed,
                       (unsigned long long)t.failed);
    gy_put(&summary);
    int status = junit ? write_junit(&t, junit, gy_clock() - started) : 0;
    gy_text_free(&summary);
    gy_text_free(&t.xml);
    json_decref(t.json);
    if (status || !good || t.failed_to_write)
        return GY_EXIT_WRONG;
    return t.failed ? GY_EXIT_VIOLATED : GY_EXIT_HOLDS;
}
