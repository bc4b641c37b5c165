// What the names of an expression stand for, and constants.
#include "lang/dve/read/dve_parser.h"

#include <stdint.h>

dve_var *dve_find_var(dve_var *const *vars, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(vars[i]->name, name) == 0)
            return vars[i];
    return NULL;
}

dve_process *dve_find_process(const dve_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->process_count; i++)
        if (strcmp(model->processes[i]->name, name) == 0)
            return model->processes[i];
    return NULL;
}

int32_t dve_find_state(const dve_process *process, const char *name)
{
    for (uint32_t i = 0; i < process->state_count; i++)
        if (strcmp(process->states[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

// ---- names ----------------------------------------------------------------------------------

static void offer_vars(dve_var *const *vars, uint32_t count, const char *name, const char **best,
                       unsigned *distance)
{
    for (uint32_t i = 0; i < count; i++)
        gy_nearest_offer(name, vars[i]->name, best, distance);
}

static void report_unknown(const dve_scope *scope, const dve_expr *expr)
{
    const dve_model *model = scope->model;
    const dve_process *own = scope->process;
    gy_diag *diag = gy_error(model->diags, expr->place, "unknown variable `%s`", expr->name);
    diag->length = expr->length;
    const char *best = NULL;
    unsigned distance = 0;
    if (own)
        offer_vars(own->vars, own->var_count, expr->name, &best, &distance);
    offer_vars(model->vars, model->var_count, expr->name, &best, &distance);
    const dve_process *process = dve_find_process(model, expr->name);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    else if (process)
        gy_hint(diag,
                "`%s` is a process: `%s.STATE` asks where it is, `%s->VARIABLE` reads from it",
                expr->name, expr->name, expr->name);
    else if (own && dve_find_state(own, expr->name) >= 0)
        gy_hint(diag, "`%s` is a state: `%s.%s` asks whether the process is there", expr->name,
                own->name, expr->name);
}

static bool is_declared_before(const dve_scope *scope, const dve_var *var)
{
    if (!scope->before)
        return true;
    const dve_model *model = scope->model;
    const dve_process *owner = scope->before->owner;
    if (owner && !var->owner)
        return true;
    dve_var *const *vars = owner ? owner->vars : model->vars;
    uint32_t count = owner ? owner->var_count : model->var_count;
    for (uint32_t i = 0; i < count && vars[i] != scope->before; i++)
        if (vars[i] == var)
            return true;
    return false;
}

// The name of an array alone is its first element, as DiVinE has it. We say so once per array.
static void add_index(const dve_scope *scope, dve_expr *expr)
{
    dve_expr *zero = GY_NEW(scope->model->arena, dve_expr);
    *zero = (dve_expr){.kind = DVE_X_NUMBER, .place = expr->place, .state = -1};
    expr->a = zero;
    if (expr->var->warned)
        return;
    expr->var->warned = true;
    gy_diag *diag =
        gy_warn(scope->model->diags, expr->place,
                "`%s` is an array: without an index, its first element is meant", expr->var->name);
    diag->length = expr->length;
    gy_hint(diag, "write `%s[0]`", expr->var->name);
}

static bool check_index(const dve_scope *scope, dve_expr *expr)
{
    const dve_var *var = expr->var;
    gy_diags *diags = scope->model->diags;
    if (var->is_array && !expr->a)
        add_index(scope, expr);
    if (!var->is_array && expr->a) {
        gy_diag *diag = gy_error(diags, expr->place, "`%s` is not an array", var->name);
        diag->length = expr->length;
        return false;
    }
    if (!expr->a)
        return true;
    if (!dve_check_expr(scope, expr->a))
        return false;
    int32_t index;
    if (dve_constant(expr->a, &index) && var->count && (index < 0 || (uint32_t)index >= var->count))
        gy_warn(diags, expr->a->place, "the index %d is outside of `%s`, which has %u elements",
                index, var->name, var->count);
    return true;
}

static bool check_name(const dve_scope *scope, dve_expr *expr)
{
    const dve_process *own = scope->process;
    if (own)
        expr->var = dve_find_var(own->vars, own->var_count, expr->name);
    if (expr->var && !is_declared_before(scope, expr->var))
        expr->var = NULL;
    if (!expr->var)
        expr->var = dve_find_var(scope->model->vars, scope->model->var_count, expr->name);
    if (!expr->var) {
        report_unknown(scope, expr);
        return false;
    }
    if (!is_declared_before(scope, expr->var)) {
        gy_error(scope->model->diags, expr->place, "`%s` is declared only after this", expr->name);
        return false;
    }
    return check_index(scope, expr);
}

static bool find_process(const dve_scope *scope, dve_expr *expr)
{
    const dve_model *model = scope->model;
    expr->process = dve_find_process(model, expr->name);
    if (scope->before) {
        gy_error(model->diags, expr->place, "an initial value cannot depend on a process");
        return false;
    }
    if (expr->process)
        return true;
    gy_diag *diag = gy_error(model->diags, expr->place, "unknown process `%s`", expr->name);
    diag->length = expr->length;
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < model->process_count; i++)
        gy_nearest_offer(expr->name, model->processes[i]->name, &best, &distance);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    return false;
}

// Nothing may read the property process: it watches the system and is no part of it.
static bool may_see(const dve_scope *scope, const dve_expr *expr)
{
    if (!expr->process->is_property || scope->process == expr->process)
        return true;
    gy_error(scope->model->diags, expr->place,
             "`%s` is the property process: the system cannot read it", expr->name);
    return false;
}

static bool check_at(const dve_scope *scope, dve_expr *expr)
{
    if (!find_process(scope, expr))
        return false;
    const dve_process *process = expr->process;
    expr->state = dve_find_state(process, expr->member);
    if (expr->state >= 0)
        return may_see(scope, expr);
    gy_diag *diag = gy_error(scope->model->diags, expr->member_place,
                             "process `%s` has no state `%s`", process->name, expr->member);
    diag->length = (uint32_t)strlen(expr->member);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < process->state_count; i++)
        gy_nearest_offer(expr->member, process->states[i].name, &best, &distance);
    if (dve_find_var(process->vars, process->var_count, expr->member))
        gy_hint(diag, "its variable is read with `%s->%s`", process->name, expr->member);
    else if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    return false;
}

static bool check_remote(const dve_scope *scope, dve_expr *expr)
{
    if (!find_process(scope, expr))
        return false;
    const dve_process *process = expr->process;
    expr->var = dve_find_var(process->vars, process->var_count, expr->member);
    if (expr->var)
        return may_see(scope, expr) && check_index(scope, expr);
    gy_diag *diag = gy_error(scope->model->diags, expr->member_place,
                             "process `%s` has no variable `%s`", process->name, expr->member);
    diag->length = (uint32_t)strlen(expr->member);
    const char *best = NULL;
    unsigned distance = 0;
    offer_vars(process->vars, process->var_count, expr->member, &best, &distance);
    if (dve_find_state(process, expr->member) >= 0)
        gy_hint(diag, "its state is tested with `%s.%s`", process->name, expr->member);
    else if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    return false;
}

static bool is_temporal(const dve_expr *expr)
{
    if (!expr || expr->kind == DVE_X_NAME || expr->kind == DVE_X_REMOTE)
        return false;
    return expr->kind >= DVE_X_NEXT || is_temporal(expr->a) || is_temporal(expr->b);
}

bool dve_check_expr(const dve_scope *scope, dve_expr *expr)
{
    switch (expr->kind) {
    case DVE_X_NUMBER:
        return true;
    case DVE_X_NAME:
        return check_name(scope, expr);
    case DVE_X_AT:
        return check_at(scope, expr);
    case DVE_X_REMOTE:
        return check_remote(scope, expr);
    default:
        break;
    }
    bool a = dve_check_expr(scope, expr->a), b = !expr->b || dve_check_expr(scope, expr->b);
    bool logical = expr->kind == DVE_X_NOT || expr->kind == DVE_X_AND || expr->kind == DVE_X_OR ||
                   expr->kind == DVE_X_IMPLY || expr->kind >= DVE_X_NEXT;
    if (a && b && !logical && (is_temporal(expr->a) || is_temporal(expr->b))) {
        gy_diag *diag = gy_error(scope->model->diags, expr->place,
                                 "a temporal formula cannot be an operand here");
        gy_hint(diag, "use parentheses around what it speaks of");
        return false;
    }
    return a && b;
}

// ---- constants ------------------------------------------------------------------------------

static bool constant_element(const dve_expr *expr, int32_t *value)
{
    const dve_var *var = expr->var;
    int32_t index = 0;
    if (!var || !var->values || (expr->a && !dve_constant(expr->a, &index)) || index < 0 ||
        (uint32_t)index >= var->count)
        return false;
    *value = var->values[index];
    return var->is_const;
}

static bool divide(int32_t a, int32_t b, bool rest, int32_t *value)
{
    if (b == 0)
        return false;
    if (b == -1) // the one quotient that does not fit wraps
        *value = rest ? 0 : (int32_t)(0u - (uint32_t)a);
    else
        *value = rest ? a % b : a / b;
    return true;
}

static bool constant_binary(const dve_expr *expr, int32_t a, int32_t b, int32_t *value)
{
    uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
    switch (expr->kind) {
    case DVE_X_BITOR:
        *value = a | b;
        return true;
    case DVE_X_BITAND:
        *value = a & b;
        return true;
    case DVE_X_BITXOR:
        *value = a ^ b;
        return true;
    case DVE_X_EQ:
        *value = a == b;
        return true;
    case DVE_X_NE:
        *value = a != b;
        return true;
    case DVE_X_LT:
        *value = a < b;
        return true;
    case DVE_X_LE:
        *value = a <= b;
        return true;
    case DVE_X_GT:
        *value = a > b;
        return true;
    case DVE_X_GE:
        *value = a >= b;
        return true;
    case DVE_X_SHL:
        *value = (int32_t)(ua << (b & 31));
        return true;
    case DVE_X_SHR:
        *value = a >> (b & 31);
        return true;
    case DVE_X_ADD:
        *value = (int32_t)(ua + ub);
        return true;
    case DVE_X_SUB:
        *value = (int32_t)(ua - ub);
        return true;
    case DVE_X_MUL:
        *value = (int32_t)(ua * ub);
        return true;
    case DVE_X_DIV:
    case DVE_X_MOD:
        return divide(a, b, expr->kind == DVE_X_MOD, value);
    default:
        return false;
    }
}

bool dve_constant(const dve_expr *expr, int32_t *value)
{
    int32_t a, b;
    switch (expr->kind) {
    case DVE_X_NUMBER:
        *value = expr->value;
        return true;
    case DVE_X_NAME:
    case DVE_X_REMOTE:
        return constant_element(expr, value);
    case DVE_X_AT:
        return false;
    default:
        break;
    }
    if (expr->kind >= DVE_X_NEXT || !dve_constant(expr->a, &a))
        return false;
    switch (expr->kind) {
    case DVE_X_NOT:
        *value = !a;
        return true;
    case DVE_X_NEG:
        *value = (int32_t)(0u - (uint32_t)a);
        return true;
    case DVE_X_COMPL:
        *value = ~a;
        return true;
    case DVE_X_AND:
    case DVE_X_OR:
    case DVE_X_IMPLY: // the right one matters only if the left one leaves it open
        *value = expr->kind != DVE_X_AND;
        if ((a != 0) == (expr->kind == DVE_X_OR))
            return true;
        if (!dve_constant(expr->b, &b))
            return false;
        *value = b != 0;
        return true;
    default:
        return dve_constant(expr->b, &b) && constant_binary(expr, a, b, value);
    }
}
