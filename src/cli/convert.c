// gyre convert MODEL [-o FILE]: the model in Promela.
#include "base/new_file.h"
#include "cli/command.h"
#include "load/front_ends.h"
#include "load/load.h"
#include "report/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int write_to(const gy_arguments *arguments, const char *path, const gy_text *text)
{
    bool good = gy_new_file_put(path, GY_NAMED, gy_text_str(text), text->n);
    return good ? 0 : gy_complain(arguments, "cannot write %s: %s", path, strerror(errno));
}

static void tell(const gy_arguments *arguments, const gy_front_end *front_end,
                 const gy_loaded_model *subject, gy_text *text)
{
    const char *path = arguments->value[GY_OPT_OUTPUT].text;
    gy_text out = {0};
    if (gy_given(arguments, GY_OPT_JSON)) {
        json_t *report = gy_json_report("convert");
        json_object_set_new(report, "model", gy_json_string(arguments->files[0]));
        json_object_set_new(report, "language", json_string(front_end->convert_to));
        json_object_set_new(report, "file", gy_json_string(path));
        json_object_set_new(report, "text", path ? json_null() : gy_json_string(gy_text_str(text)));
        json_object_set_new(report, "diagnostics", gy_json_diagnostics(subject->diags));
        gy_json_dump(report, &out, false);
        gy_put(&out);
        gy_text_free(&out);
    } else if (!path) {
        gy_put(text);
    }
}

static bool converts(const gy_front_end *front_end)
{
    return front_end->convert;
}

static int refuse_language(const gy_arguments *arguments, const gy_front_end *front_end)
{
    gy_text names = {0};
    gy_front_ends_that(converts, &names);
    int status = gy_complain(arguments, "%s is in %s; only %s can be converted",
                             arguments->files[0], front_end->title, gy_text_str(&names));
    gy_text_free(&names);
    return status;
}

int gy_command_convert(const gy_arguments *arguments)
{
    const char *name = arguments->files[0], *path = arguments->value[GY_OPT_OUTPUT].text;
    const gy_front_end *front_end = gy_front_end_for(name, NULL, 0);
    gy_loaded_model subject;
    gy_text text = {0};
    if (gy_is_shared_object(name))
        return gy_complain(arguments, "%s is a shared object, which is in no language", name);
    if (!front_end->convert)
        return refuse_language(arguments, front_end);
    gy_request *request = gy_request_for(arguments);
    if (!request)
        return GY_EXIT_WRONG;
    int status = gy_read_for(arguments, request, &subject);
    gy_request_free(request);
    if (status)
        return status;
    if (!front_end->convert(subject.model, subject.diags, &text))
        status = gy_refuse_model(arguments, &subject);
    else if (path)
        status = write_to(arguments, path, &text);
    if (!status)
        tell(arguments, front_end, &subject, &text);
    gy_text_free(&text);
    gy_loaded_model_free(&subject);
    return status;
}
