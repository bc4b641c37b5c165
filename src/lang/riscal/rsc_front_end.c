#include "lang/riscal/rsc_front_end.h"

#include "lang/common/source_text.h"
#include "lang/riscal/check/rsc_check.h"

#include <string.h>

static bool read_riscal(gy_model *model, const gy_front_end_input *input, gy_diags *diags)
{
    uint32_t number;
    if (!gy_add_source(model, input, diags, &number))
        return false;
    rsc_file *file = rsc_parse(model->arena, model->sources, diags, number);
    rsc_lowering *l = GY_NEW(model->arena, rsc_lowering);
    *l = (rsc_lowering){.file = file, .model = model, .arena = model->arena, .diags = diags};
    l->chosen[0] = l->chosen[1] = GY_NONE;
    l->b = gy_build_new(model);
    file->lowering = l;
    model->syntax = file;
    bool good = rsc_check(file, l, input->defines) && rsc_lower_system(l);
    gy_build_abandon(l->b);
    l->b = NULL;
    return good && gy_diags_errors(diags) == 0;
}

static rsc_expr *ask(gy_model *model, const char *text, gy_diags *diags, bool temporal)
{
    rsc_file *file = model->syntax;
    file->diags = file->lowering->diags = diags;
    file->lowering->made = 0;
    file->lowering->failed = false;
    rsc_expr *expr = rsc_parse_text(file, text, temporal);
    return expr && rsc_check_text(file, file->lowering, expr, temporal) ? expr : NULL;
}

static gy_formula *read_formula(gy_model *model, const char *text, gy_diags *diags)
{
    rsc_expr *expr = ask(model, text, diags, true);
    gy_formula *formula =
        expr ? rsc_lower_formula(((rsc_file *)model->syntax)->lowering, expr) : NULL;
    return gy_diags_errors(diags) ? NULL : formula;
}

static gy_expr *read_predicate(gy_model *model, const char *text, gy_diags *diags)
{
    rsc_expr *expr = ask(model, text, diags, false);
    rsc_lowering *l = ((rsc_file *)model->syntax)->lowering;
    gy_expr *predicate = expr ? rsc_own(l, rsc_lower_scalar(l, expr)) : NULL;
    return gy_diags_errors(diags) ? NULL : predicate;
}

static const char *const suffixes[] = {".riscal", NULL};

// What is a file of RISCAL's among all that is called .txt? One with a shared system in it.
static bool claims(const char *text, size_t bytes)
{
    static const char word[] = "shared";
    const char *end = text + bytes;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1));) {
        at += sizeof word - 1;
        size_t blank = at < end ? strspn(at, " \t\r\n") : 0;
        if (blank && (size_t)(end - at) >= blank + 6 && !memcmp(at + blank, "system", 6))
            return true;
    }
    return false;
}

const gy_front_end rsc_front_end = {
    .language = "riscal",
    .title = "RISCAL",
    .suffixes = suffixes,
    .shared_suffix = ".txt",
    .claims = claims,
    .read = read_riscal,
    .formula = read_formula,
    .predicate = read_predicate,
};
