#include "report/coverage.h"

#include "model/spin_numbers.h"
#include "report/json.h"
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

void gy_coverage_find(gy_coverage *coverage, const gy_model *model, const uint8_t *reached_edges)
{
    *coverage = (gy_coverage){0};
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        int32_t end = tmpl->first_edge + tmpl->edge_count;
        for (int32_t e = tmpl->first_edge; e < end; e++) {
            const gy_edge *edge = &model->edges[e];
            bool earlier = false, reached = reached_edges[e] != 0;
            if (!counts(model, edge))
                continue;
            // Only escapes are repeated over several locations.
            if (edge->escape > 0) {
                for (int32_t o = tmpl->first_edge; o < end; o++) {
                    if (o == e || !same_statement(model, &model->edges[o], edge))
                        continue;
                    earlier = earlier || o < e;
                    reached = reached || reached_edges[o];
                }
            }
            if (earlier)
                continue;
            coverage->statements++;
            if (reached)
                coverage->reached++;
            else
                gy_vec_push(&coverage->unreached, e);
        }
    }
}

void gy_coverage_free(gy_coverage *coverage)
{
    gy_vec_free(&coverage->unreached);
}

void gy_coverage_text(const gy_coverage *coverage, const gy_model *model, const gy_style *style,
                      gy_text *out)
{
    int32_t tmpl = GY_NONE;
    for (size_t i = 0; i < coverage->unreached.n; i++) {
        const gy_edge *edge = &model->edges[coverage->unreached.at[i]];
        gy_text place = {0};
        if (edge->tmpl != tmpl)
            gy_text_printf(out, "unreached in %s%s%s\n", style->name,
                           gy_template_name(&model->templates[edge->tmpl]), style->off);
        tmpl = edge->tmpl;
        gy_name_place(model, edge->place, &place);
        gy_text_add(out, "  ");
        gy_pad(out, gy_text_str(&place), 24);
        gy_text_char(out, ' ');
        gy_name_statement(edge->text, 0, out);
        gy_text_char(out, '\n');
        gy_text_free(&place);
    }
}

json_t *gy_coverage_json(const gy_coverage *coverage, const gy_model *model)
{
    json_t *item = json_object(), *list = json_array();
    json_object_set_new(item, "statements", json_integer(coverage->statements));
    json_object_set_new(item, "reached", json_integer(coverage->reached));
    for (size_t i = 0; i < coverage->unreached.n; i++) {
        const gy_edge *edge = &model->edges[coverage->unreached.at[i]];
        gy_place_info place = gy_place_user(model->sources, edge->place);
        json_t *entry = json_object();
        json_object_set_new(entry, "process",
                            gy_json_string(gy_template_name(&model->templates[edge->tmpl])));
        json_object_set_new(
            entry, "file",
            gy_json_string(edge->place ? gy_source_name(model->sources, place.file) : model->name));
        json_object_set_new(entry, "line", json_integer(place.line));
        json_object_set_new(entry, "text", gy_json_string(edge->text));
        json_array_append_new(list, entry);
    }
    json_object_set_new(item, "unreached", list);
    return item;
}
