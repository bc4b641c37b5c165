// Spans of expressions, and what a condition says about the variables in it.
#include "model/operators.h"
#include "model/passes/range_facts.h"

static gy_interval truth(void)
{
    return (gy_interval){0, 1};
}

static bool excludes_zero(gy_interval s)
{
    return s.low > 0 || s.high < 0;
}

static bool is_zero(gy_interval s)
{
    return s.low == 0 && s.high == 0;
}

static gy_interval type_span(gy_type type)
{
    gy_interval range;
    gy_type_range(type, &range.low, &range.high);
    return range;
}

static gy_interval of_variable(const gy_ranging *r, int32_t tmpl, const gy_interval *env,
                               int32_t var)
{
    const gy_variable *v = &r->model->vars[var];
    if (!env || !gy_is_tracked(r, tmpl, var))
        return gy_interval_join(type_span(v->type), gy_interval_of(0));
    return env[gy_env_index(r, tmpl, var)];
}

static gy_interval of_length(const gy_ranging *r)
{
    gy_interval length = {0, 1};
    for (uint32_t t = 0; t < r->model->channel_type_count; t++)
        length =
            gy_interval_join(length, gy_interval_of((int32_t)r->model->channel_types[t].capacity));
    return length;
}

gy_interval gy_range_of(const gy_ranging *r, int32_t tmpl, const gy_interval *env,
                        const gy_expr *expr)
{
    switch (expr->op) {
    case GY_E_CONST:
        return gy_interval_of(expr->value);
    case GY_E_VAR:
        return of_variable(r, tmpl, env, expr->var);
    case GY_E_EXCLUSIVE:
        return gy_range_of(r, tmpl, env, expr->a);
    case GY_E_INDEX:
        return gy_interval_meet(gy_range_of(r, tmpl, env, expr->a),
                                (gy_interval){0, expr->value - 1});
    case GY_E_NOT:
    case GY_E_NEG:
    case GY_E_COMPL:
        return gy_interval_unary(expr->op, gy_range_of(r, tmpl, env, expr->a));
    case GY_E_COND: {
        gy_interval a = gy_range_of(r, tmpl, env, expr->a), b = gy_range_of(r, tmpl, env, expr->b),
                    c = gy_range_of(r, tmpl, env, expr->c);
        return excludes_zero(a) ? b : is_zero(a) ? c : gy_interval_join(b, c);
    }
    case GY_E_LEN:
        return of_length(r);
    case GY_E_EMPTY:
    case GY_E_NEMPTY:
    case GY_E_FULL:
    case GY_E_NFULL:
    case GY_E_POLL:
    case GY_E_CAN_SEND:
    case GY_E_NP:
    case GY_E_TIMEOUT:
    case GY_E_ENABLED:
    case GY_E_REMOTE_LABEL:
        return truth();
    case GY_E_PID:
        return tmpl == GY_NONE ? (gy_interval){-1, 255} : r->pid[tmpl];
    case GY_E_NR_PR:
        return r->live;
    case GY_E_LAST:
    case GY_E_GET_PRIORITY:
    case GY_E_PRIORITY:
        return (gy_interval){0, 255};
    case GY_E_REMOTE_VAR: // 0 if the process is gone
        return gy_interval_join(r->now.var[expr->var], gy_interval_of(0));
    case GY_E_PC_VALUE:
    case GY_E_C:
    case GY_E_COUNT:
        return GY_INTERVAL_ALL;
    default:
        return gy_interval_binary(expr->op, gy_range_of(r, tmpl, env, expr->a),
                                  gy_range_of(r, tmpl, env, expr->b));
    }
}

// ---- conditions -------------------------------------------------------------------------

// The expression's value is in `values`. False: that cannot be.
static bool narrow(const gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_expr *expr,
                   gy_interval values)
{
    if (gy_interval_is_empty(values))
        return false;
    if (expr->op == GY_E_VAR && !expr->a && r->model->vars[expr->var].count == 1 &&
        gy_is_tracked(r, tmpl, expr->var)) {
        gy_interval *cell = &env[gy_env_index(r, tmpl, expr->var)];
        *cell = gy_interval_meet(*cell, values);
        return !gy_interval_is_empty(*cell);
    }
    bool adds = expr->op == GY_E_ADD, subtracts = expr->op == GY_E_SUB;
    if ((adds || subtracts) && expr->b->op == GY_E_CONST) { // unless it may wrap around
        gy_interval before = gy_range_of(r, tmpl, env, expr->a);
        int64_t by = adds ? expr->b->value : -(int64_t)expr->b->value;
        int64_t low = (int64_t)values.low - by, high = (int64_t)values.high - by;
        bool wraps = before.low + by < INT32_MIN || before.high + by > INT32_MAX;
        low = low < INT32_MIN ? INT32_MIN : low;
        high = high > INT32_MAX ? INT32_MAX : high;
        if (!wraps)
            return low <= high &&
                   narrow(r, tmpl, env, expr->a, (gy_interval){(int32_t)low, (int32_t)high});
    }
    return true;
}

static bool assume_comparison(const gy_ranging *r, int32_t tmpl, gy_interval *env,
                              const gy_expr *expr, gy_expr_op op)
{
    gy_interval a = gy_range_of(r, tmpl, env, expr->a), b = gy_range_of(r, tmpl, env, expr->b);
    return narrow(r, tmpl, env, expr->a, gy_interval_restrict(op, a, b)) &&
           narrow(r, tmpl, env, expr->b, gy_interval_restrict(gy_op_mirrored(op), b, a));
}

// `a && b` holds, or `a || b` fails: both sides do. Otherwise one of them does, and that is of
// use only if the other one is known not to.
static bool assume_both(const gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_expr *expr,
                        bool holds)
{
    if (holds == (expr->op == GY_E_AND))
        return gy_range_assume(r, tmpl, env, expr->a, holds) &&
               gy_range_assume(r, tmpl, env, expr->b, holds);
    gy_interval a = gy_range_of(r, tmpl, env, expr->a), b = gy_range_of(r, tmpl, env, expr->b);
    bool not_a = holds ? is_zero(a) : excludes_zero(a),
         not_b = holds ? is_zero(b) : excludes_zero(b);
    if (not_a)
        return gy_range_assume(r, tmpl, env, expr->b, holds);
    return !not_b || gy_range_assume(r, tmpl, env, expr->a, holds);
}

bool gy_range_assume(const gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_expr *expr,
                     bool holds)
{
    if (expr->op == GY_E_NOT)
        return gy_range_assume(r, tmpl, env, expr->a, !holds);
    if (expr->op == GY_E_AND || expr->op == GY_E_OR)
        return assume_both(r, tmpl, env, expr, holds);
    if (gy_op_is_comparison(expr->op))
        return assume_comparison(r, tmpl, env, expr, holds ? expr->op : gy_op_negated(expr->op));
    gy_interval value = gy_range_of(r, tmpl, env, expr);
    return narrow(r, tmpl, env, expr,
                  gy_interval_restrict(holds ? GY_E_NE : GY_E_EQ, value, gy_interval_of(0)));
}
