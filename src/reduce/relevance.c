// On which stable values of an instance its footprints depend: those that occur in array indices,
// or name channels. Only instances that differ in these are told apart.
#include "model/operators.h"
#include "model/visit.h"
#include "reduce/footprint.h"

typedef struct relevance {
    gy_reduction *r;
    uint32_t tmpl;
} relevance;

static gy_visit_next note_input(void *user, const gy_expr *expr)
{
    relevance *n = user;
    const gy_template *tmpl = &n->r->model->templates[n->tmpl];
    if (expr->op == GY_E_PID)
        n->r->pid_relevant[n->tmpl] = true;
    if (expr->op != GY_E_VAR || !(n->r->stable[expr->var] || n->r->channel_once[expr->var]))
        return GY_VISIT_PARTS;
    const gy_variable *var = &n->r->model->vars[expr->var];
    if (var->owner == (int32_t)n->tmpl && !var->is_array && !var->hidden)
        n->r->relevant[n->tmpl][expr->var - tmpl->first_var] = 1;
    return GY_VISIT_PARTS;
}

static void note_inputs(void *user, const gy_expr *expr)
{
    gy_visit_expr(&(gy_visitor){.user = user, .expr = note_input}, expr);
}

// Indices and channels anywhere in an expression.
static gy_visit_next note_place(void *user, const gy_expr *expr)
{
    if (expr->op == GY_E_VAR || gy_op_asks_channel(expr->op))
        note_inputs(user, expr->a);
    if (expr->op == GY_E_REMOTE_VAR)
        note_inputs(user, expr->b);
    return GY_VISIT_PARTS;
}

static void note_stores(relevance *n, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++)
        note_inputs(n, fields[f].index);
}

static void find_relevant(gy_reduction *r, uint32_t t)
{
    const gy_template *tmpl = &r->model->templates[t];
    relevance n = {r, t};
    gy_visitor places = {.user = &n, .expr = note_place};
    r->relevant[t] = GY_NEW_ARRAY(r->arena, uint8_t, tmpl->var_count + 1);
    for (int32_t v = 0; v < tmpl->var_count; v++)
        r->relevant[t][v] = r->own_type[tmpl->first_var + v] != GY_NONE;
    for (uint32_t i = 0; r->claims_matter && i < r->model->exclusive_count; i++) {
        gy_expr var = {.op = GY_E_VAR, .var = r->model->exclusive[i].var};
        if (r->model->exclusive[i].tmpl == (int32_t)t && var.var != GY_NONE)
            note_input(&n, &var);
    }
    gy_visit_expr(&places, tmpl->provided);
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &r->model->edges[tmpl->first_edge + k];
        gy_visit_edge(&places, edge);
        note_inputs(&n, edge->chan);
        note_stores(&n, edge->fields, edge->field_count);
        for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
            const gy_action *action = &edge->effect->actions[i];
            note_inputs(&n, action->index);
            note_inputs(&n, action->chan);
            note_stores(&n, action->fields, action->field_count);
        }
    }
}

void gy_relevance_init(gy_reduction *r)
{
    uint32_t count = r->model->template_count;
    r->relevant = GY_NEW_ARRAY(r->arena, uint8_t *, count + 1);
    r->pid_relevant = GY_NEW_ARRAY(r->arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        find_relevant(r, i);
}
