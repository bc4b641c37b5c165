#include "report/trail.h"

void gy_trail_text(const gy_path *path, gy_text *out)
{
    const gy_model *model = path->system->model;
    unsigned long long depth = 0;
    for (size_t i = 1; i < path->moments.n; i++) {
        const gy_step *step = &path->moments.at[i].step;
        if (path->cycle_start >= 0 && i == (size_t)path->cycle_start + 1)
            gy_text_add(out, "-1:-1:-1\n");
        gy_text_printf(out, "%llu:%d:%d\n", ++depth, step->pid, model->edges[step->edge].spin_id);
        if (step->partner >= 0)
            gy_text_printf(out, "%llu:%d:%d\n", ++depth, step->partner,
                           model->edges[step->partner_edge].spin_id);
    }
}
