// Which edges cannot fail, by the values that their variables have where they begin.
#include "base/fatal.h"
#include "model/operators.h"
#include "model/passes/range_facts.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    const gy_ranging *r;
    int32_t tmpl;
} place;

static bool fails(place p, const gy_interval *env, const gy_expr *expr);

static bool is_within(gy_interval s, int32_t low, int32_t high)
{
    return s.low >= low && s.high <= high;
}

// The expression is computed only where the condition holds (or fails).
static bool fails_if(place p, const gy_interval *env, const gy_expr *condition, bool holds,
                     const gy_expr *expr)
{
    size_t bytes = p.r->width[p.tmpl] * sizeof *env;
    gy_interval *there = gy_alloc(bytes + 1);
    if (bytes)
        memcpy(there, env, bytes);
    bool found = gy_range_assume(p.r, p.tmpl, there, condition, holds) && fails(p, there, expr);
    free(there);
    return found;
}

static bool fails(place p, const gy_interval *env, const gy_expr *expr)
{
    if (!expr)
        return false;
    switch (expr->op) {
    case GY_E_CONST:
    case GY_E_PID:
    case GY_E_NR_PR:
    case GY_E_LAST:
    case GY_E_NP:
    case GY_E_TIMEOUT:
    case GY_E_PRIORITY:
        return false;
    case GY_E_VAR:
        return expr->a && (expr->a->op != GY_E_INDEX || fails(p, env, expr->a));
    case GY_E_INDEX:
        return fails(p, env, expr->a) ||
               !is_within(gy_range_of(p.r, p.tmpl, env, expr->a), 0, expr->value - 1);
    case GY_E_DIV:
    case GY_E_MOD: {
        gy_interval by = gy_range_of(p.r, p.tmpl, env, expr->b);
        return (by.low <= 0 && by.high >= 0) || fails(p, env, expr->a) || fails(p, env, expr->b);
    }
    case GY_E_AND:
    case GY_E_OR:
        return fails(p, env, expr->a) || fails_if(p, env, expr->a, expr->op == GY_E_AND, expr->b);
    case GY_E_COND:
        return fails(p, env, expr->a) || fails_if(p, env, expr->a, true, expr->b) ||
               fails_if(p, env, expr->a, false, expr->c);
    default: // others: channels, other processes, C
        return !gy_op_is_plain(expr->op) || fails(p, env, expr->a) || fails(p, env, expr->b);
    }
}

static bool action_fails(place p, const gy_interval *env, const gy_action *action)
{
    bool computes = action->kind == GY_A_ASSIGN || action->kind == GY_A_ASSERT ||
                    action->kind == GY_A_PRINTF || action->kind == GY_A_PRINTM;
    const gy_expr *index = action->index;
    if (!computes || fails(p, env, action->expr) || fails(p, env, index) ||
        (index && index->op != GY_E_INDEX && index->op != GY_E_CONST))
        return true;
    if (action->checked) {
        int32_t min, max;
        gy_type_range(p.r->model->vars[action->var].type, &min, &max);
        if (!is_within(gy_range_of(p.r, p.tmpl, env, action->expr), min, max))
            return true;
    }
    for (uint32_t f = 0; f < action->field_count; f++)
        if (fails(p, env, action->fields[f].expr))
            return true;
    return false;
}

bool gy_range_edge_can_fail(gy_ranging *r, const gy_edge *edge, gy_interval *env)
{
    place p = {r, edge->tmpl};
    const gy_program *effect = edge->effect;
    if (edge->sync != GY_SYNC_NONE || !gy_program_is_straight(effect) || fails(p, env, edge->guard))
        return true;
    if (edge->guard && !gy_range_assume(r, edge->tmpl, env, edge->guard, true))
        return false;
    for (uint32_t i = 0; effect && i < effect->count; i++) {
        gy_program step = {&effect->actions[i], 1};
        if (action_fails(p, env, &effect->actions[i]))
            return true;
        if (!gy_range_program(r, edge->tmpl, env, &step))
            return false;
    }
    return false;
}
