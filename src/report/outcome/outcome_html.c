// The report as a page: one file without anything from elsewhere, to be opened in a browser.
//
// The page (report/page/report.html, report.js) shows a JSON report and the text of the model. What
// is written is that page with the scripts and the style that it shares with `gyre ui`, and the
// data.
#include "report/json.h"
#include "report/page/page_files.h"
#include "report/render.h"

#include <string.h>

// The bytes of a file, as they are in the source tree. The assembler finds it.
#define PART(id, name)                                                                             \
    __asm__(".section .rodata\n"                                                                   \
            ".global gyre_report_" #id "\n.hidden gyre_report_" #id "\n"                           \
            "gyre_report_" #id ":\n.incbin \"src/report/page/" name "\"\n.byte 0\n"                \
            ".previous\n");                                                                        \
    extern const char gyre_report_##id[];
PART(page, "report.html")
PART(style, "report.css")
PART(script, "report.js")

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

static json_t *path_json(const gy_counterexample *walk)
{
    if (!walk->nodes)
        return json_null();
    json_t *path = json_array();
    for (uint64_t i = 0; i <= walk->step_count; i++)
        json_array_append_new(path, json_integer(walk->nodes[i]));
    return path;
}

// The state graph, and the ways of the counterexamples through it, by property.
static void add_graph(gy_text *out, const gy_outcome *outcome)
{
    const gy_state_graph *graph = outcome->graph;
    if (!graph)
        return;
    json_t *nodes = json_array(), *edges = json_array(), *paths = json_array();
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const gy_state_node *node = &graph->nodes[i];
        json_array_append_new(nodes,
                              json_pack("{s:o, s:b, s:b, s:b, s:b}", "text",
                                        gy_json_string(node->text), "initial", node->initial, "end",
                                        node->end, "invalid", node->invalid, "fault", node->fault));
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const gy_state_edge *edge = &graph->edges[i];
        json_array_append_new(edges,
                              json_pack("[i, i, i, o, b]", (int)edge->from, (int)edge->to,
                                        (int)edge->pid, gy_json_string(edge->text), edge->fault));
    }
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        json_t *list = json_array();
        for (uint32_t k = 0; k < outcome->properties[i].counterexample_count; k++)
            json_array_append_new(list, path_json(&outcome->properties[i].counterexamples[k]));
        json_array_append_new(paths, list);
    }
    gy_text_add(out, ",\"graph\":");
    add_json(out, json_pack("{s:o, s:o, s:o}", "nodes", nodes, "edges", edges, "paths", paths));
}

static void add_sources(gy_text *out, const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->source_count; i++) {
        gy_text_add(out, i ? "," : "");
        add_json(out, gy_json_string(outcome->sources[i].name));
        gy_text_char(out, ':');
        add_json(out, gy_json_string(outcome->sources[i].text));
    }
}

static void add_report(gy_text *out, const gy_outcome *outcome, const gy_render_options *options)
{
    gy_sink report = {0};
    gy_render_json(outcome, options, &report);
    gy_text_add(out, "{\"sources\":{");
    add_sources(out, outcome);
    gy_text_add(out, "},\"report\":");
    add_data(out, gy_text_str(&report.text));
    add_graph(out, outcome);
    gy_text_char(out, '}');
    gy_text_free(&report.text);
}

// The page up to a mark; returns what follows it.
static const char *add_until(gy_text *out, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    gy_text_bytes(out, page, (size_t)(at - page));
    return at + strlen(mark);
}

void gy_render_html(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    gy_text *out = &sink->text;
    const char *page = add_until(out, gyre_report_page, "@STYLE@");
    gy_text_add(out, gy_page_file_find("shared.css")->begin); // ends with a zero, as all of them
    gy_text_add(out, gyre_report_style);
    page = add_until(out, page, "@DATA@");
    add_report(out, outcome, options);
    page = add_until(out, page, "@SCRIPT@");
    gy_page_scripts(out);
    gy_text_add(out, gyre_report_script);
    gy_text_add(out, page);
}
