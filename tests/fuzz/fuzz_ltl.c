// Fuzz target: any bytes as a formula of `gyre ltl`: parsed, simplified, translated, printed in
// every form, decided.
//
// Besides crashes it finds contradictions: a formula and its negation cannot both be without a run,
// and a simplified formula is equivalent to what it came from.
#include "lang/ltl/ltl.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(gy_ltl_context *context, gy_ltl f, gy_text *out)
{
    gy_lasso run = {0}, counter_run = {0};
    gy_answer satisfiable = gy_ltl_satisfiable(context, f, &run);
    gy_answer valid = gy_ltl_valid(context, f, &counter_run);
    if (satisfiable == GY_YES)
        gy_lasso_print(context, &run, f, f, out);
    if (satisfiable == GY_NO && valid == GY_YES)
        abort(); // all runs and none
    gy_lasso_free(&run);
    gy_lasso_free(&counter_run);
    gy_ltl normal = gy_ltl_nnf(gy_ltl_context_pool(context), f, false);
    gy_ltl simple = gy_ltl_simplify(gy_ltl_context_rules(context), normal);
    if (gy_ltl_equivalent(context, f, simple, NULL) == GY_NO)
        abort();
    gy_ltl_stutter_invariant(context, f);
}

static void show(gy_ltl_context *context, gy_ltl f, gy_text *out)
{
    for (int buchi = 0; buchi < 2; buchi++) {
        gy_automaton *a = buchi ? gy_ltl_translate_buchi(context, f) : gy_ltl_translate(context, f);
        if (!a) {
            gy_ltl_failure_text(context, out);
            gy_ltl_restart(context, 0);
            continue;
        }
        if (buchi)
            gy_automaton_print_never(context, a, "fuzz", out);
        gy_automaton_print_hoa(context, a, "fuzz", out);
        gy_automaton_print_dot(context, a, "fuzz", out);
        gy_automaton_free(a);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gy_ltl_limits limits = {.max_states = 300, .max_nodes = 30000, .max_seconds = 0.3};
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_ltl_pool *pool = gy_ltl_pool_new();
    gy_text out = {0};
    gy_ltl f;
    if (gy_ltl_parse(pool, sources, diags, "<formula>", (const char *)data, size, &f)) {
        gy_ltl_context *context = gy_ltl_context_new(pool, &limits);
        show(context, f, &out);
        ask(context, f, &out);
        gy_ltl_context_free(context);
    } else if (!gy_diags_errors(diags)) {
        abort(); // refused without a word
    }
    gy_diags_print(diags, &out, true);
    gy_text_free(&out);
    gy_ltl_pool_free(pool);
    gy_diags_free(diags);
    gy_sources_free(sources);
    return 0;
}
