#include "lang/promela/front_end.h"

#include "base/vec.h"
#include "lang/promela/lower/lower.h"
#include "lang/promela/read/ast.h"

#include <string.h>

typedef GY_VEC(pml_define) define_list;

static define_list split_defines(gy_arena *arena, const char *const *given)
{
    define_list defines = {0};
    for (; given && *given; given++) {
        const char *equals = strchr(*given, '=');
        pml_define define = {*given, NULL};
        if (equals) {
            define.name = gy_arena_strndup(arena, *given, (size_t)(equals - *given));
            define.value = equals + 1;
        }
        gy_vec_push(&defines, define);
    }
    return defines;
}

static bool read_promela(gy_model *model, const gy_front_end_input *input, gy_diags *diags)
{
    gy_arena *arena = model->arena;
    define_list defines = split_defines(arena, input->defines);
    pml_input text = {.name = input->name,
                      .text = input->text,
                      .bytes = input->bytes,
                      .defines = defines.at,
                      .define_count = defines.n,
                      .include_dirs = input->include_dirs,
                      .reading = input->reading};
    pml_tokens *tokens = pml_tokens_open(arena, model->sources, diags, &text);
    bool good = false;
    if (tokens) {
        pml_model *tree = pml_parse(arena, tokens, model->sources, diags);
        if (input->reading && input->reading->parsed)
            input->reading->parsed(input->reading->user);
        bool stopped = input->reading && input->reading->stop && atomic_load(input->reading->stop);
        good = !gy_diags_errors(diags) && !stopped && pml_lower(tree, model);
        model->syntax = tree;
        pml_tokens_close(tokens);
    }
    gy_vec_free(&defines);
    return good;
}

// The tree that `read` left, which reports to `diags` from now on.
static pml_model *tree_of(const gy_model *model, gy_diags *diags)
{
    pml_model *tree = model->syntax;
    tree->diags = diags;
    tree->uses_last = model->uses_last; // whatever was asked before
    return tree;
}

static gy_formula *read_formula(gy_model *model, const char *text, gy_diags *diags)
{
    pml_model *tree = tree_of(model, diags);
    pml_expr *expr = pml_parse_formula(tree, text);
    return expr && !gy_diags_errors(diags) ? pml_lower_formula(tree, model, expr) : NULL;
}

static gy_expr *read_predicate(gy_model *model, const char *text, gy_diags *diags)
{
    pml_model *tree = tree_of(model, diags);
    pml_expr *expr = pml_parse_formula(tree, text);
    return expr && !gy_diags_errors(diags) ? pml_lower_predicate(tree, model, expr) : NULL;
}

static gy_expr *read_expression(gy_model *model, int32_t tmpl, const char *text, gy_diags *diags)
{
    pml_model *tree = tree_of(model, diags);
    pml_expr *expr = pml_parse_expression(tree, tmpl < 0 ? NULL : tree->procs[tmpl], text);
    return expr && !gy_diags_errors(diags) ? pml_lower_predicate(tree, model, expr) : NULL;
}

pml_model *pml_syntax_of(const gy_model *model)
{
    bool own = model->language && strcmp(model->language, pml_front_end.language) == 0;
    return own ? model->syntax : NULL;
}

static const char *const suffixes[] = {".pml", ".promela", ".prom", ".pr", ".spin", NULL};

const gy_front_end pml_front_end = {
    .language = "promela",
    .title = "Promela",
    .suffixes = suffixes,
    .read = read_promela,
    .formula = read_formula,
    .predicate = read_predicate,
    .expression = read_expression,
    .stop_label = "end",
    .formats = true,
};
