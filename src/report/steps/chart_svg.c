// A chart as a drawing: lifelines downwards, arrows from where a message is sent to where it is
// received. Colours follow the reader's choice of light or dark.
#include "report/steps/chart.h"
#include "report/xml.h"

enum {
    MARGIN = 60,
    LETTER = 8,
    COLUMN = 170,
    ROW = 30,
    TOP = 50,
    HEAD_WIDTH = 130,
    HEAD_HEIGHT = 26
};

static const char style[] =
    "<style>text{font:13px sans-serif;fill:#222}line,path{stroke:#555;fill:none}"
    ".head{fill:#eef;stroke:#557}.arrow{stroke:#14c;stroke-width:1.5}.lost{stroke:#c22;"
    "stroke-dasharray:5 3}.label{text-anchor:middle}.step{fill:#999;font-size:11px}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}line,path{stroke:#999}.head{fill:#223;"
    "stroke:#88a}.arrow{stroke:#6af}.lost{stroke:#f77}}</style>\n"
    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8\" class=\"arrow\"/></marker>"
    "</defs>\n";

typedef struct drawing {
    const gy_chart *chart;
    gy_text *out;
    unsigned width; // of a column
} drawing;

// Columns are wide enough for the longest label between two of them.
static unsigned column_width(const gy_chart *chart)
{
    size_t width = COLUMN;
    for (size_t i = 0; i < chart->events.n; i++) {
        const char *label = chart->events.at[i].label;
        size_t wanted = label ? gy_columns(label) * LETTER + LETTER : 0;
        width = wanted > width ? wanted : width;
    }
    return width < 600 ? (unsigned)width : 600;
}

static unsigned x_of(const drawing *d, uint32_t column)
{
    return MARGIN + d->width / 2 + column * d->width;
}

static unsigned y_of(size_t event)
{
    return TOP + HEAD_HEIGHT + (unsigned)event * ROW;
}

static void add_text(gy_text *out, unsigned x, unsigned y, const char *class, const char *text)
{
    gy_text_printf(out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", x, y, class);
    gy_xml_text(out, text);
    gy_text_add(out, "</text>\n");
}

static void add_arrow(gy_text *out, unsigned x1, unsigned y1, unsigned x2, unsigned y2,
                      const char *label)
{
    gy_text_printf(out,
                   "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" class=\"arrow\" "
                   "marker-end=\"url(#tip)\"/>\n",
                   x1, y1, x2, y2);
    add_text(out, (x1 + x2) / 2, y1 - 4, "label", label);
}

static void add_event(const drawing *d, size_t i)
{
    const gy_chart *chart = d->chart;
    gy_text *out = d->out;
    const gy_event *event = &chart->events.at[i];
    unsigned x = x_of(d, event->column), y = y_of(i);
    gy_text number = {0};
    gy_text_printf(&number, "%llu", (unsigned long long)event->step);
    add_text(out, 8, y + 4, "step", gy_text_str(&number));
    gy_text_free(&number);
    switch (event->kind) {
    case GY_EVENT_RENDEZVOUS:
        add_arrow(out, x, y, x_of(d, event->other), y, event->label);
        break;
    case GY_EVENT_SEND:
        if (event->taken && chart->events.at[event->mate].column != event->column) {
            add_arrow(out, x, y, x_of(d, chart->events.at[event->mate].column),
                      y_of((size_t)event->mate), event->label);
        } else {
            gy_text_printf(out, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" class=\"%s\"/>\n", x,
                           y, x + 30, y, event->taken ? "arrow" : "arrow lost");
            add_text(out, x + 36, y + 4, "", event->label);
        }
        break;
    case GY_EVENT_RECEIVE:
        gy_text_printf(out, "<circle cx=\"%u\" cy=\"%u\" r=\"3\" class=\"head\"/>\n", x, y);
        if (event->mate < 0 || chart->events.at[event->mate].column == event->column)
            add_text(out, x + 8, y + 4, "", event->label);
        break;
    case GY_EVENT_START:
        add_text(out, x + 8, y + 4, "", "starts");
        break;
    case GY_EVENT_END:
        add_text(out, x + 8, y + 4, "", "ends");
        break;
    case GY_EVENT_PRINT:
        add_text(out, x + 8, y + 4, "step", event->label);
        break;
    }
}

void gy_chart_svg(const gy_chart *chart, gy_text *out)
{
    drawing drawn = {chart, out, column_width(chart)}, *d = &drawn;
    unsigned width = 2 * MARGIN + (unsigned)chart->columns.n * d->width;
    unsigned height = y_of(chart->events.n) + ROW;
    gy_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                   "viewBox=\"0 0 %u %u\">\n",
                   width, height, width, height);
    gy_text_add(out, style);
    for (uint32_t c = 0; c < chart->columns.n; c++) {
        gy_text_printf(out, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", x_of(d, c),
                       TOP - HEAD_HEIGHT / 2, x_of(d, c), height - ROW / 2);
        gy_text_printf(out,
                       "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\" "
                       "class=\"head\"/>\n",
                       x_of(d, c) - HEAD_WIDTH / 2, TOP - HEAD_HEIGHT - 8, HEAD_WIDTH, HEAD_HEIGHT);
        add_text(out, x_of(d, c), TOP - HEAD_HEIGHT + 10, "label", chart->columns.at[c]);
    }
    for (size_t i = 0; i < chart->events.n; i++)
        add_event(d, i);
    gy_text_add(out, "</svg>\n");
}
