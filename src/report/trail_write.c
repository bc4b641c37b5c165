#include "report/trail.h"

// A statement that can't be executed to its end, such as a division by zero: Spin would crash
// on it. It reads a trail up to the first line that does not look like one.
static bool spin_stops_before(const gy_moment *moment)
{
    return moment->stuck && moment->fault != GY_FAULT_TRACE && moment->fault != GY_FAULT_NOTRACE;
}

void gy_trail_text(const gy_path *path, gy_text *out)
{
    const gy_model *model = path->system->model;
    unsigned long long depth = 0;
    for (size_t i = 1; i < path->moments.n; i++) {
        const gy_step *step = &path->moments.at[i].step;
        const char *mark = spin_stops_before(&path->moments.at[i]) ? "!" : "";
        if (path->cycle_start >= 0 && i == (size_t)path->cycle_start + 1)
            gy_text_add(out, "-1:-1:-1\n");
        gy_text_printf(out, "%s%llu:%d:%d\n", mark, ++depth, step->pid,
                       model->edges[step->edge].spin_id);
        if (step->partner >= 0)
            gy_text_printf(out, "%s%llu:%d:%d\n", mark, ++depth, step->partner,
                           model->edges[step->partner_edge].spin_id);
    }
}
