#include "report/steps/chart.h"

#include "verify/explain/explain.h"

#include <stdlib.h>

static uint32_t column_of(gy_chart *chart, const char *process)
{
    for (size_t i = 0; i < chart->columns.n; i++)
        if (!strcmp(chart->columns.at[i], process))
            return (uint32_t)i;
    gy_text name = {0};
    gy_text_add(&name, process);
    gy_vec_push(&chart->columns, gy_text_take(&name));
    return (uint32_t)chart->columns.n - 1;
}

static gy_event *add(gy_chart *chart, gy_event_kind kind, uint64_t step, uint32_t column)
{
    gy_event event = {.kind = kind, .step = step, .column = column, .mate = -1};
    gy_vec_push(&chart->events, event);
    return &chart->events.at[chart->events.n - 1];
}

static char *printed(const char *format, const char *a, char sign, const char *b)
{
    gy_text text = {0};
    gy_text_printf(&text, format, a, sign, b);
    return gy_text_take(&text);
}

// The send that put the message into the channel which this receive takes.
static void tie(gy_chart *chart, size_t receive, bool keeps)
{
    gy_event *e = chart->events.at;
    for (size_t i = 0; i < receive; i++) {
        if (e[i].kind != GY_EVENT_SEND || e[i].taken || strcmp(e[i].key, e[receive].key) != 0)
            continue;
        e[receive].mate = (int64_t)i;
        if (!keeps) {
            e[i].taken = true;
            e[i].mate = (int64_t)receive;
        }
        return;
    }
}

static void add_message(gy_chart *chart, const gy_report_step *told)
{
    const gy_message_event *moved = told->moved;
    uint32_t column = column_of(chart, told->actor.process);
    gy_event *event;
    if (told->partner) {
        uint32_t other = column_of(chart, told->partner->process);
        event = add(chart, GY_EVENT_RENDEZVOUS, told->number, column);
        event->other = other;
        event->label = printed("%s%c%s", moved->channel, '!', moved->contents);
        return;
    }
    event = add(chart, moved->is_send ? GY_EVENT_SEND : GY_EVENT_RECEIVE, told->number, column);
    event->label = printed("%s%c%s", moved->channel, moved->is_send ? '!' : '?', moved->contents);
    event->key = printed("%s%c%s", moved->channel, ' ', moved->contents);
    if (!moved->is_send)
        tie(chart, chart->events.n - 1, moved->keeps);
}

static void add_prints(gy_chart *chart, const gy_report_step *told)
{
    for (uint32_t i = 0; i < told->print_count; i++) {
        const char *text = told->prints[i];
        size_t length = strlen(text);
        gy_text label = {0};
        while (length > 0 && text[length - 1] == '\n')
            length--;
        if (!length)
            continue;
        gy_text_bytes(&label, text, length);
        add(chart, GY_EVENT_PRINT, told->number, column_of(chart, told->actor.process))->label =
            gy_text_take(&label);
    }
}

void gy_chart_of(gy_chart *chart, const gy_path *path)
{
    *chart = (gy_chart){0};
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, path->worker, path->moments.at[0].state,
                          path->moments.at[0].words);
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        gy_text name = {0};
        gy_name_scene_process(scene, (int32_t)p, &name);
        column_of(chart, gy_text_str(&name));
        gy_text_free(&name);
    }
    free(scene);
    for (uint64_t n = 1; n <= gy_path_steps(path); n++) {
        gy_report_step told;
        gy_arena *arena = gy_tell_step_alone(path, n, &told);
        if (told.moved)
            add_message(chart, &told);
        for (uint32_t i = 0; i < told.change_count; i++) {
            const gy_change *change = &told.changes[i];
            if (change->kind == GY_CHANGE_STARTS || change->kind == GY_CHANGE_ENDS)
                add(chart, change->kind == GY_CHANGE_STARTS ? GY_EVENT_START : GY_EVENT_END, n,
                    column_of(chart, change->name));
        }
        add_prints(chart, &told);
        gy_arena_free(arena);
    }
}

void gy_chart_free(gy_chart *chart)
{
    for (size_t i = 0; i < chart->columns.n; i++)
        free(chart->columns.at[i]);
    for (size_t i = 0; i < chart->events.n; i++) {
        free(chart->events.at[i].label);
        free(chart->events.at[i].key);
    }
    gy_vec_free(&chart->columns);
    gy_vec_free(&chart->events);
}

gy_chart_format *gy_chart_format_named(const char *name)
{
    static const struct {
        const char *name;
        gy_chart_format *format;
    } formats[] = {{"svg", gy_chart_svg},
                   {"mermaid", gy_chart_mermaid},
                   {"plantuml", gy_chart_plantuml},
                   {"shiviz", gy_chart_shiviz}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(name, formats[i].name))
            return formats[i].format;
    return NULL;
}
