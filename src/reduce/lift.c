#include "reduce/lift.h"

#include "exec/orbit.h"
#include "exec/vm/state_layout.h"

struct gy_lift {
    const gy_symmetry *symmetry;
    gy_orbit_fold *folder;
    const gy_word *state;               // where the path is, or NULL: not begun
    GY_VEC(gy_word) copy;               // … its words
    uint32_t count;                     // its processes
    int32_t real[GY_MAX_PROCESSES];     // by place: the real process, or -1: gone here
    int32_t place[GY_MAX_PROCESSES];    // by real process: where it is, or -1: gone there
    int32_t end_edge[GY_MAX_PROCESSES]; // by real process that is gone there
    uint32_t real_count;                // real processes on the stack
};

gy_lift *gy_lift_new(const gy_symmetry *symmetry)
{
    gy_lift *l = gy_alloc_zero(sizeof *l);
    l->symmetry = symmetry;
    l->folder = gy_orbit_fold_new(symmetry->orbits);
    return l;
}

void gy_lift_free(gy_lift *l)
{
    if (!l)
        return;
    gy_orbit_fold_free(l->folder);
    gy_vec_free(&l->copy);
    free(l);
}

static const gy_state_layout *shape_of(const gy_lift *l, const gy_word *state, uint32_t words)
{
    return gy_state_layout_find(l->symmetry->orbits->shapes, state, words);
}

// The edge by which the process at this place ends, or GY_NONE if it is not that far.
static int32_t end_of(const gy_lift *l, uint32_t place)
{
    const gy_model *model = l->symmetry->orbits->model;
    const gy_state_layout *shape = shape_of(l, l->state, (uint32_t)l->copy.n);
    if (place >= shape->process_count)
        return GY_NONE;
    const gy_state_layout_process *process = &shape->process[place];
    const gy_template *tmpl = &model->templates[process->tmpl];
    gy_word mask = tmpl->pc_bits ? ~0u >> (32 - tmpl->pc_bits) : 0;
    const gy_node *node = &tmpl->nodes[l->state[process->offset] & mask];
    for (int32_t k = 0; k < node->edge_count; k++)
        if (model->edges[node->first_edge + k].kind == GY_EDGE_END)
            return node->first_edge + k;
    return GY_NONE;
}

// The youngest real process leaves the stack, if it can.
static bool end_youngest(gy_lift *l, gy_lifted_steps *steps)
{
    if (!l->real_count)
        return false;
    uint32_t pid = l->real_count - 1;
    int32_t edge = l->place[pid] < 0 ? l->end_edge[pid] : end_of(l, (uint32_t)l->place[pid]);
    if (edge == GY_NONE)
        return false;
    gy_vec_push(steps, ((gy_step){(int32_t)pid, edge, -1, -1, 0, 0}));
    if (l->place[pid] >= 0)
        l->real[l->place[pid]] = -1;
    l->real_count--;
    return true;
}

void gy_lift_rest(gy_lift *l, gy_lifted_steps *steps)
{
    while (end_youngest(l, steps))
        ;
}

// The youngest process of the path ends: so does a real one, as soon as it can.
static void take_end(gy_lift *l, int32_t edge, gy_lifted_steps *steps)
{
    int32_t pid = l->real[--l->count];
    if (pid < 0)
        return;
    l->end_edge[pid] = edge;
    l->place[pid] = -1;
    while ((uint32_t)pid < l->real_count && end_youngest(l, steps))
        ;
}

static int32_t real_of(const gy_lift *l, int32_t place)
{
    if (place < 0)
        return place;
    if ((uint32_t)place < l->count)
        return l->real[place];
    return (int32_t)(l->real_count + (uint32_t)place - l->count);
}

static void take_steps(gy_lift *l, const gy_transition *transition, gy_lifted_steps *steps)
{
    const gy_model *model = l->symmetry->orbits->model;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        gy_step step = transition->steps[i];
        if (model->edges[step.edge].kind == GY_EDGE_END && l->count) {
            take_end(l, step.edge, steps);
            continue;
        }
        if (i == 0 && model->edges[step.edge].needs_timeout)
            gy_lift_rest(l, steps);
        step.pid = real_of(l, step.pid);
        step.partner = real_of(l, step.partner);
        gy_vec_push(steps, step);
    }
}

// Processes that the transition has started, in the path and in the real system.
static void add_started(gy_lift *l, const gy_state_layout *shape)
{
    for (; l->count < shape->process_count && l->real_count < GY_MAX_PROCESSES; l->count++) {
        l->real[l->count] = (int32_t)l->real_count;
        l->place[l->real_count++] = (int32_t)l->count;
    }
    l->count = shape->process_count;
}

// Everyone takes the place that the representative gives.
static void change_places(gy_lift *l)
{
    int32_t real[GY_MAX_PROCESSES];
    for (uint32_t place = 0; place < l->count; place++)
        real[place] = l->real[gy_fold_origin(l->folder, place)];
    for (uint32_t place = 0; place < l->count; place++) {
        l->real[place] = real[place];
        if (real[place] >= 0)
            l->place[real[place]] = (int32_t)place;
    }
}

const gy_word *gy_lift_take(gy_lift *l, const gy_transition *transition, gy_lifted_steps *steps)
{
    take_steps(l, transition, steps);
    if (!transition->state)
        return NULL;
    add_started(l, shape_of(l, transition->state, transition->words));
    const gy_word *folded = gy_fold(l->folder, transition->state, transition->words, NULL);
    if (folded)
        change_places(l);
    gy_vec_reserve(&l->copy, (size_t)transition->words + 1);
    l->copy.n = transition->words;
    memcpy(l->copy.at, folded ? folded : transition->state, transition->words * sizeof *l->copy.at);
    l->state = l->copy.at;
    return l->state;
}
