// gyre info MODEL
#include "report/info/info.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "device/code.h"
#include "exec/native/native.h"
#include "model/model_text.h"
#include "report/json.h"

// Of the ltl properties, one in each line.
static void print_names(const gy_model *model, gy_text *out)
{
    for (uint32_t l = 0; l < model->ltl_count; l++)
        gy_text_printf(out, "%s\n", model->ltls[l].name);
}

int gy_command_info(const gy_arguments *arguments)
{
    gy_loaded_model subject;
    gy_text out = {0};
    bool json = gy_given(arguments, GY_OPT_JSON), dot = gy_given(arguments, GY_OPT_DOT);
    bool bytecode = gy_given(arguments, GY_OPT_BYTECODE), c = gy_given(arguments, GY_OPT_C);
    bool model = gy_given(arguments, GY_OPT_MODEL);
    bool cuda = gy_given(arguments, GY_OPT_CUDA);
    if (json + dot + model + bytecode + c + cuda > 1)
        return gy_complain(arguments,
                           "--json, --dot, --model, --bytecode, --c and --cuda cannot be combined");
    int status = gy_load_for(arguments, &subject);
    if (status)
        return status;
    if (gy_given(arguments, GY_OPT_NAMES)) {
        print_names(subject.model, &out);
    } else if (json) {
        json_t *info = gy_info_json(subject.model);
        json_object_set_new(info, "diagnostics", gy_json_diagnostics(subject.diags));
        gy_json_dump(info, &out, false);
    } else if (dot) {
        gy_info_dot(subject.model, &out);
    } else if (model) {
        gy_model_print(subject.model, &out);
    } else if (bytecode) {
        gy_listing(subject.system, &out);
    } else if (c) {
        gy_exec_options exec = {.lossy = gy_given(arguments, GY_OPT_LOSSY)};
        gy_native_source(subject.model, &exec, &out);
    } else if (cuda) {
        gy_device_source(subject.system, &out);
    } else {
        gy_style style = gy_command_style(arguments);
        gy_info_text(subject.model, &style, &out);
    }
    gy_put(&out);
    gy_text_free(&out);
    gy_loaded_model_free(&subject);
    return GY_EXIT_HOLDS;
}
