// The lexer: every keyword and symbol, numbers and quotes as Spin reads them, embedded C,
// look-ahead and push-back.
#include "lexing.h"

static void every_keyword_has_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *spelling;
        pml_token_kind kind;
    } keywords[] = {
#define X(kind, spelling) {spelling, PML_T_##kind},
        PML_KEYWORDS(X)
#undef X
    };
    gy_text text = {0};
    size_t count = sizeof keywords / sizeof *keywords;
    for (size_t i = 0; i < count; i++)
        gy_text_printf(&text, "%s\n", keywords[i].spelling);
    struct lexing l = lex_begin(text.at, text.n, NULL, 0, NULL);
    for (size_t i = 0; i < count; i++) {
        pml_token t = pml_next(l.stream);
        assert_int_equal(t.kind, keywords[i].kind);
        assert_string_equal(t.text, keywords[i].spelling);
        assert_int_equal(t.value, t.kind == PML_T_SKIP);
        gy_text name = {0};
        gy_text_printf(&name, "`%s`", keywords[i].spelling);
        assert_string_equal(pml_token_kind_name(t.kind), name.at);
        gy_text_free(&name);
    }
    assert_int_equal(count, 63);
    assert_int_equal(gy_diags_count(l.diags), 0);
    lex_end(&l);
    gy_text_free(&text);
}

static void every_symbol_has_its_kind(void **state)
{
    (void)state;
    gy_text text = {0};
    for (unsigned p = PML_P_NONE + 1; p < PML_P_HASH; p++)
        gy_text_printf(&text, " %s", pml_punct_spelling((pml_punct)p));
    struct lexing l = lex_begin(text.at, text.n, NULL, 0, NULL);
    for (unsigned p = PML_P_NONE + 1; p < PML_P_HASH; p++) {
        pml_token t = pml_next(l.stream);
        assert_int_equal(t.kind, PML_T_PUNCT);
        assert_int_equal(t.punct, p);
    }
    assert_int_equal(pml_next(l.stream).kind, PML_T_END);
    assert_int_equal(pml_next(l.stream).kind, PML_T_END);
    lex_end(&l);
    gy_text_free(&text);
}

static void symbols_are_the_longest_that_fit(void **state)
{
    (void)state;
    assert_tokens("a::b..c.d", "a :: b .. c . d");
    assert_tokens("q?\?<x>", "q ?? < x >");
    assert_tokens("q?[x]", "q ? [ x ]");
    assert_tokens("x++ +y---z", "x ++ + y -- - z");
    assert_tokens("[]<>p<->q->r", "[] <> p <-> q -> r");
    assert_tokens("a<-b a<=b a<<b a>>b a>=b", "a < - b a <= b a << b a >> b a >= b");
    assert_tokens("a[]", "a []");
}

static void symbols_that_spin_reads_its_own_way(void **state)
{
    (void)state;
    struct lexing l = lex_begin("--> !!= <=< >=> !!x", 19, NULL, 0, NULL);
    assert_int_equal(pml_next(l.stream).punct, PML_P_ARROW);
    assert_int_equal(pml_next(l.stream).punct, PML_P_NE);
    assert_int_equal(pml_next(l.stream).punct, PML_P_SHL);
    assert_int_equal(pml_next(l.stream).punct, PML_P_SHR);
    assert_int_equal(pml_next(l.stream).punct, PML_P_SNDSORT);
    lex_end(&l);
}

static void trigraphs_are_not_read(void **state)
{
    (void)state;
    assert_tokens("q?\?<x> ?\?( ?\?/\n", "q ?? < x > ?? ( ?? /");
}

static void numbers_are_decimal_digits(void **state)
{
    (void)state;
    assert_tokens("0 7 010 2147483647", "0 7 10 2147483647");
    assert_tokens("1..n 1.5 .5 2fi", "1 .. n 1 . 5 . 5 2 fi");
    assert_tokens("0..e-1 3priority", "0 .. e - 1 3 priority");
    assert_tokens("true false skip", "1 0 skip");
}

static void numbers_are_cut_to_32_bits_with_a_warning(void **state)
{
    (void)state;
    assert_says("x = 4294967297;",
                "1:5: warning: 4294967297 does not fit in 32 bits and is read as 1");
    assert_says("99999999999999999999",
                "1:1: warning: 99999999999999999999 does not fit in 32 bits and is read as -1");
    assert_tokens("x = -2147483648", "x = - -2147483648");
}

static void hexadecimal_numbers_are_an_error_with_a_hint(void **state)
{
    (void)state;
    struct lexing l = lex_begin("x = 0x1F", 8, NULL, 0, NULL);
    gy_text shown = {0};
    lex_show(&l, &shown);
    assert_string_equal(shown.at, "x = 31");
    assert_int_equal(gy_diags_errors(l.diags), 1);
    assert_string_equal(gy_diags_at(l.diags, 0)->message,
                        "Promela has no hexadecimal numbers: `0x1F`");
    assert_string_equal(gy_diags_at(l.diags, 0)->hint, "write 31");
    gy_text_free(&shown);
    lex_end(&l);
}

static void characters_are_numbers(void **state)
{
    (void)state;
    assert_tokens("'a' '\\n' '\\t' '\\r' '\\f' '\\\\' '\\'' '\"'", "97 10 9 13 12 92 39 34");
    assert_lexed("'\\0'", 4, "48", "1:1: warning: Promela reads '\\0' as '0', that is 48", NULL, 0);
    assert_says("'ab'", "1:1: error: a character constant holds one character, like 'a'");
    assert_says("''", "1:1: error: a character constant holds one character, like 'a'");
}

static void strings_keep_their_escapes(void **state)
{
    (void)state;
    assert_tokens("\"a\\n\\\"b\\\\\" \"/* no comment */\"",
                  "\"a\\n\\\"b\\\\\" \"/* no comment */\"");
    assert_tokens("\"a\" \"b\"", "\"a\" \"b\""); // not joined: as in Spin
    assert_tokens("printf($abc$)", "printf ( \"abc\" )");
}

static void unclosed_quotes_are_errors(void **state)
{
    (void)state;
    assert_lexed("x = \"abc;\ny", 11, "x = BAD | y", "1:5: error: the closing \" is missing", NULL,
                 0);
    assert_lexed("don't\ny", 7, "don BAD | y", "1:4: error: the closing ' is missing", NULL, 0);
}

static void stray_bytes_are_reported_a_few_times(void **state)
{
    (void)state;
    assert_says("a = `b;", "1:5: error: ``` is not part of Promela");
    assert_says("a = 1 # 2;", "1:7: error: `#` does not belong here: a directive begins a line");
    gy_text text = {0};
    for (int i = 0; i < 1000; i++)
        gy_text_add(&text, "\xc3\xa9 ");
    struct lexing l = lex_begin(text.at, text.n, NULL, 0, NULL);
    while (pml_next(l.stream).kind != PML_T_END)
        ;
    assert_int_equal(gy_diags_errors(l.diags), 5);
    lex_end(&l);
    gy_text_free(&text);
}

static void a_stray_end_of_comment_is_ignored(void **state)
{
    (void)state;
    assert_lexed("x */ = 1", 8, "x BAD = 1", "1:3: warning: `*/` without a comment is ignored",
                 NULL, 0);
    assert_tokens("x * / y", "x * / y");
}

static void a_name_has_a_limit(void **state)
{
    (void)state;
    gy_text text = {0};
    for (int i = 0; i < 3000; i++)
        gy_text_char(&text, 'a');
    assert_lexed(text.at, text.n, "BAD",
                 "1:1: error: this name has 3000 characters (the limit is 2000)", NULL, 0);
    gy_text_free(&text);
}

static void line_breaks_and_spaces_are_marked(void **state)
{
    (void)state;
    assert_tokens("a b\nc /* x\n */ d // e\nf", "a b | c | d | f");
    struct lexing l = lex_begin("a+ b", 4, NULL, 0, NULL);
    assert_true(pml_next(l.stream).newline_before);
    assert_false(pml_next(l.stream).space_before);
    assert_true(pml_next(l.stream).space_before);
    lex_end(&l);
}

static void words_are_interned(void **state)
{
    (void)state;
    struct lexing l = lex_begin("abc x abc", 9, NULL, 0, NULL);
    const char *first = pml_next(l.stream).text;
    pml_next(l.stream);
    assert_ptr_equal(pml_next(l.stream).text, first);
    assert_ptr_equal(pml_intern(l.stream, "abcd", 3), first);
    lex_end(&l);
}

static void tokens_know_line_column_and_length(void **state)
{
    (void)state;
    struct lexing l = lex_begin("a\n  foo->\"xy\"", 13, NULL, 0, NULL);
    static const struct {
        uint32_t line, column, length;
    } expected[] = {{1, 1, 1}, {2, 3, 3}, {2, 6, 2}, {2, 8, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        pml_token t = pml_next(l.stream);
        gy_location_info info = gy_location_lookup(l.sources, t.place);
        assert_int_equal(info.line, expected[i].line);
        assert_int_equal(info.column, expected[i].column);
        assert_int_equal(t.length, expected[i].length);
    }
    lex_end(&l);
}

// ---- embedded C -----------------------------------------------------------------------

static void c_code_is_raw(void **state)
{
    (void)state;
    assert_tokens("c_code { x = 0x10; y += '}' + \"}\"[0]; { z->a >>= 1; } } skip",
                  "c_code { <x = 0x10; y += '}' + \"}\"[0]; { z->a >>= 1; }> } skip");
    assert_tokens("c_expr{now.x>1}", "c_expr { <now.x>1> }");
    assert_tokens("c_decl { }", "c_decl { <> }");
}

static void c_code_may_have_a_precondition(void **state)
{
    (void)state;
    assert_tokens("c_code [a[1] > 2] { b; }", "c_code [ <a[1] > 2> ] { <b;> }");
}

static void c_code_keeps_its_lines(void **state)
{
    (void)state;
    assert_tokens("c_code {\n  a;\n\n  /* gone */ b;\n}", "c_code { | <a;\n\nb;> | }");
}

static void macros_in_c_code_are_expanded(void **state)
{
    (void)state;
    assert_tokens("#define N 3\n#define ADD(a) a+=N\nc_code { x[N]=1; ADD(y); }",
                  "c_code { <x[ 3 ]=1; y += 3 ;> }");
}

static void delayed_directives_become_directives(void **state)
{
    (void)state;
    assert_tokens("c_decl {\n\\#include <stdio.h>\n  \\#define X 1\n int i;\n}",
                  "c_decl { | <#include <stdio.h>\n#define X 1\nint i;> | }");
}

static void a_system_header_in_c_is_left_to_the_compiler(void **state)
{
    (void)state;
    assert_tokens("c_decl {\n#include <stdio.h>\nint i;\n}",
                  "c_decl { | <#include <stdio.h>\nint i;> | }");
}

static void an_open_c_block_is_an_error(void **state)
{
    (void)state;
    assert_says("init {\n c_code { x; { }\n", "2:9: error: this `{` is never closed");
}

// ---- the stream -----------------------------------------------------------------------

static void looking_far_ahead_changes_nothing(void **state)
{
    (void)state;
    struct lexing l = lex_begin("a b c d e f", 11, NULL, 0, NULL);
    assert_string_equal(pml_peek(l.stream, 5)->text, "f");
    assert_int_equal(pml_peek(l.stream, 6)->kind, PML_T_END);
    assert_int_equal(pml_peek(l.stream, 60)->kind, PML_T_END);
    assert_string_equal(pml_peek(l.stream, 0)->text, "a");
    gy_text shown = {0};
    lex_show(&l, &shown);
    assert_string_equal(shown.at, "a b c d e f");
    gy_text_free(&shown);
    lex_end(&l);
}

static void tokens_describe_themselves(void **state)
{
    (void)state;
    struct lexing l = lex_begin("proctype foo 12 \"s\" :: true", 27, NULL, 0, NULL);
    gy_text out = {0};
    for (int i = 0; i < 7; i++) {
        pml_token t = pml_next(l.stream);
        pml_token_describe(&t, &out);
        gy_text_char(&out, ' ');
    }
    assert_string_equal(out.at, "`proctype` `foo` `12` `\"s\"` `::` `true` the end of the model ");
    gy_text_free(&out);
    lex_end(&l);
}

static void the_stream_ends_after_too_many_errors(void **state)
{
    (void)state;
    gy_text text = {0};
    for (int i = 0; i < 1000; i++)
        gy_text_add(&text, "''\n");
    struct lexing l = lex_begin(text.at, text.n, NULL, 0, NULL);
    size_t count = 0;
    while (pml_next(l.stream).kind != PML_T_END)
        count++;
    assert_int_equal(count, GY_MAX_ERRORS);
    lex_end(&l);
    gy_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_keyword_has_its_kind),
        cmocka_unit_test(every_symbol_has_its_kind),
        cmocka_unit_test(symbols_are_the_longest_that_fit),
        cmocka_unit_test(symbols_that_spin_reads_its_own_way),
        cmocka_unit_test(trigraphs_are_not_read),
        cmocka_unit_test(numbers_are_decimal_digits),
        cmocka_unit_test(numbers_are_cut_to_32_bits_with_a_warning),
        cmocka_unit_test(hexadecimal_numbers_are_an_error_with_a_hint),
        cmocka_unit_test(characters_are_numbers),
        cmocka_unit_test(strings_keep_their_escapes),
        cmocka_unit_test(unclosed_quotes_are_errors),
        cmocka_unit_test(stray_bytes_are_reported_a_few_times),
        cmocka_unit_test(a_stray_end_of_comment_is_ignored),
        cmocka_unit_test(a_name_has_a_limit),
        cmocka_unit_test(line_breaks_and_spaces_are_marked),
        cmocka_unit_test(words_are_interned),
        cmocka_unit_test(tokens_know_line_column_and_length),
        cmocka_unit_test(c_code_is_raw),
        cmocka_unit_test(c_code_may_have_a_precondition),
        cmocka_unit_test(c_code_keeps_its_lines),
        cmocka_unit_test(macros_in_c_code_are_expanded),
        cmocka_unit_test(delayed_directives_become_directives),
        cmocka_unit_test(a_system_header_in_c_is_left_to_the_compiler),
        cmocka_unit_test(an_open_c_block_is_an_error),
        cmocka_unit_test(looking_far_ahead_changes_nothing),
        cmocka_unit_test(tokens_describe_themselves),
        cmocka_unit_test(the_stream_ends_after_too_many_errors),
    };
    return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
