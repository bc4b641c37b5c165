// Commands: what may be assigned, and the names that they make.
#include "lang/riscal/check/rsc_check.h"

// The variable that a chain of selectors starts from.
static const rsc_expr *root_of(const rsc_expr *target)
{
    while (target->kind == RSC_X_INDEX || target->kind == RSC_X_FIELD || target->kind == RSC_X_ITEM)
        target = target->a;
    return target;
}

static bool check_target(rsc_checker *c, const rsc_expr *target)
{
    const rsc_expr *root = root_of(target);
    const rsc_symbol *symbol = root->kind == RSC_X_NAME ? root->symbol : NULL;
    if (!symbol) {
        gy_error(c->diags, root->place, "only variables, and parts of them, can be assigned");
        return false;
    }
    if (symbol->kind == RSC_S_STATE || (symbol->kind == RSC_S_LOCAL && !symbol->constant))
        return true;
    gy_diag *diag = gy_error(
        c->diags, root->place, "`%s` cannot be assigned: it is a %s", symbol->name,
        symbol->kind == RSC_S_BOUND ? "parameter or bound name" : "value that stays as it is");
    diag->length = root->length;
    return false;
}

// The type of a right side, which may be a choice. NULL after an error.
static const rsc_type *check_value(rsc_checker *c, rsc_expr *value)
{
    if (value->kind != RSC_X_CHOOSE)
        return rsc_check_expr(c, value);
    size_t mark = rsc_open(c);
    bool good = rsc_check_bound(c, value->bound, RSC_S_LOCAL);
    rsc_close(c, mark);
    if (good && value->bound->count != 1) {
        gy_error(c->diags, value->place, "a choice of several values cannot be assigned");
        good = false;
    }
    return value->type = good ? value->bound->vars[0].symbol->type : NULL;
}

static void check_assignment(rsc_checker *c, rsc_command *command)
{
    const rsc_type *to = rsc_check_expr(c, command->target);
    const rsc_type *type = check_value(c, command->value);
    if (to && check_target(c, command->target) && type)
        rsc_fits(c, command->value, to, "the assigned variable");
}

static void check_local(rsc_checker *c, rsc_command *command)
{
    const rsc_type *type = command->value ? check_value(c, command->value) : NULL;
    if (command->type) {
        const rsc_type *declared = rsc_find_type(c, command->type);
        if (declared && type)
            rsc_fits(c, command->value, declared, "the variable");
        type = declared;
    }
    command->symbol = rsc_declare(c, RSC_S_LOCAL, command->name, type);
    if (command->symbol)
        command->symbol->constant = command->constant;
}

static void check_inner(rsc_checker *c, rsc_command *command)
{
    size_t mark = rsc_open(c);
    if (command)
        rsc_check_command(c, command);
    rsc_close(c, mark);
}

static void check_choice(rsc_checker *c, rsc_command *command)
{
    // Without branches, what is chosen stays known after the command.
    size_t mark = command->first ? rsc_open(c) : 0;
    rsc_check_bound(c, command->bound, RSC_S_LOCAL);
    for (uint32_t i = 0; i < command->bound->count; i++)
        if (command->bound->vars[i].symbol)
            command->bound->vars[i].symbol->constant = true;
    if (!command->first)
        return;
    check_inner(c, command->first);
    rsc_close(c, mark);
    check_inner(c, command->second);
}

static void check_loop(rsc_checker *c, rsc_command *command)
{
    size_t mark = rsc_open(c);
    if (command->start)
        rsc_check_command(c, command->start);
    if (command->bound)
        rsc_check_bound(c, command->bound, RSC_S_BOUND);
    if (command->value)
        rsc_check_truth(c, command->value, "a condition is needed");
    if (command->step)
        rsc_check_command(c, command->step);
    check_inner(c, command->first);
    rsc_close(c, mark);
}

void rsc_check_command(rsc_checker *c, rsc_command *command)
{
    size_t mark;
    switch (command->kind) {
    case RSC_C_EMPTY:
        break;
    case RSC_C_ASSIGN:
        check_assignment(c, command);
        break;
    case RSC_C_VAR:
        check_local(c, command);
        break;
    case RSC_C_ASSERT:
        rsc_check_truth(c, command->value, "a formula is needed");
        break;
    case RSC_C_CHOOSE:
        check_choice(c, command);
        break;
    case RSC_C_IF:
        rsc_check_truth(c, command->value, "a condition is needed");
        check_inner(c, command->first);
        check_inner(c, command->second);
        break;
    case RSC_C_WHILE:
    case RSC_C_DO:
    case RSC_C_FOR:
    case RSC_C_EACH:
        check_loop(c, command);
        break;
    case RSC_C_BLOCK:
        mark = rsc_open(c);
        for (uint32_t i = 0; i < command->count; i++)
            rsc_check_command(c, command->list[i]);
        rsc_close(c, mark);
        break;
    }
}
