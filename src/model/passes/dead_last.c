#include "model/passes/dead_last.h"

#include "model/uses.h"
#include "model/visit.h"

static gy_visit_next stop_at_last(void *user, const gy_expr *expr)
{
    (void)user;
    return expr->op == GY_E_LAST ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static const gy_visitor looks = {.expr = stop_at_last};

static bool is_read_elsewhere(const gy_model *model, const gy_watched *watched)
{
    for (size_t i = 0; i < watched->formula_count; i++)
        if (gy_visit_formula(&looks, model, watched->formulas[i]))
            return true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        bool runs = gy_is_process(tmpl) || tmpl->kind != GY_TMPL_NEVER || watched->claims;
        if (gy_visit_expr(&looks, tmpl->provided) || gy_visit_expr(&looks, tmpl->rests) ||
            gy_visit_program(&looks, tmpl->init) ||
            (!gy_is_process(tmpl) && runs && gy_visit_template(&looks, model, tmpl)))
            return true;
    }
    return false;
}

void gy_model_fade_last(gy_model *model, const gy_watched *watched, gy_saved *saved)
{
    if (!model->uses_last || model->uses_enabled || gy_has_c(model) ||
        is_read_elsewhere(model, watched))
        return;
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_template *tmpl = &model->templates[t];
        uint8_t *readers = GY_NEW_ARRAY(model->arena, uint8_t, tmpl->node_count + 1);
        for (int32_t k = 0; gy_is_process(tmpl) && k < tmpl->edge_count; k++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            readers[edge->from] |= gy_visit_edge(&looks, edge);
        }
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            saved->last_places += readers[n];
        tmpl->reads_last = readers;
    }
    model->last_fades = saved->last_fades = true;
}
