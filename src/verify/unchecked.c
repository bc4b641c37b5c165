// What a verdict about infinite runs does not say: that runs end in errors which safety would
// report.
//
// Where safety is not checked and a property holds, short searches of the exact model look for such
// an error: a small part of what the properties took, in states, so that what is reported does not
// hang on the clock. Depth first, since a run that ends in an error leads to one.
#include "store/kinds.h"
#include "verify/verification_state.h"

#include <string.h>

enum {
    LEAST_STATES = 2000,
    MOST_STATES = 100000,
    STATES_PER_STATE = 8, // for so many of the search, one
};

static bool any_holds(const gy_verification *driver)
{
    const gy_outcome *outcome = driver->outcome;
    for (uint32_t i = 0; i < outcome->property_count; i++)
        if (outcome->properties[i].verdict == GY_HOLDS && outcome->properties[i].figures)
            return true;
    return false;
}

static uint64_t states_of(const gy_verification *driver)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < driver->outcome->property_count; i++) {
        const gy_figures *figures = driver->outcome->properties[i].figures;
        most = figures && figures->states > most ? figures->states : most;
    }
    most /= STATES_PER_STATE;
    return most < LEAST_STATES ? LEAST_STATES : most > MOST_STATES ? MOST_STATES : most;
}

static gy_search_result *search(const gy_verification *driver, gy_system *exact,
                                gy_search_kind kind)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = kind;
    options.store = gy_store_kind_dense();
    options.threads = 1;
    options.check_faults = true;
    options.check_assertions = driver->plan.safety.check_assertions;
    options.check_end_states = false;
    options.max_errors = options.witnesses = 1;
    options.state_limit = states_of(driver);
    options.time_limit = gy_limits_left(&driver->limits);
    options.memory_limit = driver->plan.products.memory_limit;
    options.interrupt = driver->limits.interrupt;
    return gy_search(exact, &options);
}

static void remark(gy_verification *driver, const gy_model *model, const gy_witness *witness)
{
    const gy_step *step = &witness->steps[witness->step_count - 1];
    gy_diagnostic remark = {.severity = "warning", .code = "safety-not-checked"};
    const gy_edge *edge = &model->edges[step->edge];
    remark.message = gy_arena_printf(
        driver->arena, "safety was not checked, and it is violated: %s; %s", witness->message,
        gy_fault_row_of(driver->subject->system, witness->fault)->traits & GY_FAULT_GOES_ON
            ? "runs continue after it and count for the verdict"
            : "runs that end there do not count for the verdict");
    remark.hint = "add safety to --check";
    if (edge->place && model->sources) {
        gy_location_info place = gy_location_user(model->sources, edge->place);
        remark.file = gy_arena_strdup(driver->arena, gy_source_name(model->sources, place.file));
        remark.line = place.line;
        remark.column = place.column;
    }
    gy_vec_push(&driver->remarks, remark);
}

void gy_verification_remark_on_unchecked(gy_verification *driver)
{
    const gy_search_kind kinds[] = {GY_SEARCH_DFS, GY_SEARCH_BFS};
    gy_user_error complaint = {0};
    if (driver->properties.safety || driver->result || !driver->subject->model ||
        !any_holds(driver))
        return;
    gy_system *exact = gy_loaded_model_exact(driver->subject, &complaint);
    gy_user_error_free(&complaint);
    bool found = false;
    for (size_t i = 0; exact && i < 2 && !found && !gy_limits_over(&driver->limits); i++) {
        gy_search_result *result = search(driver, exact, kinds[i]);
        found = result->witness_count > 0 && result->witnesses[0].step_count > 0;
        if (found)
            remark(driver, exact->model, &result->witnesses[0]);
        gy_search_result_free(result);
    }
}
