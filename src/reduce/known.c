// Values that cannot change: constants, the pid, stable variables, and what is computed from them;
// for an edge in a given state, all variables that it has not stored into.
#include "reduce/footprint.h"

#include "exec/view.h"
#include "exec/vm/inline_fields.h"
#include "model/fold.h"

static bool known_variable(const gy_reduction *r, gy_who who, const gy_expr *expr, int32_t *value)
{
    const gy_variable *var = &r->model->vars[expr->var];
    int32_t element = 0;
    bool now = who.now && !who.now->written[expr->var];
    if ((!r->stable[expr->var] && !now) || var->hidden ||
        (expr->a && !gy_known_value(r, who, expr->a, &element)) || element < 0 ||
        (uint32_t)element >= var->count)
        return false;
    if (now) {
        *value = gy_get_var(var->owner == GY_NONE ? who.now->state : who.now->block, var,
                            (uint32_t)element);
        return true;
    }
    if (var->owner == GY_NONE) {
        *value = gy_state_view_global(r->model, r->start, expr->var, (uint32_t)element);
        return true;
    }
    int32_t local = expr->var - r->model->templates[var->owner].first_var;
    if (!who.values || var->is_array || !r->relevant[var->owner][local]) // it is not kept
        return false;
    *value = who.values[local];
    return true;
}

bool gy_known_value(const gy_reduction *r, gy_who who, const gy_expr *expr, int32_t *value)
{
    int32_t x, y;
    switch (expr->op) {
    case GY_E_CONST:
        *value = expr->value;
        return true;
    case GY_E_VAR:
        return known_variable(r, who, expr, value);
    case GY_E_EXCLUSIVE:
        return gy_known_value(r, who, expr->a, value);
    case GY_E_INDEX:
        return gy_known_value(r, who, expr->a, value) && *value >= 0 && *value < expr->value;
    case GY_E_PID:
        *value = who.pid;
        return who.pid >= 0;
    case GY_E_NOT:
        if (!gy_known_value(r, who, expr->a, &x))
            return false;
        *value = !x;
        return true;
    case GY_E_COND:
        return gy_known_value(r, who, expr->a, &x) &&
               gy_known_value(r, who, x ? expr->b : expr->c, value);
    default:
        if (expr->op < GY_E_ADD || expr->op > GY_E_OR)
            return false;
        return gy_known_value(r, who, expr->a, &x) && gy_known_value(r, who, expr->b, &y) &&
               gy_fold_binary(expr->op, x, y, value);
    }
}
