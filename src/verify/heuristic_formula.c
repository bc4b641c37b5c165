// How far a state is from violating a formula: the distances of its parts, added up where all of
// them are needed, the least where one is enough (Edelkamp, Lluch Lafuente, Leue 2001). And how far
// a never claim is from where it accepts.
#include "model/atoms.h"
#include "model/operators.h"
#include "verify/heuristic_kinds.h"

enum { MOST = 1000 }; // of one comparison

static int64_t capped(int64_t distance)
{
    return distance < 0 ? -distance : distance > MOST ? MOST : distance;
}

// By control flow, the distances to a label that an expression names.
typedef struct label_distances {
    const gy_expr *expr;
    const uint32_t *distance; // by node
} label_distances;

typedef struct judging {
    const gy_model *model;
    const gy_guided_state *at;
    const gy_state_view *view;
    int32_t pid;
    const label_distances *labels;
    size_t label_count;
} judging;

static bool value_of(const judging *j, const gy_expr *expr, int32_t *value)
{
    return gy_state_view_eval(j->at->worker, j->at->state, j->at->words, j->pid, expr, value);
}

static int64_t truth(const judging *j, const gy_expr *expr, bool wanted)
{
    int32_t value;
    return value_of(j, expr, &value) && (value != 0) == wanted ? 0 : 1;
}

static int64_t compare(const judging *j, const gy_expr *expr, gy_expr_op op)
{
    int32_t a, b;
    if (!value_of(j, expr->a, &a) || !value_of(j, expr->b, &b))
        return 1;
    int64_t gap = (int64_t)a - b;
    switch (op) {
    case GY_E_EQ:
        return capped(gap < 0 ? -gap : gap);
    case GY_E_NE:
        return gap == 0;
    case GY_E_LT:
        return gap < 0 ? 0 : capped(gap + 1);
    case GY_E_LE:
        return gap <= 0 ? 0 : capped(gap);
    case GY_E_GT:
        return gap > 0 ? 0 : capped(1 - gap);
    default:
        return gap >= 0 ? 0 : capped(-gap);
    }
}

// To a label of another process: its control flow says.
static int64_t label_distance(const judging *j, const gy_expr *expr, bool wanted)
{
    const uint32_t *distance = NULL;
    int32_t pid = -1;
    for (size_t i = 0; i < j->label_count; i++)
        if (j->labels[i].expr == expr)
            distance = j->labels[i].distance;
    if (!wanted || !distance || (expr->a && !value_of(j, expr->a, &pid)))
        return truth(j, expr, wanted);
    int64_t least = GY_HEURISTIC_FAR;
    for (uint32_t p = 0; p < j->view->process_count; p++) {
        const gy_state_view_process *other = &j->view->processes[p];
        if (other->tmpl == expr->tmpl && (pid < 0 || (uint32_t)pid == p) &&
            distance[other->node] < least)
            least = distance[other->node];
    }
    return least;
}

static int64_t distance_of(const judging *j, const gy_expr *expr, bool wanted)
{
    int64_t a, b;
    int32_t value;
    switch (expr->op) {
    case GY_E_NOT:
        return distance_of(j, expr->a, !wanted);
    case GY_E_AND:
    case GY_E_OR:
        a = distance_of(j, expr->a, wanted);
        b = distance_of(j, expr->b, wanted);
        return (expr->op == GY_E_AND) == wanted ? a + b : a < b ? a : b;
    case GY_E_EQ:
    case GY_E_NE:
    case GY_E_LT:
    case GY_E_LE:
    case GY_E_GT:
    case GY_E_GE:
        return compare(j, expr, wanted ? expr->op : gy_op_negated(expr->op));
    case GY_E_COND:
        if (!value_of(j, expr->a, &value))
            return 1;
        return distance_of(j, value ? expr->b : expr->c, wanted);
    case GY_E_REMOTE_LABEL:
        return label_distance(j, expr, wanted);
    default:
        return truth(j, expr, wanted);
    }
}

int64_t gy_expr_distance(const gy_guided_state *at, const gy_state_view *view, int32_t pid,
                         const gy_expr *expr, bool wanted)
{
    judging j = {.at = at, .view = view, .pid = pid};
    return distance_of(&j, expr, wanted);
}

// ---- formulas ------------------------------------------------------------------------------

// From a state that makes it true, or false, now or later.
static int64_t formula_distance(const judging *j, const gy_formula *f, bool wanted)
{
    int64_t a = f->a && f->op != GY_F_ATOM ? formula_distance(j, f->a, wanted) : 0;
    int64_t b = f->b && f->op != GY_F_ATOM ? formula_distance(j, f->b, wanted) : 0;
    switch (f->op) {
    case GY_F_ATOM:
        return distance_of(j, gy_atom_expr(j->model, f->atom), wanted);
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
    const gy_model *model;
    const gy_formula *formula;
    label_distances *labels;
    size_t label_count;
} formula_guide;

typedef GY_VEC(label_distances) label_list;

static void list_labels(const gy_heuristic_context *c, const gy_expr *expr, label_list *list)
{
    if (!expr)
        return;
    if (expr->op == GY_E_REMOTE_LABEL) {
        const gy_template *tmpl = &c->model->templates[expr->tmpl];
        uint8_t *marked = gy_alloc_zero((size_t)tmpl->node_count + 1);
        marked[expr->node] = 1;
        label_distances new = {expr, gy_node_distances(c->model, tmpl, marked, c->arena)};
        free(marked);
        gy_vec_push(list, new);
    }
    list_labels(c, expr->a, list);
    list_labels(c, expr->b, list);
    list_labels(c, expr->c, list);
}

static void list_labels_of(const gy_heuristic_context *c, const gy_formula *f, label_list *list)
{
    if (!f)
        return;
    if (f->op == GY_F_ATOM) {
        list_labels(c, gy_atom_expr(c->model, f->atom), list);
        return;
    }
    list_labels_of(c, f->a, list);
    list_labels_of(c, f->b, list);
}

static int64_t formula_value(const void *self, void *notebook, const gy_guided_state *at)
{
    const formula_guide *g = self;
    gy_state_view view;
    (void)notebook;
    gy_state_view_state(at->worker, at->state, at->words, &view);
    judging j = {.model = g->model,
                 .at = at,
                 .view = &view,
                 .pid = -1,
                 .labels = g->labels,
                 .label_count = g->label_count};
    return formula_distance(&j, g->formula, false);
}

gy_heuristic *gy_heuristic_formula(const gy_heuristic_context *c, const char **why)
{
    *why = "it needs --goal or a formula (--ltl)";
    if (!c->property || !c->property->formula)
        return NULL;
    formula_guide *g = GY_NEW(c->arena, formula_guide);
    label_list labels = {0};
    list_labels_of(c, c->property->formula, &labels);
    *g = (formula_guide){
        .model = c->model, .formula = c->property->formula, .label_count = labels.n};
    g->labels = GY_NEW_ARRAY(c->arena, label_distances, labels.n + 1);
    if (labels.n)
        memcpy(g->labels, labels.at, labels.n * sizeof *labels.at);
    gy_vec_free(&labels);
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
    g->distance = gy_node_distances(c->model, tmpl, marked, c->arena);
    g->nodes = tmpl->node_count;
    free(marked);
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = (gy_heuristic){.name = "accepting", .self = g, .value = claim_value};
    return guide;
}
