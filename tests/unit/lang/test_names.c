// The record of names: what a text defines, where it is used and as what, through macros and
// inlines.
#include "lang/common/names.h"

#include "lang/editor_parse.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct told {
    gy_names names;
    gy_text parsed; // "NAME@LINE:COLUMN=ROLE " for each use
    gy_model *model;
    gy_diags *diags;
} told;

static told read_text(const char *text, gy_reading reading)
{
    told t = {0};
    gy_names_init(&t.names);
    reading.names = &t.names;
    t.model = gy_load_model_writing("/nowhere/t.pml", text, strlen(text), NULL, &reading, &t.diags);
    return t;
}

static void drop(told *t)
{
    gy_diags_free(t->diags);
    gy_model_free(t->model);
    gy_names_free(&t->names);
}

// The number of uses of `name` with this role, written at line:column.
static unsigned uses(const told *t, const char *name, gy_name_role role, uint32_t line,
                     uint32_t column)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->names.uses.n; i++) {
        const gy_name_use *use = &t->names.uses.at[i];
        gy_location_info info = gy_location_lookup(gy_diags_sources(t->diags), use->place);
        if (strcmp(t->names.list.at[use->name].text, name) == 0 && use->role == role &&
            info.line == line && info.column == column) {
            assert_int_equal(use->length, strlen(name));
            count++;
        }
    }
    return count;
}

static const gy_name *name_of(const told *t, const char *text, gy_name_kind kind)
{
    for (size_t i = 0; i < t->names.list.n; i++)
        if (t->names.list.at[i].kind == kind && strcmp(t->names.list.at[i].text, text) == 0)
            return &t->names.list.at[i];
    fail_msg("no name %s", text);
    return NULL;
}

static void plain_names(void **state)
{
    (void)state;
    told t = read_text("mtype = { red, green };\n"                   // 1
                       "typedef Pair { byte left; int right[3] };\n" // 2
                       "chan q = [2] of { mtype, byte };\n"          // 3
                       "Pair p; byte n = 4;\n"                       // 4
                       "proctype P(byte id; chan c) {\n"             // 5
                       "  mtype m;\n"                                // 6
                       "again:\n"                                    // 7
                       "  c?m(n); p.left = id;\n"                    // 8
                       "  if :: m == red -> goto again :: else fi\n" // 9
                       "}\n"                                         // 10
                       "init { run P(n, q); q!green(p.right[1]) }\n" // 11
                       "ltl safe { [] (n < 5) && !P@again }\n",      // 12
                       (gy_reading){0});
    assert_non_null(t.model);
    assert_int_equal(uses(&t, "red", GY_USE_DEFINED, 1, 11), 1);
    assert_int_equal(uses(&t, "red", GY_USE_READ, 9, 14), 1);
    assert_int_equal(uses(&t, "Pair", GY_USE_READ, 4, 1), 1);
    assert_int_equal(uses(&t, "left", GY_USE_WRITTEN, 8, 13), 1);
    assert_int_equal(uses(&t, "p", GY_USE_WRITTEN, 8, 11), 1);
    assert_int_equal(uses(&t, "c", GY_USE_RECEIVED, 8, 3), 1);
    assert_int_equal(uses(&t, "n", GY_USE_WRITTEN, 8, 7), 1);
    assert_int_equal(uses(&t, "again", GY_USE_DEFINED, 7, 1), 1);
    assert_int_equal(uses(&t, "again", GY_USE_CALLED, 9, 26), 1);
    assert_int_equal(uses(&t, "again", GY_USE_CALLED, 12, 29), 1);
    assert_int_equal(uses(&t, "P", GY_USE_CALLED, 11, 12), 1);
    assert_int_equal(uses(&t, "q", GY_USE_READ, 11, 17), 1);
    assert_int_equal(uses(&t, "q", GY_USE_SENT, 11, 21), 1);
    assert_int_equal(uses(&t, "n", GY_USE_READ, 12, 16), 1);
    assert_string_equal(name_of(&t, "P", GY_NAME_PROCESS)->suffix, "(byte id; chan c)");
    assert_string_equal(name_of(&t, "q", GY_NAME_GLOBAL)->suffix, " = [2] of { mtype, byte }");
    assert_string_equal(name_of(&t, "right", GY_NAME_FIELD)->suffix, "[3]");
    assert_string_equal(name_of(&t, "red", GY_NAME_CONSTANT)->suffix, " = 2");
    // run P(n, q) and q!green(p.right[1])
    assert_int_equal(t.names.arguments.n, 4);
    drop(&t);
}

// One written word of an inline is a use in each of its calls; a parameter is no use of what is
// passed.
static void inlines(void **state)
{
    (void)state;
    told t = read_text("byte total;\n"                     // 1
                       "inline add(x) {\n"                 // 2
                       "  byte old = x;\n"                 // 3
                       "  total = total + x; local1 = 1\n" // 4
                       "}\n"                               // 5
                       "active proctype A() { bit local1; add(2) }\n"
                       "active proctype B() { bit local1; add(local1) }\n"
                       "inline never_called(y) { total = y; unknown = 1 }\n",
                       (gy_reading){0});
    assert_non_null(t.model);
    assert_int_equal(uses(&t, "total", GY_USE_WRITTEN, 4, 3), 2);
    assert_int_equal(uses(&t, "local1", GY_USE_WRITTEN, 4, 22), 2);
    assert_int_equal(uses(&t, "x", GY_USE_READ, 4, 19), 1);
    assert_int_equal(uses(&t, "old", GY_USE_DEFINED, 3, 8), 2);
    assert_int_equal(uses(&t, "add", GY_USE_CALLED, 6, 35), 1);
    assert_int_equal(uses(&t, "y", GY_USE_READ, 8, 34), 1);
    assert_int_equal(uses(&t, "total", GY_USE_READ, 8, 26), 1);
    assert_true(name_of(&t, "add", GY_NAME_INLINE)->called);
    assert_false(name_of(&t, "never_called", GY_NAME_INLINE)->called);
    drop(&t);
}

static void macros(void **state)
{
    (void)state;
    told t = read_text("#define LIMIT 4 // most\n"         // 1
                       "#define below(a, b) ((a) < (b))\n" // 2
                       "#define busy (n > 0)\n"            // 3
                       "#ifdef LIMIT\n"                    // 4
                       "byte n;\n"                         // 5
                       "#endif\n"                          // 6
                       "active proctype P() { below(n, LIMIT); busy }\n",
                       (gy_reading){0});
    assert_non_null(t.model);
    assert_int_equal(uses(&t, "LIMIT", GY_USE_READ, 4, 8), 1);
    assert_int_equal(uses(&t, "LIMIT", GY_USE_CALLED, 7, 32), 1);
    assert_int_equal(uses(&t, "n", GY_USE_READ, 7, 29), 1);
    assert_int_equal(uses(&t, "n", GY_USE_READ, 3, 15), 1);
    assert_string_equal(name_of(&t, "LIMIT", GY_NAME_MACRO)->suffix, " 4");
    assert_int_equal(name_of(&t, "below", GY_NAME_MACRO)->param_count, 2);
    assert_string_equal(name_of(&t, "below", GY_NAME_MACRO)->params[1], "b");
    drop(&t);
}

// A text with errors has names up to them, and after them.
static void with_errors(void **state)
{
    (void)state;
    told t = read_text("byte n;\n"
                       "active proctype P() { n = ; n = 2 }\n"
                       "active proctype Q() { n = unknown; n++ }\n",
                       (gy_reading){0});
    assert_null(t.model);
    assert_int_equal(uses(&t, "n", GY_USE_WRITTEN, 2, 29), 1);
    assert_int_equal(uses(&t, "n", GY_USE_WRITTEN, 3, 36), 1);
    drop(&t);
}

static const char *overlay(void *user, const char *path, size_t *bytes)
{
    (void)user;
    static const char text[] = "byte hidden_in_file;\n";
    if (strcmp(path, "/nowhere/part.h") != 0)
        return NULL;
    *bytes = strlen(text);
    return text;
}

static void parsed(void *user)
{
    ++*(int *)user;
}

static void overlays(void **state)
{
    (void)state;
    int calls = 0;
    told t = read_text("#include \"part.h\"\nactive proctype P() { hidden_in_file = 1 }\n",
                       (gy_reading){.overlay = overlay, .parsed = parsed, .user = &calls});
    assert_non_null(t.model);
    assert_int_equal(calls, 1);
    assert_int_equal(uses(&t, "hidden_in_file", GY_USE_DEFINED, 1, 6), 1);
    assert_int_equal(uses(&t, "hidden_in_file", GY_USE_WRITTEN, 2, 23), 1);
    drop(&t);
}

static void stopped(void **state)
{
    (void)state;
    atomic_bool stop = true;
    told t = read_text("byte n;\nactive proctype P() { n = 1 }\n", (gy_reading){.stop = &stop});
    assert_int_equal(t.names.list.n, 0);
    drop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names), cmocka_unit_test(inlines),  cmocka_unit_test(macros),
        cmocka_unit_test(with_errors), cmocka_unit_test(overlays), cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
