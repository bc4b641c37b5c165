#include "lang/dve/dve_front_end.h"

#include "base/file.h"
#include "lang/dve/convert/dve_convert.h"
#include "lang/dve/dve_template.h"
#include "lang/dve/lower/dve_lower.h"
#include "lang/dve/read/dve_ast.h"

#include <string.h>

static bool is_template(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".mdve") == 0;
}

static bool add_text(gy_model *model, const gy_front_end_input *input, const char *text,
                     size_t bytes, gy_diags *diags, uint32_t *number)
{
    if (!is_template(input->name)) {
        *number = gy_sources_add(model->sources, input->name, text, bytes, 0);
        return true;
    }
    dve_template template = {
        .name = input->name,
        .text = text,
        .bytes = bytes,
        .defines = input->defines,
        .stop = input->reading ? input->reading->stop : NULL,
    };
    m4_output expanded = {0};
    bool good = dve_expand(&template, &expanded, model->sources, diags);
    if (good)
        *number = dve_add_expanded(model->sources, input->name, &expanded);
    m4_output_free(&expanded);
    return good;
}

static bool add_source(gy_model *model, const gy_front_end_input *input, gy_diags *diags,
                       uint32_t *number)
{
    if (input->text)
        return add_text(model, input, input->text, input->bytes, diags, number);
    gy_file_rules rules = {.most_bytes = 256u << 20};
    gy_file file;
    if (!gy_file_read(input->name, &rules, &file)) {
        gy_error(diags, 0, "cannot read %s: %s", input->name, file.problem);
        return false;
    }
    bool good = add_text(model, input, file.text, file.bytes, diags, number);
    gy_file_free(&file);
    return good;
}

static bool read_dve(gy_model *model, const gy_front_end_input *input, gy_diags *diags)
{
    uint32_t file;
    if (!add_source(model, input, diags, &file))
        return false;
    dve_model *tree = dve_read(model->arena, model->sources, diags, file);
    return !gy_diags_errors(diags) && dve_lower(tree, model);
}

bool gy_dve_expand_behind(const char *text, size_t bytes, const char *expression,
                          const char *const *defines, gy_text *out, gy_diags *diags)
{
    static const char mark[] = "\1"; // in no text that people write
    gy_text whole = {0};
    gy_text_bytes(&whole, text, bytes);
    gy_text_printf(&whole, "\ndivert(0)\n%s%s\n", mark, expression);
    dve_template template = {.text = gy_text_str(&whole), .bytes = whole.n, .defines = defines};
    m4_output expanded = {0};
    bool good = dve_expand(&template, &expanded, NULL, diags);
    const char *at = good ? strrchr(gy_text_str(&expanded.text), mark[0]) : NULL;
    if (good && !at)
        gy_error(diags, 0, "the template swallows the text after it");
    for (at = at ? at + 1 : NULL; at && *at;) {
        size_t n = strcspn(at, "\n");
        gy_text_bytes(out, at, n);
        gy_text_char(out, ' ');
        at += n + (at[n] == '\n');
    }
    gy_text_free(&whole);
    m4_output_free(&expanded);
    return gy_diags_errors(diags) == 0;
}

static dve_expr *ask(const gy_model *model, const char *text, gy_diags *diags, bool temporal)
{
    dve_model *tree = model->syntax;
    tree->diags = diags;
    return dve_read_formula(tree, text, temporal);
}

static gy_formula *read_formula(gy_model *model, const char *text, gy_diags *diags)
{
    dve_expr *expr = ask(model, text, diags, true);
    return expr ? dve_lower_formula(model, expr) : NULL;
}

static gy_expr *read_predicate(gy_model *model, const char *text, gy_diags *diags)
{
    dve_expr *expr = ask(model, text, diags, false);
    return expr ? dve_lower_predicate(model, expr) : NULL;
}

static bool convert(gy_model *model, gy_diags *diags, gy_text *out)
{
    dve_model *tree = model->syntax;
    tree->diags = diags;
    return dve_to_promela(tree, gy_source_name(model->sources, 0), out);
}

static const char *const suffixes[] = {".dve", ".mdve", NULL};

const gy_front_end dve_front_end = {
    .language = "dve",
    .title = "DVE",
    .suffixes = suffixes,
    .read = read_dve,
    .formula = read_formula,
    .predicate = read_predicate,
    .convert = convert,
    .convert_to = "promela",
    .expands = true,
};
