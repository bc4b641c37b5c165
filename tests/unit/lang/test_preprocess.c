// The preprocessor: macros, conditions, includes, places through all of them, limits.
#include "lexing.h"

#include <sys/stat.h>
#include <unistd.h>

// ---- macros ---------------------------------------------------------------------------

static void a_macro_stands_for_its_body(void **state)
{
    (void)state;
    assert_tokens("#define N 3\n#define p (x > N)\np && N", "( x > 3 ) && 3");
    assert_tokens("#define EMPTY\na EMPTY b\nEMPTY c", "a b | c");
    assert_tokens("#define N 3\n#undef N\nN", "N");
}

static void a_function_like_macro_takes_arguments(void **state)
{
    (void)state;
    assert_tokens("#define F(a,b) (a - b)\nF(1, (2,3)) F (x\n,y) F",
                  "( 1 - ( 2 , 3 ) ) ( x - y ) | F");
    assert_tokens("#define G() x\nG() G( ) G", "x x G");
    assert_tokens("#define H(a) [a]\nH() H(H(1))", "[ ] [ [ 1 ] ]");
}

static void a_macro_never_expands_inside_itself(void **state)
{
    (void)state;
    assert_tokens("#define A B\n#define B A\nA B", "A B");
    assert_tokens("#define foo (4 + foo)\nfoo", "( 4 + foo )");
    assert_tokens("#define F(x) F(x + 1)\nF(F(2))", "F ( F ( 2 + 1 ) + 1 )");
    assert_tokens("#define ff(a) a*gg\n#define gg(a) ff(a)\nff(2)(9)", "2 * 9 * gg");
}

static void arguments_become_strings(void **state)
{
    (void)state;
    assert_tokens("#define S(x) #x\nS(  a   +b ) S(\"q\\n\" '\"') S()",
                  "\"a +b\" \"\\\"q\\\\n\\\" '\\\"'\" \"\"");
    assert_tokens("#define N 3\n#define S(x) #x\n#define X(x) S(x)\nS(N) X(N)", "\"N\" \"3\"");
}

static void tokens_are_pasted(void **state)
{
    (void)state;
    assert_tokens("#define C(a,b) a##b\nC(x,1) C(,y) C(z,) C(-,>) C(1,2)", "x1 y z -> 12");
    assert_tokens("#define N 3\n#define C(a,b) a ## b\nC(N,N)", "NN");
    assert_tokens("#define t(x,y,z) x ## y ## z\nt(a,b,c) t(,d,) t(,,e) t(,,)", "abc d e");
    assert_says("#define C(a,b) a##b\nC(x,+)",
                "2:3: error: `##` in macro `C` makes `x+`, which is not one token");
}

static void variadic_macros_take_the_rest(void **state)
{
    (void)state;
    assert_tokens("#define P(f, ...) g(f, __VA_ARGS__)\nP(1, 2, 3) P(1,)",
                  "g ( 1 , 2 , 3 ) g ( 1 , )");
    assert_tokens("#define P(f, ...) g(f, ## __VA_ARGS__)\nP(1) P(1,) P(1,2)",
                  "g ( 1 ) g ( 1 , ) g ( 1 , 2 )");
    assert_tokens("#define P(f, r...) g(f , ## r) #r\nP(1) P(1,2,3)",
                  "g ( 1 ) \"\" g ( 1 , 2 , 3 ) \"2,3\"");
}

static void the_examples_of_the_c_standard(void **state)
{
    (void)state;
    assert_tokens("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n"
                  "#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n"
                  "#define t(a) a\n"
                  "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n"
                  "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n",
                  "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t "
                  "( 1 ) ; | f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 "
                  ", 1 ) ) | ^ m ( 0 , 1 ) ;");
    assert_tokens("#define str(x) # x\n#define xstr(s) str(s)\n#define glue(a, b) a ## b\n"
                  "#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n"
                  "#define LOW LOW \", world\"\nglue(HIGH, LOW); xglue(HIGH, LOW)",
                  "\"hello\" ; \"hello\" \", world\"");
    assert_tokens("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
                  "#define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
                  "\"x ## y\"");
}

static void a_defined_name_may_come_from_the_command_line(void **state)
{
    (void)state;
    static const pml_define defines[] = {{"N", "4"}, {"FLAG", NULL}, {"NOTHING", ""}};
    const char *text = "N FLAG NOTHING\n#ifdef NOTHING\nyes\n#endif\n";
    assert_lexed(text, strlen(text), "4 1 | yes", "", defines, 3);
}

static void wrong_uses_of_macros_are_located(void **state)
{
    (void)state;
    assert_says("#define F(a,b) a\nx F(1)",
                "2:3: error: macro `F` takes 2 arguments, not 1\n1:9: note: `F` is defined here");
    assert_says("#define F(a) a\nx F(1, 2",
                "2:3: error: the arguments of macro `F` are never closed");
    assert_says("#define N 1\n#define N 2\n",
                "2:9: warning: macro `N` is defined again, "
                "differently\n1:9: note: the definition before is here");
    assert_says("#define N 1\n#define N  1 /* same */\n", "");
    assert_says("#define 3\n", "1:9: error: #define needs the name of a macro");
    assert_says("#define F(a,a) a\n", "1:13: error: parameter `a` appears twice");
    assert_says("#define F(a #a\n", "1:13: error: the parameters of macro `F` should be names with "
                                    "commas between them, closed by `)`");
    assert_says("#define F(a) #b\n",
                "1:14: error: `#` in a macro is followed by one of its parameters");
    assert_says("#define F(a) ## a\n", "1:14: error: `##` needs a token on its left side");
    assert_says("#define F(a) a ##\n", "1:16: error: `##` needs a token on its right side");
    assert_says("#define defined 1\n", "1:9: error: `defined` cannot be defined as a macro");
}

static void a_range_hides_a_macro_as_in_spin(void **state)
{
    (void)state;
    assert_lexed("#define N 3\nx : 1..N", 20, "x : 1 .. 3",
                 "2:8: error: macro `N` is not expanded here: the preprocessor reads `1..N` as one "
                 "number",
                 NULL, 0);
    assert_tokens("#define N 3\nx : 1 .. N", "x : 1 .. 3");
}

static void line_and_file_are_known(void **state)
{
    (void)state;
    assert_tokens("__LINE__\n__LINE__ __FILE__", "1 | 2 \"t.pml\"");
    assert_tokens("#define L __LINE__\n\nL", "3");
    assert_tokens("#line 40 \"other.pml\"\n__LINE__ __FILE__", "40 \"other.pml\"");
    assert_tokens("# 7 \"x.h\" 2\n__LINE__\n# 9\n__LINE__ __FILE__", "7 | 9 \"x.h\"");
    assert_says("#line x\n", "1:2: error: malformed line directive");
}

static void macro_expansions_have_no_line_breaks(void **state)
{
    (void)state;
    assert_tokens("#define F(a) a;\\\n  b\nF(x\n+ y) z\nw", "x + y ; b | z | w");
    assert_tokens("#define G(a) (a)\nG\n(3) k\nG\nm", "( 3 ) | k | G | m");
}

// ---- lines and comments -----------------------------------------------------------------

static void joined_lines_are_one(void **state)
{
    (void)state;
    assert_tokens("#define N 1 + \\\n 2\nN ab\\\ncd", "1 + 2 abcd");
    assert_tokens("// a comment \\\n goes on\nx", "x");
    struct lexing l = lex_begin("#define A \\\n\\\n b\n  x\\\ny z", 25, NULL, 0, NULL);
    gy_location_info xy = gy_location_lookup(l.sources, pml_next(l.stream).place);
    gy_location_info z = gy_location_lookup(l.sources, pml_next(l.stream).place);
    assert_int_equal(xy.line, 4);
    assert_int_equal(xy.column, 3);
    assert_int_equal(z.line, 5);
    assert_int_equal(z.column, 3);
    lex_end(&l);
}

static void comments_are_white_space(void **state)
{
    (void)state;
    assert_tokens("a/* don't */b // cannot\n/* \"open */ c", "a b | c");
    assert_tokens("#define N /* three */ 3 /* runs\non */\nN", "3");
    assert_tokens("/* x */ # /* y */ define N 5\nN", "5");
    assert_says("x = 1 /* forgotten", "1:7: error: this comment is never closed");
}

static void a_hash_starts_a_directive_only_at_the_start_of_a_line(void **state)
{
    (void)state;
    assert_tokens("  #  define N 3\nN\n#\n", "3");
    assert_says("x #define N 3", "1:3: error: `#` does not belong here: a directive begins a line");
}

// ---- conditions -------------------------------------------------------------------------

// Is the condition true?
static void assert_condition(const char *condition, bool expected)
{
    gy_text text = {0};
    gy_text_printf(
        &text, "#define ONE 1\n#define TWO 2\n#define F(x) (x)\n#if %s\nyes\n#else\nno\n#endif\n",
        condition);
    assert_lexed(text.at, text.n, expected ? "yes" : "no", "", NULL, 0);
    gy_text_free(&text);
}

static void conditions_are_constant_expressions(void **state)
{
    (void)state;
    assert_condition("1", true);
    assert_condition("0", false);
    assert_condition("ONE + TWO * 3 == 7 && (ONE + TWO) * 3 == 9", true);
    assert_condition("10 - 4 - 3 == 3 && 100 / 5 / 2 == 10 && 17 % 5 == 2", true);
    assert_condition("1 << 3 | 1 ^ 0 & 7", true);
    assert_condition("-1 < 0 && !0 && ~0 == -1 && +1 && !!1", true);
    assert_condition("-1 > 0u", true);
    assert_condition("0x10 == 16 && 010 == 8 && 'a' == 97 && '\\n' == 10 && '\\0' == 0", true);
    assert_condition("1 ? 0 : 1", false);
    assert_condition("0 ? 1/0 : 5 == 5", true);
    assert_condition("0 && 1/0 || 1", true);
    assert_condition("unknown", false);
    assert_condition("defined ONE && defined(TWO) && !defined THREE", true);
    assert_condition("F(ONE) == F (1)", true);
    assert_condition("F", false);
    assert_condition("5 > 3 == 1 != 0 >= 1", true);
    assert_condition("-8 >> 1 == -4 && 9223372036854775807 > 0 && 18446744073709551615u > 0", true);
}

static void wrong_conditions_are_located(void **state)
{
    (void)state;
    assert_says("#if\n#endif", "1:2: error: this condition is empty");
    assert_says("#if 1 +\n#endif", "1:2: error: the condition ends too early");
    assert_says("#if (1\n#endif", "1:2: error: `)` is missing in this condition");
    assert_says("#if 1 2\n#endif", "1:7: error: the condition should end before this");
    assert_says("#if 4 / 0\n#endif", "1:7: error: division by zero in this condition");
    assert_says("#if 1.5\n#endif", "1:5: error: this is not an integer");
    assert_says("#if \"a\"\n#endif", "1:5: error: this cannot be used in a condition");
    assert_says("#if defined\n#endif", "1:5: error: `defined` needs a name");
    assert_says("#ifdef\n#endif", "1:2: error: #ifdef needs a name");
    gy_text text = {0};
    gy_text_add(&text, "#if ");
    for (int i = 0; i < 100000; i++)
        gy_text_char(&text, '(');
    gy_text_add(&text, "\n#endif\n");
    assert_says(text.at, "1:205: error: this condition is nested too deeply");
    gy_text_free(&text);
}

static void one_group_of_a_conditional_is_read(void **state)
{
    (void)state;
    assert_tokens("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b | e");
    assert_tokens("#ifdef X\na\n#else junk\nb\n#endif X\n", "b");
    assert_tokens("#ifndef X\n#define X 1\n#if X\na\n#else\nb\n#endif\n#else\nc\n#endif", "a");
    assert_tokens("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
    assert_tokens("#if 1\na\n#elif 1/0\nb\n#endif", "a");
}

static void anything_may_stand_in_a_skipped_group(void **state)
{
    (void)state;
    assert_tokens("#if 0\ndon't \"look /* here\n#bogus\n#error no\n#include \"nope\"\n0x1 $ @@\n"
                  "/* #endif */\n#endif\nx",
                  "x");
}

static void conditionals_must_be_balanced(void **state)
{
    (void)state;
    assert_says("#if 1\nx", "1:2: error: this #if has no #endif");
    assert_says("a\n#ifdef X\nx", "2:2: error: this #ifdef has no #endif");
    assert_says("#endif\n", "1:2: error: #endif without #if");
    assert_says("#else\n", "1:2: error: #else without #if");
    assert_says("#if 1\n#else\n#else\n#endif",
                "3:2: error: #else after #else\n1:2: note: the #if is here");
}

static void conditionals_work_inside_macro_arguments(void **state)
{
    (void)state;
    assert_tokens("#define X 1\n#define F(a) [a]\nF(\n#if X\nyes\n#else\nno\n#endif\n) z",
                  "[ yes ] | z");
}

static void directives_work_inside_inline_bodies(void **state)
{
    (void)state;
    assert_tokens("inline f(x) {\n#ifdef A\n  a = x;\n#else\n  b = x;\n#endif\n#define N 3\n  N\n}",
                  "inline f ( x ) { | b = x ; | 3 | }");
}

// ---- other directives -------------------------------------------------------------------

static void messages_of_the_model_are_shown(void **state)
{
    (void)state;
    assert_says("#error N must be set\n", "1:2: error: #error N must be set");
    assert_says("#warning be careful \n", "1:2: warning: #warning be careful");
    assert_says("#pragma whatever\n#ident \"x\"\n", "");
}

static void unknown_directives_get_a_suggestion(void **state)
{
    (void)state;
    struct lexing l = lex_begin("#defin N 3\n", 11, NULL, 0, NULL);
    pml_next(l.stream);
    assert_string_equal(gy_diags_at(l.diags, 0)->message, "unknown directive `#defin`");
    assert_string_equal(gy_diags_at(l.diags, 0)->hint, "a similar directive exists: `#define`");
    lex_end(&l);
}

// ---- files --------------------------------------------------------------------------------

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/gyre-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_file(const char *name, const char *tokens, const char *diags)
{
    struct lexing l = lex_begin_file(path_of(name));
    gy_text shown = {0}, said = {0};
    lex_show(&l, &shown);
    lex_show_diags(&l, &said);
    if (tokens)
        assert_string_equal(gy_text_str(&shown), tokens);
    if (diags)
        assert_string_equal(gy_text_str(&said), diags);
    gy_text_free(&shown);
    gy_text_free(&said);
    lex_end(&l);
}

static void includes_are_found_beside_the_file(void **state)
{
    (void)state;
    mkdir(path_of("sub"), 0700);
    write_file("main.pml", "a\n#include \"sub/one.h\"\n#define H \"sub/two.h\"\n#include H\nb\n");
    write_file("sub/one.h", "one\n#include \"two.h\"");
    write_file("sub/two.h", "two");
    assert_file("main.pml", "a | one | two | two | b", "");
}

static void includes_are_found_in_the_given_folders(void **state)
{
    (void)state;
    write_file("lib.h", "lib");
    const char *dirs[] = {"/nonexistent", folder, NULL};
    const char *text = "#include <lib.h>\n#include \"lib.h\"\n";
    struct lexing l = lex_begin(text, strlen(text), NULL, 0, dirs);
    gy_text shown = {0};
    lex_show(&l, &shown);
    assert_string_equal(gy_text_str(&shown), "lib | lib");
    gy_text_free(&shown);
    lex_end(&l);
}

static void a_missing_include_is_located(void **state)
{
    (void)state;
    write_file("m.pml", "x\n#include \"nope.h\"\ny\n");
    assert_file("m.pml", "x | y", "2:10: error: cannot find `nope.h`");
    write_file("m.pml", "#include <nope.h>\n#include\n#include \"open\n");
    assert_file("m.pml", "",
                "1:10: error: cannot find `nope.h`\n2:2: error: #include needs a file name\n"
                "3:10: error: #include needs a file name");
}

static void an_include_cycle_is_named(void **state)
{
    (void)state;
    write_file("self.pml", "x\n#include \"self.pml\"\n#include \"self.pml\"\n");
    assert_file("self.pml", NULL, "2:10: error: `self.pml` includes itself without end");
    write_file("a.pml", "#include \"b.pml\"\n");
    write_file("b.pml", "#include \"a.pml\"\n");
    struct lexing l = lex_begin_file(path_of("a.pml"));
    assert_int_equal(pml_next(l.stream).kind, PML_T_END);
    assert_int_equal(gy_diags_errors(l.diags), 1);
    const char *message = gy_diags_at(l.diags, 0)->message;
    assert_non_null(strstr(message, "these files include each other without end: "));
    assert_non_null(strstr(message, "a.pml -> "));
    assert_non_null(strstr(message, "b.pml -> "));
    lex_end(&l);
}

static void a_guarded_self_include_is_fine(void **state)
{
    (void)state;
    write_file("g.pml", "#ifndef G\n#define G 1\nx\n#include \"g.pml\"\ny\n#endif\n");
    assert_file("g.pml", "x | y", "");
    write_file("once.h", "#pragma once\no\n");
    write_file("o.pml", "#include \"once.h\"\n#include \"once.h\"\n");
    assert_file("o.pml", "o", "");
}

static void doubling_includes_end(void **state)
{
    (void)state;
    char name[32], text[80];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "d%d.h", i);
        snprintf(text, sizeof text, "#include \"d%d.h\"\n#include \"d%d.h\"\n", i + 1, i + 1);
        write_file(name, i < 39 ? text : "");
    }
    struct lexing l = lex_begin_file(path_of("d0.h"));
    assert_int_equal(pml_next(l.stream).kind, PML_T_END);
    assert_string_equal(gy_diags_at(l.diags, 0)->message,
                        "files are included too often (the limit is 20000); reading stops here");
    lex_end(&l);
}

static void files_that_cannot_be_read_are_errors(void **state)
{
    (void)state;
    char expected[300];
    struct lexing l = lex_begin_file(path_of("nothing.pml"));
    assert_null(l.stream);
    snprintf(expected, sizeof expected, "cannot read `%s`: No such file or directory",
             path_of("nothing.pml"));
    assert_string_equal(gy_diags_at(l.diags, 0)->message, expected);
    lex_end(&l);
    l = lex_begin_file(folder);
    assert_null(l.stream);
    snprintf(expected, sizeof expected, "cannot read `%s`: it is a directory", folder);
    assert_string_equal(gy_diags_at(l.diags, 0)->message, expected);
    lex_end(&l);
}

static void binary_files_are_refused(void **state)
{
    (void)state;
    struct lexing l = lex_begin("\177ELF\1\2\0\0\0\0\3\0", 12, NULL, 0, NULL);
    assert_null(l.stream);
    assert_string_equal(gy_diags_at(l.diags, 0)->message, "`t.pml` is not a text file");
    lex_end(&l);
    assert_lexed("abcdefghijklmnopqrstuvwxyz\0x", 28, "abcdefghijklmnopqrstuvwxyz x",
                 "1:27: error: there is a NUL byte in this file", NULL, 0);
    assert_tokens("\xef\xbb\xbf#define N 3\nN", "3"); // a byte order mark
}

// ---- places -------------------------------------------------------------------------------

static void places_lead_back_through_macros(void **state)
{
    (void)state;
    const char *text = "#define IN (foo)\n#define OUT IN + 1\n\n  OUT\n";
    struct lexing l = lex_begin(text, strlen(text), NULL, 0, NULL);
    pml_next(l.stream);
    pml_token foo = pml_next(l.stream);
    gy_location_info info = gy_location_lookup(l.sources, foo.place);
    assert_int_equal(info.line, 1);
    assert_int_equal(info.column, 13);
    assert_string_equal(info.via, "IN");
    info = gy_location_lookup(l.sources, info.used_at);
    assert_int_equal(info.line, 2);
    assert_int_equal(info.column, 13);
    assert_string_equal(info.via, "OUT");
    info = gy_location_lookup(l.sources, info.used_at);
    assert_int_equal(info.origin, GY_FROM_FILE);
    assert_int_equal(info.line, 4);
    info = gy_location_user(l.sources, foo.place);
    assert_int_equal(info.line, 4);
    assert_int_equal(info.column, 3);
    lex_end(&l);
}

static void arguments_keep_their_own_place(void **state)
{
    (void)state;
    const char *text = "#define F(a) (a)\nF(\n  foo)\n";
    struct lexing l = lex_begin(text, strlen(text), NULL, 0, NULL);
    pml_next(l.stream);
    gy_location_info info = gy_location_lookup(l.sources, pml_next(l.stream).place);
    assert_int_equal(info.line, 3);
    assert_int_equal(info.column, 3);
    assert_int_equal(info.origin, GY_FROM_FILE);
    lex_end(&l);
}

static void places_lead_back_through_includes(void **state)
{
    (void)state;
    write_file("p.pml", "\n#include \"p.h\"\n");
    write_file("p.h", "\n\n  foo\n");
    struct lexing l = lex_begin_file(path_of("p.pml"));
    gy_location_info info = gy_location_lookup(l.sources, pml_next(l.stream).place);
    assert_int_equal(info.line, 3);
    assert_non_null(strstr(gy_source_name(l.sources, info.file), "p.h"));
    info = gy_location_lookup(l.sources, gy_source_included_at(l.sources, info.file));
    assert_int_equal(info.line, 2);
    assert_int_equal(info.column, 10);
    assert_non_null(strstr(gy_source_name(l.sources, info.file), "p.pml"));
    lex_end(&l);
}

// ---- limits -------------------------------------------------------------------------------

static void assert_stops(const char *text, const char *message)
{
    struct lexing l = lex_begin(text, strlen(text), NULL, 0, NULL);
    while (pml_next(l.stream).kind != PML_T_END)
        ;
    assert_int_equal(gy_diags_errors(l.diags), 1);
    assert_non_null(strstr(gy_diags_at(l.diags, 0)->message, message));
    lex_end(&l);
}

static void exploding_macros_are_stopped(void **state)
{
    (void)state;
    gy_text text = {0};
    for (int i = 0; i < 60; i++)
        gy_text_printf(&text, "#define a%d a%d a%d\n", i, i + 1, i + 1);
    gy_text_add(&text, "a0\n");
    assert_stops(text.at, "macros expand to too many tokens");
    gy_text_clear(&text);
    gy_text_add(&text, "#define C(x) D(x,x)\n#define D(x,y) x##y\n");
    for (int i = 0; i < 60; i++)
        gy_text_add(&text, "C(");
    gy_text_add(&text, "a");
    for (int i = 0; i < 60; i++)
        gy_text_add(&text, ")");
    assert_stops(text.at, "macros make too long a text");
    gy_text_free(&text);
}

static void deeply_nested_macro_calls_are_stopped(void **state)
{
    (void)state;
    gy_text text = {0};
    gy_text_add(&text, "#define F(x) x\n");
    for (int i = 0; i < 1000; i++)
        gy_text_add(&text, "F(");
    gy_text_add(&text, "1");
    for (int i = 0; i < 1000; i++)
        gy_text_add(&text, ")");
    assert_stops(text.at, "macro calls are nested too deeply");
    gy_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_macro_stands_for_its_body),
        cmocka_unit_test(a_function_like_macro_takes_arguments),
        cmocka_unit_test(a_macro_never_expands_inside_itself),
        cmocka_unit_test(arguments_become_strings),
        cmocka_unit_test(tokens_are_pasted),
        cmocka_unit_test(variadic_macros_take_the_rest),
        cmocka_unit_test(the_examples_of_the_c_standard),
        cmocka_unit_test(a_defined_name_may_come_from_the_command_line),
        cmocka_unit_test(wrong_uses_of_macros_are_located),
        cmocka_unit_test(a_range_hides_a_macro_as_in_spin),
        cmocka_unit_test(line_and_file_are_known),
        cmocka_unit_test(macro_expansions_have_no_line_breaks),
        cmocka_unit_test(joined_lines_are_one),
        cmocka_unit_test(comments_are_white_space),
        cmocka_unit_test(a_hash_starts_a_directive_only_at_the_start_of_a_line),
        cmocka_unit_test(conditions_are_constant_expressions),
        cmocka_unit_test(wrong_conditions_are_located),
        cmocka_unit_test(one_group_of_a_conditional_is_read),
        cmocka_unit_test(anything_may_stand_in_a_skipped_group),
        cmocka_unit_test(conditionals_must_be_balanced),
        cmocka_unit_test(conditionals_work_inside_macro_arguments),
        cmocka_unit_test(directives_work_inside_inline_bodies),
        cmocka_unit_test(messages_of_the_model_are_shown),
        cmocka_unit_test(unknown_directives_get_a_suggestion),
        cmocka_unit_test(includes_are_found_beside_the_file),
        cmocka_unit_test(includes_are_found_in_the_given_folders),
        cmocka_unit_test(a_missing_include_is_located),
        cmocka_unit_test(an_include_cycle_is_named),
        cmocka_unit_test(a_guarded_self_include_is_fine),
        cmocka_unit_test(doubling_includes_end),
        cmocka_unit_test(files_that_cannot_be_read_are_errors),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(places_lead_back_through_macros),
        cmocka_unit_test(arguments_keep_their_own_place),
        cmocka_unit_test(places_lead_back_through_includes),
        cmocka_unit_test(exploding_macros_are_stopped),
        cmocka_unit_test(deeply_nested_macro_calls_are_stopped),
    };
    return cmocka_run_group_tests_name("preprocess", tests, make_folder, remove_folder);
}
