#include "lang/if/if_front_end.h"

#include "lang/common/source_text.h"
#include "lang/if/check/if_check.h"
#include "lang/if/lower/if_lower.h"

static bool read_if(gy_model *model, const gy_front_end_input *input, gy_diags *diags)
{
    uint32_t number;
    if (!gy_add_source(model, input, diags, &number))
        return false;
    if_system *system = if_parse(model->arena, model->sources, diags, number);
    // The checker examines whatever was understood, so that one run shows as much as it can.
    return if_check(system, input->defines) && if_lower(system, model);
}

static if_expr *ask(const gy_model *model, const char *text, gy_diags *diags, bool temporal)
{
    if_system *system = model->syntax;
    system->diags = system->lowering->diags = diags;
    system->lowering->made = 0;
    system->lowering->failed = false;
    if_expr *expr = if_parse_text(system, text, temporal);
    return expr && if_check_text(system, expr, temporal) ? expr : NULL;
}

static gy_formula *read_formula(gy_model *model, const char *text, gy_diags *diags)
{
    if_expr *expr = ask(model, text, diags, true);
    if_lowering *l = ((if_system *)model->syntax)->lowering;
    gy_formula *formula = expr ? if_lower_formula(l, expr) : NULL;
    return gy_diags_errors(diags) ? NULL : formula;
}

static gy_expr *read_predicate(gy_model *model, const char *text, gy_diags *diags)
{
    if_expr *expr = ask(model, text, diags, false);
    if_lowering *l = ((if_system *)model->syntax)->lowering;
    gy_expr *predicate = expr ? if_lower_expr(l, expr) : NULL;
    return gy_diags_errors(diags) ? NULL : predicate;
}

static const char *const suffixes[] = {".if", NULL};

const gy_front_end if_front_end = {
    .language = "if",
    .title = "IF",
    .suffixes = suffixes,
    .read = read_if,
    .formula = read_formula,
    .predicate = read_predicate,
};
