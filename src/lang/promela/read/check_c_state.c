// Scopes of c_state: "Global", "Hidden" or "Local NAME". What is none of these is the type of an
// object that is declared elsewhere, whose name is the first string: the form before there were
// scopes.
#include "lang/promela/read/parser.h"

#include <string.h>

static const char blanks[] = " \t\n";

// Is `text` one word, as a name is? A declaration ("int x") has more.
static bool is_word(const char *text)
{
    text += strspn(text, blanks);
    size_t n = strcspn(text, blanks);
    return n > 0 && text[n + strspn(text + n, blanks)] == '\0';
}

static bool is_process(const pml_parser *p, const char *name, size_t n)
{
    if (n == 4 && !memcmp(name, "init", 4))
        return true;
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        const char *known = p->model->procs[i]->name;
        if (strlen(known) == n && !memcmp(known, name, n))
            return true;
    }
    return false;
}

static gy_diag *at_keyword(gy_diag *d)
{
    d->length = sizeof "c_state" - 1;
    return d;
}

static void check_scope(pml_parser *p, const pml_c_unit *unit)
{
    const char *scope = unit->scope + strspn(unit->scope, blanks);
    size_t n = strcspn(scope, blanks);
    if (n == 5 && !memcmp(scope, "Local", 5)) {
        const char *name = scope + n + strspn(scope + n, blanks);
        size_t length = strcspn(name, blanks);
        if (!is_process(p, name, length))
            at_keyword(gy_warn(p->diags, unit->place,
                               "unknown proctype `%.*s`: this `c_state` has no effect",
                               (int)length, name));
        return;
    }
    if (!(n == 6 && (!memcmp(scope, "Global", 6) || !memcmp(scope, "Hidden", 6))) &&
        !is_word(unit->text)) {
        gy_diag *d = at_keyword(
            gy_error(p->diags, unit->place, "`%s` is not a scope of `c_state`", unit->scope));
        gy_hint(d, "the scopes are \"Global\", \"Local NAME\" and \"Hidden\"");
    }
}

void pml_check_c_states(pml_parser *p)
{
    for (uint32_t i = 0; i < p->model->c_unit_count; i++)
        if (p->model->c_units[i].kind == PML_C_STATE && p->model->c_units[i].scope)
            check_scope(p, &p->model->c_units[i]);
}
