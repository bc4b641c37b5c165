// Expressions and transitions as a person would write them: with the parentheses that are needed.
#include "lang/dve/read/dve_ast.h"

#include <string.h>

static const char *const signs[] = {
    [DVE_X_NOT] = "not ",
    [DVE_X_NEG] = "-",
    [DVE_X_COMPL] = "~",
    [DVE_X_IMPLY] = "imply",
    [DVE_X_OR] = "or",
    [DVE_X_AND] = "and",
    [DVE_X_BITOR] = "|",
    [DVE_X_BITAND] = "&",
    [DVE_X_BITXOR] = "^",
    [DVE_X_EQ] = "==",
    [DVE_X_NE] = "!=",
    [DVE_X_LT] = "<",
    [DVE_X_LE] = "<=",
    [DVE_X_GT] = ">",
    [DVE_X_GE] = ">=",
    [DVE_X_SHL] = "<<",
    [DVE_X_SHR] = ">>",
    [DVE_X_ADD] = "+",
    [DVE_X_SUB] = "-",
    [DVE_X_MUL] = "*",
    [DVE_X_DIV] = "/",
    [DVE_X_MOD] = "%",
    [DVE_X_NEXT] = "X ",
    [DVE_X_ALWAYS] = "[] ",
    [DVE_X_EVENTUALLY] = "<> ",
    [DVE_X_UNTIL] = "U",
    [DVE_X_RELEASE] = "R",
    [DVE_X_WEAK_UNTIL] = "W",
    [DVE_X_STRONG_RELEASE] = "M",
    [DVE_X_EQUIV] = "<->",
};

// How tightly it binds; operands have the most.
static int level(const dve_expr *expr)
{
    switch (expr->kind) {
    case DVE_X_IMPLY:
    case DVE_X_EQUIV:
        return 1;
    case DVE_X_OR:
    case DVE_X_AND:
        return 2;
    case DVE_X_UNTIL:
    case DVE_X_RELEASE:
    case DVE_X_WEAK_UNTIL:
    case DVE_X_STRONG_RELEASE:
        return 3;
    case DVE_X_BITOR:
    case DVE_X_BITAND:
    case DVE_X_BITXOR:
        return 4;
    case DVE_X_EQ:
    case DVE_X_NE:
        return 5;
    case DVE_X_LT:
    case DVE_X_LE:
    case DVE_X_GT:
    case DVE_X_GE:
        return 6;
    case DVE_X_SHL:
    case DVE_X_SHR:
        return 7;
    case DVE_X_ADD:
    case DVE_X_SUB:
        return 8;
    case DVE_X_MUL:
    case DVE_X_DIV:
    case DVE_X_MOD:
        return 9;
    default:
        return 10;
    }
}

static void put(const dve_expr *expr, int least, gy_text *out)
{
    bool wrapped = level(expr) < least;
    if (wrapped)
        gy_text_char(out, '(');
    dve_expr_text(expr, out);
    if (wrapped)
        gy_text_char(out, ')');
}

static void put_index(const dve_expr *index, gy_text *out)
{
    if (!index)
        return;
    gy_text_char(out, '[');
    dve_expr_text(index, out);
    gy_text_char(out, ']');
}

void dve_expr_text(const dve_expr *expr, gy_text *out)
{
    switch (expr->kind) {
    case DVE_X_NUMBER:
        gy_text_printf(out, "%d", expr->value);
        break;
    case DVE_X_NAME:
        gy_text_add(out, expr->name);
        put_index(expr->a, out);
        break;
    case DVE_X_AT:
        gy_text_printf(out, "%s.%s", expr->name, expr->member);
        break;
    case DVE_X_REMOTE:
        gy_text_printf(out, "%s->%s", expr->name, expr->member);
        put_index(expr->a, out);
        break;
    default:
        if (!expr->b) {
            gy_text_add(out, signs[expr->kind]);
            put(expr->a, 10, out);
        } else {
            put(expr->a, level(expr), out);
            gy_text_printf(out, " %s ", signs[expr->kind]);
            put(expr->b, level(expr) + 1, out);
        }
    }
}

static void put_list(dve_expr *const *list, uint32_t count, gy_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        gy_text_add(out, i ? ", " : "");
        dve_expr_text(list[i], out);
    }
}

void dve_transition_text(const dve_transition *t, gy_text *out)
{
    gy_text_printf(out, "%s -> %s", t->from_name.name, t->to_name.name);
    gy_text_add(out, " {");
    if (t->guard_count) {
        gy_text_add(out, " guard ");
        put_list(t->guards, t->guard_count, out);
        gy_text_char(out, ';');
    }
    if (t->sync != DVE_NO_SYNC) {
        gy_text_printf(out, " sync %s%c", t->channel_name.name, t->sync == DVE_SEND ? '!' : '?');
        gy_text_add(out, t->value_count > 1 ? "{" : "");
        put_list(t->values, t->value_count, out);
        gy_text_add(out, t->value_count > 1 ? "};" : ";");
    }
    for (uint32_t i = 0; i < t->effect_count; i++) {
        gy_text_add(out, i ? ", " : " effect ");
        dve_expr_text(t->effects[i].target, out);
        gy_text_add(out, " = ");
        dve_expr_text(t->effects[i].value, out);
    }
    gy_text_add(out, t->effect_count ? "; }" : " }");
}
