// What was verified, and what came out of it: next to the model, in `.gyre/history` of the
// directory.
//
// A record is two files in the directory of its model's name: NAME.json, a summary with the figures
// of the run, and NAME.html, the report as a page that needs nothing else (`gyre --html`). The name
// is the time (UTC) and a number. The oldest go when there are too many.
#include "serve/ui/ui_api_parts.h"

#include "report/json.h"

#include "base/file.h"

#include <errno.h>

#include <stdio.h>
#include <time.h>

enum { MOST_RECORDS = 50, MOST_PAGE = 48 << 20, MOST_SUMMARY = 4 << 20 };

static char *place_of(const char *model, const char *record, const char *suffix)
{
    gy_text name = {0};
    gy_text_printf(&name, "history/%s%s%s%s", model, *record ? "/" : "", record, suffix);
    return gy_text_take(&name);
}

static const char RECORD[] = "0123456789-"; // what the name of a record has in it

static bool is_record(const char *name)
{
    return *name && name[strspn(name, RECORD)] == '\0';
}

static void forget(const gy_ui_directory *folder, const char *model, const char *record)
{
    for (int i = 0; i < 2; i++) {
        char *name = place_of(model, record, i ? ".html" : ".json");
        gy_ui_directory_own_remove(folder, name);
        free(name);
    }
}

// The names of the records, the oldest first; to be freed.
static json_t *records_of(const gy_ui_directory *folder, const char *model)
{
    json_t *list = json_array(), *item;
    char *place = place_of(model, "", "");
    json_t *files = gy_ui_directory_own_list(folder, place);
    size_t i;
    json_array_foreach(files, i, item)
    {
        const char *name = json_string_value(item);
        size_t n = strspn(name, RECORD);
        if (n > 0 && strcmp(name + n, ".json") == 0) // other files there are not ours
            json_array_append_new(list, json_stringn(name, n));
    }
    json_decref(files);
    free(place);
    return list;
}

static void forget_oldest(const gy_ui_directory *folder, const char *model)
{
    json_t *records = records_of(folder, model);
    for (size_t i = 0; i + MOST_RECORDS < json_array_size(records); i++)
        forget(folder, model, json_string_value(json_array_get(records, i)));
    json_decref(records);
}

// ---- writing ----------------------------------------------------------------------------

static json_t *properties_json(const json_t *result)
{
    static const char *const kept[] = {"name", "kind", "verdict", "states", "transitions", "depth"};
    json_t *list = json_array(), *property;
    size_t i;
    json_array_foreach(json_object_get(result, "properties"), i, property)
    {
        json_t *item = json_object();
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (json_object_get(property, kept[k]))
                json_object_set_new(item, kept[k],
                                    json_deep_copy(json_object_get(property, kept[k])));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *figures_json(gy_job *job)
{
    json_t *list = json_array();
    size_t count;
    gy_job_figures *figures = gy_job_history(job, &count);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("[f, I, I]", figures[i].seconds,
                                              (json_int_t)figures[i].states,
                                              (json_int_t)figures[i].memory));
    free(figures);
    return list;
}

static json_t *summary_json(const gy_ui_api_job *job, bool page)
{
    gy_job_view view;
    char when[40];
    time_t now = time(NULL);
    struct tm broken;
    gmtime_r(&now, &broken);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &broken);
    gy_job_look(job->job, &view);
    const json_t *result = gy_job_result(job->job);
    const char *verdict = json_string_value(json_object_get(result, "verdict"));
    json_t *summary = json_pack("{s:s, s:s, s:O?, s:s, s:o, s:o, s:f, s:b, s:s?, s:b}", "when",
                                when, "model", job->name, "options", job->options, "verdict",
                                verdict ? verdict : "error", "properties", properties_json(result),
                                "figures", figures_json(job->job), "seconds", view.seconds,
                                "stopped", view.stopped, "limit", view.limit, "page", page);
    const json_t *stats = json_object_get(result, "stats");
    if (stats)
        json_object_set_new(summary, "stats", json_deep_copy(stats));
    const json_t *diagnostics = json_object_get(result, "diagnostics");
    if (diagnostics && !page)
        json_object_set_new(summary, "diagnostics", json_deep_copy(diagnostics));
    return summary;
}

char *gy_history_add(gy_ui_api *api, const gy_ui_api_job *job)
{
    gy_file page;
    gy_file_rules rules = {.most_bytes = MOST_PAGE, .own_only = true};
    char stamp[40];
    time_t now = time(NULL);
    struct tm broken;
    gy_text record = {0}, text = {0};
    gmtime_r(&now, &broken);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &broken);
    gy_text_printf(&record, "%s-%06u", stamp, job->id);
    bool has_page = gy_file_read(job->page, &rules, &page);
    gy_json_dump(summary_json(job, has_page), &text, true);
    char *name = place_of(job->name, record.at, ".json");
    bool good = gy_ui_directory_own_write(&api->folder, name, text.at, text.n);
    free(name);
    if (good && has_page) {
        name = place_of(job->name, record.at, ".html");
        good = gy_ui_directory_own_write(&api->folder, name, page.text, page.bytes);
        free(name);
    }
    if (good)
        gy_ui_directory_own_hide(&api->folder);
    if (good)
        forget_oldest(&api->folder, job->name);
    gy_file_free(&page);
    gy_text_free(&text);
    if (!good)
        gy_text_clear(&record);
    return record.n ? gy_text_take(&record) : gy_alloc_zero(1);
}

// ---- reading ----------------------------------------------------------------------------

bool gy_route_history(gy_ui_api *api, gy_call *call)
{
    const char *model = gy_ui_api_query(call, "name");
    if (!gy_ui_directory_is_model(model)) {
        gy_ui_api_refuse_file(call, model, EINVAL);
        return true;
    }
    json_t *list = json_array(), *records = records_of(&api->folder, model);
    for (size_t i = json_array_size(records); i-- > 0;) {
        const char *record = json_string_value(json_array_get(records, i));
        char *name = place_of(model, record, ".json");
        size_t bytes;
        char *text = gy_ui_directory_own_read(&api->folder, name, MOST_SUMMARY, &bytes);
        json_t *summary = text ? json_loadb(text, bytes, 0, NULL) : NULL;
        if (json_is_object(summary)) {
            json_object_set_new(summary, "record", json_string(record));
            json_array_append(list, summary);
        }
        json_decref(summary);
        free(text);
        free(name);
    }
    json_decref(records);
    gy_ui_api_tell(call, 200, json_pack("{s:o}", "records", list));
    return true;
}

// The page of a record, as it is: what shows it takes the data out of it.
bool gy_route_record(gy_ui_api *api, gy_call *call)
{
    const char *model = gy_ui_api_query(call, "name"), *record = gy_ui_api_query(call, "record");
    size_t bytes;
    if (!gy_ui_directory_is_model(model) || !is_record(record)) {
        gy_ui_api_refuse(call, 400, "no such record");
        return true;
    }
    char *name = place_of(model, record, ".html");
    char *text = gy_ui_directory_own_read(&api->folder, name, MOST_PAGE, &bytes);
    if (text) {
        call->status = 200;
        call->type = "text/plain; charset=utf-8"; // never run here
        gy_text_bytes(&call->text, text, bytes);
    } else {
        gy_ui_api_refuse(call, 404, "no such record");
    }
    free(text);
    free(name);
    return true;
}

bool gy_route_forget(gy_ui_api *api, gy_call *call)
{
    const char *model = gy_ui_api_query(call, "name"), *record = gy_ui_api_query(call, "record");
    if (!gy_ui_directory_is_model(model) || !is_record(record)) {
        gy_ui_api_refuse(call, 400, "no such record");
        return true;
    }
    forget(&api->folder, model, record);
    gy_ui_api_tell(call, 200, json_object());
    return true;
}
