#include "model/instances.h"

#include "base/fatal.h"

#include <stdlib.h>

// Of the `run` actions for a template.
typedef struct runs {
    uint32_t count;
    const gy_edge *edge; // of the last
    bool by_others;      // than the initial process
} runs;

static runs find_runs(const gy_model *model, int32_t tmpl)
{
    runs found = {0};
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
            const gy_action *action = &edge->effect->actions[i];
            if (action->kind != GY_A_RUN || action->tmpl != tmpl)
                continue;
            found.count++;
            found.edge = edge;
            found.by_others |= model->templates[edge->tmpl].kind != GY_TMPL_INIT;
        }
    }
    return found;
}

bool gy_template_is_started(const gy_model *model, int32_t tmpl)
{
    return find_runs(model, tmpl).count > 0;
}

static bool runs_something(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_RUN)
            return true;
    return false;
}

int32_t gy_template_of_pid(const gy_model *model, const gy_expr *pid)
{
    if (pid->op != GY_E_CONST || pid->value < 0 || (uint32_t)pid->value >= model->started_count)
        return GY_NONE;
    bool some = runs_something(model->init);
    for (uint32_t e = 0; e < model->edge_count; e++)
        some |= runs_something(model->edges[e].effect);
    for (uint32_t t = 0; t < model->template_count; t++)
        some |= runs_something(model->templates[t].init);
    return some ? GY_NONE : model->started[pid->value];
}

bool gy_edge_is_on_cycle(const gy_model *model, const gy_edge *edge)
{
    const gy_template *tmpl = &model->templates[edge->tmpl];
    bool *seen = gy_alloc_zero(tmpl->node_count * sizeof *seen);
    int32_t *stack = gy_alloc((tmpl->node_count + 1) * sizeof *stack);
    uint32_t n = 0;
    if (edge->to != GY_NONE)
        seen[stack[n++] = edge->to] = true;
    while (n) {
        const gy_node *node = &tmpl->nodes[stack[--n]];
        for (int32_t e = 0; e < node->edge_count; e++) {
            int32_t to = model->edges[node->first_edge + e].to;
            if (to != GY_NONE && !seen[to])
                seen[stack[n++] = to] = true;
        }
    }
    bool found = seen[edge->from];
    free(seen);
    free(stack);
    return found;
}

bool gy_template_is_single(const gy_model *model, int32_t tmpl)
{
    runs found = find_runs(model, tmpl);
    uint32_t active = model->templates[tmpl].active;
    if (found.count == 0)
        return active <= 1;
    if (active > 0 || found.count > 1)
        return false;
    const gy_template *runner = &model->templates[found.edge->tmpl];
    return runner->active == 1 && find_runs(model, found.edge->tmpl).count == 0 &&
           gy_program_is_straight(found.edge->effect) && !gy_edge_is_on_cycle(model, found.edge);
}

bool gy_template_is_respawned(const gy_model *model, int32_t tmpl)
{
    return find_runs(model, tmpl).by_others;
}
