// Types of expressions, and the values of those that are constant.
#include "lang/if/check/if_check.h"
#include "model/fold.h"

static bool complain(const if_checker *c, const if_expr *expr, const char *what,
                     const char *expected)
{
    if_error(c, expr->place, expr->length, "%s must be %s, but this is %s", what, expected,
             if_type_text(expr->type));
    return false;
}

bool if_check_expr_as(if_checker *c, if_expr *expr, const if_type *type, const char *what)
{
    if (!if_check_expr(c, expr))
        return false;
    if (if_fits(expr->type, type)) {
        if (expr->constant && type->kind == IF_NUMBER &&
            (expr->value < type->low || expr->value > type->high)) {
            if_error(c, expr->place, expr->length, "%d is outside of %d .. %d", expr->value,
                     type->low, type->high);
            return false;
        }
        return true;
    }
    if (expr->type->kind != type->kind)
        return complain(c, expr, what, if_type_text(type));
    if_error(c, expr->place, expr->length, "%s must be of type `%s`, but this is of type `%s`",
             what, type->name ? type->name : "?", expr->type->name ? expr->type->name : "?");
    return false;
}

bool if_check_number(if_checker *c, if_expr *expr, int32_t low, int32_t high, const char *what,
                     int32_t *value)
{
    if (!if_check_expr_as(c, expr, c->system->integer, what))
        return false;
    *value = expr->value;
    if (!expr->constant)
        if_error(c, expr->place, expr->length, "%s must be a constant", what);
    else if (*value < low || *value > high)
        if_error(c, expr->place, expr->length, "%s must be a number from %d to %d, not %d", what,
                 low, high, *value);
    else
        return true;
    return false;
}

// ---- names ------------------------------------------------------------------------------------

static bool check_name(if_checker *c, if_expr *expr)
{
    const if_symbol *symbol = if_find(c, expr->name.name);
    if (symbol && symbol->kind == IF_D_PROCESS && c->in_formula) {
        expr->process = symbol->itself;
        expr->type = c->system->pid;
        expr->symbol = symbol;
        return true;
    }
    if (!symbol ||
        (symbol->kind != IF_D_CONST && symbol->kind != IF_D_VAR && symbol->kind != IF_D_MEMBER)) {
        if_unknown(c, expr->name, IF_D_VAR, "a variable");
        if (symbol && symbol->kind == IF_D_PROCESS)
            gy_note(c->diags, 0, "{%s}0 is its first instance", expr->name.name);
        return false;
    }
    if (!if_resolve_symbol(c, (if_symbol *)symbol))
        return false;
    expr->symbol = symbol;
    expr->type = symbol->type;
    expr->constant = symbol->kind != IF_D_VAR;
    expr->value = symbol->number;
    return true;
}

// A variable of an instance: ({P}e).x, in formulas also P.x
static bool check_remote(if_checker *c, if_expr *expr)
{
    const if_process *process = expr->a->process;
    for (uint32_t i = 0; i < process->vars.count; i++) {
        if_symbol *var = process->vars.at[i];
        if (strcmp(var->name.name, expr->name.name) != 0)
            continue;
        if (!var->is_public && !c->in_formula && process != c->process) {
            gy_diag *diag =
                if_error(c, expr->name.place, (uint32_t)strlen(var->name.name),
                         "`%s` is a private variable of `%s`", var->name.name, process->name.name);
            gy_hint(diag, "others may read what is declared as `var %s … public;`", var->name.name);
            return false;
        }
        if_checker inner = *c;
        inner.process = (if_process *)process;
        if (!if_resolve_symbol(&inner, var))
            return false;
        expr->symbol = var;
        expr->process = process;
        expr->type = var->type;
        expr->remote = true;
        return true;
    }
    gy_diag *diag =
        if_error(c, expr->name.place, (uint32_t)strlen(expr->name.name),
                 "the process `%s` has no variable `%s`", process->name.name, expr->name.name);
    if (if_find_state(process, expr->name.name) >= 0)
        gy_hint(diag, "a state is asked for by `%s@%s`", process->name.name, expr->name.name);
    return false;
}

static bool check_field(if_checker *c, if_expr *expr)
{
    if (!if_check_expr(c, expr->a))
        return false;
    const if_type *type = expr->a->type;
    if (type->kind == IF_PID && expr->a->process)
        return check_remote(c, expr);
    if (type->kind == IF_PID) {
        gy_diag *diag = if_error(c, expr->a->place, expr->a->length,
                                 "the process of this instance is not known");
        gy_hint(diag, "({P}e).%s is the variable of e, an instance of P", expr->name.name);
        return false;
    }
    if (type->kind != IF_RECORD)
        return complain(c, expr->a, "what has fields", "a record");
    for (expr->field = 0; expr->field < type->count; expr->field++)
        if (strcmp(type->names[expr->field].name, expr->name.name) == 0) {
            expr->type = type->types[expr->field];
            return true;
        }
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < type->count; i++)
        gy_nearest_offer(expr->name.name, type->names[i].name, &best, &distance);
    gy_diag *diag = if_error(c, expr->name.place, (uint32_t)strlen(expr->name.name),
                             "this record has no field `%s`", expr->name.name);
    if (best)
        gy_hint(diag, "a similar name exists: `%s`", best);
    return false;
}

static bool check_index(if_checker *c, if_expr *expr)
{
    bool good = if_check_expr(c, expr->a);
    if (good && expr->a->type->kind != IF_ARRAY)
        good = complain(c, expr->a, "what has an index", "an array");
    if (!if_check_expr_as(c, expr->b, c->system->integer, "an index") || !good)
        return false;
    const if_type *type = expr->a->type;
    if (expr->b->constant && (expr->b->value < type->low || expr->b->value > type->high)) {
        if_error(c, expr->b->place, expr->b->length, "the index %d is outside of %d .. %d",
                 expr->b->value, type->low, type->high);
        return false;
    }
    expr->type = type->item;
    return true;
}

// {P}e, an instance of P; {T}e, a number of type T
static bool check_cast(if_checker *c, if_expr *expr)
{
    const if_symbol *symbol = if_find(c, expr->name.name);
    if (!if_check_expr(c, expr->a))
        return false;
    if (symbol && symbol->kind == IF_D_PROCESS) {
        expr->process = symbol->itself;
        expr->type = c->system->pid;
        return expr->a->type->kind == IF_NUMBER || expr->a->type->kind == IF_PID ||
               complain(c, expr->a, "an instance", "a number or a pid");
    }
    if_syntax syntax = {.kind = IF_Y_NAME, .name = expr->name};
    if (symbol && symbol->kind == IF_D_ROUTE) {
        if_error(c, expr->place, expr->length, "a signal route is not a value");
        return false;
    }
    const if_type *type = if_resolve(c, &syntax);
    if (!type)
        return false;
    expr->type = type;
    expr->constant = expr->a->constant;
    expr->value = expr->a->value;
    return if_check_expr_as(c, expr->a, type, "the converted value");
}

// ---- operators --------------------------------------------------------------------------------

static bool check_unary(if_checker *c, if_expr *expr)
{
    bool truth = expr->op == GY_E_NOT;
    expr->type = truth ? c->system->boolean : c->system->integer;
    if (!if_check_expr_as(c, expr->a, expr->type, "the operand"))
        return false;
    expr->constant = expr->a->constant;
    expr->value = truth                  ? !expr->a->value
                  : expr->op == GY_E_NEG ? (int32_t) - (uint32_t)expr->a->value
                                         : expr->a->value;
    return true;
}

static bool check_equality(if_checker *c, if_expr *expr)
{
    if (!if_check_expr(c, expr->a) || !if_check_expr(c, expr->b))
        return false;
    if (if_fits(expr->a->type, expr->b->type))
        return true;
    if_error(c, expr->place, expr->length, "%s cannot be compared with %s",
             if_type_text(expr->a->type), if_type_text(expr->b->type));
    return false;
}

static bool check_binary(if_checker *c, if_expr *expr)
{
    gy_expr_op op = expr->op;
    bool equality = op == GY_E_EQ || op == GY_E_NE, logical = op == GY_E_AND || op == GY_E_OR;
    bool sum =
        op == GY_E_ADD || op == GY_E_SUB || op == GY_E_MUL || op == GY_E_DIV || op == GY_E_MOD;
    expr->type = sum ? c->system->integer : c->system->boolean;
    if (equality) {
        if (!check_equality(c, expr))
            return false;
    } else {
        const if_type *type = logical ? c->system->boolean : c->system->integer;
        bool good = if_check_expr_as(c, expr->a, type, "the left operand");
        if (!if_check_expr_as(c, expr->b, type, "the right operand") || !good)
            return false;
    }
    if (!expr->a->constant || !expr->b->constant)
        return true;
    if (logical) {
        expr->value =
            op == GY_E_AND ? expr->a->value && expr->b->value : expr->a->value || expr->b->value;
        return expr->constant = true;
    }
    expr->constant = gy_fold_binary(op, expr->a->value, expr->b->value, &expr->value);
    if (!expr->constant) {
        if_error(c, expr->place, expr->length, "this is a division by zero");
        return false;
    }
    return true;
}

static bool check_cond(if_checker *c, if_expr *expr)
{
    bool good = if_check_expr_as(c, expr->a, c->system->boolean, "the condition");
    if (!if_check_expr(c, expr->b) ||
        !if_check_expr_as(c, expr->c,
                          expr->b->type->kind == IF_NUMBER ? c->system->integer : expr->b->type,
                          "the second value"))
        return false;
    expr->type = expr->b->type->kind == IF_NUMBER ? c->system->integer : expr->b->type;
    expr->constant = good && expr->a->constant && expr->b->constant && expr->c->constant;
    expr->value = expr->a->value ? expr->b->value : expr->c->value;
    return good;
}

// ---- formulas ---------------------------------------------------------------------------------

static bool check_at(if_checker *c, if_expr *expr)
{
    if (!if_check_expr(c, expr->a))
        return false;
    expr->type = c->system->boolean;
    if (!expr->a->process) {
        gy_diag *diag = if_error(c, expr->a->place, expr->a->length,
                                 "a process or {P}e is expected before `@`");
        gy_hint(diag, "P@%s or {P}1@%s", expr->name.name, expr->name.name);
        return false;
    }
    expr->process = expr->a->process;
    int32_t state = if_find_state(expr->process, expr->name.name);
    if (state < 0) {
        const char *best = NULL;
        unsigned distance = 0;
        for (uint32_t i = 0; i < expr->process->state_count; i++)
            gy_nearest_offer(expr->name.name, expr->process->states[i].name.name, &best, &distance);
        gy_diag *diag = if_error(c, expr->name.place, (uint32_t)strlen(expr->name.name),
                                 "the process `%s` has no state `%s`", expr->process->name.name,
                                 expr->name.name);
        if (best)
            gy_hint(diag, "a similar name exists: `%s`", best);
        return false;
    }
    expr->field = (uint32_t)state;
    return true;
}

static bool check_instance(if_checker *c, if_expr *expr, const if_type *type)
{
    expr->type = type;
    return if_check_expr_as(c, expr->a, c->system->pid, "the operand");
}

static bool check_temporal(if_checker *c, if_expr *expr)
{
    expr->type = c->system->boolean;
    bool good = if_check_expr_as(c, expr->a, c->system->boolean, "a formula");
    return (!expr->b || if_check_expr_as(c, expr->b, c->system->boolean, "a formula")) && good;
}

static bool check_expr(if_checker *c, if_expr *expr)
{
    bool mixed = expr->temporal && expr->kind != IF_X_TEMPORAL;
    switch (expr->kind) {
    case IF_X_NUMBER:
    case IF_X_TRUTH:
        expr->type = expr->kind == IF_X_NUMBER ? c->system->integer : c->system->boolean;
        return expr->constant = true;
    case IF_X_SELF:
        expr->type = c->system->pid;
        expr->process = c->process;
        if (!c->process || c->in_formula)
            if_error(c, expr->place, expr->length, "`self` has no meaning outside of a process");
        return c->process && !c->in_formula;
    case IF_X_NIL:
        expr->type = c->system->pid;
        expr->value = 1;
        return expr->constant = true;
    case IF_X_NAME:
        return check_name(c, expr);
    case IF_X_FIELD:
        return check_field(c, expr);
    case IF_X_INDEX:
        return check_index(c, expr);
    case IF_X_CAST:
        return check_cast(c, expr);
    case IF_X_AT:
        return check_at(c, expr);
    case IF_X_ACTIVE:
        return check_instance(c, expr, c->system->boolean);
    case IF_X_LENGTH:
        return check_instance(c, expr, c->system->integer);
    default:
        break;
    }
    if (mixed) {
        if_error(c, expr->place, expr->length,
                 "a temporal operator cannot be an operand of this one");
        return false;
    }
    return expr->kind == IF_X_UNARY    ? check_unary(c, expr)
           : expr->kind == IF_X_BINARY ? check_binary(c, expr)
           : expr->kind == IF_X_COND   ? check_cond(c, expr)
                                       : check_temporal(c, expr);
}

bool if_check_expr(if_checker *c, if_expr *expr)
{
    if (!if_check_nesting(c, expr->place))
        return false;
    c->depth++;
    bool good = check_expr(c, expr);
    c->depth--;
    return good;
}

bool if_check_target(if_checker *c, if_expr *expr)
{
    if (!if_check_expr(c, expr))
        return false;
    const if_expr *root = expr;
    while ((root->kind == IF_X_FIELD && !root->remote) || root->kind == IF_X_INDEX)
        root = root->a;
    if (root->kind == IF_X_NAME && root->symbol->kind == IF_D_VAR)
        return true;
    if_error(c, expr->place, expr->length,
             root->remote ? "a variable of another process can be read only"
                          : "this is not a variable");
    return false;
}
