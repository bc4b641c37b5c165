#include "cli/report_write.h"

#include "base/file.h"
#include "base/new_file.h"
#include "cli/report_file.h"
#include "report/render.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct report {
    gy_option_id option;
    const char *name;
} report;

static const report reports[] = {
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, end, help) {GY_OPT_##id, #name},
#include "report/renderers.def"
    {GY_OPT_CODE_QUALITY, "code-quality"},
};

// Takes the end off a file that was begun, and what is blank before it. Returns the last character
// that is left, and where that ends in *left; 0: that is not how the file ends.
static char take_end(FILE *file, const char *end, long *left)
{
    char tail[64];
    long want = (long)strlen(end), at;
    if (fseek(file, -want, SEEK_END) != 0 || (at = ftell(file)) < 0 ||
        fread(tail, 1, (size_t)want, file) != (size_t)want || memcmp(tail, end, (size_t)want) != 0)
        return '\0';
    int last = 0;
    while (at > 0 && fseek(file, at - 1, SEEK_SET) == 0 && (last = getc(file)) != EOF &&
           isspace(last))
        at--;
    if (fflush(file) != 0 || ftruncate(fileno(file), at) != 0 || fseek(file, at, SEEK_SET) != 0)
        return '\0';
    *left = at;
    return (char)last;
}

static int complain(const gy_arguments *arguments, const char *path)
{
    return gy_complain(arguments, "cannot write %s: %s", path, strerror(errno));
}

static bool render(const gy_renderer *renderer, const gy_outcome *outcome,
                   const gy_render_options *options, FILE *file)
{
    gy_sink sink = {.file = file};
    renderer->render(outcome, options, &sink);
    bool written = gy_sink_empty(&sink) && !ferror(file) && fflush(file) == 0;
    int error = errno;
    gy_text_free(&sink.text);
    errno = error;
    return written;
}

static int write_new(const gy_arguments *arguments, const gy_renderer *renderer, const char *path,
                     const gy_outcome *outcome, const gy_render_options *options)
{
    gy_new_file file;
    if (!gy_new_file_open(&file, path, GY_NAMED))
        return complain(arguments, path);
    if (render(renderer, outcome, options, file.file))
        return gy_new_file_close(&file) ? 0 : complain(arguments, path);
    gy_new_file_drop(&file);
    return complain(arguments, path);
}

// To the reports that are in the file already. If there is no room, those stay.
static int add(const gy_arguments *arguments, const gy_renderer *renderer, const char *path,
               const gy_outcome *outcome, gy_render_options *options)
{
    long at = 0;
    FILE *file = fopen(path, "r+");
    if (!file)
        return complain(arguments, path);
    if (!(options->goes_on = take_end(file, renderer->end, &at))) {
        fclose(file);
        return gy_complain(arguments,
                           "cannot add a report to %s: it was changed since it was begun", path);
    }
    if (render(renderer, outcome, options, file))
        return fclose(file) == 0 ? 0 : complain(arguments, path);
    int status = complain(arguments, path);
    fclose(file); // with what it still wanted to write
    file = truncate(path, at) == 0 ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "\n%s", renderer->end);
        fclose(file);
    }
    return status;
}

static int write_one(const gy_arguments *arguments, const gy_renderer *renderer, const char *path,
                     bool begun, const gy_outcome *outcome, const char *variant)
{
    gy_render_options options = {
        .style = gy_style_make(false), .full = true, .unreached = true, .variant = variant};
    for (uint32_t i = 0; i < outcome->source_count; i++)
        if (gy_is_same_file(outcome->sources[i].name, path))
            return gy_complain(arguments, "%s is a file of the model: no report is written", path);
    if (!strcmp(path, "/dev/null"))
        return 0;
    return begun ? add(arguments, renderer, path, outcome, &options)
                 : write_new(arguments, renderer, path, outcome, &options);
}

static size_t place_of(const gy_arguments *arguments)
{
    size_t i = 0;
    while (i + 1 < arguments->paths.n && arguments->paths.at[i] != arguments->files[0])
        i++;
    return i;
}

static int write_asked(gy_report_writer *writer, const gy_arguments *arguments, const report *asked,
                       const gy_outcome *outcome, const char *variant)
{
    const char *path = arguments->value[asked->option].text;
    gy_text file = {0};
    if (!path)
        return 0;
    gy_report_file(arguments, path, place_of(arguments), &file);
    bool own = arguments->command != GY_ON_TEST && strchr(path, '%');
    bool *begun = &writer->begun[asked->option];
    int status = write_one(arguments, gy_renderer_named(asked->name), gy_text_str(&file),
                           !own && *begun, outcome, variant);
    *begun = *begun || status == 0;
    gy_text_free(&file);
    return status;
}

int gy_report_write_one(gy_report_writer *writer, const gy_arguments *arguments,
                        gy_option_id option, const gy_outcome *outcome, const char *variant)
{
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (reports[i].option == option)
            return write_asked(writer, arguments, &reports[i], outcome, variant);
    return 0;
}

int gy_report_write(gy_report_writer *writer, const gy_arguments *arguments,
                    const gy_outcome *outcome, const char *variant)
{
    int status = 0;
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        int failed = write_asked(writer, arguments, &reports[i], outcome, variant);
        status = status ? status : failed;
    }
    return status;
}
