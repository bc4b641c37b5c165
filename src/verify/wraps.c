// Values that lost some of their bits on the path to an error: the steps are taken again in the
// strict model, in which such an assignment is a fault.
#include "model/passes/overflow_checks.h"
#include "verify/execution.h"
#include "verify/verification_state.h"

enum { MOST_STEPS = 100000, MOST_WRAPS = 3 };

static bool take_step(gy_path *path, const gy_step *step, gy_choices *choices)
{
    gy_path_choices(path, choices);
    for (size_t i = 0; i < choices->list.n; i++)
        if (gy_same_step(&choices->list.at[i].step, step)) {
            gy_path_take(path, &choices->list.at[i]);
            return true;
        }
    return false;
}

// Follows the steps up to the first value that does not fit: the edge, or GY_NONE.
static int32_t find_wrap(gy_verification *driver, gy_model *strict, const gy_step *steps,
                         uint64_t count)
{
    gy_exec_options exec = {.lossy = driver->subject->lossy};
    gy_system *system = gy_system_vm(strict, false, &exec);
    gy_path *path = gy_path_new(system);
    gy_choices choices = {0};
    bool on = gy_path_start(path, 0);
    int32_t found = GY_NONE;
    path->forgetful = true;
    path->about = GY_FAULT_RANGE;
    for (uint64_t i = 0; on && i < count && !gy_limits_over(&driver->limits); i++) {
        on = take_step(path, &steps[i], &choices);
        const gy_path_state *last = gy_path_last(path);
        if (on && last->fault == GY_FAULT_RANGE) {
            found = last->fault_edge;
            gy_verification_remark_on_value(driver, &steps[i], last->message);
        }
        on = on && found == GY_NONE && !last->stuck;
    }
    gy_choices_free(&choices);
    gy_path_free(path);
    gy_system_free(system);
    return found;
}

void gy_verification_remark_on_wraps(gy_verification *driver, const gy_step *steps, uint64_t count)
{
    gy_model *model = driver->subject->model;
    if (!model || model->uses_choice || gy_has_c(model) || count > MOST_STEPS)
        return;
    uint8_t *open = gy_alloc_zero(model->edge_count + 1);
    for (uint64_t i = 0; i < count; i++) {
        open[steps[i].edge] = 1;
        if (steps[i].partner_edge >= 0)
            open[steps[i].partner_edge] = 1;
    }
    int32_t found = 0;
    for (uint32_t n = 0; n < MOST_WRAPS && found != GY_NONE; n++) {
        gy_model *strict = gy_model_strict(model, open);
        found = strict ? find_wrap(driver, strict, steps, count) : GY_NONE;
        if (found != GY_NONE)
            open[found] = 0;
    }
    free(open);
}
