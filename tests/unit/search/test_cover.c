// Trace covers: the vector clocks of a trace, cut-offs, and questions of each kind on traces with
// known answers. The cases are those of Kashyap, Garg (ASE 2005), and of what is wrong in print
// there; all answers are worked out by hand.
#include "base/hash.h"
#include "base/sat.h"
#include "exec/system.h"
#include "load/load.h"
#include "search/cover/cover.h"
#include "search/cover/cover_trace.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_QUESTIONS = 8, MOST_EVENTS = 32 };

typedef struct fixture {
    gy_system *system;
    gy_cover cover;
    gy_cover_question questions[MOST_QUESTIONS];
    gy_search_result *result;
    // What was shown.
    uint64_t ideals;
    GY_VEC(gy_word) states;  // of one word's hash each, distinct
    GY_VEC(uint32_t) clocks; // of each event of each trace: trace, process, two counts
    uint32_t traces;
} fixture;

static void note_state(void *user, const gy_word *state, uint32_t words)
{
    fixture *f = user;
    gy_word hash = (gy_word)gy_hash_state(state, words);
    f->ideals++;
    for (size_t i = 0; i < f->states.n; i++)
        if (f->states.at[i] == hash)
            return;
    gy_vec_push(&f->states, hash);
}

static void note_trace(void *user, const gy_trace *trace)
{
    fixture *f = user;
    for (size_t i = 0; i < trace->events.n; i++) {
        gy_vec_push(&f->clocks, f->traces);
        gy_vec_push(&f->clocks, (uint32_t)__builtin_ctzll(gy_trace_taken(trace, i)->movers));
        gy_vec_push(&f->clocks, trace->events.at[i].clock.of[0]);
        gy_vec_push(&f->clocks, trace->events.at[i].clock.of[1]);
    }
    f->traces++;
}

static void begin(fixture *f, const char *text)
{
    char *problem = NULL;
    *f = (fixture){.system = gy_load_text("test.pml", text, strlen(text), NULL, &problem)};
    if (!f->system)
        fprintf(stderr, "%s\n", problem);
    assert_non_null(f->system);
    gy_free(problem);
    f->cover = (gy_cover){
        .questions = f->questions, .visit = note_state, .complete = note_trace, .user = f};
}

static gy_atom read_atom(fixture *f, const char *text)
{
    gy_diags *diags = NULL;
    gy_atom atom = gy_load_predicate((gy_model *)f->system->model, text, &diags);
    assert_int_not_equal(atom, 0);
    gy_diags_free(diags);
    return atom;
}

static void ask(fixture *f, const char *text)
{
    f->questions[f->cover.count++].atom = read_atom(f, text);
}

static void ask_sum(fixture *f, const gy_atom *terms, uint32_t count, uint32_t over)
{
    f->questions[f->cover.count++] =
        (gy_cover_question){.terms = terms, .term_count = count, .over = over};
}

static void search(fixture *f)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = GY_SEARCH_COVER;
    options.cover = &f->cover;
    options.reduce = options.symmetry = false;
    options.check_faults = options.check_end_states = true; // so that all traces are run
    options.max_errors = 0;
    options.threads = 1;
    f->result = gy_search(f->system, &options);
    assert_int_not_equal(f->result->completeness, GY_FAILED);
    for (uint32_t i = 0; i < f->cover.count; i++)
        assert_null(f->questions[i].problem);
}

static void end(fixture *f)
{
    gy_cover_free(&f->cover);
    gy_search_result_free(f->result);
    gy_system_free(f->system);
    gy_vec_free(&f->states);
    gy_vec_free(&f->clocks);
}

// ---- clocks -----------------------------------------------------------------------------------

// In trace `number`, event `nth` of a process has these counts.
static bool has_clock(const fixture *f, uint32_t trace, uint32_t process, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < f->clocks.n; i += 4) {
        const uint32_t *c = f->clocks.at + i;
        if (c[0] == trace && c[1] == process && c[2] == a && c[3] == b)
            return true;
    }
    return false;
}

// Two processes with two events each; the second of the first and the first of the second depend on
// each other. Where the latter goes first, the clocks are (1,0), (0,1), (2,1), (0,2).
static void clocks_count_causes(void **unused)
{
    fixture f;
    (void)unused;
    begin(&f, "byte z; active proctype A() { byte v; v = 1; z = 1; false }"
              "active proctype B() { byte v; z = 2; v = 1; false }");
    search(&f);
    assert_int_equal(f.traces, 2);
    assert_int_equal(f.clocks.n, 2 * 4 * 4);
    uint32_t other_first = has_clock(&f, 0, 1, 0, 1) ? 0 : 1;
    assert_true(has_clock(&f, other_first, 0, 1, 0));
    assert_true(has_clock(&f, other_first, 1, 0, 1));
    assert_true(has_clock(&f, other_first, 0, 2, 1));
    assert_true(has_clock(&f, other_first, 1, 0, 2));
    // And the other way round: (1,0), (2,0), (2,1), (2,2).
    assert_true(has_clock(&f, 1 - other_first, 0, 1, 0));
    assert_true(has_clock(&f, 1 - other_first, 0, 2, 0));
    assert_true(has_clock(&f, 1 - other_first, 1, 2, 1));
    assert_true(has_clock(&f, 1 - other_first, 1, 2, 2));
    end(&f);
}

// A rendezvous is one event of two processes, and knows what both knew.
static void a_meeting_counts_for_both(void **unused)
{
    fixture f;
    (void)unused;
    begin(&f, "chan r = [0] of { bit }; active proctype A() { byte v; v = 1; r!1; v = 2; false }"
              "active proctype B() { byte v; v = 1; r?_; v = 2; false }");
    search(&f);
    assert_int_equal(f.traces, 1);
    assert_int_equal(f.clocks.n, 5 * 4);
    assert_true(has_clock(&f, 0, 0, 2, 2)); // the meeting
    assert_true(has_clock(&f, 0, 0, 3, 2));
    assert_true(has_clock(&f, 0, 1, 2, 3));
    end(&f);
}

// ---- the cover --------------------------------------------------------------------------------

static void independent_processes_are_one_trace(void **unused)
{
    fixture f;
    (void)unused;
    begin(&f, "active [2] proctype P() { bool incs; incs = 1; incs = 0; false }");
    const gy_atom terms[] = {read_atom(&f, "P[0]:incs"), read_atom(&f, "P[1]:incs")};
    ask(&f, "P[0]:incs && P[1]:incs");
    ask_sum(&f, terms, 2, 1);
    ask_sum(&f, terms, 2, 2);
    search(&f);
    assert_int_equal(f.traces, 1);
    assert_int_equal(f.clocks.n, 4 * 4);
    assert_int_equal(f.ideals, 9);
    assert_int_equal(f.states.n, 9);
    assert_true(f.questions[0].found);
    assert_int_equal(f.questions[0].route_length, 1 + 2); // the least: the first event of each
    assert_int_equal(f.questions[0].shape, GY_SHAPE_CONJUNCTIVE);
    assert_true(f.questions[1].found);
    assert_int_equal(f.questions[1].route_length, 1 + 2);
    assert_int_equal(f.questions[1].shape, GY_SHAPE_SUM);
    assert_false(f.questions[2].found);
    end(&f);
}

// What is independent of the rest of a persistent set cannot be left out of it: both last values of
// y are there (Lemma 3 says otherwise).
static void lemma_3_is_wrong(void **unused)
{
    fixture f;
    (void)unused;
    begin(&f, "byte a, y; active proctype P1() { a = 1; y = 1; false }"
              "active proctype P2() { y = 2; false }");
    ask(&f, "y == 1 && a == 1");
    ask(&f, "y == 2 && a == 1");
    ask(&f, "y == 1 && a == 0");
    search(&f);
    assert_int_equal(f.traces, 2);
    assert_int_equal(f.states.n, 2 * 3 + 1); // places of both; both done in two ways
    assert_true(f.questions[0].found);
    assert_true(f.questions[1].found);
    assert_false(f.questions[2].found);
    assert_int_equal(f.questions[0].shape, GY_SHAPE_LINEAR);
    end(&f);
}

// The initial state is in the table with size 0: a loop of five is cut off after five events, and
// five states are kept.
static void loops_are_cut_off(void **unused)
{
    fixture f;
    (void)unused;
    begin(&f, "active proctype A() { byte i; do :: i = (i + 1) % 5 od }");
    search(&f);
    assert_int_equal(f.traces, 1);
    assert_int_equal(f.clocks.n, 5 * 4);
    assert_int_equal(f.result->states, 5);
    assert_int_equal(f.states.n, 5);
    end(&f);
    begin(&f, "active proctype A() { byte i; do :: i = (i + 1) % 5 od }"
              "active proctype B() { byte j; do :: j = (j + 1) % 7 od }");
    search(&f);
    assert_int_equal(f.traces, 1);
    assert_int_equal(f.clocks.n, 12 * 4);
    assert_int_equal(f.states.n, 35);
    end(&f);
}

// Whatever is asked, the cover is the same.
static void questions_do_not_change_it(void **unused)
{
    static const char *const asked[] = {NULL, "x == 7", "x + y == 2 || A:v == 1"};
    uint64_t states = 0, events = 0, traces = 0;
    (void)unused;
    for (int i = 0; i < 3; i++) {
        fixture f;
        begin(&f, "byte x, y; active proctype A() { byte v; x = 1; v = y; x = 2; false }"
                  "active proctype B() { byte v; y = 1; v = x; y = 2; false }");
        if (asked[i])
            ask(&f, asked[i]);
        search(&f);
        assert_true(i == 0 || f.result->states == states);
        assert_true(i == 0 || f.result->events == events);
        assert_true(i == 0 || f.cover.traces == traces);
        states = f.result->states;
        events = f.result->events;
        traces = f.cover.traces;
        end(&f);
    }
    assert_true(traces > 1);
}

// ---- sums -------------------------------------------------------------------------------------

static void expect_sum(const char *text, uint32_t over, bool wanted, uint32_t length)
{
    fixture f;
    begin(&f, text);
    const gy_atom terms[] = {read_atom(&f, "P[0]:x"), read_atom(&f, "P[1]:x")};
    ask_sum(&f, terms, 2, over);
    search(&f);
    assert_int_equal(f.questions[0].found, wanted);
    if (wanted && length)
        assert_int_equal(f.questions[0].route_length, 1 + length);
    end(&f);
}

static void sums_are_widths(void **unused)
{
    (void)unused;
    // Two states of one process are never there together, whatever it sends in between.
    const char *alone = "chan c = [2] of { bit }; active [2] proctype P() { bool x;"
                        "if :: _pid == 0 -> x = 1; c!1; c!0; x = 0 :: else -> skip fi; false }";
    expect_sum(alone, 1, false, 0);
    expect_sum(alone, 0, true, 2);
    // A process may begin where it counts.
    expect_sum("active [2] proctype P() { bool x = 1; false; x = 0 }", 1, true, 0);
    // Reset after the message: both at once. Before it: never.
    const char *head = "chan m = [1] of { bit }; active [2] proctype P() { bool x;"
                       "if :: _pid == 0 -> x = 1; ";
    const char *tail = " :: else -> m?_; x = 1 fi; false }";
    char text[512];
    snprintf(text, sizeof text, "%sm!1; x = 0%s", head, tail);
    expect_sum(text, 1, true, 0);
    snprintf(text, sizeof text, "%sx = 0; m!1%s", head, tail);
    expect_sum(text, 1, false, 0);
}

// ---- what has no structure
// -----------------------------------------------------------------------

// A solver that tries everything: an answer of its own for the clauses.
enum { MOST_CLAUSES = 4096, MOST_LITERALS = 1 << 15, MOST_VARIABLES = 512 };

typedef struct tiny {
    int literals[MOST_LITERALS], count, variables;
    signed char value[MOST_VARIABLES];
} tiny;

static void *tiny_begin(void)
{
    return gy_alloc_zero(sizeof(tiny));
}

static void tiny_add(void *solver, int literal)
{
    tiny *t = solver;
    int variable = literal < 0 ? -literal : literal;
    assert_true(t->count < MOST_LITERALS && variable < MOST_VARIABLES);
    t->literals[t->count++] = literal;
    t->variables = variable > t->variables ? variable : t->variables;
}

// Is some clause false whatever is chosen for the rest?
static bool is_contradicted(const tiny *t)
{
    bool may = false;
    for (int i = 0; i < t->count; i++) {
        int literal = t->literals[i], variable = literal < 0 ? -literal : literal;
        if (literal == 0) {
            if (!may)
                return true;
            may = false;
        } else {
            may |= t->value[variable] * literal >= 0;
        }
    }
    return false;
}

static bool try_from(tiny *t, int variable)
{
    if (is_contradicted(t))
        return false;
    if (variable > t->variables)
        return true;
    for (int value = -1; value <= 1; value += 2) {
        t->value[variable] = (signed char)value;
        if (try_from(t, variable + 1))
            return true;
    }
    t->value[variable] = 0;
    return false;
}

static int tiny_solve(void *solver, int (*leave)(void *user), void *user)
{
    (void)leave;
    (void)user;
    return try_from(solver, 1) ? GY_SAT_YES : GY_SAT_NO;
}

static int tiny_value(void *solver, int variable)
{
    return ((tiny *)solver)->value[variable];
}

static void tiny_end(void *solver)
{
    free(solver);
}

static const gy_sat by_trial = {"trial", tiny_begin, tiny_add, tiny_solve, tiny_value, tiny_end};

static void general_questions(void **unused)
{
    static const struct {
        const char *text;
        bool wanted;
    } asked[] = {{"a + y == 3", true},
                 {"a + y == 4", false},
                 {"a == y", true}, // at the start
                 {"a == y && a != 0", true},
                 {"a != y && a + y == 1 && y == 0", true},
                 {"(a == y && y == 2) || a + y + b == 6", false},
                 {"(a == y && b == 2) || a + y > 9", true},
                 {"a + b + y == 5", true}};
    (void)unused;
    for (int with = 0; with < 2; with++) { // by the solver, and by going through all cuts
        fixture f;
        begin(&f, "byte a, b, y; active proctype P1() { a = 1; y = 1; false }"
                  "active proctype P2() { y = 2; b = 2; false }");
        f.cover.sat = with ? &by_trial : NULL;
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
            ask(&f, asked[i].text);
        search(&f);
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            const gy_cover_question *q = &f.questions[i];
            bool wanted = asked[i].wanted;
            assert_int_equal(q->shape, GY_SHAPE_GENERAL);
            if (q->found != wanted)
                fprintf(stderr, "%s\n", asked[i].text);
            assert_int_equal(q->found, wanted);
            assert_int_equal(q->solved, with);
            assert_int_equal(q->enumerated, !with);
        }
        end(&f);
    }
}

static void shapes(void **unused)
{
    static const struct {
        const char *text;
        gy_cover_shape shape;
        uint32_t parts;
    } asked[] = {{"A:v == 1", GY_SHAPE_LOCAL, 1},
                 {"A:v == 1 && B:v == 2", GY_SHAPE_CONJUNCTIVE, 2},
                 {"A:v == 1 && x == 2", GY_SHAPE_LINEAR, 2},
                 {"len(q) == 1", GY_SHAPE_LINEAR, 1},
                 {"x == 1 || A:v == 1 || len(q) == 0", GY_SHAPE_DISJUNCTIVE, 3},
                 {"!(x == 1 || A:v == 1)", GY_SHAPE_LINEAR, 2},
                 {"x == y", GY_SHAPE_GENERAL, 1},
                 {"A:v == x && B:v == 1", GY_SHAPE_GENERAL, 2}};
    fixture f;
    (void)unused;
    begin(&f,
          "byte x, y; chan q = [1] of { byte }; active proctype A() { byte v; v = 1; x = 2; q!1 }"
          "active proctype B() { byte v; v = 2; y = 1; q?v }");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        ask(&f, asked[i].text);
    search(&f);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        assert_int_equal(f.questions[i].shape, asked[i].shape);
        assert_int_equal(f.questions[i].parts, asked[i].parts);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_count_causes),
        cmocka_unit_test(a_meeting_counts_for_both),
        cmocka_unit_test(independent_processes_are_one_trace),
        cmocka_unit_test(lemma_3_is_wrong),
        cmocka_unit_test(loops_are_cut_off),
        cmocka_unit_test(questions_do_not_change_it),
        cmocka_unit_test(sums_are_widths),
        cmocka_unit_test(general_questions),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
