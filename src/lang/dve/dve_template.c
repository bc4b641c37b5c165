#include "lang/dve/dve_template.h"

// default(NAME, VALUE) defines NAME unless -D has; forloop(I, FROM, TO, TEXT) repeats a text for
// all numbers, myloop(I, FROM, TO, TEXT, SEPARATOR) puts something in between; `bool` is a byte.
static const char macros[] =
    "define(`bool', `byte')"
    "define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')"
    "define(`gyre_loop', `$4`'ifelse(eval($1 >= $3), 1, `', `$5`'define(`$1', incr($1))gyre_loop("
    "`$1', `$2', `$3', `$4', `$5')')')"
    "define(`myloop', `ifelse(eval(($2) > ($3)), 1, `', `pushdef(`$1', eval($2))gyre_loop(`$1', "
    "`$2', eval($3), `$4', `$5')popdef(`$1')')')"
    "define(`forloop', `myloop(`$1', `$2', `$3', `$4', `')')";

static void report(const dve_template *template, const m4_problem *problem, gy_sources *sources,
                   gy_diags *diags)
{
    gy_location place = 0;
    if (sources && problem->line)
        place = gy_place_at(
            sources, gy_sources_add(sources, template->name, template->text, template->bytes, 0),
            problem->offset);
    gy_diag *diag = gy_error(diags, place, "%s", gy_text_str(&problem->message));
    if (problem->hint.n)
        gy_hint(diag, "%s", gy_text_str(&problem->hint));
}

bool dve_expand(const dve_template *template, m4_output *out, gy_sources *sources, gy_diags *diags)
{
    m4_request request = {
        .prelude = macros,
        .comment = "//",
        .defines = template->defines,
        .text = template->text,
        .bytes = template->bytes,
        .stop = template->stop,
    };
    m4_problem problem = {0};
    bool good = m4_expand(&request, out, &problem);
    if (!good)
        report(template, &problem, sources, diags);
    m4_problem_free(&problem);
    return good;
}

uint32_t dve_add_expanded(gy_sources *sources, const char *name, const m4_output *expanded)
{
    uint32_t file =
        gy_sources_add(sources, name, gy_text_str(&expanded->text), expanded->text.n, 0);
    for (size_t i = 0; i < expanded->marks.n; i++)
        gy_source_mark_line(sources, file, expanded->marks.at[i].offset, expanded->marks.at[i].line,
                            name);
    return file;
}
