#include "serve/dap/adapter.h"

#include "report/json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { STEPS_AT_ONCE = 512, LAST_WAIT = 5000 }; // steps, milliseconds

bool gy_dap_refuse(gy_text *problem, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_clear(problem);
    gy_text_vprintf(problem, format, args);
    va_end(args);
    return false;
}

// ---- arguments ----------------------------------------------------------------------------

bool gy_dap_number(const json_t *arguments, const char *name, int64_t least, int64_t most,
                   int64_t *number, gy_text *problem)
{
    const json_t *value = json_object_get(arguments, name);
    if (!value || json_is_null(value))
        return true;
    if (!json_is_integer(value) || json_integer_value(value) < least ||
        json_integer_value(value) > most)
        return gy_dap_refuse(problem, "`%s` must be a whole number from %lld to %lld", name,
                             (long long)least, (long long)most);
    *number = json_integer_value(value);
    return true;
}

const char *gy_dap_text(const json_t *arguments, const char *name)
{
    return json_string_value(json_object_get(arguments, name));
}

bool gy_dap_truth(const json_t *arguments, const char *name, bool otherwise)
{
    const json_t *value = json_object_get(arguments, name);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

bool gy_dap_thread(gy_adapter *adapter, const json_t *arguments, int32_t *pid, gy_text *problem)
{
    int64_t id = -1;
    if (!gy_dap_number(arguments, "threadId", 0, INT32_MAX, &id, problem))
        return false;
    if (id < 0)
        return gy_dap_refuse(problem, "`threadId` is missing");
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(&adapter->debuggee, scene);
    bool live = id >= 1 && id <= scene->view.process_count;
    bool nobody = id == GY_DAP_NO_PROCESS && scene->view.process_count == 0;
    free(scene);
    *pid = live ? (int32_t)id - 1 : -1;
    return live || nobody ||
           gy_dap_refuse(problem, "no process has the thread id %lld", (long long)id);
}

int64_t gy_dap_line(const gy_adapter *adapter, uint32_t line)
{
    return (int64_t)line - adapter->lines_from_0;
}

int64_t gy_dap_column(const gy_adapter *adapter, const gy_location_info *place)
{
    size_t bytes, line = 1, column = 0;
    const char *text =
        place->line ? gy_source_text(adapter->debuggee.subject.model->sources, place->file, &bytes)
                    : NULL;
    const char *at = text, *end = text ? text + bytes : NULL;
    for (; at && line < place->line; line++)
        at = (at = memchr(at, '\n', (size_t)(end - at))) ? at + 1 : NULL;
    for (uint32_t i = 1; i < place->column; i++) {
        unsigned char byte = at && at < end ? (unsigned char)*at++ : ' ';
        column += (byte & 0xC0) != 0x80; // a character begins here …
        column += byte >= 0xF0;          // … that takes two units
    }
    return (int64_t)column + !adapter->columns_from_0;
}

json_t *gy_dap_source(const char *file)
{
    char *path = realpath(file, NULL);
    json_t *source = json_pack("{s:o, s:o}", "name", gy_json_string(gy_base_name(file)), "path",
                               gy_json_string(path ? path : file));
    free(path);
    return source;
}

// ---- writing ------------------------------------------------------------------------------

void gy_dap_event(gy_adapter *adapter, const char *name, json_t *body)
{
    json_t *event = json_pack("{s:s, s:s}", "type", "event", "event", name);
    if (body)
        json_object_set_new(event, "body", body);
    json_array_append_new(adapter->events, event);
}

void gy_dap_say(gy_adapter *adapter, const char *category, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    gy_dap_event(adapter, "output",
                 json_pack("{s:s, s:o}", "category", category, "output", gy_json_take(&text)));
}

static void put(gy_adapter *adapter, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++adapter->seq));
    if (!adapter->lost && !gy_frame_write(adapter->out, message))
        adapter->lost = adapter->done = true;
}

static void put_events(gy_adapter *adapter)
{
    size_t i;
    json_t *event;
    json_array_foreach(adapter->events, i, event)
    {
        put(adapter, event);
    }
    json_array_clear(adapter->events);
}

// ---- requests -----------------------------------------------------------------------------

static const gy_dap_command *find_command(const char *name)
{
    static const gy_dap_command *const tables[] = {
        gy_dap_session_commands,  gy_dap_launch_commands, gy_dap_break_commands,
        gy_dap_move_commands,     gy_dap_look_commands,   gy_dap_value_commands,
        gy_dap_complete_commands, gy_dap_custom_commands};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const gy_dap_command *row = tables[i]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

// Can it be obeyed at this stage?
static bool is_time_for(const gy_adapter *adapter, const gy_dap_command *command, gy_text *problem)
{
    if (!adapter->initialized && strcmp(command->name, "initialize") != 0 &&
        strcmp(command->name, "disconnect") != 0)
        return gy_dap_refuse(problem, "`initialize` comes first");
    if (command->needs == GY_DAP_ANY)
        return true;
    if (!gy_dap_has_model(adapter))
        return gy_dap_refuse(problem, "nothing was launched");
    if (command->needs == GY_DAP_MODEL)
        return true;
    switch (adapter->stage) {
    case GY_DAP_LOADED:
        return gy_dap_refuse(problem, "`configurationDone` comes first");
    case GY_DAP_VERIFIES:
        return gy_dap_refuse(problem, "the verification is still running");
    case GY_DAP_OVER:
        return gy_dap_refuse(problem, "nothing to step through");
    default:
        break;
    }
    return !adapter->debuggee.goes ||
           gy_dap_refuse(problem, "the program is running: pause it first");
}

static void obey(gy_adapter *adapter, const json_t *request)
{
    const char *name = gy_dap_text(request, "command");
    const json_t *arguments = json_object_get(request, "arguments");
    const gy_dap_command *command = name ? find_command(name) : NULL;
    gy_text problem = {0};
    json_t *body = json_object(), *none = json_object();
    bool good = false;
    if (!name)
        gy_dap_refuse(&problem, "a request needs a `command`");
    else if (!command)
        gy_dap_refuse(&problem, "the request `%s` is not known", name);
    else if (is_time_for(adapter, command, &problem))
        good = command->obey(adapter, json_is_object(arguments) ? arguments : none, body, &problem);
    json_t *seq = json_object_get(request, "seq");
    json_t *response = json_pack("{s:s, s:I, s:o, s:b}", "type", "response", "request_seq",
                                 (json_int_t)(json_is_integer(seq) ? json_integer_value(seq) : 0),
                                 "command", gy_json_string(name ? name : ""), "success", good);
    if (good && json_object_size(body) > 0)
        json_object_set(response, "body", body);
    if (!good) {
        json_object_set_new(response, "message", gy_json_string(gy_text_str(&problem)));
        // Braces would be taken for names of variables.
        json_object_set_new(response, "body",
                            json_pack("{s:{s:i, s:s, s:{s:o}, s:b}}", "error", "id", 1, "format",
                                      "{problem}", "variables", "problem",
                                      gy_json_string(gy_text_str(&problem)), "showUser",
                                      command != NULL));
    }
    put(adapter, response);
    json_decref(response);
    json_decref(body);
    json_decref(none);
    gy_text_free(&problem);
    put_events(adapter);
}

// Whole messages that have come. False: there are no more for now.
static bool take_message(gy_adapter *adapter)
{
    json_t *message = NULL;
    gy_text problem = {0};
    gy_frame_result result = gy_frame_next(adapter->reader, &message, &problem);
    bool is_request = json_is_object(message);
    const char *type = gy_dap_text(message, "type");
    switch (result) {
    case GY_FRAME_MORE:
        return false;
    case GY_FRAME_MESSAGE:
        // Responses are to requests of ours, of which there are none.
        if (is_request && (!type || strcmp(type, "response") != 0))
            obey(adapter, message);
        else if (!is_request)
            gy_dap_say(adapter, "stderr", "gyre: a message must be an object\n");
        break;
    case GY_FRAME_NOT_JSON:
    case GY_FRAME_TOO_LARGE:
        gy_dap_say(adapter, "stderr", "gyre: %s\n", gy_text_str(&problem));
        break;
    case GY_FRAME_BROKEN:
        gy_dap_say(adapter, "stderr", "gyre: %s\n", gy_text_str(&problem));
        adapter->done = adapter->broken = true;
        break;
    }
    put_events(adapter);
    json_decref(message);
    gy_text_free(&problem);
    return true;
}

// ---- the loop -----------------------------------------------------------------------------

static void go_on(gy_adapter *adapter)
{
    gy_text_clear(&adapter->stop.text);
    adapter->stop.kind = GY_STOP_NONE;
    if (gy_debuggee_run(&adapter->debuggee, STEPS_AT_ONCE, &adapter->stop))
        gy_dap_stopped(adapter);
    put_events(adapter);
}

static void wait_for_something(gy_adapter *adapter)
{
    struct pollfd sources[] = {{.fd = adapter->in, .events = POLLIN},
                               {.fd = adapter->wake[0], .events = POLLIN}};
    char bytes[64];
    if (poll(sources, 2, adapter->debuggee.goes ? 0 : -1) < 0 && errno != EINTR) {
        adapter->done = true;
        return;
    }
    if (sources[1].revents) {
        ssize_t n = read(adapter->wake[0], bytes, sizeof bytes);
        (void)n; // whatever was written: there is news
        if (adapter->stage == GY_DAP_VERIFIES)
            gy_dap_verification_news(adapter);
        put_events(adapter);
    }
    if (sources[0].revents) {
        long n = gy_frame_fill(adapter->reader, adapter->in);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            adapter->done = true;
    }
}

static bool open_adapter(gy_adapter *adapter)
{
    if (pipe2(adapter->wake, O_NONBLOCK | O_CLOEXEC) != 0)
        return false;
    adapter->reader = gy_frame_reader_new(GY_FRAME_LIMIT);
    adapter->events = json_array();
    adapter->debuggee.stops =
        GY_STOPS_ASSERTION | GY_STOPS_ERROR | GY_STOPS_DEADLOCK | GY_STOPS_CYCLE;
    gy_forest_init(&adapter->forest);
    signal(SIGPIPE, SIG_IGN);
    return true;
}

// A verification ends soon after it was asked to; one that does not is left to the system.
static void end_verification(gy_adapter *adapter)
{
    if (!adapter->verification)
        return;
    struct pollfd news = {.fd = adapter->wake[0], .events = POLLIN};
    char bytes[64];
    gy_verification_stop(adapter->verification);
    while (!gy_verification_result(adapter->verification)) {
        if (poll(&news, 1, LAST_WAIT) <= 0)
            _exit(0);
        ssize_t n = read(adapter->wake[0], bytes, sizeof bytes);
        (void)n;
    }
}

static void close_adapter(gy_adapter *adapter)
{
    end_verification(adapter);
    gy_dap_unload(adapter);
    gy_breakpoints_free(&adapter->debuggee.breakpoints);
    gy_forest_free(&adapter->forest);
    gy_vec_free(&adapter->trees);
    gy_vec_free(&adapter->targets);
    gy_text_free(&adapter->stop.text);
    json_decref(adapter->events);
    json_decref(adapter->launch);
    gy_frame_reader_free(adapter->reader);
    close(adapter->wake[0]);
    close(adapter->wake[1]);
}

bool gy_dap_serve(const gy_dap_options *options, int in, int out)
{
    gy_adapter adapter = {.options = *options, .in = in, .out = out};
    if (!open_adapter(&adapter))
        return false;
    while (!adapter.done) {
        while (!adapter.done && take_message(&adapter))
            ;
        if (!adapter.done && adapter.debuggee.goes)
            go_on(&adapter);
        if (!adapter.done)
            wait_for_something(&adapter);
    }
    close_adapter(&adapter);
    return !adapter.broken;
}
