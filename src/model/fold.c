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
