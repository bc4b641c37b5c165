// Dead variables and slicing: where values are reset, and what leaves the state.
#include "load/load.h"
#include "model/passes/passes.h"

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
    both b = {.exact = gy_load_model_text("test", text, strlen(text), NULL, &diags)};
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

// Is the variable, or one element of it, set to zero after this statement unless a condition
// holds?
static bool asks(const char *text, const char *statement, const char *name)
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
            found |= now->actions[i].var == var && now->actions[i].expr->op == GY_E_COND;
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
    assert_true(resets(text, "h = a[1]", "a")); // this element, not read before it is overwritten
    text =
        OTHER "active proctype P() { byte a[2]; do :: a[0] = g; h = a[1]; a[1] = g; h = a[0] od }";
    assert_false(resets(text, "a[0] = g", "a"));
    text = OTHER "active proctype P() { byte a[2]; "
                 "do :: h = a[1]; g = 1; if :: a[1] = g :: skip fi od }";
    assert_false(resets(text, "h = a[1]", "a")); // on one way it stays
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
    assert_false(is_removed(
        "byte x; chan q = [1] of { byte }; active proctype P() { x = 1; q!x; q?2 }", "x"));
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

// The cases of Self and Mercer, and those around them.
static void paths(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { byte a, b, c; b = g; a = g; "
                             "if :: a > 0 -> b = 2 :: else fi; c = a + b; h = c }";
    assert_true(asks(text, "a = g", "b"));    // if a > 0, b is overwritten before it is read
    assert_false(resets(text, "b = g", "b")); // a is still to come
    text = OTHER "active proctype P() { byte a, c; a = g; if :: c = 0 :: c = 3 fi; "
                 "if :: c > 2 -> a = 5 :: else fi; h = a + c }";
    assert_false(resets(text, "a = g", "a")); // c is still to come
    assert_false(resets(text, "c = 0", "a"));
    assert_true(resets(text, "c = 3", "a"));
    text = OTHER "active proctype P() { byte x, y; do :: x = g; y = x; h = y :: break od }";
    assert_false(resets(text, "x = g", "x"));
    text = OTHER "active proctype P() { byte v; if :: v = 1 :: v = 0 fi; g = 1; v == 1; h = 1 }";
    assert_false(resets(text, "v = 0", "v")); // the guard that never holds reads it
    assert_false(resets(text, "g = 1", "v"));
}

static void flags(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { bool on; byte x; do :: x = g; on = true "
                             ":: h = 1; on = false :: on -> h = x od }";
    assert_true(resets(text, "h = 1", "x")); // the flag is about to be false
    assert_false(resets(text, "x = g", "x"));
    assert_false(resets(text, "on = true", "x"));
    text = "bool on; " OTHER "active proctype Switch() { on = true } active proctype P() { byte x; "
           "do :: x = g; g = 1 :: on -> h = x od }";
    assert_false(resets(text, "g = 1", "x")); // somebody else decides
    text = OTHER "active proctype P() { bool on; byte x; x = g; on = h; "
                 "do :: on && x == 2 -> h = 1 :: g = 1 od }";
    assert_true(asks(text, "on = h", "x"));
    text = OTHER "active proctype P() { bool on; byte x; x = g; on = h; "
                 "do :: 4 / x == 2 && on -> h = 1 :: g = 1 od }";
    assert_false(resets(text, "on = h", "x")); // it fails whatever the flag says
}

static void elements(void **state)
{
    (void)state;
    const char *text = OTHER "active proctype P() { byte a[2], i; a[0] = g; a[1] = g; i = h; "
                             "g = 1; h = a[i] }";
    assert_true(asks(text, "i = h", "a")); // one of them
    assert_false(resets(text, "a[0] = g", "a"));
    text = OTHER "active proctype P() { byte a[2]; a[0] = g; a[1] = g; a[0] = a[0] + a[1]; "
                 "g = 1; h = a[0] }";
    assert_false(resets(text, "a[0] = g", "a"));
    assert_false(resets(text, "a[1] = g", "a"));
    assert_true(resets(text, "a[0] = a[0] + a[1]", "a")); // a[1] is not read again
}

static int32_t sent_by(const char *text, const char *statement, uint32_t field)
{
    both b = reduce(text, (gy_passes){.slice = true});
    int32_t value = -1;
    for (uint32_t e = 0; e < b.reduced->edge_count; e++) {
        const gy_edge *edge = &b.reduced->edges[e];
        if (edge->text && strcmp(edge->text, statement) == 0 && edge->sync == GY_SYNC_SEND &&
            edge->fields[field].expr->op == GY_E_CONST)
            value = edge->fields[field].expr->value;
    }
    gy_model_free(b.exact);
    return value;
}

#define SENDER                                                                                     \
    "chan q[2] = [2] of { byte, byte }; chan r = [1] of { byte, byte }; byte t[2]; "               \
    "active proctype S() { byte x, y; do :: q[0]!x,y; x++; y++ od }\n"

static void ignored_fields(void **state)
{
    (void)state;
    const char *text = SENDER "active proctype R() { byte v; do :: q[1]?v,_ -> v == 1 od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), 0);
    assert_int_equal(sent_by(text, "q[0]!x,y", 0), -1); // R asks for it
    text = SENDER "active proctype R() { byte v; do :: q[1]?_,v; r!v,v :: r?v,_ od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), 0); // handed on, to nothing
    text = SENDER "active proctype R() { do :: q[1]?_,_ :: q[1]!1,7 :: q[0]!t[t[0]],1 od }";
    assert_int_equal(sent_by(text, "q[1]!1,7", 1), 0);  // one value for all
    assert_int_equal(sent_by(text, "q[0]!x,y", 0), -1); // an index can fail, so must be computed
    text = SENDER "active proctype R() { do :: q[1]?_,3 od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), -1);
    text = SENDER "active proctype R() { do :: q[1]?[_,3] -> q[1]?_,_ od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), -1);
    text = SENDER "active proctype R() { do :: q[1]?_,_ od } ltl p { [] ! q[0]?[1,_] }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), 0);
    assert_int_equal(sent_by(text, "q[0]!x,y", 0), -1);
    text = SENDER "active proctype R() { do :: q[1]?_,_ :: q[1]!!2,3 od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), -1); // sorted by it
    text = SENDER "active proctype R(chan any) { byte v; do :: any?v,_ -> v == 1 od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 0), -1); // may be any channel
    text = SENDER "active proctype R() { do :: r!1,2; r?_,_ od } trace { do :: r!_,2 :: r?_,_ od }";
    assert_int_equal(sent_by(text, "q[0]!x,y", 1), -1); // events may be compared
}

// Compiled code does not keep hidden variables: those that need not be computed should be known.
static void hidden_variables_that_nobody_reads(void **unused)
{
    (void)unused;
    both b = reduce("hidden int h, r; byte g;"
                    "active proctype P() { h = g; d_step { r = g; g = r + 1 } assert(g < 9) }",
                    (gy_passes){.slice = true});
    assert_true(variable(b.reduced, "h")->removed);
    assert_false(variable(b.reduced, "r")->removed);
    assert_int_equal(b.saved.sliced_variables, 0); // neither was in the state
    gy_model_free(b.exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_use),
        cmocka_unit_test(hidden_variables_that_nobody_reads),
        cmocka_unit_test(overwritten),
        cmocka_unit_test(arrays),
        cmocka_unit_test(looked_at),
        cmocka_unit_test(escapes),
        cmocka_unit_test(globals),
        cmocka_unit_test(unseen),
        cmocka_unit_test(printing_is_no_use),
        cmocka_unit_test(seen),
        cmocka_unit_test(embedded_c),
        cmocka_unit_test(paths),
        cmocka_unit_test(flags),
        cmocka_unit_test(elements),
        cmocka_unit_test(ignored_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
