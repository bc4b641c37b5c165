#include "report/because.h"

#include "report/json.h"

void gy_because_find(gy_property *property)
{
    const gy_lasso_witness *lasso = property->live->lasso;
    const gy_path *path = property->path;
    uint64_t count = lasso->turn_count, step = 0;
    if (strcmp(property->kind, "ltl") != 0 || count == 0 || count > UINT32_MAX / 2)
        return;
    gy_run_state *run = gy_alloc(count * sizeof *run);
    uint64_t *steps = gy_alloc(count * sizeof *steps);
    for (uint64_t i = 0; i < count; i++) {
        const gy_moment *moment = &path->moments.at[step];
        run[i] = (gy_run_state){moment->state, moment->words};
        steps[i] = step;
        step += lasso->turns[i].step_count;
    }
    uint64_t loop = lasso->cycle_turn < count ? lasso->cycle_turn : count - 1;
    gy_ltl_explain(property->observer, path->worker, run, (uint32_t)count, (uint32_t)loop,
                   lasso->sight == GY_SEES_FAULT, &property->reasons);
    for (size_t i = 0; i < property->reasons.n; i++)
        property->reasons.at[i].position = (uint32_t)steps[property->reasons.at[i].position];
    free(steps);
    free(run);
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

void gy_because_text(const gy_property *property, gy_text *out)
{
    static const char *const verbs[] = {"holds", "does not hold", "never holds", "always holds",
                                        "can't be evaluated"};
    const gy_reason *before = NULL;
    for (size_t i = 0; i < property->reasons.n; i++) {
        const gy_reason *reason = &property->reasons.at[i];
        gy_text_printf(out, "%s`%s` %s",
                       i == 0                         ? ""
                       : i + 1 == property->reasons.n ? ", and "
                                                      : ", ",
                       reason->part, verbs[reason->kind]);
        say_where(reason, before, property->path->cycle_start, out);
        before = reason;
    }
}

json_t *gy_because_json(const gy_property *property)
{
    static const char *const kinds[] = {"holds", "fails", "never", "always", "unknown"};
    json_t *list = json_array();
    for (size_t i = 0; i < property->reasons.n; i++) {
        const gy_reason *reason = &property->reasons.at[i];
        json_t *item = json_object();
        json_object_set_new(item, "part", gy_json_string(reason->part));
        json_object_set_new(item, "kind", json_string(kinds[reason->kind]));
        json_object_set_new(item, "step", json_integer(reason->position));
        json_array_append_new(list, item);
    }
    return list;
}
