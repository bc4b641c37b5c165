// Verifications: started, examined, stopped; what they found goes into the history.
#include "serve/ui/ui_api_parts.h"

#include "base/number.h"
#include "report/json.h"
#include "verify/request.h"

#include <unistd.h>

enum { KEPT = 40 }; // jobs that have ended and can still be examined

// --time and --memory may be less than what the API allows, not more.
static bool add_limit(gy_ui_api_arguments *list, const gy_ui_api_options *most, const char *name,
                      const char *value)
{
    double seconds = most->most_seconds;
    uint64_t bytes = most->most_memory;
    if (strcmp(name, "time") == 0) {
        if (!gy_number_seconds(value, &seconds))
            return false;
        gy_ui_api_add(list, "--time=%g",
                      seconds < most->most_seconds ? seconds : most->most_seconds);
        return true;
    }
    if (!gy_number_size(value, &bytes) || !bytes)
        return false;
    gy_ui_api_add(list, "--memory=%llu",
                  (unsigned long long)(bytes < most->most_memory ? bytes : most->most_memory));
    return true;
}

// One of `options`: [name, value], where the value of a flag is true. False: refused.
static bool add_option(gy_ui_api_arguments *list, const gy_ui_api_options *most, json_t *option,
                       gy_call *call)
{
    const char *name = json_string_value(json_array_get(option, 0));
    const json_t *value = json_array_get(option, 1);
    const char *text = json_string_value(value);
    if (!name || json_array_size(option) != 2 || !(text || json_is_true(value))) {
        gy_ui_api_refuse(call, 400, "an option is [name, value]");
        return false;
    }
    if (text && (strcmp(name, "time") == 0 || strcmp(name, "memory") == 0)) {
        if (!add_limit(list, most, name, text)) {
            gy_ui_api_refuse(call, 400, "--%s: `%s` is not a limit", name, text);
            return false;
        }
    } else if (text && strcmp(name, "define") == 0) {
        gy_ui_api_add(list, "-D%s", text);
    } else if (!gy_setting_may(name, GY_BY_PAGE) || !name[1]) { // one letter: --D is not an option
        gy_ui_api_refuse(call, 403, "--%s cannot be set %s", name, gy_set_by_text(GY_BY_PAGE));
        return false;
    } else if (!gy_setting_takes(name, text)) { // the next argument would be taken for its value
        gy_ui_api_refuse(call, 400, text ? "--%s takes no value" : "--%s needs a value", name);
        return false;
    } else if (text) {
        gy_ui_api_add(list, "--%s=%s", name, text);
    } else {
        gy_ui_api_add(list, "--%s", name);
    }
    return true;
}

static bool has_option(const gy_ui_api_arguments *list, const char *begin)
{
    for (size_t i = 0; i < list->n; i++)
        if (strncmp(list->at[i], begin, strlen(begin)) == 0)
            return true;
    return false;
}

// False: refused.
static bool make_arguments(const gy_ui_api *api, gy_ui_api_job *job, gy_call *call,
                           gy_ui_api_arguments *list)
{
    size_t i;
    json_t *option;
    gy_ui_api_add(list, "--events");
    gy_ui_api_add(list, "--html=%s", job->page);
    if (!api->options.allow_c)
        gy_ui_api_add(list, "--no-c");
    json_array_foreach(job->options, i,
                       option) if (!add_option(list, &api->options, option, call)) return false;
    if (!has_option(list, "--time="))
        add_limit(list, &api->options, "time", "1e9");
    if (!has_option(list, "--memory="))
        gy_ui_api_add(list, "--memory=%llu", (unsigned long long)api->options.most_memory);
    gy_ui_api_add(list, "--");
    gy_ui_api_add(list, "%s", gy_ui_directory_base(job->name));
    gy_vec_push(list, NULL);
    return true;
}

// On the thread of the job: the code that examines it next finds the record.
static void job_changed(void *user)
{
    gy_ui_api_job *job = user;
    gy_ui_api *api = job->api;
    gy_job_view view;
    pthread_mutex_lock(&api->lock); // job->job is set when the code that starts it lets go
    gy_job_look(job->job, &view);
    pthread_mutex_unlock(&api->lock);
    if (view.phase != GY_JOB_ENDED)
        return;
    char *record = gy_history_add(api, job);
    unlink(job->page);
    pthread_mutex_lock(&api->lock);
    job->record = record;
    pthread_mutex_unlock(&api->lock);
}

static bool has_ended(gy_ui_api_job *job)
{
    gy_job_view view;
    gy_job_look(job->job, &view);
    return view.phase == GY_JOB_ENDED && job->record;
}

static void job_free(gy_ui_api_job *job)
{
    gy_job_free(job->job);
    json_decref(job->options);
    free(job->name);
    free(job->page);
    free(job->record);
    free(job);
}

// With the lock: how many run. The oldest that have ended are taken off, to be freed without it.
static unsigned count_running(gy_ui_api *api, gy_ui_api_job **old)
{
    unsigned running = 0;
    *old = NULL;
    for (size_t i = 0; i < api->jobs.n; i++)
        running += !has_ended(api->jobs.at[i]);
    for (size_t i = 0; i < api->jobs.n && api->jobs.n - running > KEPT && !*old; i++) {
        if (!has_ended(api->jobs.at[i]))
            continue;
        *old = api->jobs.at[i];
        memmove(api->jobs.at + i, api->jobs.at + i + 1, (--api->jobs.n - i) * sizeof *api->jobs.at);
    }
    return running;
}

// With the lock.
static void start(gy_ui_api *api, gy_ui_api_job *job, const gy_ui_api_arguments *list)
{
    char *place = gy_ui_directory_place(&api->folder, job->name);
    gy_job_request request = {
        .arguments = (const char *const *)list->at,
        .program = api->options.program,
        .folder = place,
        .within = api->folder.path,
        .most_seconds = api->options.most_seconds + 10, // --time should have ended it
        .progress = 0.25,
        .changed = job_changed,
        .user = job,
    };
    job->job = gy_job_start(&request);
    gy_vec_push(&api->jobs, job);
    free(place);
}

bool gy_route_verify(gy_ui_api *api, gy_call *call)
{
    const char *name;
    json_t *body = gy_ui_api_saved_body(api, call, &name);
    if (!body)
        return true;
    gy_ui_api_job *job = gy_alloc_zero(sizeof *job), *old = NULL;
    gy_ui_api_arguments list = {0};
    gy_text page = {0};
    pthread_mutex_lock(&api->lock);
    job->id = ++api->ids;
    pthread_mutex_unlock(&api->lock);
    gy_text_printf(&page, "%s/%u.html", api->scratch, job->id);
    job->api = api;
    job->page = gy_text_take(&page);
    job->name = strdup(name);
    job->options = json_incref(json_object_get(body, "options"));
    bool good = make_arguments(api, job, call, &list);
    pthread_mutex_lock(&api->lock);
    unsigned running = count_running(api, &old);
    bool busy = running >= api->options.most_jobs || api->stopping;
    if (good && busy)
        gy_ui_api_refuse(call, 429, "%u verification%s already: wait, or stop one", running,
                         running == 1 ? " runs" : "s run");
    else if (good)
        start(api, job, &list);
    pthread_mutex_unlock(&api->lock);
    if (good && !busy)
        gy_ui_api_tell(call, 200, json_pack("{s:i}", "id", (int)job->id));
    else
        job_free(job);
    if (old)
        job_free(old);
    gy_ui_api_arguments_free(&list);
    json_decref(body);
    return true;
}

// ---- looking ----------------------------------------------------------------------------

static json_t *figures_json(const gy_job_figures *now)
{
    return json_pack("{s:I, s:o, s:f, s:I, s:I, s:I, s:I, s:I}", "search", (json_int_t)now->search,
                     "property", *now->property ? gy_json_string(now->property) : json_null(),
                     "seconds", now->seconds, "states", (json_int_t)now->states, "transitions",
                     (json_int_t)now->transitions, "pending", (json_int_t)now->pending, "depth",
                     (json_int_t)now->depth, "memory_bytes", (json_int_t)now->memory);
}

static json_t *job_json(gy_ui_api_job *job)
{
    gy_job_view view;
    gy_job_look(job->job, &view);
    bool ended = view.phase == GY_JOB_ENDED && job->record;
    return json_pack("{s:i, s:s, s:O?, s:b, s:b, s:s?, s:i, s:f, s:o, s:s?}", "id", (int)job->id,
                     "name", job->name, "options", job->options, "ended", ended, "stopped",
                     view.stopped, "limit", view.limit, "status", view.status, "seconds",
                     view.seconds, "now", figures_json(&view.now), "record",
                     ended && *job->record ? job->record : NULL);
}

bool gy_route_jobs(gy_ui_api *api, gy_call *call)
{
    json_t *list = json_array();
    pthread_mutex_lock(&api->lock);
    for (size_t i = 0; i < api->jobs.n; i++)
        json_array_append_new(list, job_json(api->jobs.at[i]));
    pthread_mutex_unlock(&api->lock);
    gy_ui_api_tell(call, 200, json_pack("{s:o}", "jobs", list));
    return true;
}

// With the lock; NULL after having refused.
static gy_ui_api_job *find(gy_ui_api *api, gy_call *call, const char *text)
{
    uint64_t id = 0;
    gy_number_count(text, &id);
    for (size_t i = 0; i < api->jobs.n; i++)
        if (api->jobs.at[i]->id == id)
            return api->jobs.at[i];
    gy_ui_api_refuse(call, 404, "no such job");
    return NULL;
}

bool gy_route_job(gy_ui_api *api, gy_call *call)
{
    pthread_mutex_lock(&api->lock);
    gy_ui_api_job *job = find(api, call, gy_ui_api_query(call, "id"));
    if (job) {
        json_t *reply = job_json(job), *list = json_array();
        size_t count;
        gy_job_figures *history = gy_job_history(job->job, &count);
        for (size_t i = 0; i < count; i++)
            json_array_append_new(list, figures_json(&history[i]));
        free(history);
        json_object_set_new(reply, "history", list);
        json_object_set_new(reply, "verdicts", gy_job_verdicts(job->job));
        const json_t *result = gy_job_result(job->job);
        if (result && json_is_true(json_object_get(reply, "ended")))
            json_object_set_new(reply, "result", json_deep_copy(result));
        gy_ui_api_tell(call, 200, reply);
    }
    pthread_mutex_unlock(&api->lock);
    return true;
}

bool gy_route_stop(gy_ui_api *api, gy_call *call)
{
    pthread_mutex_lock(&api->lock);
    gy_ui_api_job *job = find(api, call, gy_ui_api_query(call, "id"));
    if (job) {
        gy_job_stop(job->job);
        gy_ui_api_tell(call, 200, json_object());
    }
    pthread_mutex_unlock(&api->lock);
    return true;
}

void gy_ui_api_jobs_free(gy_ui_api *api)
{
    GY_VEC(gy_ui_api_job *) jobs = {0};
    pthread_mutex_lock(&api->lock);
    for (size_t i = 0; i < api->jobs.n; i++) {
        gy_job_stop(api->jobs.at[i]->job); // all at once
        gy_vec_push(&jobs, api->jobs.at[i]);
    }
    gy_vec_free(&api->jobs); // calls that are still being answered find none
    pthread_mutex_unlock(&api->lock);
    for (size_t i = 0; i < jobs.n; i++)
        job_free(jobs.at[i]); // their threads may want the lock
    gy_vec_free(&jobs);
}
