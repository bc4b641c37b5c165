// The report for GitLab: its code quality format, a list of problems with their places.
#include "report/json.h"
#include "report/outcome/json_stream.h"
#include "report/outcome/problems.h"

#include <string.h>

static void put(void *user, const gy_problem *problem)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s: %s", problem->title, problem->message);
    json_t *lines = json_pack("{s:i}", "begin", problem->line ? (int)problem->line : 1);
    json_t *place = json_pack("{s:o, s:o}", "path", gy_json_string(gy_tidy_path(problem->file)),
                              "lines", lines);
    gy_json_put(user, NULL,
                json_pack("{s:o, s:s, s:s, s:s, s:o}", "description", gy_json_take(&text),
                          "check_name", problem->code, "fingerprint", problem->fingerprint,
                          "severity", strcmp(problem->severity, "error") ? "minor" : "critical",
                          "location", place));
}

void gy_render_code_quality(const gy_outcome *outcome, const gy_render_options *options,
                            gy_sink *sink)
{
    gy_json_stream stream = {.sink = sink};
    if (options->goes_on)
        gy_json_resume(&stream, "[", options->goes_on != '[');
    else
        gy_json_begin(&stream, NULL, '[');
    gy_each_problem(outcome, put, &stream);
    gy_json_end(&stream);
    gy_text_char(&sink->text, '\n');
}
