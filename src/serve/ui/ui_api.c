#include "serve/ui/ui_api.h"

#include "base/file.h"
#include "base/hash.h"
#include "report/json.h"
#include "serve/ui/ui_api_parts.h"

#include <errno.h>
#include <gyre/gyre.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_CHECKS = 8 };

static const double CHECK_SECONDS = 10;
static const uint64_t CHECK_MEMORY = (uint64_t)4 << 30; // of address space

// ---- answers ----------------------------------------------------------------------------

void gy_ui_api_tell(gy_call *call, unsigned status, json_t *value)
{
    call->status = status;
    call->type = "application/json";
    gy_text_clear(&call->text);
    gy_json_dump(value, &call->text, true);
}

void gy_ui_api_refuse(gy_call *call, unsigned status, const char *format, ...)
{
    gy_text message = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&message, format, args);
    va_end(args);
    gy_ui_api_tell(call, status, json_pack("{s:o}", "error", gy_json_take(&message)));
}

void gy_ui_api_refuse_file(gy_call *call, const char *name, int why)
{
    gy_text shown = {0};
    gy_text_add(&shown, name);
    if (why == EINVAL)
        gy_ui_api_refuse(call, 403, "`%s` is not the name of a model in this directory",
                         gy_text_str(&shown));
    else if (why == ELOOP || why == ENOTDIR)
        gy_ui_api_refuse(call, 403, "`%s`: links are not followed", gy_text_str(&shown));
    else if (why == EFBIG)
        gy_ui_api_refuse(call, 413, "`%s` has more than %d MB", gy_text_str(&shown),
                         GY_FOLDER_MOST_BYTES >> 20);
    else
        gy_ui_api_refuse(call,
                         why == ENOENT                   ? 404
                         : why == EACCES || why == EPERM ? 403
                                                         : 500,
                         "`%s`: %s", gy_text_str(&shown), strerror(why));
    gy_text_free(&shown);
}

json_t *gy_ui_api_body(gy_call *call, const char **name)
{
    json_t *body = json_loadb(call->body.at ? call->body.at : "", call->body.n, 0, NULL);
    *name = json_string_value(json_object_get(body, "name"));
    if (*name && gy_ui_directory_is_model(*name))
        return body;
    if (*name)
        gy_ui_api_refuse_file(call, *name, EINVAL);
    else
        gy_ui_api_refuse(call, 400, "the body must be a JSON object with the name of a model");
    json_decref(body);
    return NULL;
}

json_t *gy_ui_api_saved_body(gy_ui_api *api, gy_call *call, const char **name)
{
    json_t *body = gy_ui_api_body(call, name);
    if (!body || gy_ui_directory_has(&api->folder, *name))
        return body;
    gy_ui_api_refuse_file(call, *name, errno);
    json_decref(body);
    return NULL;
}

const char *gy_ui_api_query(const gy_call *call, const char *name)
{
    const char *value = call->query ? call->query(call->from, name) : NULL;
    return value ? value : "";
}

// ---- children -----------------------------------------------------------------------------

void gy_ui_api_add(gy_ui_api_arguments *list, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    gy_vec_push(list, gy_text_take(&text));
}

bool gy_ui_api_add_defines(gy_ui_api_arguments *list, const json_t *body, gy_call *call)
{
    size_t i;
    json_t *define;
    json_array_foreach(json_object_get(body, "defines"), i, define)
    {
        const char *text = json_string_value(define);
        if (!text || !*text) {
            gy_ui_api_refuse(call, 400, "defines must be texts such as N=3");
            return false;
        }
        gy_ui_api_add(list, "-D%s", text);
    }
    return true;
}

void gy_ui_api_arguments_free(gy_ui_api_arguments *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    gy_vec_free(list);
}

// ---- files ------------------------------------------------------------------------------

static bool route_folder(gy_ui_api *api, gy_call *call)
{
    const gy_ui_api_options *options = &api->options;
    json_t *reply =
        json_pack("{s:s, s:o, s:o, s:o, s:b, s:i, s:f, s:I}", "gyre", GY_VERSION, "folder",
                  gy_json_string(api->folder.path), "model", gy_json_string(options->model),
                  "files", gy_ui_directory_list(&api->folder), "allow_c", options->allow_c,
                  "most_jobs", (int)options->most_jobs, "most_seconds", options->most_seconds,
                  "most_memory", (json_int_t)options->most_memory);
    gy_ui_api_tell(call, 200, reply);
    return true;
}

// What tells one text from another: the code that writes says which one is to be replaced.
static void version_of(const char *text, size_t bytes, char version[17])
{
    snprintf(version, 17, "%016llx", (unsigned long long)gy_hash_bytes(text, bytes, 0));
}

static bool route_read(gy_ui_api *api, gy_call *call)
{
    const char *name = gy_ui_api_query(call, "name");
    size_t bytes;
    char version[17];
    char *text = gy_ui_directory_read(&api->folder, name, &bytes);
    if (!text) {
        gy_ui_api_refuse_file(call, name, errno);
        return true;
    }
    version_of(text, bytes, version);
    json_t *exact = json_stringn(text, bytes);
    json_t *reply =
        json_pack("{s:o, s:s, s:b}", "name", gy_json_string(name), "version", version, "readonly",
                  !exact); // it would not be the same when it is written again
    json_object_set_new(reply, "text", exact ? exact : gy_json_string(text));
    free(text);
    gy_ui_api_tell(call, 200, reply);
    return true;
}

// Nothing is written over what the page has not seen. `base`: the version it knows, "" for a new
// file.
static bool is_still(gy_ui_api *api, gy_call *call, const char *name, const char *base)
{
    size_t bytes;
    char version[17] = "";
    char *text = gy_ui_directory_read(&api->folder, name, &bytes);
    if (text)
        version_of(text, bytes, version);
    else if (errno != ENOENT) {
        gy_ui_api_refuse_file(call, name, errno);
        return false;
    }
    free(text);
    if (strcmp(version, base) == 0)
        return true;
    gy_ui_api_refuse(call, 409, "`%s` was changed by another program", name);
    return false;
}

static bool route_write(gy_ui_api *api, gy_call *call)
{
    json_t *body = json_loadb(call->body.at ? call->body.at : "", call->body.n, 0, NULL);
    json_t *text = json_object_get(body, "text");
    const char *name = json_string_value(json_object_get(body, "name"));
    const char *base = json_string_value(json_object_get(body, "base"));
    if (!name || !json_is_string(text) || !base) {
        gy_ui_api_refuse(call, 400, "the body must be a JSON object with name, text and base");
    } else {
        // One at a time: two pages that save at once must not both win.
        pthread_mutex_lock(&api->lock);
        if (!is_still(api, call, name, base)) {
            // refused
        } else if (gy_ui_directory_write(&api->folder, name, json_string_value(text),
                                         json_string_length(text))) {
            char version[17];
            version_of(json_string_value(text), json_string_length(text), version);
            gy_ui_api_tell(call, 200, json_pack("{s:s}", "version", version));
        } else {
            gy_ui_api_refuse_file(call, name, errno);
        }
        pthread_mutex_unlock(&api->lock);
    }
    json_decref(body);
    return true;
}

// ---- problems ---------------------------------------------------------------------------

static void child_changed(void *user)
{
    gy_call *call = user;
    gy_ui_api *api = call->api;
    gy_job_view view;
    pthread_mutex_lock(&api->lock); // call->job is set when the code that starts it lets go
    gy_job_look(call->job, &view);
    pthread_mutex_unlock(&api->lock);
    if (view.phase == GY_JOB_ENDED)
        api->options.ready(call->from);
}

static void end_child(gy_ui_api *api, gy_call *call)
{
    gy_job_free(call->job);
    call->job = NULL;
    pthread_mutex_lock(&api->lock);
    api->checks--;
    pthread_mutex_unlock(&api->lock);
}

static void check_finish(gy_ui_api *api, gy_call *call)
{
    const json_t *result = gy_job_result(call->job);
    gy_job_view view;
    gy_job_look(call->job, &view);
    if (result)
        gy_ui_api_tell(call, 200, json_deep_copy(result));
    else if (view.limit && strcmp(view.limit, "time") == 0)
        gy_ui_api_refuse(call, 504, "reading the model took more than %g s", CHECK_SECONDS);
    else
        gy_ui_api_refuse(call, 500, "gyre info has ended without an answer (status %d)",
                         view.status);
    end_child(api, call);
}

static void format_finish(gy_ui_api *api, gy_call *call)
{
    gy_job_view view;
    size_t bytes;
    gy_job_look(call->job, &view);
    const char *text = gy_job_text(call->job, &bytes);
    if (view.status == 0)
        gy_ui_api_tell(call, 200, json_pack("{s:o}", "text", json_stringn(text, bytes)));
    else
        gy_ui_api_refuse(call, 422, "this text cannot be formatted: see its problems");
    end_child(api, call);
}

// A child that reads the text of a model and answers soon. False: refused.
static bool start_child(gy_ui_api *api, gy_call *call, const gy_job_request *request)
{
    pthread_mutex_lock(&api->lock);
    bool free = api->checks < MOST_CHECKS && !api->stopping;
    if (free) {
        api->checks++;
        call->job = gy_job_start(request);
    }
    pthread_mutex_unlock(&api->lock);
    if (!free)
        gy_ui_api_refuse(call, 429, "too many models are read at the same time");
    return free;
}

// A command on a text that need not be saved. False: refused.
static bool read_text(gy_ui_api *api, gy_call *call, const json_t *body, gy_ui_api_arguments *list)
{
    const json_t *text = json_object_get(body, "text");
    if (!json_is_string(text)) {
        gy_ui_api_refuse(call, 400, "the body must have the text of the model");
        return false;
    }
    gy_vec_push(list, NULL);
    char *place =
        gy_ui_directory_place(&api->folder, json_string_value(json_object_get(body, "name")));
    gy_job_request request = {
        .arguments = (const char *const *)list->at,
        .program = api->options.program,
        .folder = place,
        .within = api->folder.path,
        .input = json_string_value(text),
        .input_bytes = json_string_length(text),
        .most_seconds = CHECK_SECONDS,
        .most_memory = CHECK_MEMORY,
        .changed = child_changed,
        .user = call,
    };
    bool started = start_child(api, call, &request);
    free(place);
    return started;
}

// `gyre info`: what it says of the file is what it says here.
static bool route_check(gy_ui_api *api, gy_call *call)
{
    const char *name;
    json_t *body = gy_ui_api_body(call, &name);
    gy_ui_api_arguments list = {0};
    if (!body)
        return true;
    gy_ui_api_add(&list, "info");
    gy_ui_api_add(&list, "-");
    gy_ui_api_add(&list, "--json");
    gy_ui_api_add(&list, "--stdin-name=%s", gy_ui_directory_base(name));
    call->finish = check_finish;
    bool started = gy_ui_api_add_defines(&list, body, call) && read_text(api, call, body, &list);
    gy_ui_api_arguments_free(&list);
    json_decref(body);
    return !started;
}

// `gyre format`.
static bool route_format(gy_ui_api *api, gy_call *call)
{
    const char *name;
    json_t *body = gy_ui_api_body(call, &name);
    gy_ui_api_arguments list = {0};
    if (!body)
        return true;
    gy_ui_api_add(&list, "format");
    gy_ui_api_add(&list, "-");
    gy_ui_api_add(&list, "--stdout");
    call->finish = format_finish;
    bool started = read_text(api, call, body, &list);
    gy_ui_api_arguments_free(&list);
    json_decref(body);
    return !started;
}

// ---- calls ------------------------------------------------------------------------------

static const struct {
    const char *method, *path;
    gy_route *begin;
} routes[] = {
    {"GET", "api/folder", route_folder},    {"GET", "api/file", route_read},
    {"PUT", "api/file", route_write},       {"POST", "api/check", route_check},
    {"POST", "api/format", route_format},   {"POST", "api/verify", gy_route_verify},
    {"GET", "api/jobs", gy_route_jobs},     {"GET", "api/job", gy_route_job},
    {"POST", "api/stop", gy_route_stop},    {"GET", "api/history", gy_route_history},
    {"GET", "api/record", gy_route_record}, {"POST", "api/forget", gy_route_forget},
    {"POST", "api/sim", gy_route_sim},      {"POST", "api/ask", gy_route_ask},
    {"POST", "api/leave", gy_route_leave},
};

void gy_ui_api_call(gy_ui_api *api, gy_call *call)
{
    bool known = false;
    call->api = api;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (strcmp(routes[i].path, call->path) != 0)
            continue;
        known = true;
        if (strcmp(routes[i].method, call->method) != 0)
            continue;
        if (routes[i].begin(api, call)) {
            call->finish = NULL; // the answer is there
            api->options.ready(call->from);
        }
        return;
    }
    gy_ui_api_refuse(call, known ? 405 : 404,
                     known ? "this method is not supported here" : "not found");
    api->options.ready(call->from);
}

void gy_ui_api_answer(gy_ui_api *api, gy_call *call)
{
    if (call->finish)
        call->finish(api, call);
    call->finish = NULL;
}

void gy_call_free(gy_call *call)
{
    gy_text_free(&call->body);
    gy_text_free(&call->text);
    json_decref(call->reply);
}

// ---- the API ---------------------------------------------------------------------------

gy_ui_api *gy_ui_api_new(const gy_ui_api_options *options)
{
    gy_ui_api *api = gy_alloc_zero(sizeof *api);
    gy_text scratch = {0};
    api->options = *options;
    gy_text_printf(&scratch, "%s/gyre-ui-XXXXXX", gy_temporary_folder());
    api->scratch = gy_text_take(&scratch);
    if (!gy_ui_directory_open(&api->folder, options->folder)) {
        int why = errno;
        free(api->scratch);
        free(api);
        errno = why;
        return NULL;
    }
    if (!mkdtemp(api->scratch)) {
        int why = errno;
        gy_ui_directory_close(&api->folder);
        free(api->scratch);
        free(api);
        errno = why;
        return NULL;
    }
    pthread_mutex_init(&api->lock, NULL);
    return api;
}

void gy_ui_api_stop(gy_ui_api *api)
{
    pthread_mutex_lock(&api->lock);
    api->stopping = true;
    pthread_mutex_unlock(&api->lock);
    gy_ui_api_sims_free(api);
    gy_ui_api_jobs_free(api);
}

void gy_ui_api_free(gy_ui_api *api)
{
    rmdir(api->scratch);
    gy_vec_free(&api->sims); // those that calls waited for are gone by now, too
    gy_ui_directory_close(&api->folder);
    pthread_mutex_destroy(&api->lock);
    free(api->scratch);
    free(api);
}
