// Distances in the flow of control of a process type (Edelkamp, Lluch Lafuente, Leue, "Directed
// explicit model checking with HSF-SPIN", 2001; Edwards's FSM distance): how many statements a
// process is away from an assertion, or from an error label. Promela has no calls, so that the
// context of a call plays no part.
#include "exec/atom_distance.h"
#include "model/atoms.h"
#include "verify/heuristic_kinds.h"

#include <strings.h>

// ---- places where something can go wrong -----------------------------------------------------

// An assertion, or an error label (no atom).
typedef struct target {
    int32_t tmpl;
    gy_atom atom;
    uint32_t *distance; // by node
} target;

typedef struct distance_guide {
    target *targets;
    const gy_atom_distances *distances;
    uint32_t count;
    bool sum;     // over processes; else the least
    bool formula; // and how far the assertion is from failing
} distance_guide;

typedef GY_VEC(target) target_list;

static void add_target(const gy_heuristic_context *c, int32_t tmpl, int32_t node, gy_atom atom,
                       target_list *list)
{
    target new = {.tmpl = tmpl, .atom = atom};
    new.distance = gy_flow_distances_to(c->model, &c->model->templates[tmpl], node, c->arena);
    gy_vec_push(list, new);
}

static void add_assertions(const gy_heuristic_context *c, target_list *list)
{
    for (uint32_t e = 0; e < c->model->edge_count; e++) {
        const gy_edge *edge = &c->model->edges[e];
        bool process = gy_is_process(&c->model->templates[edge->tmpl]);
        for (uint32_t a = 0; process && edge->effect && a < edge->effect->count; a++)
            if (edge->effect->actions[a].kind == GY_A_ASSERT)
                add_target(c, edge->tmpl, edge->from,
                           gy_model_atom(c->model, edge->effect->actions[a].expr), list);
    }
}

static void add_labels(const gy_heuristic_context *c, target_list *list)
{
    for (uint32_t t = 0; t < c->model->template_count; t++) {
        const gy_template *tmpl = &c->model->templates[t];
        for (uint32_t i = 0; gy_is_process(tmpl) && i < tmpl->label_count; i++)
            if (strncasecmp(tmpl->labels[i].name, "error", 5) == 0)
                add_target(c, (int32_t)t, tmpl->labels[i].node, 0, list);
    }
}

// The least over the targets of its type; GY_HEURISTIC_FAR: it cannot come to any.
static int64_t distance_of(const distance_guide *g, const gy_guided_state *at,
                           const gy_state_view *view, uint32_t pid)
{
    const gy_state_view_process *p = &view->processes[pid];
    int64_t least = GY_HEURISTIC_FAR;
    for (uint32_t i = 0; i < g->count; i++) {
        const target *t = &g->targets[i];
        if (t->tmpl != p->tmpl)
            continue;
        int64_t distance = t->distance[p->node];
        gy_distance_point point = {at->worker, at->state, at->words, view, (int32_t)pid};
        if (g->formula && t->atom && distance < least)
            distance += gy_atom_distance(g->distances, &point, t->atom, false);
        least = distance < least ? distance : least;
    }
    return least;
}

static int64_t value(const void *self, void *notebook, const gy_guided_state *at)
{
    const distance_guide *g = self;
    gy_state_view view;
    int64_t least = GY_HEURISTIC_FAR, sum = 0;
    (void)notebook;
    gy_state_view_state(at->worker, at->state, at->words, &view);
    for (uint32_t p = 0; p < view.process_count; p++) {
        int64_t distance = distance_of(g, at, &view, p);
        least = distance < least ? distance : least;
        sum += distance < GY_HEURISTIC_FAR ? distance : 0;
    }
    return g->sum && least < GY_HEURISTIC_FAR ? sum : least;
}

static gy_heuristic *make(const gy_heuristic_context *c, const char *name, bool sum, bool formula,
                          const char **why)
{
    target_list list = {0};
    add_assertions(c, &list);
    if (!formula)
        add_labels(c, &list);
    *why = formula ? "the model has no assertion"
                   : "the model has neither an assertion nor a label that begins with `error`";
    if (list.n == 0)
        return NULL;
    distance_guide *g = GY_NEW(c->arena, distance_guide);
    *g = (distance_guide){.count = (uint32_t)list.n, .sum = sum};
    g->formula = formula;
    g->distances = gy_atom_distances_new(c->model, c->arena);
    g->targets = GY_NEW_ARRAY(c->arena, target, list.n);
    memcpy(g->targets, list.at, list.n * sizeof *list.at);
    gy_vec_free(&list);
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = (gy_heuristic){.name = name, .self = g, .value = value};
    return guide;
}

gy_heuristic *gy_heuristic_assertions(const gy_heuristic_context *c, const char **why)
{
    return make(c, "assertions", false, true, why);
}

gy_heuristic *gy_heuristic_distance(const gy_heuristic_context *c, const char **why)
{
    return make(c, "distance", false, false, why);
}

gy_heuristic *gy_heuristic_distance_sum(const gy_heuristic_context *c, const char **why)
{
    return make(c, "distance-sum", true, false, why);
}
