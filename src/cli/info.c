// gyre info MODEL
#include "report/info/info.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "exec/native/native.h"
#include "report/json.h"

int gy_command_info(const gy_arguments *arguments)
{
    gy_loaded loaded;
    gy_text out = {0};
    bool json = gy_given(arguments, GY_OPT_JSON), dot = gy_given(arguments, GY_OPT_DOT);
    bool bytecode = gy_given(arguments, GY_OPT_BYTECODE), c = gy_given(arguments, GY_OPT_C);
    if (json + dot + bytecode + c > 1)
        return gy_complain(arguments, "only one of --json, --dot, --bytecode and --c can be used");
    int status = gy_load_for(arguments, &loaded);
    if (status)
        return status;
    if (!loaded.model) {
        gy_loaded_free(&loaded);
        return gy_complain(arguments, "a shared object tells nothing about itself");
    }
    if (json) {
        json_t *info = gy_info_json(loaded.model);
        json_object_set_new(info, "diagnostics", gy_json_diagnostics(loaded.diags));
        gy_json_dump(info, &out, false);
    } else if (dot) {
        gy_info_dot(loaded.model, &out);
    } else if (bytecode) {
        gy_listing(loaded.system, &out);
    } else if (c) {
        gy_exec_options exec = {.lossy = gy_given(arguments, GY_OPT_LOSSY)};
        gy_native_source(loaded.model, &exec, &out);
    } else {
        gy_style style = gy_command_style(arguments);
        gy_info_text(loaded.model, &style, &out);
    }
    gy_put(&out);
    gy_text_free(&out);
    gy_loaded_free(&loaded);
    return GY_EXIT_HOLDS;
}
