// Expressions to bytecode: as a value on the stack, or as a branch.
//
// Constant parts are folded. Comparisons with a constant and the logical operators become
// fused jumps wherever only the truth of an expression matters (guards, options).
#include "exec/vm/emit.h"
#include "model/fold.h"
#include "model/operators.h"

static bool is_binary(gy_expr_op op)
{
    return op >= GY_E_ADD && op <= GY_E_NE;
}

static bool constant(const gy_expr *expr, int32_t *value)
{
    int32_t x, y;
    if (expr->op == GY_E_CONST)
        return *value = expr->value, true;
    if (expr->op == GY_E_NOT && constant(expr->a, &x))
        return *value = !x, true;
    if (expr->op == GY_E_NEG && constant(expr->a, &x))
        return *value = (int32_t) - (uint32_t)x, true;
    if (expr->op == GY_E_COMPL && constant(expr->a, &x))
        return *value = ~x, true;
    return is_binary(expr->op) && constant(expr->a, &x) && constant(expr->b, &y) &&
           gy_fold_binary(expr->op, x, y, value);
}

static gy_op binary_op(gy_expr_op op)
{
    static const gy_op table[] = {
        [GY_E_ADD - GY_E_ADD] = GY_OP_ADD,   [GY_E_SUB - GY_E_ADD] = GY_OP_SUB,
        [GY_E_MUL - GY_E_ADD] = GY_OP_MUL,   [GY_E_DIV - GY_E_ADD] = GY_OP_DIV,
        [GY_E_MOD - GY_E_ADD] = GY_OP_MOD,   [GY_E_BITAND - GY_E_ADD] = GY_OP_BAND,
        [GY_E_BITOR - GY_E_ADD] = GY_OP_BOR, [GY_E_BITXOR - GY_E_ADD] = GY_OP_BXOR,
        [GY_E_SHL - GY_E_ADD] = GY_OP_SHL,   [GY_E_SHR - GY_E_ADD] = GY_OP_SHR,
        [GY_E_LT - GY_E_ADD] = GY_OP_LT,     [GY_E_LE - GY_E_ADD] = GY_OP_LE,
        [GY_E_GT - GY_E_ADD] = GY_OP_GT,     [GY_E_GE - GY_E_ADD] = GY_OP_GE,
        [GY_E_EQ - GY_E_ADD] = GY_OP_EQ,     [GY_E_NE - GY_E_ADD] = GY_OP_NE,
    };
    return table[op - GY_E_ADD];
}

static void emit_binary(gy_emitter *e, const gy_expr *expr)
{
    int32_t k;
    gy_expr_op op = expr->op;
    const gy_expr *a = expr->a, *b = expr->b;
    if (constant(a, &k) && (gy_op_is_comparison(op) || op == GY_E_ADD)) {
        const gy_expr *swap = a;
        a = b;
        b = swap;
        op = gy_op_mirrored(op);
    }
    if (constant(b, &k) && (gy_op_is_comparison(op) || op == GY_E_ADD || op == GY_E_SUB)) {
        gy_emit_value(e, a);
        if (gy_op_is_comparison(op))
            gy_emit(e, GY_OP_LTK + (op - GY_E_LT), 0, 0, k);
        else
            gy_emit(e, GY_OP_ADDK, 0, 0, op == GY_E_ADD ? k : (int32_t) - (uint32_t)k);
        return;
    }
    gy_emit_value(e, a);
    gy_emit_value(e, b);
    uint32_t at = gy_emit(e, binary_op(op), 0, 0, 0);
    if (op == GY_E_DIV || op == GY_E_MOD)
        gy_emit_note(e, at, expr, NULL, GY_NONE);
}

// A value by way of a branch: && and || and ?:.
static void emit_logical(gy_emitter *e, const gy_expr *expr)
{
    gy_jumps is_false = {0};
    gy_emit_branch(e, expr->op == GY_E_COND ? expr->a : expr, false, &is_false);
    if (expr->op == GY_E_COND)
        gy_emit_value(e, expr->b);
    else
        gy_emit(e, GY_OP_K, 0, 0, 1);
    uint32_t end = gy_emit(e, GY_OP_JMP, 0, 0, 0);
    e->height--;
    gy_patch_all(e, &is_false, gy_here(e));
    if (expr->op == GY_E_COND)
        gy_emit_value(e, expr->c);
    else
        gy_emit(e, GY_OP_K, 0, 0, 0);
    gy_patch(e, end, gy_here(e));
}

uint32_t gy_emit_matches(gy_emitter *e, const gy_field *fields, uint32_t count)
{
    uint32_t list = (uint32_t)e->code->lists.n;
    uint16_t matches = 0;
    for (uint32_t f = 0; f < count; f++)
        matches = (uint16_t)(matches + (fields[f].kind == GY_FIELD_MATCH));
    gy_vec_push(&e->code->lists, matches);
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH)
            gy_vec_push(&e->code->lists, (uint16_t)f);
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH)
            gy_emit_value(e, fields[f].expr);
    return list;
}

static void emit_poll(gy_emitter *e, const gy_expr *expr)
{
    gy_emit_value(e, expr->a);
    uint32_t list = gy_emit_matches(e, expr->args, expr->arg_count);
    int32_t matches = e->code->lists.at[list];
    uint32_t at = gy_emit_by(e, GY_OP_POLL, expr->random, 0, (int32_t)list, -matches);
    gy_emit_note(e, at, expr, NULL, GY_NONE);
}

// The claims, by their numbers in the model.
static void emit_exclusive(gy_emitter *e, const gy_expr *expr)
{
    uint32_t list = (uint32_t)e->code->lists.n;
    gy_vec_push(&e->code->lists, (uint16_t)expr->arg_count);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        gy_vec_push(&e->code->lists, (uint16_t)expr->args[i].expr->value);
    gy_emit_value(e, expr->a);
    gy_emit(e, GY_OP_EXCLUSIVE, 0, 0, (int32_t)list);
}

static void emit_remote(gy_emitter *e, const gy_expr *expr)
{
    if (expr->a)
        gy_emit_value(e, expr->a);
    else
        gy_emit(e, GY_OP_K, 0, 0, -1);
    uint32_t at;
    if (expr->op == GY_E_REMOTE_LABEL)
        at = gy_emit(e, GY_OP_ATLABEL, 0, (uint32_t)expr->tmpl, expr->node);
    else {
        if (expr->b)
            gy_emit_value(e, expr->b);
        else
            gy_emit(e, GY_OP_K, 0, 0, 0);
        at = gy_emit(e, GY_OP_REMOTE, !expr->a, (uint32_t)expr->tmpl, expr->var);
    }
    gy_emit_note(e, at, expr, NULL, GY_NONE);
}

// Instructions with one operand on the stack, or none.
static void emit_simple(gy_emitter *e, const gy_expr *expr)
{
    static const gy_op table[GY_E_COUNT] = {
        [GY_E_NOT] = GY_OP_NOT,
        [GY_E_NEG] = GY_OP_NEG,
        [GY_E_COMPL] = GY_OP_COMPL,
        [GY_E_LEN] = GY_OP_LEN,
        [GY_E_EMPTY] = GY_OP_EMPTY,
        [GY_E_NEMPTY] = GY_OP_NEMPTY,
        [GY_E_FULL] = GY_OP_FULL,
        [GY_E_NFULL] = GY_OP_NFULL,
        [GY_E_CAN_SEND] = GY_OP_CANSEND,
        [GY_E_PID] = GY_OP_PID,
        [GY_E_NR_PR] = GY_OP_NRPR,
        [GY_E_LAST] = GY_OP_LAST,
        [GY_E_NP] = GY_OP_NP,
        [GY_E_TIMEOUT] = GY_OP_TIMEOUT,
        [GY_E_ENABLED] = GY_OP_ENABLED,
        [GY_E_PC_VALUE] = GY_OP_PCVAL,
        [GY_E_GET_PRIORITY] = GY_OP_GETPRIO,
        [GY_E_PRIORITY] = GY_OP_PRIO,
    };
    if (expr->a)
        gy_emit_value(e, expr->a);
    gy_op op = table[expr->op];
    uint32_t at = gy_emit(e, op, 0, 0, 0);
    if ((op >= GY_OP_LEN && op <= GY_OP_CANSEND) || op == GY_OP_ENABLED)
        gy_emit_note(e, at, expr, NULL, GY_NONE);
}

void gy_emit_value(gy_emitter *e, const gy_expr *expr)
{
    int32_t k;
    if (constant(expr, &k)) {
        gy_emit(e, GY_OP_K, 0, 0, k);
        return;
    }
    switch (expr->op) {
    case GY_E_VAR:
        gy_emit_load(e, expr->var, expr->a);
        break;
    case GY_E_INDEX: {
        gy_emit_value(e, expr->a);
        uint32_t at = gy_emit(e, GY_OP_INDEX, 0, 0, expr->value);
        gy_emit_note(e, at, expr, NULL, GY_NONE);
        break;
    }
    case GY_E_EXCLUSIVE:
        emit_exclusive(e, expr);
        break;
    case GY_E_AND:
    case GY_E_OR:
    case GY_E_COND:
        emit_logical(e, expr);
        break;
    case GY_E_POLL:
        emit_poll(e, expr);
        break;
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
        emit_remote(e, expr);
        break;
    case GY_E_C: {
        uint32_t at = gy_emit_by(e, GY_OP_CCODE, 1, 0, expr->c_block ? expr->c_block->id : 0, 1);
        gy_emit_note(e, at, expr, NULL, GY_NONE);
        break;
    }
    default:
        if (is_binary(expr->op))
            emit_binary(e, expr);
        else
            emit_simple(e, expr);
    }
}

static void emit_comparison_branch(gy_emitter *e, const gy_expr *expr, bool sense, gy_jumps *jumps)
{
    const gy_expr *a = expr->a, *b = expr->b;
    gy_expr_op op = expr->op;
    int32_t k;
    if (constant(a, &k)) {
        const gy_expr *swap = a;
        a = b;
        b = swap;
        op = gy_op_mirrored(op);
    }
    if (!sense)
        op = gy_op_negated(op);
    gy_emit_value(e, a);
    if (constant(b, &k)) {
        gy_vec_push(jumps, gy_emit_jump_k(e, GY_OP_JLTK + (op - GY_E_LT), k));
        return;
    }
    gy_emit_value(e, b);
    gy_vec_push(jumps, gy_emit(e, GY_OP_JLT + (op - GY_E_LT), 0, 0, 0));
}

void gy_emit_branch(gy_emitter *e, const gy_expr *expr, bool sense, gy_jumps *jumps)
{
    int32_t k;
    if (constant(expr, &k)) {
        if ((k != 0) == sense)
            gy_vec_push(jumps, gy_emit(e, GY_OP_JMP, 0, 0, 0));
        return;
    }
    if (expr->op == GY_E_NOT) {
        gy_emit_branch(e, expr->a, !sense, jumps);
        return;
    }
    if (expr->op == GY_E_AND || expr->op == GY_E_OR) {
        // && jumps as soon as one is false, || as soon as one is true
        if ((expr->op == GY_E_OR) == sense) {
            gy_emit_branch(e, expr->a, sense, jumps);
            gy_emit_branch(e, expr->b, sense, jumps);
        } else {
            gy_jumps skip = {0};
            gy_emit_branch(e, expr->a, !sense, &skip);
            gy_emit_branch(e, expr->b, sense, jumps);
            gy_patch_all(e, &skip, gy_here(e));
        }
        return;
    }
    if (gy_op_is_comparison(expr->op)) {
        // (a == b) == 1 and the like: the inner comparison decides
        if (constant(expr->b, &k) && (k == 0 || k == 1) && gy_op_is_truth(expr->a->op) &&
            (expr->op == GY_E_EQ || expr->op == GY_E_NE)) {
            bool same = (expr->op == GY_E_EQ) == (k == 1);
            gy_emit_branch(e, expr->a, same ? sense : !sense, jumps);
            return;
        }
        emit_comparison_branch(e, expr, sense, jumps);
        return;
    }
    gy_emit_value(e, expr);
    gy_vec_push(jumps, gy_emit(e, sense ? GY_OP_JNZ : GY_OP_JZ, 0, 0, 0));
}
