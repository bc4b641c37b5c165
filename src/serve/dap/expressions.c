#include "serve/dap/expressions.h"

#include "base/fatal_guard.h"
#include "load/load.h"
#include "model/atoms.h"

void gy_expressions_free(gy_expressions *expressions)
{
    for (size_t i = 0; i < expressions->list.n; i++) {
        free(expressions->list.at[i].text);
        free(expressions->list.at[i].problem);
    }
    gy_vec_free(&expressions->list);
}

typedef struct reading {
    gy_model *model;
    int32_t tmpl;
    const char *text;
    gy_atom atom;
    gy_text problem;
} reading;

// "message (hint)" of the first error.
static void say_problem(const gy_diags *diags, gy_text *out)
{
    for (size_t i = 0; i < gy_diags_count(diags); i++) {
        const gy_diag *diag = gy_diags_at(diags, i);
        if (diag->severity != GY_ERROR)
            continue;
        gy_text_add(out, diag->message);
        if (diag->hint)
            gy_text_printf(out, " (%s)", diag->hint);
        return;
    }
    gy_text_add(out, "this is not an expression");
}

static void read_expression(void *user)
{
    reading *r = user;
    gy_diags *diags = NULL;
    r->atom = gy_load_expression(r->model, r->tmpl, r->text, &diags);
    if (!r->atom)
        say_problem(diags, &r->problem);
    gy_diags_free(diags);
}

gy_atom gy_expressions_get(gy_expressions *expressions, int32_t tmpl, const char *text,
                           const char **problem)
{
    enum { LONGEST = 10000 };
    char fatal[200];
    for (size_t i = 0; i < expressions->list.n; i++) {
        const gy_read_expression *known = &expressions->list.at[i];
        if (known->tmpl == tmpl && strcmp(known->text, text) == 0) {
            *problem = known->problem;
            return known->atom;
        }
    }
    reading r = {.model = expressions->model, .tmpl = tmpl, .text = text};
    if (!text[strspn(text, " \t\r\n")])
        gy_text_add(&r.problem, "the expression is missing");
    else if (strlen(text) > LONGEST || strchr(text, '#'))
        gy_text_add(&r.problem, "this is not an expression");
    else if (!gy_rescue(read_expression, &r, fatal, sizeof fatal))
        gy_text_add(&r.problem, fatal);
    gy_text copy = {0};
    gy_text_add(&copy, text);
    gy_read_expression entry = {tmpl, gy_text_take(&copy), r.problem.n ? 0 : r.atom,
                                r.problem.n ? gy_text_take(&r.problem) : NULL};
    gy_text_free(&r.problem);
    gy_vec_push(&expressions->list, entry);
    *problem = entry.problem;
    return entry.atom;
}

bool gy_expression_text(const gy_decoded_state *scene, int32_t pid, gy_atom atom, gy_text *out)
{
    int32_t value;
    if (!gy_state_view_value(scene->worker, scene->state, scene->words, pid, atom, &value))
        return false;
    gy_value_text(scene, gy_atom_type(scene->model, atom), value, out);
    return true;
}

const char *gy_expression_type(const gy_model *model, gy_atom atom)
{
    return gy_type_text(gy_atom_type(model, atom));
}
