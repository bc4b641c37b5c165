// The distance of an expression is computed from its parts: added up where all are needed, the
// least where one is enough; of a comparison, the gap between its sides.
#include "exec/atom_distance.h"

#include "model/atoms.h"
#include "model/flow_distance.h"
#include "model/operators.h"

enum { MOST = 1000 }; // of one comparison

// By control flow, the distances to a label that an expression names.
typedef struct label_distances {
    const gy_expr *expr;
    const uint32_t *distance; // by node
    const struct label_distances *next;
} label_distances;

struct gy_atom_distances {
    const gy_model *model;
    gy_arena *arena;
    const label_distances *labels;
};

typedef struct asking {
    const gy_atom_distances *distances;
    const gy_distance_point *at;
} asking;

static int64_t capped(int64_t distance)
{
    return distance < 0 ? -distance : distance > MOST ? MOST : distance;
}

static bool value_of(const asking *j, const gy_expr *expr, int32_t *value)
{
    const gy_distance_point *at = j->at;
    return gy_state_view_eval(at->worker, at->state, at->words, at->pid, expr, value);
}

static int64_t truth(const asking *j, const gy_expr *expr, bool wanted)
{
    int32_t value;
    return value_of(j, expr, &value) && (value != 0) == wanted ? 0 : 1;
}

static int64_t compare(const asking *j, const gy_expr *expr, gy_expr_op op)
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
static int64_t label_distance(const asking *j, const gy_expr *expr, bool wanted)
{
    const uint32_t *distance = NULL;
    int32_t pid = -1;
    for (const label_distances *l = j->distances->labels; l && !distance; l = l->next)
        if (l->expr == expr)
            distance = l->distance;
    if (!wanted || !distance || (expr->a && !value_of(j, expr->a, &pid)))
        return truth(j, expr, wanted);
    int64_t least = GY_FLOW_FAR;
    for (uint32_t p = 0; p < j->at->view->process_count; p++) {
        const gy_state_view_process *other = &j->at->view->processes[p];
        if (other->tmpl == expr->tmpl && (pid < 0 || (uint32_t)pid == p) &&
            distance[other->node] < least)
            least = distance[other->node];
    }
    return least;
}

static int64_t distance_of(const asking *j, const gy_expr *expr, bool wanted)
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

int64_t gy_atom_distance(const gy_atom_distances *distances, const gy_distance_point *at,
                         gy_atom atom, bool wanted)
{
    asking j = {distances, at};
    return distance_of(&j, gy_atom_expr(distances->model, atom), wanted);
}

// ---- labels of other processes ---------------------------------------------------------------

static void list_labels(gy_atom_distances *d, const gy_expr *expr)
{
    if (!expr)
        return;
    if (expr->op == GY_E_REMOTE_LABEL) {
        const gy_template *tmpl = &d->model->templates[expr->tmpl];
        label_distances *new = GY_NEW(d->arena, label_distances);
        *new = (label_distances){expr, gy_flow_distances_to(d->model, tmpl, expr->node, d->arena),
                                 d->labels};
        d->labels = new;
    }
    list_labels(d, expr->a);
    list_labels(d, expr->b);
    list_labels(d, expr->c);
}

void gy_atom_distances_add(gy_atom_distances *distances, gy_atom atom)
{
    list_labels(distances, gy_atom_expr(distances->model, atom));
}

gy_atom_distances *gy_atom_distances_new(const gy_model *model, gy_arena *arena)
{
    gy_atom_distances *distances = GY_NEW(arena, gy_atom_distances);
    distances->model = model;
    distances->arena = arena;
    return distances;
}
