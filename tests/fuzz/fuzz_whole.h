// For fuzz targets of whole languages: any bytes as a model that is read, lowered, reduced by the
// passes and run for a few steps by the virtual machine, as it is and reduced. What follows a line
// `%%` is read as a formula. Where it can be converted to Promela, that is read as well. FUZZ_FILE, the
// name of the file, tells the language.
#include "load/front_ends.h"
#include "load/load.h"
#include "model/passes/passes.h"

#include "few_steps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(gy_model *model, const char *formula)
{
    gy_diags *diags;
    gy_text out = {0};
    gy_load_formula(model, formula, &diags);
    gy_diags_print(diags, &out, true);
    gy_text_free(&out);
    gy_diags_free(diags);
}

static void convert(gy_model *model)
{
    gy_diags *diags = gy_diags_new(model->sources), *again = NULL;
    gy_text promela = {0};
    const gy_front_end *front_end = gy_front_end_for(FUZZ_FILE, "", 0);
    if (front_end->convert && front_end->convert(model, diags, &promela))
        gy_model_free(gy_load_model_text("fuzz.pml", promela.at, promela.n, NULL, &again));
    if (again)
        gy_diags_free(again);
    gy_diags_free(diags);
    gy_text_free(&promela);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *cut = memmem(text, size, "\n%%\n", 4);
    size_t bytes = cut ? (size_t)(cut - text) : size;
    gy_diags *diags;
    gy_text out = {0};
    gy_model *model = gy_load_model_text(FUZZ_FILE, text, bytes, NULL, &diags);
    gy_diags_print(diags, &out, true);
    if (model) {
        gy_passes passes = {.dead = true, .slice = true, .merge = true, .ranges = true};
        gy_watched watched = {.claims = true};
        gy_saved saved;
        run(gy_model_reduced(model, &passes, &watched, &saved));
        run(model);
        if (cut) {
            char *formula = strndup(cut + 4, size - bytes - 4);
            ask(model, formula);
            free(formula);
        }
        convert(model);
        gy_model_free(model);
    }
    gy_text_free(&out);
    gy_diags_free(diags);
    return 0;
}
