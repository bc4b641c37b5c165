// The report for continuous integration: JUnit's XML, one test case for each property.
//
// A property that is violated is a failure, one without a verdict an error: a limit that was
// reached must not pass for success.
#include "report/outcome/outcome_text.h"
#include "report/xml.h"

#include <stdlib.h>
#include <string.h>

// Longer counterexamples are folded: a report is read by people.
enum { SHOWN_IN_FULL = 1000 };

void gy_junit_counterexample(const gy_outcome *outcome, const gy_property_outcome *property,
                             gy_sink *sink)
{
    gy_sink told = {0};
    gy_render_options options = {.style = gy_style_make(false),
                                 .full = property->counterexamples[0].length <= SHOWN_IN_FULL};
    gy_text_counterexample(outcome, property, 0, &options, &told);
    char *text = gy_text_take(&told.text), *rest = text + strspn(text, "\n"), *line;
    while ((line = strsep(&rest, "\n")) && rest) { // what is after the last end of a line is empty
        gy_xml_text(&sink->text, line);
        gy_text_char(&sink->text, '\n');
        gy_sink_drain(sink);
    }
    free(text);
}

static bool is_as_expected(const gy_property_outcome *property)
{
    return strcmp(property->expected ? property->expected : "holds",
                  gy_verdict_text(property->verdict)) == 0;
}

static void add_failure(gy_sink *sink, const gy_outcome *outcome,
                        const gy_property_outcome *property)
{
    gy_text *out = &sink->text;
    const gy_counterexample *walk =
        property->counterexample_count ? &property->counterexamples[0] : NULL;
    gy_text_add(out, "<failure");
    gy_xml_attribute(out, "type", walk ? walk->kind : "violated");
    gy_xml_attribute(out, "message", walk ? walk->message : property->problem);
    gy_text_char(out, '>');
    if (walk)
        gy_junit_counterexample(outcome, property, sink);
    gy_text_add(out, "</failure>");
}

static void add_case(gy_sink *sink, const gy_outcome *outcome, const gy_property_outcome *property)
{
    gy_text *out = &sink->text;
    gy_text_add(out, "    <testcase");
    gy_xml_attribute(out, "classname", outcome->model);
    gy_xml_attribute(out, "name", property->name);
    gy_text_printf(out, " time=\"%.3f\">", property->figures ? property->figures->seconds : 0);
    bool as_expected = property->expected && is_as_expected(property);
    if (as_expected) {
        ; // a success, whatever it is
    } else if (property->expected && property->verdict == GY_HOLDS) {
        gy_text_printf(out, "<failure type=\"unexpected\" message=\"expected %s, got holds\"/>",
                       property->expected);
    } else if (property->verdict == GY_VIOLATED) {
        add_failure(sink, outcome, property);
    } else if (property->verdict != GY_HOLDS) {
        gy_text_add(out, "<error");
        gy_xml_attribute(out, "type", gy_verdict_text(property->verdict));
        gy_xml_attribute(out, "message",
                         *property->problem ? property->problem
                         : property->figures && property->figures->limit_text
                             ? property->figures->limit_text
                             : "no verdict");
        gy_text_add(out, "/>");
    }
    gy_text_add(out, "</testcase>\n");
}

// A model that cannot be verified at all is a test case, too.
static void add_broken(gy_sink *sink, const gy_outcome *outcome)
{
    gy_text *out = &sink->text;
    gy_text_add(out, "    <testcase");
    gy_xml_attribute(out, "classname", outcome->model);
    gy_text_add(out, " name=\"model\" time=\"0.000\"><error type=\"error\" message=\"");
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *d = &outcome->diagnostics[i];
        if (strcmp(d->severity, "error") != 0)
            continue;
        if (d->file) {
            gy_xml_text(out, d->file);
            gy_text_printf(out, ":%u:%u: ", d->line, d->column);
        }
        gy_xml_text(out, d->message);
        gy_text_add(out, "&#10;");
    }
    gy_text_add(out, "\"/></testcase>\n");
}

void gy_render_junit(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_text *out = &sink->text;
    unsigned failures = 0, errors = 0, tests = outcome->property_count;
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        bool decided = outcome->properties[i].verdict == GY_VIOLATED ||
                       outcome->properties[i].verdict == GY_HOLDS;
        bool good = is_as_expected(&outcome->properties[i]);
        failures += !good && decided;
        errors += !good && !decided;
    }
    bool broken = outcome->verdict == GY_BROKEN && !errors;
    if (!options->goes_on)
        gy_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>");
    gy_text_add(out, "\n  <testsuite");
    gy_xml_attribute(out, "name", outcome->model);
    gy_text_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\">\n",
                   tests + broken, failures, errors + broken, outcome->seconds);
    for (uint32_t i = 0; i < outcome->property_count; i++)
        add_case(sink, outcome, &outcome->properties[i]);
    if (broken)
        add_broken(sink, outcome);
    gy_text_add(out, "  </testsuite>\n</testsuites>\n");
}
