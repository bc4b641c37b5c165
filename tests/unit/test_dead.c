// Dead variables and slicing: where values are reset, and what leaves the state.
#include "load/load.h"
#include "model/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct both {
    gy_model *exact, *reduced; // the second lives in the first
    gy_saved saved;
} both;

static both reduce(const char *text, gy_passes passes)
{
    gy_diags *diags;
    both b = {.exact = gy_load_promela_text("test", text, strlen(text), NULL, &diags)};
    assert_non_null(b.exact);
    gy_diags_free(diags);
    const gy_formula *formulas[4];
    gy_watched watched = {.formulas = formulas};
    for (uint32_t i = 0; i < b.exact->ltl_count; i++)
        formulas[watched.formula_count++] = b.exact->ltls[i].formula;
    b.reduced = gy_model_reduced(b.exact, &passes, &watched, &b.saved);
    return b;
}

static const gy_variable *variable(const gy_model *model, const char *name)
{
    for (uint32_t v = 0; v < model->var_count; v++)
        if (strcmp(model->vars[v].name, name) == 0)
            return &model->vars[v];
    fail_msg("no variable `%s`", name);
    return NULL;
}

static uint32_t length(const gy_program *program)
{
    return program ? program->count : 0;
}

// Does this statement, in the reduced form, end with more assignments to the variable?
static bool resets(const char *text, const char *statement, const char *name)
{
    both b = reduce(text, (gy_passes){.dead = true});
    bool found = false, exists = false;
    int32_t var = (int32_t)(variable(b.exact, name) - b.exact->vars);
    for (uint32_t e = 0; e < b.exact->edge_count; e++) {
        if (!b.exact->edges[e].text || strcmp(b.exact->edges[e].text, statement) != 0)
            continue;
        const gy_program *now = b.reduced->edges[e].effect;
        exists = true;
        for (uint32_t i = length(b.exact->edges[e].effect); i < length(now); i++)
            found |= now->actions[i].kind == GY_A_ASSIGN && now->actions[i].var == var;
    }
    assert_true(exists);
    gy_model_free(b.exact);
    return found;
}

static bool is_removed(const char *text, const char *name)
{
    both b = reduce(text, (gy_passes){.slice = true});
    bool removed = variable(b.reduced, name)->removed;
    assert_false(variable(b.exact, name)->removed);
    gy_model_free(b.exact);
    return removed;
}

#define OTHER "byte g, h; active proctype Other() { do :: g = h; h = g od }\n"

static void last_use(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { byte a; a = g; h = a; skip }";
    assert_true(resets(text, "h = a", "a"));
    assert_false(resets(text, "a = g", "a"));
    assert_false(resets(text, "skip", "a")); // is zero already
    assert_false(resets(text, "h = a", "h"));
}

static void overwritten(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { byte a; do :: a = g; h = a; g = 1; od }";
    assert_true(resets(text, "h = a", "a"));
    text = OTHER "active proctype P() { byte a; do :: h = a; g = 1; a = g od }";
    assert_true(resets(text, "h = a", "a"));
    text = OTHER "active proctype P() { byte a; do :: h = a; g = 1; if :: a = g :: skip fi od }";
    assert_false(resets(text, "h = a", "a")); // on one way it is not overwritten
}

static void arrays(void **state)
{
    (void)state;
    const char *text =
        OTHER "active proctype P() { byte a[2]; do :: a[0] = g; h = a[1]; a[1] = g od }";
    assert_false(resets(text, "h = a[1]", "a")); // another element stays
    text = OTHER "active proctype P() { byte a[2]; a[0] = g; h = a[0]; g = 2 }";
    assert_true(resets(text, "h = a[0]", "a"));
}

static void looked_at(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { byte a; a = g; h = a; skip } "
                             "active proctype Q() { do :: P:a == 1 -> skip od }";
    assert_false(resets(text, "h = a", "a"));
    text = OTHER "active proctype P() { byte a; a = g; h = a; skip } ltl p { [] (P:a == 0) }";
    assert_false(resets(text, "h = a", "a"));
    text = "byte k; " OTHER "active proctype P() provided (k == 0) { k = g; h = k; skip }";
    assert_false(resets(text, "h = k", "k"));
}

static void escapes(void **state)
{
    (void)state;
    const char *text =
        OTHER "active proctype P() { byte a; a = g; { h = a; skip } unless { a == 2 } }";
    assert_false(resets(text, "h = a", "a")); // the escape still asks for it
}

static void globals(void **state)
{
    (void)state;
    const char *text = "byte k; " OTHER "active proctype P() { k = g; h = k; skip }";
    assert_true(resets(text, "h = k", "k"));
    text = "byte k; " OTHER "active [2] proctype P() { k = g; h = k; skip }";
    assert_false(resets(text, "h = k", "k"));
    text = "byte k; " OTHER "proctype P() { k = g; h = k; skip } init { run P() }";
    assert_true(resets(text, "h = k", "k"));
    text = "byte k; " OTHER "proctype P() { k = g; h = k; skip } init { do :: run P() od }";
    assert_false(resets(text, "h = k", "k"));
}

static void printing_is_no_use(void **state)
{
    (void)state;
    const char *text =
        OTHER "active proctype P() { byte a; a = g; h = a; g = 1; printf(\"%d\", a) }";
    assert_true(resets(text, "h = a", "a"));
}

static void unseen(void **state)
{
    (void)state;
    const char *text = "byte n, m, s, i, t[3], d = 1; active proctype P() { n++; m = n; "
                       "printf(\"%d\", m); s = t[i]; s = 4 / d; if :: t[0] > 2 fi }";
    assert_true(is_removed(text, "n")); // for m alone
    assert_true(is_removed(text, "m")); // for printing
    assert_true(is_removed(text, "s"));
    assert_false(is_removed(text, "i")); // an index can fail
    assert_false(is_removed(text, "d")); // and so can a division
    assert_false(is_removed(text, "t"));
}

static void seen(void **state)
{
    (void)state;
    assert_false(is_removed("byte x; active proctype P() { x = 1 } ltl p { <> (x == 1) }", "x"));
    assert_false(is_removed("byte x; active proctype P() { x = 1; assert(x == 1) }", "x"));
    assert_false(
        is_removed("byte x; chan q = [1] of { byte }; active proctype P() { x = 1; q!x }", "x"));
    assert_false(
        is_removed("byte x, y; active proctype P() { x = 1; y = x; if :: y > 0 fi }", "x"));
    const char *text = "byte g; proctype P(byte used; byte unused) { g = used; if :: g > 0 fi } "
                       "init { byte x = 1; x = x + 1; run P(x, 3) }";
    assert_false(is_removed(text, "used"));
    assert_false(is_removed(text, "x"));
    assert_true(is_removed(text, "unused"));
}

static void embedded_c(void **state)
{
    (void)state;
    both b = reduce(
        "byte n; c_code { ; } active proctype P() { byte a; a = n; n = a; c_code { now.n++; } }",
        (gy_passes){true, true, true, true});
    assert_false(gy_saved_any(&b.saved));
    gy_model_free(b.exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_use), cmocka_unit_test(overwritten),
        cmocka_unit_test(arrays),   cmocka_unit_test(looked_at),
        cmocka_unit_test(escapes),  cmocka_unit_test(globals),
        cmocka_unit_test(unseen),   cmocka_unit_test(printing_is_no_use),
        cmocka_unit_test(seen),     cmocka_unit_test(embedded_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
