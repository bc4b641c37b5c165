#include "verify/trail/trail.h"

#include "model/spin_numbers.h"

// A statement that cannot be executed to its end, such as a division by zero: Spin would crash
// on it. It reads a trail up to the first line that does not look like one.
static bool spin_stops_before(const gy_path *path, const gy_path_state *moment)
{
    return moment->stuck &&
           !(gy_fault_row_of(path->system, moment->fault)->traits & GY_FAULT_OF_EVENTS);
}

void gy_trail_step(const gy_path *path, size_t i, int32_t shift, unsigned long long *depth,
                   gy_text *out)
{
    const gy_model *model = path->system->model;
    const gy_step *step = &path->moments.at[i].step;
    const char *mark = spin_stops_before(path, &path->moments.at[i]) ? "!" : "";
    gy_text_printf(out, "%s%llu:%d:%d\n", mark, ++*depth, step->pid + shift,
                   gy_spin_transition(model, step->edge));
    if (step->partner >= 0)
        gy_text_printf(out, "%s%llu:%d:%d\n", mark, ++*depth, step->partner + shift,
                       gy_spin_transition(model, step->partner_edge));
}

void gy_trail_text(const gy_path *path, gy_text *out)
{
    unsigned long long depth = 0;
    for (size_t i = 1; i < path->moments.n; i++) {
        if (path->cycle_start >= 0 && i == (size_t)path->cycle_start + 1)
            gy_text_add(out, "-1:-1:-1\n");
        gy_trail_step(path, i, 0, &depth, out);
    }
}

// Transitions of the claim inside an atomic sequence of its own are not in the witness.
static bool claim_is_told(const gy_model *model, const gy_lasso_witness *lasso)
{
    int32_t node = GY_NONE;
    for (uint64_t i = 0; i < lasso->turn_count; i++) {
        int32_t number = lasso->turns[i].observer_edge;
        if (number < 0)
            return false;
        const gy_edge *edge = &model->edges[number];
        if (edge->from != (i == 0 ? model->templates[edge->tmpl].initial : node))
            return false;
        node = edge->to;
    }
    return lasso->turn_count > 0;
}

void gy_trail_lasso(const gy_path *path, const gy_lasso_witness *lasso, gy_text *out)
{
    const gy_model *model = path->system->model;
    unsigned long long depth = 0;
    size_t at = 1;
    if (!claim_is_told(model, lasso)) {
        gy_trail_text(path, out);
        return;
    }
    gy_text_printf(out, "-2:%d:-2\n", model->edges[lasso->turns[0].observer_edge].tmpl);
    for (uint64_t i = 0; i < lasso->turn_count; i++) {
        const gy_turn *turn = &lasso->turns[i];
        if (i == lasso->cycle_turn)
            gy_text_add(out, "-1:-1:-1\n");
        gy_text_printf(out, "%llu:0:%d\n", ++depth, gy_spin_transition(model, turn->observer_edge));
        for (uint64_t k = 0; k < turn->step_count; k++)
            gy_trail_step(path, at++, 1, &depth, out);
    }
}
