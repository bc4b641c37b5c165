// Variables that grow without end, where a search reached a limit: of such a model there are always
// more states, and no memory is enough.
//
// A run of random choices from the initial state is followed. A variable grows if the run comes to
// values farther from 0 in each eighth of it. The run is the same each time; only its length may be
// cut by the clock, where steps are slow.
#include "base/clock.h"
#include "base/random.h"
#include "exec/view.h"
#include "verify/execution.h"
#include "verify/verification_state.h"

enum { STEPS = 4096, PARTS = 8, MOST_NAMED = 4, LEAST_BITS = 15 };

typedef struct growth {
    const gy_model *model;
    uint32_t *extent; // by variable: how far from 0 it was
    uint32_t *before; // at the end of the part before
    bool *grows;
} growth;

static bool is_wide(const gy_variable *var)
{
    return var->type.kind != GY_CHAN && var->type.kind != GY_MTYPE &&
           var->type.width >= LEAST_BITS && !var->removed && !var->momentary;
}

static void note_value(growth *g, int32_t var, int32_t value)
{
    uint32_t size = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
    if (size > g->extent[var])
        g->extent[var] = size;
}

static void look_at(growth *g, gy_worker *worker, const gy_path_state *moment, gy_state_view *view)
{
    gy_state_view_state(worker, moment->state, moment->words, view);
    for (uint32_t v = 0; v < g->model->var_count; v++) {
        const gy_variable *var = &g->model->vars[v];
        for (uint32_t i = 0; is_wide(var) && var->owner == GY_NONE && i < var->count; i++)
            note_value(g, (int32_t)v, gy_state_view_global(g->model, moment->state, (int32_t)v, i));
        for (uint32_t p = 0; is_wide(var) && var->owner != GY_NONE && p < view->process_count; p++)
            for (uint32_t i = 0; view->processes[p].tmpl == var->owner && i < var->count; i++)
                note_value(g, (int32_t)v,
                           gy_state_view_local(g->model, moment->state, view, p, (int32_t)v, i));
    }
}

static void end_part(growth *g, bool first)
{
    for (uint32_t v = 0; v < g->model->var_count; v++) {
        g->grows[v] = (first || g->grows[v]) && g->extent[v] > g->before[v];
        g->before[v] = g->extent[v];
    }
}

// False: it was cut short.
static bool follow(growth *g, gy_system *system, double until)
{
    gy_path *path = gy_path_new(system);
    gy_state_view *view = gy_alloc(sizeof *view);
    gy_choices choices = {0};
    gy_random random;
    gy_random_seed(&random, 1);
    bool on = gy_path_start(path, 0);
    path->forgetful = true;
    for (uint32_t step = 1; on && step <= STEPS; step++) {
        gy_path_choices(path, &choices);
        if (choices.list.n) {
            gy_path_take(path, &choices.list.at[gy_random_below(&random, choices.list.n)]);
            look_at(g, path->worker, gy_path_last(path), view);
        } else
            on = step > 1 && gy_path_start(path, 0);
        if (step % (STEPS / PARTS) == 0)
            end_part(g, step == STEPS / PARTS);
        on = on && gy_clock() < until;
    }
    gy_choices_free(&choices);
    gy_path_free(path);
    free(view);
    return on;
}

static void remark(gy_verification *driver, const growth *g)
{
    gy_text names = {0};
    uint32_t named = 0, count = 0;
    gy_diagnostic remark = {.severity = "note", .code = "value-grows"};
    for (uint32_t v = 0; v < g->model->var_count; v++)
        count += g->grows[v];
    for (uint32_t v = 0; v < g->model->var_count && named < MOST_NAMED; v++)
        if (g->grows[v]) {
            gy_text_printf(&names, "%s`%s` (to %u)",
                           !named              ? ""
                           : named + 1 < count ? ", "
                                               : " and ",
                           g->model->vars[v].name, g->extent[v]);
            named++;
        }
    if (count > named)
        gy_text_printf(&names, " and %u more", count - named);
    remark.message = gy_arena_printf(
        driver->arena, "%s grow%s throughout a run of %d steps: the state space may be infinite",
        gy_text_str(&names), count == 1 ? "s" : "", STEPS);
    remark.hint = count == 1 ? "bound it, for example by a guard, or remove it"
                             : "bound them, for example by a guard, or remove them";
    if (count)
        gy_vec_push(&driver->remarks, remark);
    driver->grows = count > 0;
    gy_text_free(&names);
}

static bool met_limit(const gy_search_result *result)
{
    return result && result->witness_count == 0 && result->errors == 0 &&
           (result->completeness == GY_LIMIT_MEMORY || result->completeness == GY_LIMIT_TIME ||
            result->completeness == GY_LIMIT_STATES || result->completeness == GY_LIMIT_DEPTH);
}

void gy_verification_remark_on_growth(gy_verification *driver)
{
    gy_user_error complaint = {0};
    const gy_search_result *result = driver->result;
    for (size_t i = 0; !result && i < driver->properties.list.n; i++)
        if (driver->properties.list.at[i].live)
            result = driver->properties.list.at[i].live->figures;
    if (!met_limit(result) || !driver->subject->model)
        return;
    gy_system *exact = gy_loaded_model_exact(driver->subject, &complaint);
    gy_user_error_free(&complaint);
    const gy_model *model = exact ? exact->model : NULL;
    if (!model || gy_has_c(model))
        return;
    double now = gy_clock();
    size_t n = model->var_count + 1;
    growth g = {.model = model,
                .extent = gy_alloc_zero(n * sizeof *g.extent),
                .before = gy_alloc_zero(n * sizeof *g.before),
                .grows = gy_alloc_zero(n * sizeof *g.grows)};
    double until =
        driver->limits.told_by > now ? now + (driver->limits.told_by - now) / 2 : now + 1;
    if (follow(&g, exact, until))
        remark(driver, &g);
    free(g.extent);
    free(g.before);
    free(g.grows);
}
