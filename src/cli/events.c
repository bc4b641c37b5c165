#include "cli/events.h"

#include "cli/command.h"
#include "report/json.h"
#include "report/render.h"

#include <stdlib.h>
#include <string.h>

static void put(json_t *event)
{
    gy_text out = {0};
    gy_json_dump(event, &out, true);
    gy_put(&out);
    gy_text_free(&out);
}

static json_t *new_event(const char *name)
{
    return json_pack("{s:s}", "event", name);
}

static void set_count(json_t *event, const char *name, uint64_t number)
{
    json_object_set_new(event, name, json_integer((json_int_t)number));
}

void gy_event_begin(const char *model)
{
    json_t *event = new_event("begin"), *head = gy_json_report("events");
    json_object_update(event, head);
    json_decref(head);
    json_object_set_new(event, "model", gy_json_string(model));
    put(event);
}

void gy_event_progress(const gy_search_progress *now, uint64_t search)
{
    json_t *event = new_event("progress");
    set_count(event, "search", search);
    json_object_set_new(event, "property",
                        now->property ? gy_json_string(now->property) : json_null());
    json_object_set_new(event, "seconds", json_real(now->seconds));
    set_count(event, "states", now->states);
    set_count(event, "transitions", now->transitions);
    set_count(event, "pending", now->pending);
    set_count(event, "depth", now->depth);
    set_count(event, "memory_bytes", now->memory);
    if (now->found) {
        json_object_set_new(event, "found", gy_json_string(now->found));
        set_count(event, "length", now->length);
    }
    put(event);
}

static void put_verdict(const char *property, const char *kind, gy_verdict verdict,
                        const char *problem)
{
    json_t *event = new_event("verdict");
    json_object_set_new(event, "property", gy_json_string(property));
    json_object_set_new(event, "kind", json_string(kind));
    json_object_set_new(event, "verdict", json_string(gy_verdict_text(verdict)));
    json_object_set_new(event, "problem",
                        problem && *problem ? gy_json_string(problem) : json_null());
    put(event);
}

void gy_event_verdict(const gy_known_verdict *known)
{
    put_verdict(known->name, known->kind, known->verdict, known->problem);
}

char *gy_event_key(const char *kind, const char *name)
{
    gy_text key = {0};
    gy_text_printf(&key, "%s %s", kind, name);
    return gy_text_take(&key);
}

static bool is_told(const gy_strings *told, const gy_property_outcome *property)
{
    char *key = gy_event_key(property->kind, property->name);
    bool known = false;
    for (size_t i = 0; i < told->n && !known; i++)
        known = strcmp(told->at[i], key) == 0;
    free(key);
    return known;
}

void gy_event_end(const gy_outcome *outcome, const gy_strings *told, int status)
{
    gy_sink report = {0};
    gy_render_options options = {.style = gy_style_make(false)};
    json_t *event = new_event("end");
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        if (!is_told(told, property))
            put_verdict(property->name, property->kind, property->verdict, property->problem);
    }
    gy_render_json(outcome, &options, &report);
    json_object_set_new(event, "verdict", json_string(gy_verdict_text(outcome->verdict)));
    json_object_set_new(event, "status", json_integer(status));
    json_object_set_new(event, "result", json_loads(gy_text_str(&report.text), 0, NULL));
    gy_text_free(&report.text);
    put(event);
}
