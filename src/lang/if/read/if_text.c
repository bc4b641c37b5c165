// Expressions and statements as a person would write them, for traces and messages.
#include "lang/if/read/if_ast.h"

static const char *operator_text(gy_expr_op op)
{
    static const char *const texts[GY_E_COUNT] = {
        [GY_E_OR] = "or", [GY_E_AND] = "and", [GY_E_EQ] = "=",  [GY_E_NE] = "<>", [GY_E_LT] = "<",
        [GY_E_LE] = "<=", [GY_E_GT] = ">",    [GY_E_GE] = ">=", [GY_E_ADD] = "+", [GY_E_SUB] = "-",
        [GY_E_MUL] = "*", [GY_E_DIV] = "/",   [GY_E_MOD] = "%",
    };
    return texts[op] ? texts[op] : "?";
}

static const char *formula_text(gy_formula_op op)
{
    static const char *const texts[] = {
        [GY_F_NOT] = "not ",   [GY_F_AND] = "and",        [GY_F_OR] = "or",
        [GY_F_IMPLIES] = "->", [GY_F_EQUIV] = "<->",      [GY_F_NEXT] = "X ",
        [GY_F_ALWAYS] = "[] ", [GY_F_EVENTUALLY] = "<> ", [GY_F_UNTIL] = "U",
        [GY_F_RELEASE] = "R",  [GY_F_WEAK_UNTIL] = "W",   [GY_F_STRONG_RELEASE] = "M",
    };
    return texts[op];
}

static void add_expr(const if_expr *expr, gy_text *out)
{
    switch (expr->kind) {
    case IF_X_NUMBER:
        gy_text_printf(out, "%d", expr->value);
        break;
    case IF_X_TRUTH:
        gy_text_add(out, expr->value ? "true" : "false");
        break;
    case IF_X_SELF:
        gy_text_add(out, "self");
        break;
    case IF_X_NIL:
        gy_text_add(out, "nil");
        break;
    case IF_X_NAME:
        gy_text_add(out, expr->name.name);
        break;
    case IF_X_FIELD:
    case IF_X_AT:
        if_expr_text(expr->a, out);
        gy_text_printf(out, "%c%s", expr->kind == IF_X_AT ? '@' : '.', expr->name.name);
        break;
    case IF_X_INDEX:
        if_expr_text(expr->a, out);
        gy_text_char(out, '[');
        if_expr_text(expr->b, out);
        gy_text_char(out, ']');
        break;
    case IF_X_CAST:
        gy_text_printf(out, "{%s}", expr->name.name);
        if_expr_text(expr->a, out);
        break;
    case IF_X_UNARY:
        gy_text_add(out, expr->op == GY_E_NOT ? "not " : expr->op == GY_E_NEG ? "-" : "+");
        if_expr_text(expr->a, out);
        break;
    case IF_X_ACTIVE:
        gy_text_add(out, "active ");
        if_expr_text(expr->a, out);
        break;
    case IF_X_LENGTH:
        gy_text_add(out, "length(");
        if_expr_text(expr->a, out);
        gy_text_char(out, ')');
        break;
    case IF_X_COND:
        if_expr_text(expr->a, out);
        gy_text_add(out, " ? ");
        if_expr_text(expr->b, out);
        gy_text_add(out, " : ");
        if_expr_text(expr->c, out);
        break;
    case IF_X_BINARY:
    case IF_X_TEMPORAL:
        if (expr->b) {
            const char *text = expr->kind == IF_X_BINARY ? operator_text(expr->op)
                                                         : formula_text(expr->formula_op);
            if_expr_text(expr->a, out);
            gy_text_printf(out, " %s ", text);
            if_expr_text(expr->b, out);
        } else {
            gy_text_add(out, formula_text(expr->formula_op));
            if_expr_text(expr->a, out);
        }
        break;
    }
}

void if_expr_text(const if_expr *expr, gy_text *out)
{
    if (expr->in_parentheses)
        gy_text_char(out, '(');
    add_expr(expr, out);
    if (expr->in_parentheses)
        gy_text_char(out, ')');
}

static void add_arguments(const if_statement *s, gy_text *out)
{
    gy_text_printf(out, "%s(", s->name.name);
    for (uint32_t i = 0; i < s->args.count; i++) {
        gy_text_add(out, i ? ", " : "");
        if_expr_text(s->args.at[i], out);
    }
    gy_text_char(out, ')');
}

static void add_target(const if_statement *s, gy_text *out)
{
    if (!s->target)
        return;
    if_expr_text(s->target, out);
    gy_text_add(out, " := ");
}

void if_statement_text(const if_statement *s, gy_text *out)
{
    switch (s->kind) {
    case IF_S_SKIP:
        gy_text_add(out, "skip");
        break;
    case IF_S_INFORMAL:
        gy_text_printf(out, "informal %s", s->text);
        break;
    case IF_S_ASSIGN:
        gy_text_add(out, "task ");
        add_target(s, out);
        if_expr_text(s->value, out);
        break;
    case IF_S_OUTPUT:
        gy_text_add(out, "output ");
        add_arguments(s, out);
        if (s->via) {
            gy_text_add(out, " via ");
            if_expr_text(s->via, out);
        }
        if (s->to) {
            gy_text_add(out, " to ");
            if_expr_text(s->to, out);
        }
        break;
    case IF_S_CALL:
    case IF_S_FORK:
        add_target(s, out);
        gy_text_add(out, s->kind == IF_S_CALL ? "call " : "fork ");
        add_arguments(s, out);
        break;
    case IF_S_KILL:
        gy_text_add(out, "kill ");
        if_expr_text(s->value, out);
        break;
    case IF_S_IF:
        gy_text_add(out, "if ");
        if_expr_text(s->value, out);
        gy_text_add(out, " then …");
        break;
    case IF_S_WHILE:
        gy_text_add(out, "while ");
        if_expr_text(s->value, out);
        gy_text_add(out, " do …");
        break;
    case IF_S_RETURN:
        gy_text_add(out, "return");
        if (s->value) {
            gy_text_char(out, ' ');
            if_expr_text(s->value, out);
        }
        break;
    }
}
