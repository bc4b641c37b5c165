#include "verify/explain/formula_reasons.h"

// Reasons of the formula's observer, with numbers of steps as positions.
static void find(const gy_property *property, const gy_path *path, gy_reasons *reasons)
{
    const gy_lasso_witness *lasso = property->live->lasso;
    uint64_t count = lasso->turn_count, step = 0;
    gy_run_state *run = gy_alloc(count * sizeof *run);
    uint64_t *steps = gy_alloc(count * sizeof *steps);
    for (uint64_t i = 0; i < count; i++) {
        const gy_path_state *moment = &path->moments.at[step];
        run[i] = (gy_run_state){moment->state, moment->words};
        steps[i] = step;
        step += lasso->turns[i].step_count;
    }
    uint64_t loop = lasso->cycle_turn < count ? lasso->cycle_turn : count - 1;
    gy_ltl_explain(property->observer, path->worker, run, (uint32_t)count, (uint32_t)loop,
                   lasso->sight == GY_SEES_FAULT, reasons);
    for (size_t i = 0; i < reasons->n; i++)
        reasons->at[i].position = (uint32_t)steps[reasons->at[i].position];
    free(steps);
    free(run);
}

bool gy_is_because(const gy_property *property, const gy_path *path)
{
    gy_reasons reasons = {0};
    if (!gy_path_last(path)->state)
        return false;
    find(property, path, &reasons);
    bool any = reasons.n > 0;
    gy_reasons_free(&reasons);
    return any;
}

static void say_where(const gy_reason *reason, const gy_reason *before, int64_t cycle_start,
                      gy_text *out)
{
    bool lasts = reason->kind == GY_REASON_NEVER || reason->kind == GY_REASON_ALWAYS;
    if (before && before->position == reason->position)
        gy_text_add(out, lasts ? " from there on" : " there");
    else if (reason->position == 0)
        gy_text_add(out, lasts ? ", from the start" : " in the initial state");
    else
        gy_text_printf(out, lasts ? " from step %u on" : " after step %u", reason->position);
    if (!lasts && cycle_start >= 0 && reason->position >= cycle_start)
        gy_text_add(out, " in each round");
}

// "p holds after step 3, and q never holds from there on"
static void explain(const gy_reasons *reasons, int64_t cycle_start, gy_text *out)
{
    static const char *const verbs[] = {"holds", "does not hold", "never holds", "always holds",
                                        "cannot be evaluated"};
    for (size_t i = 0; i < reasons->n; i++) {
        const gy_reason *reason = &reasons->at[i];
        const char *between = i == 0 ? "" : i + 1 == reasons->n ? ", and " : ", ";
        gy_text_printf(out, "%s`%s` %s", between, reason->part, verbs[reason->kind]);
        say_where(reason, i ? &reasons->at[i - 1] : NULL, cycle_start, out);
    }
}

void gy_tell_because(const gy_property *property, const gy_path *path, gy_arena *arena,
                     gy_counterexample *told)
{
    static const char *const kinds[] = {"holds", "fails", "never", "always", "unknown"};
    uint64_t count = property->live->lasso->turn_count;
    gy_reasons reasons = {0};
    gy_text text = {0};
    told->explanation = "";
    if (!gy_property_is_ltl(property) || count == 0 || count > UINT32_MAX / 2)
        return;
    find(property, path, &reasons);
    gy_formula_reason *list = GY_NEW_ARRAY(arena, gy_formula_reason, reasons.n + 1);
    for (size_t i = 0; i < reasons.n; i++)
        list[i] = (gy_formula_reason){gy_arena_strdup(arena, reasons.at[i].part),
                                      kinds[reasons.at[i].kind], reasons.at[i].position};
    explain(&reasons, path->cycle_start, &text);
    told->explanation = gy_keep(arena, &text);
    told->because = list;
    told->because_count = (uint32_t)reasons.n;
    gy_reasons_free(&reasons);
}
