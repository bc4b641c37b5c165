#include "verify/tell/coverage.h"

#include "model/spin_numbers.h"
#include "verify/tell/naming.h"

static bool counts(const gy_model *model, const gy_edge *edge)
{
    gy_template_kind kind = model->templates[edge->tmpl].kind;
    return kind == GY_TMPL_PROCESS || kind == GY_TMPL_INIT;
}

// Two edges of a template that stand for the same statement.
static bool same_statement(const gy_model *model, const gy_edge *a, const gy_edge *b)
{
    return a->tmpl == b->tmpl &&
           gy_spin_transition(model, a->id) == gy_spin_transition(model, b->id) &&
           a->kind == b->kind && a->place == b->place;
}

// Is it the first edge of its statement? Then *reached tells whether any of them was taken.
static bool is_first(const gy_model *model, int32_t e, const uint8_t *reached_edges, bool *reached)
{
    const gy_edge *edge = &model->edges[e];
    const gy_template *tmpl = &model->templates[edge->tmpl];
    *reached = reached_edges[e] != 0;
    if (edge->escape <= 0) // only escapes are repeated over several locations
        return true;
    for (int32_t o = tmpl->first_edge; o < tmpl->first_edge + tmpl->edge_count; o++) {
        if (o == e || !same_statement(model, &model->edges[o], edge))
            continue;
        if (o < e)
            return false;
        *reached = *reached || reached_edges[o];
    }
    return true;
}

static gy_unreached tell(const gy_model *model, const gy_edge *edge, gy_arena *arena)
{
    gy_place_info place = gy_place_user(model->sources, edge->place);
    const char *file = edge->place ? gy_source_name(model->sources, place.file) : model->name;
    return (gy_unreached){
        .type = gy_arena_strdup(arena, gy_template_name(&model->templates[edge->tmpl])),
        .file = gy_arena_strdup(arena, file),
        .line = place.line,
        .column = place.column,
        .text = gy_arena_strdup(arena, edge->text ? edge->text : ""),
        .edge = edge->id,
    };
}

void gy_tell_coverage(const gy_model *model, const uint8_t *reached_edges, gy_arena *arena,
                      gy_outcome *outcome)
{
    GY_VEC(gy_unreached) list = {0};
    outcome->has_coverage = true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++) {
            bool reached;
            if (!counts(model, &model->edges[e]) || !is_first(model, e, reached_edges, &reached))
                continue;
            outcome->statements++;
            outcome->reached += reached;
            if (!reached)
                gy_vec_push(&list, tell(model, &model->edges[e], arena));
        }
    }
    gy_unreached *kept = GY_NEW_ARRAY(arena, gy_unreached, list.n + 1);
    if (list.n)
        memcpy(kept, list.at, list.n * sizeof *kept);
    outcome->unreached = kept;
    outcome->unreached_count = (uint32_t)list.n;
    gy_vec_free(&list);
}
