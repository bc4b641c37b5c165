// Which variables of guiding processes are worth examining: scalars that only they write, by
// assignments and receives that can be followed one by one.
#include "dist/swarm/guide_graph_parts.h"

#include "base/bits.h"
#include "model/instances.h"
#include "model/uses.h"
#include "model/visit.h"

// Are all processes of this type guides?
static bool all_guide(const gy_guide *guide, const gy_state_layout *layout, int32_t tmpl)
{
    bool some = false;
    for (uint32_t pid = 0; pid < layout->process_count; pid++) {
        bool guides = false;
        if (layout->process[pid].tmpl != tmpl)
            continue;
        for (uint32_t i = 0; i < guide->count; i++)
            guides = guides || guide->pid[i] == pid;
        if (!guides)
            return false;
        some = true;
    }
    return some;
}

static bool guides_one(const gy_guide *guide, int32_t tmpl)
{
    for (uint32_t i = 0; i < guide->count; i++)
        if (guide->tmpl[i] == tmpl)
            return true;
    return false;
}

// Variables that an edge stores to in ways that are not followed.
static void untrack_hard(const gy_edge *edge, uint64_t *set)
{
    const gy_program *program = edge->effect;
    bool straight = gy_program_is_straight(program);
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (!straight || action->kind != GY_A_ASSIGN)
            gy_action_writes(action, set);
    }
}

void gy_guide_track(gy_guide *guide, const gy_state_layout *layout)
{
    const gy_model *model = guide->model;
    size_t words = (model->var_count + 63) / 64 + 1;
    uint64_t *refused = gy_alloc_zero(words * sizeof *refused);
    uint64_t *written = gy_alloc_zero(words * sizeof *written);
    for (uint32_t i = 0; i < model->edge_count; i++) {
        const gy_edge *edge = &model->edges[i];
        gy_edge_writes(edge, written);
        if (all_guide(guide, layout, edge->tmpl) || guides_one(guide, edge->tmpl))
            untrack_hard(edge, refused);
        if (all_guide(guide, layout, edge->tmpl))
            continue;
        // Others write globals, and processes of the same type have locals of their own.
        uint64_t *here = gy_alloc_zero(words * sizeof *here);
        gy_edge_writes(edge, here);
        for (uint32_t v = 0; v < model->global_count; v++)
            if (here[v / 64] >> v % 64 & 1)
                refused[v / 64] |= 1ull << v % 64;
        free(here);
    }
    for (uint32_t v = 0; v < model->var_count; v++) {
        const gy_variable *var = &model->vars[v];
        bool owned = var->owner == GY_NONE || guides_one(guide, var->owner);
        bool simple = var->count == 1 && !var->is_array && !var->hidden && !var->momentary &&
                      !var->removed && var->type.kind != GY_CHAN;
        guide->tracked[v] = owned && simple && !gy_has_c(model) &&
                            (written[v / 64] >> v % 64 & 1) && !(refused[v / 64] >> v % 64 & 1);
    }
    free(refused);
    free(written);
}
