#include "exec/describe/unblockers.h"

#include "base/fatal.h"
#include "model/matrix.h"
#include "model/visit.h"

#include <stdlib.h>

typedef struct wanted {
    const gy_decoded_state *scene;
    const gy_matrix *matrix;
    const gy_edge *edge; // that waits
} wanted;

// Does `other` change what a slot holds that the edge reads?
static bool changes(const wanted *w, const gy_edge *other, uint32_t slot)
{
    const gy_model *model = w->scene->model;
    const gy_matrix_slot *what = &w->matrix->slot[slot];
    uint8_t reads = gy_matrix_at(w->matrix, (uint32_t)w->edge->id, slot);
    uint8_t writes = gy_matrix_at(w->matrix, (uint32_t)other->id, slot);
    switch (what->kind) {
    case GY_SLOT_VARIABLE:
        return (reads & GY_READS) && (writes & GY_WRITES) &&
               model->vars[what->var].owner == GY_NONE;
    case GY_SLOT_CONTROL: // priorities examine it, too
        return (reads & GY_READS) && other->tmpl == what->tmpl &&
               gy_expr_mentions(w->edge->guard, GY_E_REMOTE_LABEL);
    case GY_SLOT_CHANNEL:
    case GY_SLOT_CHANNELS:
        if (w->edge->sync != GY_SYNC_NONE && other->sync != GY_SYNC_NONE)
            return reads && writes && other->sync != w->edge->sync;
        return (reads & GY_READS) && (writes & GY_WRITES);
    case GY_SLOT_SYSTEM:
        break;
    }
    return false;
}

// Has the process a statement before it that does?
static bool may_change(const wanted *w, const gy_state_view_process *process)
{
    const gy_template *tmpl = &w->scene->model->templates[process->tmpl];
    bool *seen = gy_alloc_zero(tmpl->node_count + 1), found = false;
    int32_t *todo = gy_alloc((tmpl->node_count + 1) * sizeof *todo);
    uint32_t count = 0;
    todo[count++] = process->node;
    seen[process->node] = true;
    while (count > 0 && !found) {
        const gy_node *node = &tmpl->nodes[todo[--count]];
        for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            const gy_edge *edge = &w->scene->model->edges[e];
            for (uint32_t s = 0; s < w->matrix->slots && !found; s++)
                found = changes(w, edge, s);
            if (edge->to >= 0 && !seen[edge->to]) {
                seen[edge->to] = true;
                todo[count++] = edge->to;
            }
        }
    }
    free(seen);
    free(todo);
    return found;
}

uint64_t gy_find_enablers(const gy_decoded_state *scene, int32_t pid, bool *asks)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_node *node = &scene->model->templates[process->tmpl].nodes[process->node];
    gy_matrix *matrix = gy_matrix_new(scene->model);
    uint64_t found = 0;
    *asks = false;
    for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        wanted w = {scene, matrix, &scene->model->edges[e]};
        if ((!w.edge->guard && w.edge->sync == GY_SYNC_NONE) || w.edge->needs_timeout)
            continue;
        *asks = true;
        for (uint32_t p = 0; p < scene->view.process_count && p < 64; p++)
            if ((int32_t)p != pid && may_change(&w, &scene->view.processes[p]))
                found |= 1ull << p;
    }
    gy_matrix_free(matrix);
    return found;
}
