#include "cli/command.h"

#include "cli/cadical.h"

#include "base/file.h"
#include "dist/mpi/launch.h"
#include "report/json.h"
#include "report/wrap.h"
#include "verify/stages.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

// 0: standard output is no terminal.
static size_t columns_of_terminal(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

gy_style gy_command_style(const gy_arguments *arguments)
{
    enum { AUTO, ALWAYS, NEVER };
    uint64_t wish = arguments->value[GY_OPT_COLOUR].number;
    if (!gy_given(arguments, GY_OPT_COLOUR))
        wish = AUTO;
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    bool able =
        isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
    gy_style style = gy_style_make(wish == ALWAYS || (wish == AUTO && able));
    style.columns = columns_of_terminal();
    style.links = able && wish != NEVER;
    return style;
}

static bool errors_in_colour(const gy_arguments *arguments)
{
    enum { AUTO, ALWAYS, NEVER };
    uint64_t wish = arguments->value[GY_OPT_COLOUR].number;
    if (gy_given(arguments, GY_OPT_COLOUR) && wish != AUTO)
        return wish == ALWAYS;
    const char *none = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(none && *none);
}

// {verdict: error, diagnostics}
static void put_error_object(const gy_arguments *arguments, json_t *diagnostics)
{
    json_t *report = gy_json_report("error");
    gy_text out = {0};
    json_object_set_new(report, "verdict", json_string("error"));
    json_object_set_new(report, "model",
                        arguments->command == GY_ON_LTL ? json_null()
                                                        : gy_json_string(arguments->files[0]));
    if (arguments->command == GY_ON_LTL)
        json_object_set_new(report, "formula", gy_json_string(arguments->files[0]));
    json_object_set_new(report, "properties", json_array());
    json_object_set_new(report, "diagnostics", diagnostics);
    gy_json_dump(report, &out,
                 arguments->command == GY_ON_SIM || gy_given(arguments, GY_OPT_EVENTS));
    gy_put(&out);
    gy_text_free(&out);
}

void gy_note_json(gy_arguments *arguments, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            arguments->value[GY_OPT_JSON].set = true;
        else if (strcmp(argv[i], "--events") == 0)
            arguments->value[GY_OPT_EVENTS].set = true;
}

void gy_complain_json(const gy_arguments *arguments, const gy_diags *diags)
{
    put_error_object(arguments, gy_json_diagnostics(diags));
}

void gy_say_error(const gy_arguments *arguments, const char *message)
{
    bool colour = errors_in_colour(arguments);
    gy_say("gyre: %serror:%s %s\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "", message);
}

int gy_complain(const gy_arguments *arguments, const char *format, ...)
{
    gy_text message = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&message, format, args);
    va_end(args);
    if (gy_given(arguments, GY_OPT_JSON) || gy_given(arguments, GY_OPT_EVENTS)) {
        json_t *diagnostics = json_array();
        gy_json_add_diagnostic(diagnostics, "error", gy_text_str(&message));
        put_error_object(arguments, diagnostics);
    }
    gy_say_error(arguments, gy_text_str(&message));
    gy_text_free(&message);
    return GY_EXIT_WRONG;
}

int gy_complain_once(const gy_arguments *arguments, bool mpi, const char *message)
{
    gy_text why = {0};
    bool first, ranks = mpi && gy_launched(&first);
    gy_transport *transport = ranks ? gy_launch(&why) : NULL;
    bool tells = !ranks || why.n;
    if (transport)
        gy_launch_agree(transport, false, &tells);
    if (tells)
        gy_complain(arguments, "%s", message);
    fflush(stdout);
    if (transport) // who ends may take the others with it
        transport->close(transport);
    gy_text_free(&why);
    return GY_EXIT_WRONG;
}

bool gy_put_wrapped(gy_text *text, const gy_style *style)
{
    if (style->columns)
        gy_wrap(text, style->columns);
    return gy_put(text);
}

char *gy_read_file(const char *path, gy_file_origin origin, size_t *bytes)
{
    gy_file file;
    gy_file_rules rules = {.most_bytes = 256u << 20, // /dev/zero has no end
                           .regular_only = origin == GY_IMPLIED};
    if (!gy_file_read(path, &rules, &file)) {
        errno = file.error ? file.error : EFBIG;
        return NULL;
    }
    *bytes = file.bytes;
    return file.text;
}

static void print_diagnostics(const gy_arguments *arguments, const gy_diags *diags)
{
    gy_text text = {0};
    if (gy_diags_count(diags) == 0 ||
        (gy_diags_errors(diags) == 0 && gy_given(arguments, GY_OPT_QUIET)))
        return;
    gy_diags_print_by("gyre", diags, &text, errors_in_colour(arguments));
    gy_say_text(&text);
    gy_text_free(&text);
}

gy_request *gy_request_for(const gy_arguments *arguments)
{
    gy_request *request = gy_request_new();
    gy_text problem = {0};
    if (arguments->input && arguments->files[0] == arguments->input_name)
        gy_request_text(request, arguments->input_name, arguments->input, arguments->input_bytes);
    else
        gy_request_file(request, arguments->files[0]);
    request->started = arguments->started;
    request->sat = gy_cadical();
    for (size_t i = 0; i < arguments->given.n && problem.n == 0; i++) {
        const gy_given_option *given = &arguments->given.at[i];
        const char *name = gy_option_table[given->id].name + 1;
        name += *name == '-';
        // The same name may mean another thing to another command.
        if (gy_request_knows(name) && given->id != GY_OPT_SWARM_RESUME &&
            (arguments->command == GY_ON_VERIFY || arguments->command == GY_ON_HUNT ||
             arguments->command == GY_ON_SWARM || given->id != GY_OPT_TRAIL))
            gy_request_put(request, name, given->text, &problem);
    }
    if (problem.n > 0) {
        gy_complain(arguments, "%s", gy_text_str(&problem));
        gy_request_free(request);
        request = NULL;
    }
    gy_text_free(&problem);
    return request;
}

// An included file is as much the user's as the model that includes it.
static bool spares_sources(const gy_arguments *arguments, const gy_loaded_model *subject,
                           gy_user_error *complaint)
{
    const gy_sources *sources = subject->model ? subject->model->sources : NULL;
    for (uint32_t i = 0; sources && i < gy_sources_count(sources); i++)
        if (!gy_arguments_spare(arguments, gy_source_name(sources, i), "a file of the model",
                                &complaint->message))
            return false;
    return true;
}

int gy_read_for(const gy_arguments *arguments, const gy_request *request, gy_loaded_model *subject)
{
    gy_user_error complaint = {0};
    bool json = gy_given(arguments, GY_OPT_JSON) || gy_given(arguments, GY_OPT_EVENTS);
    bool read = gy_loaded_model_read_safely(subject, request, &complaint) &&
                spares_sources(arguments, subject, &complaint);
    if (subject->diags && (!json || !read))
        print_diagnostics(arguments, subject->diags);
    if (!read && complaint.message.n > 0)
        gy_complain(arguments, "%s", gy_text_str(&complaint.message));
    else if (!read && json)
        put_error_object(arguments, gy_json_diagnostics(subject->diags));
    if (!read)
        gy_loaded_model_free(subject);
    gy_user_error_free(&complaint);
    return read ? 0 : GY_EXIT_WRONG;
}

int gy_refuse_model(const gy_arguments *arguments, const gy_loaded_model *subject)
{
    print_diagnostics(arguments, subject->diags);
    if (gy_given(arguments, GY_OPT_JSON))
        put_error_object(arguments, gy_json_diagnostics(subject->diags));
    return GY_EXIT_WRONG;
}

int gy_load_for(const gy_arguments *arguments, gy_loaded_model *subject)
{
    gy_request *request = gy_request_for(arguments);
    gy_user_error complaint = {0};
    if (!request)
        return GY_EXIT_WRONG;
    request->no_object = arguments->command == GY_ON_INFO;
    int status = gy_read_for(arguments, request, subject);
    gy_request_free(request);
    if (status)
        return status;
    if (arguments->command == GY_ON_INFO) {
        gy_loaded_model_show(subject);
    } else if (!gy_loaded_model_start(subject, GY_NATIVE_OFF, &complaint)) {
        status = gy_complain(arguments, "%s", gy_text_str(&complaint.message));
        gy_loaded_model_free(subject);
    }
    gy_user_error_free(&complaint);
    return status;
}
