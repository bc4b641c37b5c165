#include "cli/command.h"

#include "exec/native/native.h"

#include "base/vec.h"
#include "load/load.h"
#include "report/json.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

gy_style gy_command_style(const gy_arguments *arguments)
{
    enum { AUTO, ALWAYS, NEVER };
    uint64_t wish = arguments->value[GY_OPT_COLOUR].number;
    if (!gy_given(arguments, GY_OPT_COLOUR))
        wish = AUTO;
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    bool able =
        isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
    return gy_style_make(wish == ALWAYS || (wish == AUTO && able));
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

bool gy_put(gy_text *text)
{
    static bool closed; // standard output belongs to the process, and so does its state
    if (!closed && text->n > 0) {
        size_t written = fwrite(text->at, 1, text->n, stdout);
        if (written < text->n || fflush(stdout) != 0) {
            closed = true;
            if (errno != EPIPE) {
                fprintf(stderr, "gyre: error: can't write to standard output: %s\n",
                        strerror(errno));
                _exit(GY_EXIT_WRONG);
            }
        }
    }
    gy_text_clear(text);
    return !closed;
}

// {verdict: error, diagnostics}
static void put_error_object(const gy_arguments *arguments, json_t *diagnostics)
{
    json_t *report = json_object();
    gy_text out = {0};
    json_object_set_new(report, "verdict", json_string("error"));
    json_object_set_new(report, "model", gy_json_string(arguments->files[0]));
    json_object_set_new(report, "properties", json_array());
    json_object_set_new(report, "diagnostics", diagnostics);
    gy_json_dump(report, &out, arguments->command == GY_ON_SIM);
    gy_put(&out);
    gy_text_free(&out);
}

int gy_complain(const gy_arguments *arguments, const char *format, ...)
{
    gy_text message = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&message, format, args);
    va_end(args);
    if (gy_given(arguments, GY_OPT_JSON)) {
        json_t *diagnostics = json_array();
        gy_json_add_diagnostic(diagnostics, "error", gy_text_str(&message));
        put_error_object(arguments, diagnostics);
    }
    bool colour = errors_in_colour(arguments);
    fprintf(stderr, "gyre: %serror:%s %s\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "",
            gy_text_str(&message));
    gy_text_free(&message);
    return GY_EXIT_WRONG;
}

char *gy_read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(file);
        errno = EISDIR;
        return NULL;
    }
    gy_text text = {0};
    char block[65536];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        gy_text_bytes(&text, block, n);
    bool failed = ferror(file);
    fclose(file);
    if (failed) {
        gy_text_free(&text);
        errno = EIO;
        return NULL;
    }
    *bytes = text.n;
    return gy_text_take(&text);
}

static int read_foreign(const gy_arguments *arguments, gy_loaded *loaded)
{
    char *problem = NULL;
    loaded->system = gy_system_foreign(arguments->files[0], &problem);
    int status = 0;
    if (!loaded->system)
        status = gy_complain(arguments, "%s",
                             problem && *problem ? problem : "this shared object can't be used");
    gy_free(problem);
    return status;
}

static void print_diagnostics(const gy_arguments *arguments, const gy_diags *diags)
{
    gy_text text = {0};
    if (gy_diags_count(diags) == 0 ||
        (gy_diags_errors(diags) == 0 && gy_given(arguments, GY_OPT_QUIET)))
        return;
    gy_diags_print(diags, &text, errors_in_colour(arguments));
    fputs(gy_text_str(&text), stderr);
    gy_text_free(&text);
}

static bool is_shared_object(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

static bool has_c(const gy_model *model)
{
    return model->c_code_count > 0 || model->c_unit_count > 0;
}

// Only a search is worth compiling for. One that goes on from a checkpoint needs its states'
// meaning restored first, so that the compiler can't come before the search.
static gy_native_mode native_mode(const gy_arguments *arguments)
{
    static const gy_native_mode modes[] = {GY_NATIVE_AUTO, GY_NATIVE_OFF, GY_NATIVE_WAIT};
    if (arguments->command != GY_ON_VERIFY)
        return GY_NATIVE_OFF;
    gy_native_mode mode = modes[arguments->value[GY_OPT_BACKEND].number];
    return mode == GY_NATIVE_WAIT && gy_given(arguments, GY_OPT_RESUME) ? GY_NATIVE_AUTO : mode;
}

int gy_read_for(const gy_arguments *arguments, gy_loaded *loaded)
{
    *loaded = (gy_loaded){0};
    const char *path = arguments->files[0];
    if (is_shared_object(path))
        return read_foreign(arguments, loaded);
    gy_load_options options = {
        .defines = arguments->defines,
        .include_dirs = arguments->include_dirs,
        .lossy = gy_given(arguments, GY_OPT_LOSSY),
        .unchecked_exclusive = gy_given(arguments, GY_OPT_NO_EXCLUSIVE),
    };
    gy_model *model = gy_load_model(path, &options, &loaded->diags);
    bool json = gy_given(arguments, GY_OPT_JSON);
    if (!json || !model)
        print_diagnostics(arguments, loaded->diags);
    if (!model) {
        if (json)
            put_error_object(arguments, gy_json_diagnostics(loaded->diags));
        gy_loaded_free(loaded);
        return GY_EXIT_WRONG;
    }
    loaded->model = model;
    return 0;
}

// A system that runs `model`, or NULL after having complained.
static gy_system *start(const gy_arguments *arguments, gy_model *model, gy_native_mode mode)
{
    char *problem = NULL;
    gy_system *system = NULL;
    gy_exec_options exec = {.lossy = gy_given(arguments, GY_OPT_LOSSY)};
    gy_native_options native = {.mode = mode};
    if (arguments->command == GY_ON_INFO) // nothing will run
        system = gy_system_vm(model, false, &exec);
    else if (has_c(model) && gy_given(arguments, GY_OPT_NO_C))
        problem = strdup("the model has embedded C, which --no-c forbids");
    else
        system = gy_system_native(model, false, &exec, &native, &problem);
    if (!system)
        gy_complain(arguments, "%s", problem ? problem : "the model can't be run");
    free(problem);
    return system;
}

int gy_start_for(const gy_arguments *arguments, const gy_watched *watched, gy_loaded *loaded)
{
    if (!loaded->model)
        return 0;
    // A step of a reduced model may be several of the real one: no measure for --shortest.
    bool exact =
        !watched || gy_given(arguments, GY_OPT_EXACT) || gy_given(arguments, GY_OPT_SHORTEST);
    gy_passes passes = {
        .dead = !exact && !gy_given(arguments, GY_OPT_NO_DEAD),
        .slice = !exact && !gy_given(arguments, GY_OPT_NO_SLICE),
        .merge = !exact && !gy_given(arguments, GY_OPT_NO_MERGE),
        .ranges = !gy_given(arguments, GY_OPT_NO_RANGES), // the same states, in fewer bits
    };
    gy_model *searched = loaded->model;
    if (watched)
        searched = gy_model_reduced(loaded->model, &passes, watched, &loaded->saved);
    loaded->saved.exact = exact;
    if (!gy_saved_any(&loaded->saved))
        searched = loaded->model;
    loaded->system = start(arguments, searched, native_mode(arguments));
    return loaded->system ? 0 : GY_EXIT_WRONG;
}

gy_system *gy_exact_system(const gy_arguments *arguments, gy_loaded *loaded)
{
    if (!gy_saved_any(&loaded->saved))
        return loaded->system;
    if (!loaded->exact)
        loaded->exact = start(arguments, loaded->model, GY_NATIVE_OFF);
    return loaded->exact;
}

int gy_load_for(const gy_arguments *arguments, gy_loaded *loaded)
{
    int status = gy_read_for(arguments, loaded);
    if (!status && (status = gy_start_for(arguments, NULL, loaded)))
        gy_loaded_free(loaded);
    return status;
}

void gy_loaded_free(gy_loaded *loaded)
{
    if (loaded->diags)
        gy_diags_free(loaded->diags);
    if (loaded->exact)
        gy_system_free(loaded->exact);
    if (loaded->system)
        gy_system_free(loaded->system);
    gy_model_free(loaded->model);
    *loaded = (gy_loaded){0};
}
