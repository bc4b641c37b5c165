// Formulas and automata for tests/diff/ltl_compare.py: reads commands, one per line, and
// answers each with lines that end in a line "." (a dot alone).
//
//     never F | hoa F | tgba F | dot F | simple F     the automaton (tgba: HOA, acceptance on
//                                                     transitions) or the simplified formula
//     stats F        states edges of the Büchi automaton, of the TGBA, milliseconds
//     sat F | valid F | stutter F                     yes, no or unknown (and a witness)
//     equal F ;; G                                    the same
//     disjoint F                                      automata of F and !F share no word: yes, no
//
// Limits: argv[1] seconds per command (default 60), argv[2] states.
#include "base/clock.h"
#include "lang/ltl/ltl.h"

#include <stdio.h>
#include <string.h>

struct tool {
    gy_ltl_limits limits;
    gy_ltl_pool *pool;
    gy_ltl_context *context;
    gy_text out;
};

static bool parse(struct tool *t, const char *text, gy_ltl *f)
{
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    bool fine = gy_ltl_parse(t->pool, sources, diags, "<formula>", text, strlen(text), f);
    if (!fine)
        gy_diags_print(diags, &t->out, false);
    gy_diags_free(diags);
    gy_sources_free(sources);
    return fine;
}

static const char *const answers[] = {"no", "yes", "unknown"};

static void answer(struct tool *t, gy_answer a, gy_lasso *witness, gy_ltl f, gy_ltl g)
{
    gy_text_add(&t->out, answers[a]);
    if (a == GY_UNKNOWN) {
        gy_text_char(&t->out, ' ');
        gy_ltl_failure_text(t->context, &t->out);
    }
    if (witness && witness->letters) {
        gy_text_char(&t->out, ' ');
        gy_lasso_print(t->context, witness, f, g, &t->out);
        gy_lasso_free(witness);
    }
    gy_text_char(&t->out, '\n');
}

static void failed(struct tool *t)
{
    gy_ltl_failure_text(t->context, &t->out);
    gy_text_char(&t->out, '\n');
}

static void stats(struct tool *t, gy_ltl f)
{
    double start = gy_clock();
    gy_automaton *ba = gy_ltl_translate_buchi(t->context, f);
    double seconds = gy_clock() - start;
    gy_automaton *tgba = ba ? gy_ltl_translate(t->context, f) : NULL;
    if (tgba)
        gy_text_printf(&t->out, "%u %u %u %u %.3f %s\n", ba->state_count, ba->edge_count,
                       tgba->state_count, tgba->edge_count, seconds * 1000,
                       gy_automaton_deterministic(ba) ? "det" : "nondet");
    else
        failed(t);
    gy_automaton_free(ba);
    gy_automaton_free(tgba);
}

static void disjoint(struct tool *t, gy_ltl f)
{
    gy_ltl g = gy_ltl_not(t->pool, f);
    const char *said = NULL;
    for (int buchi = 0; buchi < 2; buchi++) {
        gy_automaton *a =
            buchi ? gy_ltl_translate_buchi(t->context, f) : gy_ltl_translate(t->context, f);
        gy_automaton *b =
            buchi ? gy_ltl_translate_buchi(t->context, g) : gy_ltl_translate(t->context, g);
        gy_automaton *both = a && b ? gy_automaton_product(a, b, 10000000) : NULL;
        if (!both)
            said = "unknown";
        else if (!gy_automaton_empty(both))
            said = "no";
        gy_automaton_free(a);
        gy_automaton_free(b);
        gy_automaton_free(both);
    }
    gy_text_printf(&t->out, "%s\n", said ? said : "yes");
}

static void show(struct tool *t, const char *what, const char *title, gy_ltl f)
{
    bool tgba = !strcmp(what, "tgba");
    gy_automaton *a =
        tgba ? gy_ltl_translate(t->context, f) : gy_ltl_translate_buchi(t->context, f);
    if (!a)
        failed(t);
    else if (!strcmp(what, "never"))
        gy_automaton_print_never(t->context, a, title, &t->out);
    else if (!strcmp(what, "dot"))
        gy_automaton_print_dot(t->context, a, title, &t->out);
    else
        gy_automaton_print_hoa(t->context, a, title, &t->out);
    gy_automaton_free(a);
}

static void run(struct tool *t, const char *what, char *argument)
{
    gy_ltl f, g;
    gy_lasso witness = {0};
    char *second = strstr(argument, ";;");
    if (second) {
        *second = '\0';
        second += 2;
    }
    if (!parse(t, argument, &f) || (second && !parse(t, second, &g)))
        return;
    if (!strcmp(what, "sat"))
        answer(t, gy_ltl_satisfiable(t->context, f, &witness), &witness, f, f);
    else if (!strcmp(what, "valid"))
        answer(t, gy_ltl_valid(t->context, f, &witness), &witness, f, f);
    else if (!strcmp(what, "equal") && second)
        answer(t, gy_ltl_equivalent(t->context, f, g, &witness), &witness, f, g);
    else if (!strcmp(what, "stutter"))
        answer(t, gy_ltl_stutter_invariant(t->context, f), NULL, f, f);
    else if (!strcmp(what, "stats"))
        stats(t, f);
    else if (!strcmp(what, "disjoint"))
        disjoint(t, f);
    else if (!strcmp(what, "simple")) {
        f = gy_ltl_simplify(gy_ltl_context_rules(t->context), gy_ltl_nnf(t->pool, f, false));
        gy_ltl_print(t->pool, f, GY_LTL_PLAIN, &t->out);
        gy_text_char(&t->out, '\n');
    } else
        show(t, what, argument, f);
}

int main(int argc, char **argv)
{
    struct tool t = {.limits = {0}};
    if (argc > 1)
        t.limits.max_seconds = atof(argv[1]);
    if (argc > 2)
        t.limits.max_states = (uint32_t)atol(argv[2]);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char *argument = strchr(line, ' ');
        if (!argument)
            continue;
        *argument++ = '\0';
        t.pool = gy_ltl_pool_new();
        t.context = gy_ltl_context_new(t.pool, &t.limits);
        run(&t, line, argument);
        fputs(gy_text_str(&t.out), stdout);
        puts(".");
        fflush(stdout);
        gy_text_clear(&t.out);
        gy_ltl_context_free(t.context);
        gy_ltl_pool_free(t.pool);
    }
    free(line);
    gy_text_free(&t.out);
    return 0;
}
