// Fuzz target: any bytes as a model that is read, lowered, reduced by the passes and run for a few
// steps by the virtual machine, as it is and reduced.
//
// Besides crashes it finds systems in which the same state has two lists of successors. Models with
// embedded C are not run.
#include "load/load.h"
#include "model/passes/passes.h"

#include "few_steps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gy_diags *diags;
    gy_text out = {0};
    gy_model *model = gy_load_model_text("fuzz.pml", (const char *)data, size, NULL, &diags);
    gy_diags_print(diags, &out, false);
    if (model && !model->c_code_count && !model->c_unit_count) {
        gy_passes passes = {.dead = true, .slice = true, .merge = true, .ranges = true};
        gy_watched watched = {.claims = true};
        gy_saved saved;
        run(gy_model_reduced(model, &passes, &watched, &saved));
        run(model);
    }
    if (model)
        gy_model_free(model);
    gy_diags_free(diags);
    gy_text_free(&out);
    return 0;
}
