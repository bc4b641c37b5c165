// What stays hidden is decided by liveness: a value that can be read in another step than it was
// written in crosses the border between two states.
#include "model/passes/scratch.h"

#include "base/fatal.h"
#include "model/passes/liveness.h"
#include "model/passes/resets.h"

#include <stdlib.h>
#include <string.h>

// What the decision needs of each template.
typedef struct facts {
    gy_liveness *live;  // by template
    uint64_t **touched; // by template: read or written
    uint64_t *observed; // by claims and formulas, which examine every state
} facts;

// Can a state be seen in which an instance of the template is at this node? Not if it always
// comes here inside an atomic sequence and cannot block.
static bool is_stable(const gy_model *model, const gy_template *tmpl, uint32_t node)
{
    if ((int32_t)node == tmpl->initial || tmpl->provided || model->uses_priority)
        return true;
    for (int32_t e = 0; e < tmpl->edge_count; e++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + e];
        if (edge->to == (int32_t)node && !edge->keeps_atomic)
            return true;
    }
    const gy_node *at = &tmpl->nodes[node];
    for (int32_t e = 0; e < at->edge_count; e++) {
        const gy_edge *edge = &model->edges[at->first_edge + e];
        if (edge->kind == GY_EDGE_NORMAL && !edge->guard && edge->sync == GY_SYNC_NONE)
            return false;
    }
    return true;
}

static void find_observed(const gy_model *model, uint64_t *observed)
{
    for (uint32_t i = 0; i < model->ltl_count; i++)
        gy_formula_reads(model, model->ltls[i].formula, observed);
    for (uint32_t e = 0; e < model->edge_count; e++)
        if (model->templates[model->edges[e].tmpl].kind == GY_TMPL_NEVER)
            gy_edge_reads(model, &model->edges[e], observed);
}

static void find_facts(const gy_model *model, facts *f)
{
    uint32_t words = gy_bits_words(model->var_count);
    f->observed = gy_alloc_zero(words * sizeof *f->observed);
    f->live = gy_alloc_zero((model->template_count + 1) * sizeof *f->live);
    f->touched = gy_alloc_zero((model->template_count + 1) * sizeof *f->touched);
    find_observed(model, f->observed);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        uint64_t *touched = f->touched[t] = gy_alloc_zero(words * sizeof *touched);
        gy_liveness_find(model, tmpl, NULL, &f->live[t]);
        gy_expr_reads(model, tmpl->provided, touched);
        for (uint32_t n = 0; n < tmpl->node_count; n++) // asked for in every state
            gy_bits_join(f->live[t].sets + (size_t)n * words, touched, words);
        for (int32_t e = 0; e < tmpl->edge_count; e++) {
            gy_edge_reads(model, &model->edges[tmpl->first_edge + e], touched);
            gy_edge_writes(&model->edges[tmpl->first_edge + e], touched);
        }
    }
}

static void free_facts(const gy_model *model, facts *f)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_liveness_free(&f->live[t]);
        free(f->touched[t]);
    }
    free(f->live);
    free(f->touched);
    free(f->observed);
}

static bool is_run(const gy_model *model, int32_t tmpl)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_program *effect = model->edges[e].effect;
        for (uint32_t i = 0; effect && i < effect->count; i++)
            if (effect->actions[i].kind == GY_A_RUN && effect->actions[i].tmpl == tmpl)
                return true;
    }
    return false;
}

// `live` is that of the only process that uses the variable.
static void reset_when_dead(gy_model *model, const gy_template *tmpl, int32_t var,
                            const gy_liveness *live)
{
    uint64_t *writes = gy_alloc(live->words * sizeof *writes);
    for (int32_t e = 0; e < tmpl->edge_count; e++) {
        gy_edge *edge = &model->edges[tmpl->first_edge + e];
        memset(writes, 0, live->words * sizeof *writes);
        gy_edge_writes(edge, writes);
        bool dies = edge->to == GY_NONE || !gy_live_at(live, edge->to, var);
        bool had = gy_live_at(live, edge->from, var) || gy_bits_has(writes, var);
        if (dies && had)
            edge->effect = gy_program_with_reset(model, edge->effect, var, edge->place);
    }
    free(writes);
}

static void decide(gy_model *model, const facts *f, int32_t var)
{
    bool observed = gy_bits_has(f->observed, var), crosses = observed;
    int32_t user = GY_NONE;
    uint32_t users = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            crosses |= gy_live_at(&f->live[t], (int32_t)n, var) && is_stable(model, tmpl, n);
        if (gy_bits_has(f->touched[t], var)) {
            user = (int32_t)t;
            users++;
        }
    }
    if (!crosses)
        return;
    model->vars[var].hidden = false;
    const gy_template *tmpl = user == GY_NONE ? NULL : &model->templates[user];
    if (observed || users != 1 || tmpl->active != 1 || is_run(model, user) ||
        model->vars[var].count > GY_MOST_RESETS)
        return;
    reset_when_dead(model, tmpl, var, &f->live[user]);
}

void gy_model_scratch(gy_model *model)
{
    bool any = false;
    for (uint32_t i = 0; i < model->global_count; i++)
        any |= model->vars[i].hidden && !model->vars[i].momentary;
    if (!any)
        return;
    facts f;
    find_facts(model, &f);
    for (uint32_t i = 0; i < model->global_count; i++)
        if (model->vars[i].hidden && !model->vars[i].momentary)
            decide(model, &f, (int32_t)i);
    free_facts(model, &f);
}
