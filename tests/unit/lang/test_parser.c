// The parser: what is read, and as what.
#include "parse_util.h"

static const char vars[] = "byte x, y, z, a[3]; chan q = [2] of { byte, byte }";

static void precedence_is_that_of_c(void **state)
{
    (void)state;
    reads_as(vars, "x = x + y * z - 1", "x = x+y*z-1");
    reads_as(vars, "x = (x + y) * z", "x = (x+y)*z");
    reads_as(vars, "x = x - (y - z)", "x = x-(y-z)");
    reads_as(vars, "x == 1 && y < 2 || !z", "(x==1 && y<2 || !z)");
    reads_as(vars, "x == (1 && y)", "(x==(1 && y))");
    reads_as(vars, "x = x | y ^ z & 3 << 1", "x = x|y^z&3<<1");
    reads_as(vars, "!x == y", "(!x==y)");
    reads_as(vars, "!(x == y)", "(!(x==y))");
    reads_as(vars, "x = - -y", "x = -(-y)");
    reads_as(vars, "x = ~-y", "x = ~-y");
    reads_as(vars, "x = (y -> 1 : z)", "x = (y -> 1 : z)");
}

static void receives_in_both_notations(void **state)
{
    (void)state;
    reads_as(vars, "q?x,y", "q?x,y");
    reads_as(vars, "q?x(y)", "q?x,y");
    reads_as(vars, "q?(x,y)", "q?x,y");
    reads_as(vars, "q??eval(x+1),_", "q??eval(x+1),_");
    reads_as(vars, "q?<x,-1>", "q?<x,-1>");
    reads_as(vars,
             "q?"
             "?<1,y>",
             "q?"
             "?<1,y>"); // not a trigraph
    reads_as(vars, "q?[x,2] && q??[_,1]", "(q?[x,2] && q??[_,1])");
}

static void sends_in_both_notations(void **state)
{
    (void)state;
    reads_as(vars, "q!1,x+1", "q!1,x+1");
    reads_as(vars, "q!1(x)", "q!1,x");
    reads_as(vars, "q!!x,2", "q!!x,2");
}

static void line_breaks_end_statements(void **state)
{
    (void)state;
    reads_as(vars, "x = 1\n y = 2\n", "x = 1; y = 2");
    reads_as(vars, "if\n:: x == 1\n y = 2\n:: else\n skip\nfi\nx++",
             "if :: (x==1); y = 2 :: else; skip fi; x = x+1");
    reads_as(vars, "(x\n && y)\nz = 1", "(x && y); z = 1");
    reads_as(vars, "x = 1 +\n 2", "x = 1+2");
    reads_as(vars, "{ x = 1 }\n unless { y }", "{ x = 1 } unless { (y) }");
    reads_as(vars, "timeout\nx = 1", "timeout; x = 1");
}

static void separators_around_braces(void **state)
{
    (void)state;
    reads_as(vars, "{ x = 1 } y = 2", "{ x = 1 }; y = 2");
    reads_as(vars, "x = 1;; y = 2;", "x = 1; y = 2");
    reads_as(vars, "x -> -> y", "(x); (y)");
    reads_as(vars, "if :: else skip fi", "if :: else; skip fi");
}

static void declarations_become_steps(void **state)
{
    (void)state;
    reads_as("", "int a = 3, b; a = b", "a = b");
    reads_as("", "skip; int a, b = 2", "skip; INIT a = 0; INIT b = 2");
    reads_as("", "{ int a; a = 1 }", "{ INIT a = 0; a = 1 }");
    reads_as("", "if :: int a = 4; a == 4 fi", "if :: INIT a = 4; (a==4) fi");
    reads_as("inline f() { int t = 1; t++ }", "f()", "{ INIT t = 1; t = t+1 }");
    reads_as("", "skip; byte a[2] = {7}", "skip; INIT a = {7}");
}

static void initial_values_go_where_spin_puts_them(void **state)
{
    (void)state;
    parsed p = parse("init { int a = 3; skip; int b = 4; byte c[2] = {5}; int d }");
    expect_accepted(&p);
    const pml_proc *init = p.model->procs[0];
    assert_int_equal(init->local_count, 4);
    assert_non_null(init->locals[0]->init);
    assert_null(init->locals[1]->init); // the step assigns it
    assert_non_null(init->locals[2]->list);
    assert_null(init->locals[3]->init);
    release(&p);
}

static void blocks_have_scopes(void **state)
{
    (void)state;
    parsed p = parse("init { { byte x; x = 1 }; { byte x; x = 2 } }");
    expect_accepted(&p);
    const pml_proc *init = p.model->procs[0];
    assert_int_equal(init->local_count, 2);
    assert_ptr_not_equal(init->locals[0], init->locals[1]);
    assert_int_not_equal(init->locals[0]->scope, init->locals[1]->scope);
    release(&p);
}

static void inlines_are_text(void **state)
{
    (void)state;
    reads_as("byte x; inline f(a) { x = a * 2 }", "f(x + 1)", "{ x = x+1*2 }");
    reads_as("byte x; inline f(a) { return a + 1 }", "x = f(3)", "{ x = 3+1 }");
    reads_as("byte x; inline g(b) { x = b } inline f(a) { g(a); g(a+1) }", "f(2)",
             "{ { x = 2 }; { x = 2+1 } }");
    reads_as("byte x; inline f(a) {\n x = a\n x++\n}", "f(1)\nx = 3", "{ x = 1; x = x+1 }; x = 3");
}

static void inline_places_lead_back_to_the_call(void **state)
{
    (void)state;
    parsed p = parse("byte x;\ninline f() { x = 1 }\ninit {\n f()\n}\n");
    expect_accepted(&p);
    const pml_stmt *block = p.model->procs[0]->body.at[0];
    gy_location_info at = gy_location_lookup(p.sources, block->body.at[0]->place);
    assert_int_equal(at.origin, GY_FROM_INLINE);
    assert_int_equal(at.line, 2);
    assert_string_equal(at.via, "f");
    assert_int_equal(gy_location_lookup(p.sources, at.used_at).line, 4);
    release(&p);
}

static void labels_of_inlines_are_distinct(void **state)
{
    (void)state;
    parsed p = parse("byte x; inline f() { x = 1; L: x = 2; goto L } init { f(); f() }");
    expect_accepted(&p);
    const pml_proc *init = p.model->procs[0];
    assert_int_equal(init->label_count, 2);
    for (int i = 0; i < 2; i++) {
        const pml_stmt *jump = init->body.at[i]->body.at[2];
        assert_int_equal(jump->kind, PML_S_GOTO);
        assert_ptr_equal(jump->label, init->labels[i]);
    }
    assert_ptr_not_equal(init->labels[0], init->labels[1]);
    release(&p);
}

static void gotos_prefer_their_own_block(void **state)
{
    (void)state;
    parsed p = parse("init { { skip; L: skip; goto L }; { skip; goto L }; L: skip }");
    expect_accepted(&p);
    const pml_proc *init = p.model->procs[0];
    assert_ptr_equal(init->body.at[0]->body.at[2]->label, init->labels[0]);
    assert_ptr_equal(init->body.at[1]->body.at[1]->label, init->labels[1]);
    release(&p);
}

static void select_over_constants_is_a_choice(void **state)
{
    (void)state;
    reads_as(vars, "select (x : 1 .. 3)", "if :: x = 1 :: x = 2 :: x = 3 fi");
    reads_as(vars, "select (x : 0 .. 40)", "x = 0; do :: (x<40); x = x+1 :: break od");
    reads_as(vars, "select (x : 0 .. y)", "select (x : 0 .. y)");
    reads_as("byte x; inline f() { select (x : 1 .. 3) }", "f()", "{ select (x : 1 .. 3) }");
}

static void loops(void **state)
{
    (void)state;
    reads_as(vars, "for (x : 1 .. y + 2) { z++ }", "for (x : 1 .. y+2) { z = z+1 }");
    reads_as(vars, "for (x in a)\n{ skip }", "for (x in a) { skip }");
    reads_as("typedef T { byte v } T t; chan q = [300] of { T }", "for (t in q) { skip }",
             "for (t in q) { skip }");
    parsed p = parse("typedef T { byte v } T t; chan q = [300] of { T }\n"
                     "init { for (t in q) { skip }; for (t in q) { skip } }");
    expect_accepted(&p);
    const pml_proc *init = p.model->procs[0];
    assert_int_equal(init->local_count, 1); // one counter for both loops
    assert_int_equal(init->locals[0]->type.kind, PML_TY_SHORT);
    assert_ptr_equal(init->body.at[0]->counter, init->locals[0]);
    release(&p);
}

static void control_flow(void **state)
{
    (void)state;
    reads_as(vars, "do :: x -> break :: else -> skip od", "do :: (x); break :: else; skip od");
    reads_as(vars, "atomic { x = 1; y = 2 }", "atomic { x = 1; y = 2 }");
    reads_as(vars, "d_step { x = 1 }", "d_step { x = 1 }");
    reads_as(vars, "L: M: x = 1; goto L", "L: M: x = 1; goto L");
    reads_as(vars, "goto L; L:", "goto L; L: skip");
    reads_as(vars, "L: { x = 1 } unless { y }", "L: { x = 1 } unless { (y) }");
}

static void mtype_values_count_from_the_end(void **state)
{
    (void)state;
    parsed p = parse("mtype = { a, b } mtype = { c d } mtype:s = { e }\ninit { skip }");
    expect_accepted(&p);
    static const struct {
        const char *name;
        int value;
    } expected[] = {{"a", 2}, {"b", 1}, {"c", 4}, {"d", 3}, {"e", 1}};
    assert_int_equal(p.model->mtype_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(p.model->mtypes[i].name, expected[i].name);
        assert_int_equal(p.model->mtypes[i].value, expected[i].value);
    }
    assert_string_equal(p.model->mtypes[4].subtype, "s");
    release(&p);
}

static void types_and_arrays(void **state)
{
    (void)state;
    parsed p = parse("typedef In { byte b[2] } typedef Out { In in[3]; unsigned w : 7 }\n"
                     "Out g[2]; hidden int h = 3; show short s; byte k[2+3*2]; bool f\n"
                     "init { g[1].in[2].b[0] = g[0].w }");
    expect_accepted(&p);
    assert_int_equal(p.model->global_count, 5);
    const pml_var *g = p.model->globals[0];
    assert_true(g->is_array);
    assert_int_equal(g->count, 2);
    assert_int_equal(g->type.kind, PML_TY_STRUCT);
    assert_int_equal(g->type.record->members[1]->type.width, 7);
    assert_int_equal(p.model->globals[1]->visibility, PML_VIS_HIDDEN);
    assert_int_equal(p.model->globals[3]->count, 8);
    assert_int_equal(p.model->globals[4]->type.kind, PML_TY_BOOL);
    assert_string_equal(body_of(&p), "g[1].in[2].b[0] = g[0].w");
    release(&p);
}

static void processes(void **state)
{
    (void)state;
    parsed p = parse("byte t; chan c = [1] of { byte }\n"
                     "active [2] proctype A() provided (t == _pid) { t = 0 }\n"
                     "D_proctype B(byte i, j; chan k) { xs k; k!i }\n"
                     "init priority 4 { run B(1, 2, c) priority 3 }\n"
                     "never { do :: A[0]@x od }\n");
    assert_int_equal(gy_diags_errors(p.diags), 1); // A has no label x
    assert_non_null(find_diag(&p, GY_ERROR, "has no label `x`"));
    const pml_model *m = p.model;
    assert_int_equal(m->procs[0]->active, 2);
    assert_non_null(m->procs[0]->provided);
    assert_true(m->procs[1]->deterministic);
    assert_int_equal(m->procs[1]->param_count, 3);
    assert_int_equal(m->procs[1]->exclusive_count, 1);
    assert_string_equal(m->procs[2]->name, ":init:");
    assert_int_equal(m->procs[2]->priority, 4);
    assert_int_equal(m->procs[3]->kind, PML_PROC_NEVER);
    assert_true(m->uses_priority);
    const pml_expr *run = m->procs[2]->body.at[0]->expr;
    assert_ptr_equal(run->proc, m->procs[1]);
    assert_int_equal(run->priority, 3);
    release(&p);
}

static void formulas(void **state)
{
    (void)state;
    static const struct {
        const char *written, *read;
    } cases[] = {
        {"[] p -> <> q", "[] p -> <> q"},
        {"always (p implies eventually q)", "[] (p -> <> q)"},
        {"p U q && r", "p U q && r"},
        {"p until (q weakuntil r)", "p U (q W r)"},
        {"p V q || !r", "p V q || !r"},
        {"(n == 1) <-> X p", "n==1 <-> X p"},
        {"[] <> (n < 3 && A@here)", "[] <> (n<3 && A@here)"},
        {"[] (A:v == 1)", "[] (A:v==1)"},
        {"<> c_expr { now.n }", "<> c_expr { now.n }"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_text text = {0};
        gy_text_printf(&text,
                       "ltl f { %s }\nbool p, q, r; byte n\n"
                       "active proctype A() { byte v; here: n = v }\n",
                       cases[i].written);
        parsed p = parse(gy_text_str(&text));
        expect_accepted(&p);
        gy_text_clear(&text);
        pml_expr_text(p.model->ltls[0].formula, &text);
        assert_string_equal(gy_text_str(&text), cases[i].read);
        gy_text_free(&text);
        release(&p);
    }
}

static void formula_given_later(void **state)
{
    (void)state;
    parsed p = parse("#define high (n > 2)\n#define at(x) (n == x)\nbyte n, G; mtype = { red }\n"
                     "active proctype A() { byte v; here: n = 1; { byte w; w = 1 } }\n");
    expect_accepted(&p);
    static const char *good[] = {"[] (high -> <> at(red))", "G == 1 U A@here", "F n && A[0]:v > 2",
                                 "n /\\ !n \\/ X n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_non_null(pml_parse_formula(p.model, good[i]));
    assert_int_equal(gy_diags_errors(p.diags), 0);
    static const char *bad[] = {"[] nope", "[] (n", "", "A@there", "A:w == 1", "n n", "[] n == 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(pml_parse_formula(p.model, bad[i]));
        assert_int_equal(gy_diags_errors(p.diags), i + 1);
        const gy_diag *d = gy_diags_at(p.diags, gy_diags_count(p.diags) - 1);
        gy_location_info at = gy_location_lookup(p.sources, d->place);
        if (d->severity == GY_ERROR)
            assert_string_equal(gy_source_name(p.sources, at.file), "<formula>");
    }
    release(&p);
}

static void embedded_c(void **state)
{
    (void)state;
    parsed p =
        parse("c_decl { int k; }\nc_state \"int s\" \"Global\" \"3\"\nc_code { int f; }\n"
              "init { c_code [k > 0] { k = 1; { } }\n skip; c_expr [k] { k == 1 } && true }");
    expect_accepted(&p);
    assert_int_equal(p.model->c_unit_count, 3);
    assert_int_equal(p.model->c_units[1].kind, PML_C_STATE);
    assert_string_equal(p.model->c_units[1].extra, "3");
    const pml_stmt *code = p.model->procs[0]->body.at[0];
    assert_int_equal(code->kind, PML_S_C_CODE);
    assert_non_null(strstr(code->c_block->precondition, "k > 0"));
    assert_int_equal(p.model->procs[0]->body.n, 3);
    release(&p);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    static const char *parts[][3] = {
        {"int x; init { x = ", "(", "1 }"},    {"init { ", "{", "skip }"},
        {"init { ", "if :: ", "skip }"},       {"int x; init { x = ", "! ", "x }"},
        {"byte a[2]; init { a", "[a", "}"},    {"ltl { ", "[] ", "true } init { skip }"},
        {"int x; init { x = ", "1 + ", "1 }"}, {"init { ", "L: ", "skip }"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        gy_text text = {0};
        gy_text_add(&text, parts[i][0]);
        for (int j = 0; j < 100000; j++)
            gy_text_add(&text, parts[i][1]);
        gy_text_add(&text, parts[i][2]);
        parsed p = parse(gy_text_str(&text));
        assert_non_null(find_diag(&p, GY_ERROR, "nested too deeply"));
        gy_text_free(&text);
        release(&p);
    }
}

static void long_sequences_are_no_nesting(void **state)
{
    (void)state;
    gy_text text = {0};
    gy_text_add(&text, "int x; init { x = 0");
    for (int j = 0; j < 50000; j++)
        gy_text_add(&text, "; x++");
    gy_text_add(&text, "; x = 1");
    for (int j = 0; j < 2000; j++)
        gy_text_add(&text, " + x");
    gy_text_add(&text, "}");
    parsed p = parse(gy_text_str(&text));
    expect_accepted(&p);
    assert_int_equal(p.model->procs[0]->body.n, 50002);
    gy_text_free(&text);
    release(&p);
}

static void inline_explosion_is_refused(void **state)
{
    (void)state;
    gy_text text = {0};
    gy_text_add(&text, "int x; inline f0() { x++ }\n");
    for (int i = 0; i < 40; i++)
        gy_text_printf(&text, "inline f%d() { f%d(); f%d() }\n", i + 1, i, i);
    gy_text_add(&text, "init { f40() }");
    parsed p = parse(gy_text_str(&text));
    assert_non_null(find_diag(&p, GY_ERROR, "too much text"));
    gy_text_free(&text);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence_is_that_of_c),
        cmocka_unit_test(receives_in_both_notations),
        cmocka_unit_test(sends_in_both_notations),
        cmocka_unit_test(line_breaks_end_statements),
        cmocka_unit_test(separators_around_braces),
        cmocka_unit_test(declarations_become_steps),
        cmocka_unit_test(initial_values_go_where_spin_puts_them),
        cmocka_unit_test(blocks_have_scopes),
        cmocka_unit_test(inlines_are_text),
        cmocka_unit_test(inline_places_lead_back_to_the_call),
        cmocka_unit_test(labels_of_inlines_are_distinct),
        cmocka_unit_test(gotos_prefer_their_own_block),
        cmocka_unit_test(select_over_constants_is_a_choice),
        cmocka_unit_test(loops),
        cmocka_unit_test(control_flow),
        cmocka_unit_test(mtype_values_count_from_the_end),
        cmocka_unit_test(types_and_arrays),
        cmocka_unit_test(processes),
        cmocka_unit_test(formulas),
        cmocka_unit_test(formula_given_later),
        cmocka_unit_test(embedded_c),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(long_sequences_are_no_nesting),
        cmocka_unit_test(inline_explosion_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
