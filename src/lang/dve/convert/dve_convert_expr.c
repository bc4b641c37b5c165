// Expressions in Promela.
#include "lang/dve/convert/dve_convert_internal.h"
#include "lang/dve/lower/dve_lower_internal.h"

// How C and Promela have operators bind.
enum {
    LOOSEST,
    DISJUNCTION,
    CONJUNCTION,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUALITY,
    ORDER,
    SHIFT,
    SUM,
    PRODUCT,
    PREFIX,
    OPERAND
};

static const struct {
    const char *sign;
    int level;
} operators[] = {
    [DVE_X_NOT] = {"!", PREFIX},      [DVE_X_NEG] = {"-", PREFIX},
    [DVE_X_COMPL] = {"~", PREFIX},    [DVE_X_IMPLY] = {"||", DISJUNCTION},
    [DVE_X_OR] = {"||", DISJUNCTION}, [DVE_X_AND] = {"&&", CONJUNCTION},
    [DVE_X_BITOR] = {"|", BIT_OR},    [DVE_X_BITAND] = {"&", BIT_AND},
    [DVE_X_BITXOR] = {"^", BIT_XOR},  [DVE_X_EQ] = {"==", EQUALITY},
    [DVE_X_NE] = {"!=", EQUALITY},    [DVE_X_LT] = {"<", ORDER},
    [DVE_X_LE] = {"<=", ORDER},       [DVE_X_GT] = {">", ORDER},
    [DVE_X_GE] = {">=", ORDER},       [DVE_X_SHL] = {"<<", SHIFT},
    [DVE_X_SHR] = {">>", SHIFT},      [DVE_X_ADD] = {"+", SUM},
    [DVE_X_SUB] = {"-", SUM},         [DVE_X_MUL] = {"*", PRODUCT},
    [DVE_X_DIV] = {"/", PRODUCT},     [DVE_X_MOD] = {"%", PRODUCT},
};

static void put(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr, int least,
                gy_text *out);

static void put_variable(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                         gy_text *out)
{
    gy_text_add(out, dve_name_of(c, expr->var));
    if (!expr->a)
        return;
    gy_text_char(out, '[');
    put(c, viewer, expr->a, LOOSEST, out);
    gy_text_char(out, ']');
}

static void put_place(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                      int least, gy_text *out)
{
    const dve_shape *shape = dve_shape_of(c, expr->process);
    bool wrapped = least > EQUALITY;
    if (expr->process == viewer->self && viewer->place >= 0) {
        gy_text_add(out, viewer->place == expr->state ? "true" : "false");
    } else if (shape->at) {
        gy_text_printf(out, wrapped ? "(%s == %s)" : "%s == %s", shape->at,
                       shape->places[expr->state]);
    } else {
        gy_text_printf(out, "%s@%s", shape->name, shape->labels[expr->state]);
    }
}

// Where C's precedence is known to few, or its compilers warn, there are more parentheses.
static int least_inside(dve_expr_kind kind, bool right)
{
    int level = operators[kind].level;
    if (level == DISJUNCTION || level == CONJUNCTION)
        return right ? EQUALITY : level;
    if (level >= BIT_OR && level <= BIT_AND)
        return SUM;
    if (level == EQUALITY || level == ORDER)
        return SHIFT;
    if (level == SHIFT)
        return PREFIX;
    return level + right;
}

static void put_binary(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                       gy_text *out)
{
    if (expr->kind == DVE_X_IMPLY) {
        gy_text_char(out, '!');
        put(c, viewer, expr->a, OPERAND, out);
    } else {
        put(c, viewer, expr->a, least_inside(expr->kind, false), out);
    }
    gy_text_printf(out, " %s ", operators[expr->kind].sign);
    put(c, viewer, expr->b, least_inside(expr->kind, true), out);
}

static void put(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr, int least,
                gy_text *out)
{
    switch (expr->kind) {
    case DVE_X_NUMBER:
        gy_text_printf(out, expr->value < 0 && least > LOOSEST ? "(%d)" : "%d", expr->value);
        return;
    case DVE_X_NAME:
    case DVE_X_REMOTE:
        put_variable(c, viewer, expr, out);
        return;
    case DVE_X_AT:
        put_place(c, viewer, expr, least, out);
        return;
    default:
        break;
    }
    bool wrapped = operators[expr->kind].level < least;
    gy_text_add(out, wrapped ? "(" : "");
    if (expr->b) {
        put_binary(c, viewer, expr, out);
    } else {
        gy_text_add(out, operators[expr->kind].sign);
        put(c, viewer, expr->a, OPERAND, out);
    }
    gy_text_add(out, wrapped ? ")" : "");
}

void dve_put_expr(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                  gy_text *out)
{
    put(c, viewer, expr, LOOSEST, out);
}

void dve_put_operand(const dve_conversion *c, const dve_viewer *viewer, const dve_expr *expr,
                     gy_text *out)
{
    put(c, viewer, expr, OPERAND, out);
}

void dve_put_fit(dve_type type, bool low, bool high, const char *value, gy_text *out)
{
    int32_t least, most;
    dve_type_range(type, &least, &most);
    if (!low && !high)
        return;
    gy_text_add(out, "assert(");
    if (low)
        gy_text_printf(out, "%s >= %d%s", value, least, high ? " && " : "");
    if (high)
        gy_text_printf(out, "%s <= %d", value, most);
    gy_text_add(out, "); ");
}

void dve_put_assignment(const dve_conversion *c, const dve_viewer *target_viewer,
                        const dve_expr *target, const dve_viewer *value_viewer,
                        const dve_expr *value, gy_text *out)
{
    int32_t least, most;
    dve_bounds bounds = dve_expr_bounds(value);
    gy_text text = {0};
    dve_type_range(target->var->type, &least, &most);
    put(c, value_viewer, value, ORDER, &text);
    dve_put_fit(target->var->type, bounds.low<least, bounds.high> most, gy_text_str(&text), out);
    put_variable(c, target_viewer, target, out);
    gy_text_add(out, " = ");
    put(c, value_viewer, value, LOOSEST, out);
    gy_text_add(out, "; ");
    gy_text_free(&text);
}
