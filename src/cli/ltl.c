// gyre ltl FORMULA: translate, compare, decide.
#include "lang/ltl/ltl.h"

#include "cli/command.h"
#include "report/json.h"

#include <stdio.h>
#include <string.h>

typedef struct formulas {
    gy_sources *sources;
    gy_diags *diags;
    gy_ltl_pool *pool;
    gy_ltl_context *context;
    gy_ltl at[2];
} formulas;

static void release(formulas *f)
{
    if (f->context)
        gy_ltl_context_free(f->context);
    gy_ltl_pool_free(f->pool);
    gy_diags_free(f->diags);
    gy_sources_free(f->sources);
}

// Parses all formulas given and prints what there is to say about them. False after errors.
static bool read_formulas(const gy_arguments *arguments, formulas *f)
{
    static const char *const names[2] = {"<formula>", "<second formula>"};
    f->sources = gy_sources_new();
    f->diags = gy_diags_new(f->sources);
    f->pool = gy_ltl_pool_new();
    bool good = true;
    for (unsigned i = 0; i < arguments->file_count; i++) {
        const char *text = arguments->files[i];
        good &=
            gy_ltl_parse(f->pool, f->sources, f->diags, names[i], text, strlen(text), &f->at[i]);
    }
    gy_style style = gy_command_style(arguments);
    gy_text out = {0};
    gy_diags_print_by("gyre", f->diags, &out, style.off[0] != '\0');
    gy_say_text(&out);
    gy_text_free(&out);
    gy_ltl_limits limits = {.max_seconds = arguments->value[GY_OPT_TIME].seconds};
    if (good)
        f->context = gy_ltl_context_new(f->pool, &limits);
    else if (gy_given(arguments, GY_OPT_JSON))
        gy_complain_json(arguments, f->diags);
    return good;
}

static int too_large(const gy_arguments *arguments, formulas *f)
{
    gy_text why = {0};
    gy_ltl_failure_text(f->context, &why);
    gy_complain(arguments, "%s", gy_text_str(&why));
    gy_text_free(&why);
    return GY_EXIT_INCONCLUSIVE;
}

// ---- questions ------------------------------------------------------------------------

static int say_answer(const gy_arguments *arguments, formulas *f, const char *question,
                      gy_answer answer, const char *said, const gy_lasso *witness)
{
    if (answer == GY_UNKNOWN)
        return too_large(arguments, f);
    gy_text run = {0}, out = {0};
    if (witness)
        gy_lasso_print(f->context, witness, f->at[0], f->at[arguments->file_count - 1], &run);
    if (gy_given(arguments, GY_OPT_JSON)) {
        json_t *report = gy_json_report("ltl");
        json_object_set_new(report, "formula", gy_json_string(arguments->files[0]));
        if (arguments->file_count > 1)
            json_object_set_new(report, "second", gy_json_string(arguments->files[1]));
        json_object_set_new(report, question, json_boolean(answer == GY_YES));
        if (run.n)
            json_object_set_new(report, "run", gy_json_string(gy_text_str(&run)));
        json_object_set_new(report, "diagnostics", gy_json_diagnostics(f->diags));
        gy_json_dump(report, &out, false);
    } else {
        gy_text_printf(&out, "%s\n", said);
        if (run.n && !gy_given(arguments, GY_OPT_QUIET))
            gy_text_printf(&out, "%s%s", gy_text_str(&run),
                           gy_text_str(&run)[run.n - 1] == '\n' ? "" : "\n");
    }
    gy_put(&out);
    gy_text_free(&out);
    gy_text_free(&run);
    return answer == GY_YES ? GY_EXIT_HOLDS : GY_EXIT_VIOLATED;
}

static int decide(const gy_arguments *arguments, formulas *f)
{
    gy_lasso witness = {0};
    gy_answer answer;
    int status;
    if (gy_given(arguments, GY_OPT_SAT)) {
        answer = gy_ltl_satisfiable(f->context, f->at[0], &witness);
        status = say_answer(arguments, f, "satisfiable", answer,
                            answer == GY_YES ? "satisfiable, for example by this run:"
                                             : "unsatisfiable: no run satisfies it",
                            answer == GY_YES ? &witness : NULL);
    } else if (gy_given(arguments, GY_OPT_EQUIVALENT)) {
        answer = gy_ltl_equivalent(f->context, f->at[0], f->at[1], &witness);
        status =
            say_answer(arguments, f, "equivalent", answer,
                       answer == GY_YES ? "equivalent" : "not equivalent: they differ on this run:",
                       answer == GY_NO ? &witness : NULL);
    } else {
        answer = gy_ltl_stutter_invariant(f->context, f->at[0]);
        status = say_answer(arguments, f, "stutter_invariant", answer,
                            answer == GY_YES ? "stutter-invariant" : "not stutter-invariant", NULL);
    }
    gy_lasso_free(&witness);
    return status;
}

// ---- translation ----------------------------------------------------------------------

static void put_json(const gy_arguments *arguments, formulas *f, const gy_automaton *automaton,
                     gy_text *out)
{
    gy_text text = {0};
    json_t *report = gy_json_report("ltl");
    json_object_set_new(report, "formula", gy_json_string(arguments->files[0]));
    json_object_set_new(report, "states", json_integer(automaton->state_count));
    json_object_set_new(report, "edges", json_integer(automaton->edge_count));
    json_object_set_new(report, "deterministic",
                        json_boolean(gy_automaton_deterministic(automaton)));
    json_object_set_new(report, "safety", json_boolean(gy_automaton_safety(automaton)));
    json_object_set_new(report, "terminal", json_boolean(gy_automaton_terminal(automaton)));
    json_object_set_new(report, "weak", json_boolean(gy_automaton_weak(automaton)));
    gy_automaton_print_never(f->context, automaton, arguments->files[0], &text);
    json_object_set_new(report, "never", gy_json_take(&text));
    gy_automaton_print_hoa(f->context, automaton, arguments->files[0], &text);
    json_object_set_new(report, "hoa", gy_json_take(&text));
    json_object_set_new(report, "diagnostics", gy_json_diagnostics(f->diags));
    gy_json_dump(report, out, false);
}

static int translate(const gy_arguments *arguments, formulas *f)
{
    // HOA can say acceptance on transitions, which takes fewer states.
    bool hoa = gy_given(arguments, GY_OPT_HOA), dot = gy_given(arguments, GY_OPT_DOT);
    gy_automaton *automaton = hoa || dot ? gy_ltl_translate(f->context, f->at[0])
                                         : gy_ltl_translate_buchi(f->context, f->at[0]);
    if (!automaton)
        return too_large(arguments, f);
    gy_text out = {0};
    if (gy_given(arguments, GY_OPT_JSON))
        put_json(arguments, f, automaton, &out);
    else if (hoa)
        gy_automaton_print_hoa(f->context, automaton, arguments->files[0], &out);
    else if (dot)
        gy_automaton_print_dot(f->context, automaton, arguments->files[0], &out);
    else
        gy_automaton_print_never(f->context, automaton, arguments->files[0], &out);
    gy_put(&out);
    gy_text_free(&out);
    gy_automaton_free(automaton);
    return GY_EXIT_HOLDS;
}

int gy_command_ltl(const gy_arguments *arguments)
{
    bool hoa = gy_given(arguments, GY_OPT_HOA), dot = gy_given(arguments, GY_OPT_DOT);
    bool equivalent = gy_given(arguments, GY_OPT_EQUIVALENT), sat = gy_given(arguments, GY_OPT_SAT);
    bool stutter = gy_given(arguments, GY_OPT_STUTTER), never = gy_given(arguments, GY_OPT_NEVER);
    bool json = gy_given(arguments, GY_OPT_JSON);
    if (hoa + dot + never + equivalent + sat + stutter > 1)
        return gy_complain(arguments, "--never, --hoa, --dot, --sat, --equivalent and "
                                      "--stutter-invariant cannot be combined");
    if (json && (hoa || dot))
        return gy_complain(arguments, "--json includes all forms\n  hint: drop --hoa and --dot");
    if (arguments->file_count != (equivalent ? 2u : 1u))
        return gy_complain(arguments, equivalent ? "--equivalent needs two formulas"
                                                 : "one formula at a time; put it in quotes");
    formulas f = {0};
    int status = GY_EXIT_WRONG;
    if (read_formulas(arguments, &f))
        status = equivalent || sat || stutter ? decide(arguments, &f) : translate(arguments, &f);
    release(&f);
    return status;
}
