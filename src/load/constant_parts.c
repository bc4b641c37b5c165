// Each part without temporal operators is computed for all values that the types of its variables
// allow, if those are few; of a part that has too many, the parts of that.
#include "load/constant_parts.h"

#include "base/arena.h"
#include "model/atoms.h"

enum { MOST_VALUES = 1 << 16, MOST_VARIABLES = 4, MOST_WORK = 1 << 22 };

typedef struct valuation {
    const gy_model *model;
    int32_t var[MOST_VARIABLES], value[MOST_VARIABLES];
    int32_t min[MOST_VARIABLES], max[MOST_VARIABLES];
    uint32_t count;
    uint64_t size;  // how many valuations there are
    uint32_t *work; // propositions computed so far, in all of the formula
} valuation;

// ---- the variables of a part ----------------------------------------------------------------

static uint32_t place_of(const valuation *v, int32_t var)
{
    uint32_t i = 0;
    while (i < v->count && v->var[i] != var)
        i++;
    return i;
}

static bool add_variable(valuation *v, const gy_expr *expr)
{
    const gy_variable *var = &v->model->vars[expr->var];
    uint32_t at = place_of(v, expr->var);
    if (at < v->count)
        return true;
    if (expr->a || var->is_array || var->owner != GY_NONE || var->type.kind == GY_CHAN ||
        v->count == MOST_VARIABLES)
        return false;
    gy_type_range(var->type, &v->min[at], &v->max[at]);
    v->var[at] = expr->var;
    v->value[at] = v->min[at];
    v->count++;
    v->size *= (uint64_t)((int64_t)v->max[at] - v->min[at] + 1);
    return v->size <= MOST_VALUES;
}

static bool add_expr(valuation *v, const gy_expr *expr)
{
    if (!expr)
        return true;
    if (expr->op == GY_E_VAR)
        return add_variable(v, expr);
    bool computed = expr->op == GY_E_CONST || expr->op == GY_E_COND ||
                    (expr->op >= GY_E_NOT && expr->op <= GY_E_OR);
    return computed && add_expr(v, expr->a) && add_expr(v, expr->b) && add_expr(v, expr->c);
}

static bool is_plain(gy_formula_op op)
{
    return op <= GY_F_EQUIV;
}

static bool add_formula(valuation *v, const gy_formula *f)
{
    if (!f)
        return true;
    if (f->op == GY_F_ATOM)
        return add_expr(v, gy_atom_expr(v->model, f->atom));
    return is_plain(f->op) && add_formula(v, f->a) && add_formula(v, f->b);
}

// ---- its value ------------------------------------------------------------------------------

static bool compute(const valuation *v, const gy_expr *e, int32_t *out);

static bool compute_operands(const valuation *v, const gy_expr *e, int32_t *a, int32_t *b)
{
    return compute(v, e->a, a) && (!e->b || compute(v, e->b, b));
}

static bool compute_choice(const valuation *v, const gy_expr *e, int32_t *out)
{
    int32_t a;
    if (!compute(v, e->a, &a))
        return false;
    if (e->op == GY_E_COND)
        return compute(v, a ? e->b : e->c, out);
    *out = e->op == GY_E_OR; // `true ||`, `false &&`
    if ((a != 0) == (e->op == GY_E_OR))
        return true;
    if (!compute(v, e->b, &a))
        return false;
    *out = a != 0;
    return true;
}

static bool compute_operator(const gy_expr *e, int32_t a, int32_t b, int32_t *out)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (e->op) {
    case GY_E_NOT:
        return *out = !a, true;
    case GY_E_NEG:
        return *out = (int32_t)(0 - x), true;
    case GY_E_COMPL:
        return *out = ~a, true;
    case GY_E_ADD:
        return *out = (int32_t)(x + y), true;
    case GY_E_SUB:
        return *out = (int32_t)(x - y), true;
    case GY_E_MUL:
        return *out = (int32_t)(x * y), true;
    case GY_E_DIV:
        return b != 0 && b != -1 && (*out = a / b, true);
    case GY_E_MOD:
        return b != 0 && b != -1 && (*out = a % b, true);
    case GY_E_BITAND:
        return *out = a & b, true;
    case GY_E_BITOR:
        return *out = a | b, true;
    case GY_E_BITXOR:
        return *out = a ^ b, true;
    case GY_E_LT:
        return *out = a < b, true;
    case GY_E_LE:
        return *out = a <= b, true;
    case GY_E_GT:
        return *out = a > b, true;
    case GY_E_GE:
        return *out = a >= b, true;
    case GY_E_EQ:
        return *out = a == b, true;
    case GY_E_NE:
        return *out = a != b, true;
    default:
        return false; // shifts, by any number of bits
    }
}

// False: it has no value, or none that is known here.
static bool compute(const valuation *v, const gy_expr *e, int32_t *out)
{
    int32_t a = 0, b = 0;
    switch (e->op) {
    case GY_E_CONST:
        *out = e->value;
        return true;
    case GY_E_VAR:
        *out = v->value[place_of(v, e->var)];
        return true;
    case GY_E_AND:
    case GY_E_OR:
    case GY_E_COND:
        return compute_choice(v, e, out);
    default:
        return compute_operands(v, e, &a, &b) && compute_operator(e, a, b, out);
    }
}

static bool holds(const valuation *v, const gy_formula *f, bool *out)
{
    bool a = false, b = false;
    int32_t value = 0;
    if (f->op == GY_F_ATOM) {
        bool known = ++*v->work < MOST_WORK && compute(v, gy_atom_expr(v->model, f->atom), &value);
        *out = value != 0;
        return known;
    }
    if ((f->a && !holds(v, f->a, &a)) || (f->b && !holds(v, f->b, &b)))
        return false;
    *out = f->op == GY_F_TRUE      ? true
           : f->op == GY_F_FALSE   ? false
           : f->op == GY_F_NOT     ? !a
           : f->op == GY_F_AND     ? a && b
           : f->op == GY_F_OR      ? a || b
           : f->op == GY_F_IMPLIES ? !a || b
                                   : a == b;
    return true;
}

static bool next_valuation(valuation *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->value[i] < v->max[i]) {
            v->value[i]++;
            return true;
        }
        v->value[i] = v->min[i];
    }
    return false;
}

// GY_F_TRUE or GY_F_FALSE; GY_F_ATOM: neither, or not known.
static gy_formula_op constant_of(const gy_model *model, const gy_formula *f, uint32_t *work)
{
    valuation v = {.model = model, .size = 1, .work = work};
    bool first = false, now = false;
    if (!add_formula(&v, f) || v.count == 0 || !holds(&v, f, &first))
        return GY_F_ATOM;
    while (next_valuation(&v))
        if (!holds(&v, f, &now) || now != first)
            return GY_F_ATOM;
    return first ? GY_F_TRUE : GY_F_FALSE;
}

static gy_formula *fold(const gy_model *model, const gy_formula *f, uint32_t *work, bool *found)
{
    gy_formula *made = GY_NEW(model->arena, gy_formula);
    gy_formula_op constant = is_plain(f->op) ? constant_of(model, f, work) : GY_F_ATOM;
    *made = *f;
    if (constant != GY_F_ATOM) {
        *made = (gy_formula){.op = constant, .place = f->place};
        *found = true;
        return made;
    }
    made->a = f->a ? fold(model, f->a, work, found) : NULL;
    made->b = f->b ? fold(model, f->b, work, found) : NULL;
    return made;
}

gy_formula *gy_fold_constant_parts(const gy_model *model, const gy_formula *formula)
{
    uint32_t work = 0;
    bool found = false;
    gy_formula *made = fold(model, formula, &work, &found);
    return found ? made : NULL;
}
