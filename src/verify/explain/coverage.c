#include "verify/explain/coverage.h"

#include "model/assertions.h"
#include "model/spin_numbers.h"
#include "exec/describe/naming.h"

static bool counts(const gy_model *model, const gy_edge *edge)
{
    gy_template_kind kind = model->templates[edge->tmpl].kind;
    if (gy_program_only_fails(edge->effect)) // it is not meant to be taken
        return false;
    return kind == GY_TMPL_PROCESS || kind == GY_TMPL_INIT;
}

// Two edges of a template that stand for the same statement.
static bool same_statement(const gy_model *model, const gy_edge *a, const gy_edge *b)
{
    return a->tmpl == b->tmpl &&
           gy_spin_transition(model, a->id) == gy_spin_transition(model, b->id) &&
           a->kind == b->kind && a->place == b->place;
}

// Is it the first edge of its statement? Then *reached says whether any of them was taken.
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

// A process that has come to its end, but waits for younger ones to end first, has reached it.
static bool comes_to_end(const gy_model *model, const gy_edge *end, const uint8_t *reached_edges)
{
    const gy_template *tmpl = &model->templates[end->tmpl];
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++)
        if (model->edges[e].to == end->from && reached_edges[e])
            return true;
    return false;
}

static gy_unreached tell(const gy_model *model, int32_t tmpl, gy_location at, const char *text,
                         gy_arena *arena)
{
    gy_location_info place = gy_location_user(model->sources, at);
    const char *file = at ? gy_source_name(model->sources, place.file) : model->name;
    return (gy_unreached){
        .type = gy_arena_strdup(arena, gy_template_name(&model->templates[tmpl])),
        .file = gy_arena_strdup(arena, file),
        .line = place.line,
        .column = place.column,
        .text = gy_arena_strdup(arena, text ? text : ""),
        .edge = -1,
    };
}

typedef GY_VEC(gy_unreached) unreached_list;

static void tell_edges(const gy_model *model, const gy_template *tmpl, const uint8_t *reached_edges,
                       gy_arena *arena, gy_outcome *outcome, unreached_list *list)
{
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        bool reached;
        if (!counts(model, edge) || !is_first(model, e, reached_edges, &reached))
            continue;
        if (edge->kind == GY_EDGE_END && !reached)
            reached = comes_to_end(model, edge, reached_edges);
        outcome->statements++;
        outcome->reached += reached;
        if (reached)
            continue;
        gy_unreached told = tell(model, edge->tmpl, edge->place, edge->text, arena);
        told.edge = e;
        told.asserts = gy_program_asserts(edge->effect);
        gy_vec_push(list, told);
    }
}

static void tell_cut_off(const gy_model *model, int32_t tmpl, gy_arena *arena, gy_outcome *outcome,
                         unreached_list *list)
{
    for (uint32_t i = 0; i < model->cut_off_count; i++) {
        const gy_cut_off *cut = &model->cut_off[i];
        if (cut->tmpl != tmpl || !gy_is_process(&model->templates[tmpl]))
            continue;
        outcome->statements++;
        gy_unreached told = tell(model, tmpl, cut->place, cut->text, arena);
        told.asserts = cut->asserts;
        gy_vec_push(list, told);
    }
}

// Within a process type, by line; few are out of order.
static void sort(gy_unreached *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        gy_unreached moved = list[i];
        size_t k = i;
        for (; k > 0 && list[k - 1].line > moved.line && strcmp(list[k - 1].file, moved.file) == 0;
             k--)
            list[k] = list[k - 1];
        list[k] = moved;
    }
}

void gy_tell_coverage(const gy_model *model, const uint8_t *reached_edges, gy_arena *arena,
                      gy_outcome *outcome)
{
    unreached_list list = {0};
    outcome->has_coverage = true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        size_t first = list.n;
        tell_edges(model, &model->templates[t], reached_edges, arena, outcome, &list);
        tell_cut_off(model, (int32_t)t, arena, outcome, &list);
        if (list.n > first)
            sort(list.at + first, list.n - first);
    }
    gy_unreached *kept = GY_NEW_ARRAY(arena, gy_unreached, list.n + 1);
    if (list.n)
        memcpy(kept, list.at, list.n * sizeof *kept);
    outcome->unreached = kept;
    outcome->unreached_count = (uint32_t)list.n;
    gy_vec_free(&list);
}
