#include "model/watched.h"

#include "model/uses.h"

void gy_watched_reads(const gy_model *model, const gy_watched *watched, uint64_t *set)
{
    for (size_t i = 0; i < watched->formula_count; i++)
        gy_formula_reads(model, watched->formulas[i], set);
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_expr_reads(model, model->templates[t].provided, set);
        gy_expr_reads(model, model->templates[t].rests, set);
    }
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_template *tmpl = &model->templates[model->edges[e].tmpl];
        if (!gy_is_process(tmpl) && (tmpl->kind != GY_TMPL_NEVER || watched->claims))
            gy_edge_reads(model, &model->edges[e], set);
    }
}
