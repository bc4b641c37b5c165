#include "model/fold.h"

bool gy_fold_binary(gy_expr_op op, int32_t x, int32_t y, int32_t *value)
{
    uint32_t u = (uint32_t)x, v = (uint32_t)y;
    switch (op) {
    case GY_E_ADD:
        return *value = (int32_t)(u + v), true;
    case GY_E_SUB:
        return *value = (int32_t)(u - v), true;
    case GY_E_MUL:
        return *value = (int32_t)(u * v), true;
    case GY_E_DIV:
        return y != 0 && (*value = (int32_t)(uint32_t)((int64_t)x / y), true);
    case GY_E_MOD:
        return y != 0 && (*value = (int32_t)((int64_t)x % y), true);
    case GY_E_BITAND:
        return *value = (int32_t)(u & v), true;
    case GY_E_BITOR:
        return *value = (int32_t)(u | v), true;
    case GY_E_BITXOR:
        return *value = (int32_t)(u ^ v), true;
    case GY_E_EQ:
        return *value = x == y, true;
    case GY_E_NE:
        return *value = x != y, true;
    case GY_E_LT:
        return *value = x < y, true;
    case GY_E_LE:
        return *value = x <= y, true;
    case GY_E_GT:
        return *value = x > y, true;
    case GY_E_GE:
        return *value = x >= y, true;
    default:
        return false;
    }
}

// Either side alone may decide.
static bool fold_logic(const gy_known_values *known, const gy_expr *expr, int32_t *value)
{
    int32_t a = 0, b = 0;
    bool is_and = expr->op == GY_E_AND;
    bool knows_a = gy_fold_known(known, expr->a, &a), knows_b = gy_fold_known(known, expr->b, &b);
    *value = !is_and;
    if ((knows_a && !a == is_and) || (knows_b && !b == is_and))
        return true;
    *value = is_and;
    return knows_a && knows_b;
}

bool gy_fold_known(const gy_known_values *known, const gy_expr *expr, int32_t *value)
{
    int32_t a, b;
    switch (expr->op) {
    case GY_E_CONST:
        *value = expr->value;
        return true;
    case GY_E_VAR:
        return !expr->a && known->variable(known->user, expr->var, value);
    case GY_E_PID:
        *value = known->pid;
        return true;
    case GY_E_NOT:
    case GY_E_NEG:
    case GY_E_COMPL:
        if (!gy_fold_known(known, expr->a, &a))
            return false;
        *value = expr->op == GY_E_NOT ? !a : expr->op == GY_E_NEG ? (int32_t)(0 - (uint32_t)a) : ~a;
        return true;
    case GY_E_AND:
    case GY_E_OR:
        return fold_logic(known, expr, value);
    case GY_E_COND:
        return gy_fold_known(known, expr->a, &a) &&
               gy_fold_known(known, a ? expr->b : expr->c, value);
    default:
        return expr->op >= GY_E_ADD && expr->op <= GY_E_NE && gy_fold_known(known, expr->a, &a) &&
               gy_fold_known(known, expr->b, &b) && gy_fold_binary(expr->op, a, b, value);
    }
}
