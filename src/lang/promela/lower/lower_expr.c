// Expressions, references and message fields.
#include "lang/promela/lower/lower_internal.h"

#include <string.h>

gy_expr *new_expr(lowering *l, gy_expr_op op, gy_location place)
{
    return gy_expr_new(l->arena, op, place);
}

gy_expr *new_const(lowering *l, gy_location place, int32_t value)
{
    gy_expr *expr = new_expr(l, GY_E_CONST, place);
    expr->value = value;
    return expr;
}

static gy_expr *binary(lowering *l, gy_expr_op op, gy_location place, gy_expr *a, gy_expr *b)
{
    gy_expr *expr = new_expr(l, op, place);
    expr->a = a;
    expr->b = b;
    return expr;
}

// An index within bounds: checked at run time unless it is a constant that fits.
static gy_expr *checked(lowering *l, gy_expr *index, uint32_t count)
{
    if (index->op == GY_E_CONST && index->value >= 0 && (uint32_t)index->value < count)
        return index;
    gy_expr *expr = new_expr(l, GY_E_INDEX, index->place);
    expr->a = index;
    expr->value = (int32_t)count;
    return expr;
}

// index * count + inner, folded where both are constants
static gy_expr *scaled(lowering *l, gy_expr *index, uint32_t count, gy_expr *inner)
{
    if (!index)
        return inner;
    if (index->op == GY_E_CONST && inner->op == GY_E_CONST)
        return new_const(l, inner->place, index->value * (int32_t)count + inner->value);
    gy_expr *product = index->op == GY_E_CONST
                           ? new_const(l, index->place, index->value * (int32_t)count)
                           : (count == 1 ? index
                                         : binary(l, GY_E_MUL, index->place, index,
                                                  new_const(l, index->place, (int32_t)count)));
    return binary(l, GY_E_ADD, inner->place, product, inner);
}

// ---- references -----------------------------------------------------------------------

static lowered_var *walk_ref(lowering *l, const pml_ref *ref, gy_expr **index)
{
    lowered_var *lowered = NULL;
    *index = NULL;
    for (uint32_t i = 0; i < ref->part_count; i++) {
        const pml_ref_part *part = &ref->parts[i];
        lowered = i == 0 ? part->var->lowered : lowered->members[part->var->index];
        if (!part->var->is_array)
            continue;
        gy_expr *own = part->index ? checked(l, lower_expr(l, part->index), part->var->count)
                                   : new_const(l, part->place, 0);
        *index = scaled(l, *index, part->var->count, own);
    }
    return lowered;
}

int32_t lower_ref(lowering *l, const pml_ref *ref, gy_expr **index)
{
    return walk_ref(l, ref, index)->var;
}

static void leaves_below(lowering *l, const lowered_var *lowered, gy_expr *index, gy_location place,
                         leaf_list *leaves)
{
    if (lowered->var != GY_NONE) {
        leaf one = {lowered->var, index};
        gy_vec_push(leaves, one);
        return;
    }
    const pml_typedef *record = lowered->decl->type.record;
    for (uint32_t m = 0; m < record->member_count; m++) {
        const pml_var *member = record->members[m];
        for (uint32_t i = 0; i < (member->is_array ? member->count : 1); i++) {
            gy_expr *inner = index;
            if (member->is_array)
                inner = scaled(l, index, member->count, new_const(l, place, (int32_t)i));
            leaves_below(l, lowered->members[m], inner, place, leaves);
        }
    }
}

void lower_leaves(lowering *l, const pml_ref *ref, leaf_list *leaves)
{
    gy_expr *index;
    lowered_var *lowered = walk_ref(l, ref, &index);
    leaves_below(l, lowered, index, ref->parts[0].place, leaves);
}

static gy_expr *leaf_expr(lowering *l, const leaf *at, gy_location place)
{
    gy_expr *expr = new_expr(l, GY_E_VAR, place);
    expr->var = at->var;
    expr->a = at->index;
    return expr;
}

static gy_expr *lower_builtin(lowering *l, const pml_var *var, gy_location place)
{
    switch (var->builtin) {
    case PML_BI_PID:
        return new_expr(l, GY_E_PID, place);
    case PML_BI_LAST:
        return new_expr(l, GY_E_LAST, place);
    case PML_BI_NR_PR:
        return new_expr(l, GY_E_NR_PR, place);
    case PML_BI_PRIORITY:
        return l->model->uses_priority ? new_expr(l, GY_E_PRIORITY, place) : new_const(l, place, 1);
    default:
        return new_const(l, place, 0);
    }
}

static gy_expr *lower_ref_expr(lowering *l, const pml_ref *ref, gy_location place)
{
    if (ref->parts[0].var->role == PML_VAR_BUILTIN)
        return lower_builtin(l, ref->parts[0].var, place);
    gy_expr *expr = new_expr(l, GY_E_VAR, place);
    expr->var = lower_ref(l, ref, &expr->a);
    return expr;
}

// ---- message fields -------------------------------------------------------------------

static bool is_variable(const pml_expr *arg)
{
    return arg->kind == PML_X_VAR && arg->ref.parts[0].var->role != PML_VAR_BUILTIN;
}

static gy_field *keep_fields(lowering *l, field_list *fields, uint32_t *count)
{
    gy_field *kept = GY_NEW_ARRAY(l->arena, gy_field, fields->n);
    if (fields->n)
        memcpy(kept, fields->at, fields->n * sizeof *kept);
    *count = (uint32_t)fields->n;
    gy_vec_free(fields);
    return kept;
}

gy_field *lower_send_fields(lowering *l, pml_expr *const *args, uint32_t n, uint32_t *count)
{
    field_list fields = {0};
    for (uint32_t i = 0; i < n; i++) {
        gy_field field = {.kind = GY_FIELD_VALUE, .var = GY_NONE};
        if (args[i]->kind == PML_X_VAR && args[i]->ref.parts[0].var->builtin == PML_BI_UNDERSCORE) {
            field.kind = GY_FIELD_IGNORE; // in a trace: any value
            gy_vec_push(&fields, field);
            continue;
        }
        if (!is_variable(args[i])) {
            field.expr = lower_expr(l, args[i]);
            gy_vec_push(&fields, field);
            continue;
        }
        leaf_list leaves = {0};
        lower_leaves(l, &args[i]->ref, &leaves);
        for (size_t j = 0; j < leaves.n; j++) {
            field.expr = leaf_expr(l, &leaves.at[j], args[i]->place);
            gy_vec_push(&fields, field);
        }
        gy_vec_free(&leaves);
    }
    return keep_fields(l, &fields, count);
}

gy_field *lower_recv_fields(lowering *l, pml_expr *const *args, uint32_t n, uint32_t *count)
{
    field_list fields = {0};
    for (uint32_t i = 0; i < n; i++) {
        const pml_expr *arg = args[i];
        gy_field field = {.var = GY_NONE};
        if (arg->kind == PML_X_VAR && arg->ref.parts[0].var->builtin == PML_BI_UNDERSCORE) {
            field.kind = GY_FIELD_IGNORE;
            gy_vec_push(&fields, field);
        } else if (is_variable(arg)) {
            leaf_list leaves = {0};
            lower_leaves(l, &arg->ref, &leaves);
            for (size_t j = 0; j < leaves.n; j++) {
                field.kind = GY_FIELD_STORE;
                field.var = leaves.at[j].var;
                field.index = leaves.at[j].index;
                gy_vec_push(&fields, field);
            }
            gy_vec_free(&leaves);
        } else {
            field.kind = GY_FIELD_MATCH;
            field.expr = lower_expr(l, arg->kind == PML_X_EVAL ? arg->a : arg);
            gy_vec_push(&fields, field);
        }
    }
    return keep_fields(l, &fields, count);
}

// ---- expressions ----------------------------------------------------------------------

gy_c_code *lower_c(lowering *l, const pml_c_block *block)
{
    gy_c_code *code = GY_NEW(l->arena, gy_c_code);
    code->code = block->code;
    code->precondition = block->precondition;
    code->place = block->place;
    code->id = (int32_t)l->c_codes.n;
    gy_vec_push(&l->c_codes, code);
    return code;
}

static gy_expr_op operator_of(pml_expr_kind kind)
{
    switch (kind) {
    case PML_X_NOT:
        return GY_E_NOT;
    case PML_X_NEG:
        return GY_E_NEG;
    case PML_X_COMPL:
        return GY_E_COMPL;
    case PML_X_ADD:
        return GY_E_ADD;
    case PML_X_SUB:
        return GY_E_SUB;
    case PML_X_MUL:
        return GY_E_MUL;
    case PML_X_DIV:
        return GY_E_DIV;
    case PML_X_MOD:
        return GY_E_MOD;
    case PML_X_BITAND:
        return GY_E_BITAND;
    case PML_X_BITOR:
        return GY_E_BITOR;
    case PML_X_BITXOR:
        return GY_E_BITXOR;
    case PML_X_SHL:
        return GY_E_SHL;
    case PML_X_SHR:
        return GY_E_SHR;
    case PML_X_LT:
        return GY_E_LT;
    case PML_X_LE:
        return GY_E_LE;
    case PML_X_GT:
        return GY_E_GT;
    case PML_X_GE:
        return GY_E_GE;
    case PML_X_EQ:
        return GY_E_EQ;
    case PML_X_NE:
        return GY_E_NE;
    case PML_X_AND:
        return GY_E_AND;
    case PML_X_OR:
        return GY_E_OR;
    case PML_X_COND:
        return GY_E_COND;
    case PML_X_LEN:
        return GY_E_LEN;
    case PML_X_EMPTY:
        return GY_E_EMPTY;
    case PML_X_NEMPTY:
        return GY_E_NEMPTY;
    case PML_X_FULL:
        return GY_E_FULL;
    case PML_X_NFULL:
        return GY_E_NFULL;
    case PML_X_ENABLED:
        return GY_E_ENABLED;
    case PML_X_PC_VALUE:
        return GY_E_PC_VALUE;
    case PML_X_GET_PRIORITY:
        return GY_E_GET_PRIORITY;
    case PML_X_TIMEOUT:
        return GY_E_TIMEOUT;
    case PML_X_NP:
        return GY_E_NP;
    default:
        return GY_E_COUNT;
    }
}

static gy_expr *lower_remote(lowering *l, const pml_expr *expr)
{
    bool label = expr->kind == PML_X_REMOTE_LABEL;
    gy_expr *remote = new_expr(l, label ? GY_E_REMOTE_LABEL : GY_E_REMOTE_VAR, expr->place);
    remote->tmpl = (int32_t)expr->proc->index;
    remote->a = expr->a ? lower_expr(l, expr->a) : NULL;
    if (label) {
        pending_label pending = {remote, expr->label};
        gy_vec_push(&l->pending, pending);
    } else {
        remote->var = lower_ref(l, &expr->ref, &remote->b);
    }
    return remote;
}

// All priorities are 1: that of a process is whether there is one.
static gy_expr *lower_get_priority(lowering *l, const pml_expr *expr)
{
    gy_expr *both = new_expr(l, GY_E_AND, expr->place);
    both->a = new_expr(l, GY_E_GE, expr->place);
    both->a->a = lower_expr(l, expr->a);
    both->a->b = new_const(l, expr->place, 0);
    both->b = new_expr(l, GY_E_LT, expr->place);
    both->b->a = lower_expr(l, expr->a);
    both->b->b = new_expr(l, GY_E_NR_PR, expr->place);
    return both;
}

gy_expr *lower_expr(lowering *l, const pml_expr *expr)
{
    gy_expr *lowered;
    switch (expr->kind) {
    case PML_X_NUMBER:
        return new_const(l, expr->place, (int32_t)expr->value);
    case PML_X_VAR:
        return lower_ref_expr(l, &expr->ref, expr->place);
    case PML_X_EVAL:
        return lower_expr(l, expr->a);
    case PML_X_GET_PRIORITY:
        if (!l->model->uses_priority)
            return lower_get_priority(l, expr);
        break;
    case PML_X_LEN:
    case PML_X_EMPTY:
    case PML_X_NEMPTY:
    case PML_X_FULL:
    case PML_X_NFULL:
        lowered = new_expr(l, operator_of(expr->kind), expr->place);
        lowered->a = lower_ref_expr(l, &expr->ref, expr->place);
        return lowered;
    case PML_X_POLL:
        lowered = new_expr(l, GY_E_POLL, expr->place);
        lowered->a = lower_ref_expr(l, &expr->ref, expr->place);
        lowered->random = expr->random;
        lowered->args = lower_recv_fields(l, expr->args, expr->arg_count, &lowered->arg_count);
        return lowered;
    case PML_X_REMOTE_LABEL:
    case PML_X_REMOTE_VAR:
        return lower_remote(l, expr);
    case PML_X_C_EXPR:
        lowered = lower_plain_c_expr(l, expr->c_block);
        if (lowered)
            return lowered;
        lowered = new_expr(l, GY_E_C, expr->place);
        lowered->c_block = lower_c(l, expr->c_block);
        return lowered;
    case PML_X_RUN:
        return lower_run_operand(l, expr);
    case PML_X_IMPLIES: // Promela has them inside formulas only; in atoms they are Boolean
        lowered = new_expr(l, GY_E_NOT, expr->place);
        lowered->a = lower_expr(l, expr->a);
        return binary(l, GY_E_OR, expr->place, lowered, lower_expr(l, expr->b));
    default:
        break;
    }
    gy_expr_op op = operator_of(expr->kind);
    if (op == GY_E_COUNT) { // a temporal operator outside a formula
        gy_error(l->tree->diags, expr->place, "this cannot be part of an expression");
        return new_const(l, expr->place, 0);
    }
    lowered = new_expr(l, op, expr->place);
    lowered->a = expr->a ? lower_expr(l, expr->a) : NULL;
    lowered->b = expr->b ? lower_expr(l, expr->b) : NULL;
    lowered->c = expr->c ? lower_expr(l, expr->c) : NULL;
    return lowered;
}
