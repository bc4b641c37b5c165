// Charts as text that other programs read: Mermaid, PlantUML, ShiViz.
//
// In Mermaid and PlantUML arrows are level, so a message is drawn where it is received; one that
// nothing has received by the end is drawn where it was sent, as lost.
#include "report/steps/chart.h"

#include <stdlib.h>

// Text without what the languages take for signs of their own.
static void add_plain(gy_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == ';' || *text == '#')
            gy_text_char(out, ',');
        else if ((unsigned char)*text < ' ')
            gy_text_char(out, ' ');
        else
            gy_text_char(out, *text);
    }
}

static void add_arrow(gy_text *out, uint32_t from, const char *arrow, uint32_t to,
                      const char *label)
{
    gy_text_printf(out, "p%u%sp%u: ", from, arrow, to);
    add_plain(out, label);
    gy_text_char(out, '\n');
}

typedef struct dialect {
    const char *first, *last, *indent;
    const char *participant;               // with a number and a name
    const char *arrow, *lost, *rendezvous; // between two numbers
    const char *note;                      // with a number, before the text
} dialect;

static void add_message(const gy_chart *chart, const gy_event *event, const dialect *d,
                        gy_text *out)
{
    uint32_t from = event->column;
    const char *label = event->label;
    gy_text_add(out, d->indent);
    if (event->kind == GY_EVENT_RENDEZVOUS) {
        add_arrow(out, from, d->rendezvous, event->other, label);
    } else if (event->kind == GY_EVENT_SEND) {
        add_arrow(out, from, d->lost, from, label);
    } else if (event->mate < 0) { // it was there from the start
        gy_text_printf(out, d->note, event->column);
        add_plain(out, label);
        gy_text_char(out, '\n');
    } else {
        const gy_event *send = &chart->events.at[event->mate];
        add_arrow(out, send->column, d->arrow, event->column, send->label);
    }
}

static void add_chart(const gy_chart *chart, const dialect *d, gy_text *out)
{
    gy_text_add(out, d->first);
    for (size_t i = 0; i < chart->columns.n; i++) {
        gy_text_add(out, d->indent);
        gy_text_printf(out, d->participant, (unsigned)i, chart->columns.at[i]);
    }
    for (size_t i = 0; i < chart->events.n; i++) {
        const gy_event *event = &chart->events.at[i];
        if (event->kind == GY_EVENT_SEND && event->taken)
            continue;
        if (event->kind == GY_EVENT_SEND || event->kind == GY_EVENT_RECEIVE ||
            event->kind == GY_EVENT_RENDEZVOUS) {
            add_message(chart, event, d, out);
            continue;
        }
        gy_text_add(out, d->indent);
        gy_text_printf(out, d->note, event->column);
        add_plain(out, event->kind == GY_EVENT_START ? "starts"
                       : event->kind == GY_EVENT_END ? "ends"
                                                     : event->label);
        gy_text_char(out, '\n');
    }
    gy_text_add(out, d->last);
}

void gy_chart_mermaid(const gy_chart *chart, gy_text *out)
{
    static const dialect mermaid = {.first = "sequenceDiagram\n",
                                    .last = "",
                                    .indent = "    ",
                                    .participant = "participant p%u as %s\n",
                                    .arrow = "-)",
                                    .lost = "-x",
                                    .rendezvous = "->>",
                                    .note = "Note over p%u: "};
    add_chart(chart, &mermaid, out);
}

void gy_chart_plantuml(const gy_chart *chart, gy_text *out)
{
    static const dialect plantuml = {.first = "@startuml\n",
                                     .last = "@enduml\n",
                                     .indent = "",
                                     .participant = "participant \"%2$s\" as p%1$u\n",
                                     .arrow = " ->> ",
                                     .lost = " ->x ",
                                     .rendezvous = " -> ",
                                     .note = "note over p%u : "};
    add_chart(chart, &plantuml, out);
}

// ---- ShiViz: a log of events with vector clocks -------------------------------------------

typedef struct clocks {
    size_t n;
    uint32_t *at;     // n x n: row i is the clock of column i
    uint32_t *events; // the clock of each event
} clocks;

static void add_clock(const gy_chart *chart, const uint32_t *clock, gy_text *out)
{
    const char *comma = "";
    gy_text_char(out, '{');
    for (size_t i = 0; i < chart->columns.n; i++) {
        if (!clock[i])
            continue;
        gy_text_printf(out, "%s\"%s\":%u", comma, chart->columns.at[i], clock[i]);
        comma = ", ";
    }
    gy_text_add(out, "}\n");
}

static void tick(clocks *c, uint32_t column, const uint32_t *heard)
{
    uint32_t *own = c->at + column * c->n;
    for (size_t i = 0; heard && i < c->n; i++)
        own[i] = own[i] > heard[i] ? own[i] : heard[i];
    own[column]++;
}

static void add_event(const gy_chart *chart, clocks *c, uint32_t column, const char *label,
                      gy_text *out)
{
    add_plain(out, label);
    gy_text_printf(out, "\n%s ", chart->columns.at[column]);
    add_clock(chart, c->at + column * c->n, out);
}

// The format that ShiViz reads by default: (?<event>.*)\n(?<host>\S*) (?<clock>{.*})
void gy_chart_shiviz(const gy_chart *chart, gy_text *out)
{
    clocks c = {.n = chart->columns.n};
    c.at = gy_alloc_zero((c.n * c.n + 1) * sizeof *c.at);
    c.events = gy_alloc_zero((chart->events.n * c.n + 1) * sizeof *c.events);
    for (size_t i = 0; i < chart->events.n; i++) {
        const gy_event *event = &chart->events.at[i];
        const char *label = event->kind == GY_EVENT_START ? "starts"
                            : event->kind == GY_EVENT_END ? "ends"
                                                          : event->label;
        bool hears = event->kind == GY_EVENT_RECEIVE && event->mate >= 0;
        tick(&c, event->column, hears ? c.events + (size_t)event->mate * c.n : NULL);
        memcpy(c.events + i * c.n, c.at + event->column * c.n, c.n * sizeof *c.at);
        add_event(chart, &c, event->column, label, out);
        if (event->kind == GY_EVENT_RENDEZVOUS) {
            tick(&c, event->other, c.events + i * c.n);
            add_event(chart, &c, event->other, label, out);
        }
    }
    free(c.at);
    free(c.events);
}
