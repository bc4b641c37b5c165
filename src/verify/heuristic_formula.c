// How far a state is from violating a formula: the distances of its parts, added up where all of
// them are needed, the least where one is enough (Edelkamp, Lluch Lafuente, Leue 2001). And how far
// a never claim is from where it accepts.
#include "exec/atom_distance.h"
#include "model/flow_distance.h"
#include "verify/heuristic_kinds.h"

typedef struct judging {
    const gy_atom_distances *distances;
    gy_distance_point at;
} judging;

// ---- formulas ------------------------------------------------------------------------------

// From a state that makes it true, or false, now or later.
static int64_t formula_distance(const judging *j, const gy_formula *f, bool wanted)
{
    int64_t a = f->a && f->op != GY_F_ATOM ? formula_distance(j, f->a, wanted) : 0;
    int64_t b = f->b && f->op != GY_F_ATOM ? formula_distance(j, f->b, wanted) : 0;
    switch (f->op) {
    case GY_F_ATOM:
        return gy_atom_distance(j->distances, &j->at, f->atom, wanted);
    case GY_F_TRUE:
    case GY_F_FALSE:
        return (f->op == GY_F_TRUE) == wanted ? 0 : GY_HEURISTIC_FAR;
    case GY_F_NOT:
        return formula_distance(j, f->a, !wanted);
    case GY_F_AND:
        return wanted ? a + b : a < b ? a : b;
    case GY_F_IMPLIES:
        a = formula_distance(j, f->a, !wanted);
        return wanted ? (a < b ? a : b) : a + b;
    case GY_F_OR:
        return wanted ? (a < b ? a : b) : a + b;
    case GY_F_EQUIV: {
        int64_t differ = formula_distance(j, f->a, true) + formula_distance(j, f->b, !wanted);
        int64_t other = formula_distance(j, f->a, false) + formula_distance(j, f->b, wanted);
        return differ < other ? differ : other;
    }
    case GY_F_UNTIL:
    case GY_F_WEAK_UNTIL: // to hold it needs b; to fail, a moment with neither
        return wanted ? b : a + b;
    case GY_F_RELEASE:
    case GY_F_STRONG_RELEASE: // to fail it needs a moment without b
        return b;
    default: // always, eventually, next
        return a;
    }
}

typedef struct formula_guide {
    const gy_formula *formula;
    gy_atom_distances *distances;
} formula_guide;

static void add_atoms(gy_atom_distances *distances, const gy_formula *f)
{
    if (!f)
        return;
    if (f->op == GY_F_ATOM)
        gy_atom_distances_add(distances, f->atom);
    add_atoms(distances, f->a);
    add_atoms(distances, f->b);
}

static int64_t formula_value(const void *self, void *notebook, const gy_guided_state *at)
{
    const formula_guide *g = self;
    gy_state_view view;
    (void)notebook;
    gy_state_view_state(at->worker, at->state, at->words, &view);
    judging j = {g->distances, {at->worker, at->state, at->words, &view, -1}};
    return formula_distance(&j, g->formula, false);
}

gy_heuristic *gy_heuristic_formula(const gy_heuristic_context *c, const char **why)
{
    *why = "it needs --goal or a formula (--ltl)";
    if (!c->property || !c->property->formula)
        return NULL;
    formula_guide *g = GY_NEW(c->arena, formula_guide);
    *g = (formula_guide){c->property->formula, gy_atom_distances_new(c->model, c->arena)};
    add_atoms(g->distances, g->formula);
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = (gy_heuristic){.name = "formula", .self = g, .value = formula_value};
    return guide;
}

// ---- never claims --------------------------------------------------------------------------

typedef struct claim_guide {
    uint32_t *distance; // by node
    uint32_t nodes;
} claim_guide;

static int64_t claim_value(const void *self, void *notebook, const gy_guided_state *at)
{
    const claim_guide *g = self;
    (void)notebook;
    return at->observer < g->nodes ? g->distance[at->observer] : GY_HEURISTIC_FAR;
}

// Where the claim ends, or may stay for ever.
gy_heuristic *gy_heuristic_accepting(const gy_heuristic_context *c, const char **why)
{
    *why = "it needs a never claim";
    if (!c->property || c->property->claim < 0)
        return NULL;
    const gy_template *tmpl = &c->model->templates[c->property->claim];
    *why = "it needs a never claim without variables";
    if (tmpl->var_count > 0)
        return NULL;
    uint8_t *marked = gy_alloc_zero((size_t)tmpl->node_count + 1);
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        marked[n] = (tmpl->nodes[n].flags & (GY_NODE_ACCEPT | GY_NODE_FINAL)) != 0;
    claim_guide *g = GY_NEW(c->arena, claim_guide);
    g->distance = gy_flow_distances(c->model, tmpl, marked, c->arena);
    g->nodes = tmpl->node_count;
    free(marked);
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = (gy_heuristic){.name = "accepting", .self = g, .value = claim_value};
    return guide;
}
