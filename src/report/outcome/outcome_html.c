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
    add_graph(out, outcome);
    gy_text_char(out, '}');
    gy_text_add(out, middle + sizeof mark - 1);
    gy_text_free(&report.text);
}
