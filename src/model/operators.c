#include "model/operators.h"

_Static_assert(GY_E_NE - GY_E_LT == 5 && GY_E_CAN_SEND - GY_E_LEN == 6 && GY_E_NE - GY_E_NOT == 18,
               "operators.h relies on the order of the operators");

bool gy_op_is_truth(gy_expr_op op)
{
    switch (op) {
    case GY_E_NOT:
    case GY_E_AND:
    case GY_E_OR:
    case GY_E_NP:
    case GY_E_TIMEOUT:
    case GY_E_ENABLED:
    case GY_E_REMOTE_LABEL:
        return true;
    default:
        return gy_op_is_comparison(op) || (gy_op_asks_channel(op) && op != GY_E_LEN);
    }
}

gy_expr_op gy_op_negated(gy_expr_op op)
{
    switch (op) {
    case GY_E_LT:
        return GY_E_GE;
    case GY_E_LE:
        return GY_E_GT;
    case GY_E_GT:
        return GY_E_LE;
    case GY_E_GE:
        return GY_E_LT;
    case GY_E_EQ:
        return GY_E_NE;
    default:
        return GY_E_EQ;
    }
}

gy_expr_op gy_op_mirrored(gy_expr_op op)
{
    switch (op) {
    case GY_E_LT:
        return GY_E_GT;
    case GY_E_LE:
        return GY_E_GE;
    case GY_E_GT:
        return GY_E_LT;
    case GY_E_GE:
        return GY_E_LE;
    default:
        return op;
    }
}
