// The report as a page: one file without anything from elsewhere, to be opened in a browser.
//
// The page (page.html) is a program that shows a JSON report and the text of the model; what is
// written here is that page with both of them in it.
#include "report/json.h"
#include "report/render.h"

#include <string.h>

// The bytes of the page, as they are in the source tree. The assembler finds the file.
__asm__(".section .rodata\n"
        ".global gyre_report_page\n.hidden gyre_report_page\n"
        "gyre_report_page:\n.incbin \"src/report/outcome/page.html\"\n.byte 0\n"
        ".previous\n");
extern const char gyre_report_page[];

// JSON inside a script element must not end it.
static void add_data(gy_text *out, const char *json)
{
    for (; *json; json++) {
        if (*json == '<')
            gy_text_add(out, "\\u003c");
        else
            gy_text_char(out, *json);
    }
}

static void add_json(gy_text *out, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    add_data(out, text ? text : "null");
    free(text);
    json_decref(value);
}

void gy_render_html(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    static const char mark[] = "@DATA@";
    gy_text *out = &sink->text;
    const char *middle = strstr(gyre_report_page, mark);
    gy_sink report = {0};
    gy_render_json(outcome, options, &report);
    gy_text_bytes(out, gyre_report_page, (size_t)(middle - gyre_report_page));
    gy_text_add(out, "{\"sources\":{");
    for (uint32_t i = 0; i < outcome->source_count; i++) {
        gy_text_add(out, i ? "," : "");
        add_json(out, gy_json_string(outcome->sources[i].name));
        gy_text_char(out, ':');
        add_json(out, gy_json_string(outcome->sources[i].text));
    }
    gy_text_add(out, "},\"report\":");
    add_data(out, gy_text_str(&report.text));
    gy_text_char(out, '}');
    gy_text_add(out, middle + sizeof mark - 1);
    gy_text_free(&report.text);
}
