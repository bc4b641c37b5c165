// The checks of the parser: what is refused or warned about, where, and with which hint.
#include "parse_util.h"

typedef struct expected {
    const char *model;
    const char *message; // part of it
    const char *hint;    // part of it, or NULL
} expected;

static void check_all(const expected *cases, size_t count, gy_severity severity)
{
    for (size_t i = 0; i < count; i++) {
        parsed p = parse(cases[i].model);
        const gy_diag *d = find_diag(&p, severity, cases[i].message);
        unsigned errors = gy_diags_errors(p.diags);
        bool good = d && errors == (severity == GY_ERROR ? 1 : 0) &&
                    (!cases[i].hint || (d->hint && strstr(d->hint, cases[i].hint)));
        if (!good) {
            gy_text out = {0};
            gy_diags_print(p.diags, &out, false);
            fprintf(stderr, "model:    %s\nexpected: %s\nhint:     %s\ngot:\n%s\n", cases[i].model,
                    cases[i].message, cases[i].hint ? cases[i].hint : "-", gy_text_str(&out));
            gy_text_free(&out);
        }
        assert_true(good);
        release(&p);
    }
}

// Each model has this one error and no other.
#define REFUSES(...)                                                                               \
    do {                                                                                           \
        static const expected cases[] = {__VA_ARGS__};                                             \
        check_all(cases, sizeof cases / sizeof *cases, GY_ERROR);                                  \
    } while (0)
#define WARNS(...)                                                                                 \
    do {                                                                                           \
        static const expected cases[] = {__VA_ARGS__};                                             \
        check_all(cases, sizeof cases / sizeof *cases, GY_WARNING);                                \
    } while (0)

static void names(void **state)
{
    (void)state;
    REFUSES(
        {"byte request; init { reqest = 1 }", "undeclared variable `reqest`",
         "a similar name exists: `request`"},
        {"proctype Sender() { skip } init { run Sendr() }", "unknown proctype `Sendr`",
         "a similar name exists: `Sender`"},
        {"init { again: skip; goto agin }", "undefined label `agin`",
         "a similar name exists: `again`"},
        {"typedef T { byte kind } T t; init { t.kid = 1 }", "no field `kid`",
         "a similar name exists: `kind`"},
        {"inline send() { skip } init { sned() }", "unknown inline `sned`",
         "a similar name exists: `send`"},
        {"byte x; init { byte x; x = 1 }", "`x` is declared already", NULL},
        {"init { byte x; { byte x; x = 1 } }", "`x` is declared already", NULL},
        {"proctype P(byte x) { byte x; skip } init { run P(1) }", "`x` is declared already", NULL},
        {"byte x, x; init { skip }", "`x` is declared already", NULL},
        {"byte x; init { x: skip }", "cannot be a label", NULL},
        {"int x = 1, y = x; init { skip }", "undeclared variable `x`", NULL},
        {"mtype = { a, a } init { skip }", "occurs twice", NULL},
        {"mtype = { a } init { byte a; skip }", "an mtype constant already", NULL},
        {"init { L: skip; L: skip }", "label `L` is defined twice", NULL},
        {"proctype P() { skip } proctype P() { skip } init { run P() }", "defined twice", NULL},
        {"inline f() { skip } inline f() { skip } init { f() }", "defined twice", NULL});
}

static void words_of_other_languages(void **state)
{
    (void)state;
    REFUSES({"byte x; init { while (x) { skip } }", "`while` is not Promela", "do :: condition"},
            {"byte x; init { if (x == 1) { skip } }", "expected `::` after `if`", ":: else"},
            {"byte x; init { (x = 1) }", "`=` inside a condition", "`==` compares"},
            {"byte x; init { if :: (x = 1) -> skip fi }", "`=` inside a condition", "`==`"},
            {"byte x, y; init { x = y = 1 }", "cannot be chained", "one assignment"},
            {"byte x; init { x += 1 }", "expected a value", "there is no `+=`"},
            {"byte x; init { ++x }", "expected a statement", "after the variable"},
            {"byte x; init { !!x }", "`!!` is the sorted send", NULL},
            {"init { for (byte i : 0 .. 3) { skip } }", "must be declared before", NULL},
            {"proctype P(byte a, byte b) { skip } init { run P(1, 2) }",
             "expected the name of a parameter", "separated by `;`"},
            {"chan a = [1] of { byte }, b; init { skip }", "found `,`", "ends with its `}`"},
            {"init { return 1 }", "`return` outside of an inline", NULL});
}

static void structure(void **state)
{
    (void)state;
    REFUSES({"byte x; init { x = 1 x = 2 }", "missing `;` or `->` before `x`", NULL},
            {"byte x; init { x = 1", "this `{` is never closed", NULL},
            {"byte x; init { if :: x -> skip }", "expected `::` or `fi`", NULL},
            {"byte x; init { do :: x -> skip fi }", "expected `::` or `od`", NULL},
            {"init { skip } }", "this `}` closes nothing", NULL},
            {"init { { } }", "expected a statement", "use `skip`"},
            {"byte x; init { x == 1\n && x == 2 }", "found `&&`", "ends with its line"},
            {"byte x; init { x = 1\n unless x }", "found `unless`", "remove the separator"},
            {"init { L: byte x; skip }", "before a declaration", NULL},
            {"init { { L: skip } }", "cannot be at the start of a block", "before a block"},
            {"init { atomic { L: skip } }", "cannot be at the start of an `atomic`", NULL},
            {"byte x; init { L: x = 1 unless x }", "before `unless`", "L: {"},
            {"init { if :: else :: else fi }", "a second `else`", NULL},
            {"init { break }", "outside of a loop", NULL},
            {"init { L: goto L }", "leads back to itself", "skip"},
            {"proctype P() { skip }", "no process is ever started", "init"},
            {"proctype P() { skip init { skip }", "`init` cannot be inside a process", NULL});
}

static void d_steps(void **state)
{
    (void)state;
    REFUSES(
        {"init { d_step { skip; goto L }; L: skip }", "leaves its `d_step`", NULL},
        {"init { goto L; d_step { skip; L: skip } }", "jumps into a `d_step`", NULL},
        {"init { goto L; L: d_step { skip } }", "jumps into a `d_step`", NULL},
        {"init { do :: d_step { skip; break } od }", "`break` leaves", NULL},
        {"init { d_step { run P() } } proctype P() { skip }", "`run` inside a `d_step`", "atomic"},
        {"active proctype P() { byte v; L: skip } init { d_step { P:v == 1; skip } }",
         "cannot read from another process", NULL});
}

static void types(void **state)
{
    (void)state;
    REFUSES(
        {"byte a[3]; init { a = 1 }", "missing index", NULL},
        {"byte a; init { a[1] = 1 }", "not an array", NULL},
        {"typedef T { byte a[3] } T t; byte i; init { for (i in t.a) { skip } }",
         "an array inside a structure", "for (i : 0 .. 2)"},
        {"typedef T { byte a[3] } T t[2]; byte i; init { for (i in t[1].a) { skip } }",
         "an array inside a structure", "for (i : 0 .. 2)"},
        {"typedef T { byte a } T t; byte i; init { for (i in t.a) { skip } }",
         "`a` is not an array", NULL},
        {"byte a[0]; init { skip }", "at least one element", NULL},
        {"typedef T { byte v } T t; init { t = 1 }", "is a structure", "t.v"},
        {"byte a; init { a.v = 1 }", "has no fields", NULL},
        {"unsigned u; init { skip }", "needs a number of bits", "unsigned u : 4"},
        {"unsigned u : 40; init { skip }", "at most 31 bits", NULL},
        {"hidden bit b; init { skip }", "cannot be hidden", NULL},
        {"init { hidden byte b; skip }", "only global", NULL},
        {"byte b = [1] of { byte }; init { skip }", "only a `chan`", NULL},
        {"chan q = [1] of { unsigned }; init { skip }", "message field", NULL},
        {"init { skip; chan q = [1] of { byte }; q!1 }", "where a process", "start"},
        {"init { skip; byte a[2] = {1, 2}; skip }", "list of values", NULL},
        {"byte a[2] = {1, -2}; init { skip }", "expected a number", "negative"},
        {"byte x; init { x!1 }", "not a channel", NULL},
        {"chan q = [1] of { byte }; init { q = 3 }", "cannot be assigned to the channel", NULL},
        {"chan q = [1] of { byte }; byte x; init { x = q + 1 }", "computed from a channel", NULL},
        {"init { _pid = 1 }", "cannot be assigned to", NULL},
        {"byte x; init { x = _ }", "`_` has no value", NULL},
        {"mtype:a = { r } mtype:b = { s } mtype:a v; init { v = s }", "is of type mtype:b", NULL});
}

static void calls(void **state)
{
    (void)state;
    REFUSES(
        {"proctype P(byte x) { skip } init { run P() }", "has 1 parameter, but 0 are given", NULL},
        {"mtype = { r } mtype m; proctype P(mtype x) { skip } init { run P(m) }",
         "only be given as a constant", "byte"},
        {"inline f(a) { skip } init { f() }", "takes 1 argument, but 0 are given", NULL},
        {"inline f() { g() } inline g() { f() } init { f() }", "calls itself", NULL},
        {"byte x; inline f(a, b) { a = b } byte b; init { f(b, x) }", "another parameter",
         "rename"},
        {"init { run P() && true } proctype P() { skip }", "part of a larger condition", NULL},
        {"chan q = [1] of { byte }; init { q!run P() } proctype P() { skip }", "inside a message",
         NULL},
        {"proctype P(byte x = 1) { skip } init { run P(1) }", "initial value", NULL});
}

static void channels(void **state)
{
    (void)state;
    REFUSES(
        {"chan q = [1] of { byte }; init { !full(q) }", "combined by `&&`", "nfull"},
        {"chan q = [1] of { byte }; byte x; init { (q?x) }", "part of an expression", "q?["},
        {"chan q = [1] of { byte, byte }; byte x; init { q?x,x }", "two fields", NULL},
        {"chan q = [1] of { byte }; init { q!1,2 }", "no channel has that many", NULL},
        {"chan q = [1] of { byte }; init { xr q; if :: q?1 :: else fi }", "`xr` and `xs`", NULL},
        {"chan q = [0] of { byte }; never { do :: enabled(0) od } init { q!1 }", "rendezvous",
         NULL},
        {"chan q = [1] of { byte }; never { q!1 } init { skip }", "cannot send", NULL},
        {"chan q = [1] of { byte }; byte x; trace { x = 1 } init { q!1 }", "in a trace", NULL});
    WARNS(
        {"chan q = [1] of { byte, byte }; init { q!1 }", "have 2 values, but 1 is given", NULL},
        {"chan q = [1] of { chan }; byte x; init { q!x }", "is of type chan", NULL},
        {"chan q = [1] of { byte }; init { q!300 }", "300 does not fit", NULL},
        {"mtype:a = { r } mtype = { s } chan q = [1] of { mtype:a }; init { q!s }",
         "not one of its names", NULL},
        {"chan q = [1] of { byte }; init { if :: q!1 :: else fi }", "`else` next to a send", NULL});
}

static void properties(void **state)
{
    (void)state;
    REFUSES({"ltl { [] P@L } active proctype P() { skip }", "has no label `L`", NULL},
            {"byte x; ltl { [] x == 1 } init { x = 1 }", "temporal formula", "parentheses"},
            {"byte x; ltl a { [] x } ltl a { <> x } init { x = 1 }", "defined twice", NULL},
            {"chan q = [1] of { byte }; ltl { [] nempty(q) } init { q!1 }", "combined by", "len"},
            {"init { np_ }", "never claim or ltl", NULL},
            {"active proctype P() { { byte v; v = 1 } } never { P:v == 1 }", "has no variable `v`",
             "inner block"});
    WARNS({"byte x; never { x = 1 } init { skip }", "should not change", NULL},
          {"init { enabled(0) }", "meant for never claims", NULL},
          {"byte x; ltl { x -> x -> x } init { x = 1 }", "(a -> b) -> c", "parentheses"});
}

static void likely_mistakes(void **state)
{
    (void)state;
    WARNS(
        {"byte x; init { x = 256 }", "256 does not fit into `x`", NULL},
        {"bit b; init { b = -1 }", "-1 does not fit into `b`", NULL},
        {"unsigned u : 3; init { u = 8 }", "8 does not fit into `u`", NULL},
        {"unsigned u : 3 = 8; init { skip }", "8 does not fit into `u`, which holds 0 to 7", NULL},
        {"short s = 40000; init { skip }", "40000 does not fit into `s`", NULL},
        {"init { acept: skip }", "`acept` is never used", "accept"},
        {"init { do :: skip; Progress_1: skip od }", "`Progress_1` is never used", "progress"},
        {"proctype P() { skip } init { skip }", "proctype `P` is never run", NULL},
        {"byte a[3]; init { a[3] = 1 }", "index 3 is outside", NULL},
        {"byte x; init { printf(\"%d %d\\n\", x) }", "needs 2 values, but 1 is given", NULL},
        {"init { if :: progress: skip fi }", "before a guard", NULL});
}

static void several_errors_in_one_run(void **state)
{
    (void)state;
    parsed p = parse("byte x\n"
                     "proctype P(byte a) { x = ; y = 1; goto nowhere }\n"
                     "init { run Q(); x = (1; if :: x = 2 -> skip :: z fi }\n"
                     "mtype = { one, one }\n");
    static const char *messages[] = {"expected a value",        "undeclared variable `y`",
                                     "undefined label `nowhere`",      "expected `)`",
                                     "undeclared variable `z`", "occurs twice",
                                     "unknown proctype `Q`"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        assert_non_null(find_diag(&p, GY_ERROR, messages[i]));
    assert_int_equal(gy_diags_errors(p.diags), 7);
    release(&p);
}

static void places_and_lengths(void **state)
{
    (void)state;
    parsed p = parse("byte x;\ninit {\n  x = undefined_name + 1\n}\n");
    const gy_diag *d = find_diag(&p, GY_ERROR, "undeclared");
    gy_location_info at = gy_location_lookup(p.sources, d->place);
    assert_int_equal(at.line, 3);
    assert_int_equal(at.column, 7);
    assert_int_equal(d->length, 14);
    release(&p);
}

static void a_flood_of_errors_ends(void **state)
{
    (void)state;
    gy_text text = {0};
    gy_text_add(&text, "init { skip");
    for (int i = 0; i < 5000; i++)
        gy_text_printf(&text, "; v%d = 1", i);
    gy_text_add(&text, " }");
    parsed p = parse(gy_text_str(&text));
    assert_true(gy_diags_full(p.diags));
    assert_true(gy_diags_errors(p.diags) < 100);
    gy_text_free(&text);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(words_of_other_languages),
        cmocka_unit_test(structure),
        cmocka_unit_test(d_steps),
        cmocka_unit_test(types),
        cmocka_unit_test(calls),
        cmocka_unit_test(channels),
        cmocka_unit_test(properties),
        cmocka_unit_test(likely_mistakes),
        cmocka_unit_test(several_errors_in_one_run),
        cmocka_unit_test(places_and_lengths),
        cmocka_unit_test(a_flood_of_errors_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
