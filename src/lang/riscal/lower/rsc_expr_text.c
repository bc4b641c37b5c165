// Expressions as text, with few parentheses.
#include "base/text.h"
#include "lang/riscal/lower/rsc_value.h"

static const struct {
    const char *text;
    int level;
} binary[] = {
    [RSC_X_EQUIV] = {" ⇔ ", 1},      [RSC_X_IMPLIES] = {" ⇒ ", 2},   [RSC_X_OR] = {" ∨ ", 3},
    [RSC_X_AND] = {" ∧ ", 4},        [RSC_X_UNTIL] = {" U ", 5},     [RSC_X_RELEASE] = {" R ", 5},
    [RSC_X_WEAK_UNTIL] = {" W ", 5}, [RSC_X_EQ] = {" = ", 6},        [RSC_X_NE] = {" ≠ ", 6},
    [RSC_X_LT] = {" < ", 6},         [RSC_X_LE] = {" ≤ ", 6},        [RSC_X_GT] = {" > ", 6},
    [RSC_X_GE] = {" ≥ ", 6},         [RSC_X_IN] = {" ∈ ", 6},        [RSC_X_NOTIN] = {" ∉ ", 6},
    [RSC_X_SUBSET] = {" ⊆ ", 6},     [RSC_X_RANGE] = {"..", 7},      [RSC_X_UNION] = {" ∪ ", 8},
    [RSC_X_WITHOUT] = {" \\ ", 8},   [RSC_X_INTERSECT] = {" ∩ ", 9}, [RSC_X_TIMES] = {" × ", 9},
    [RSC_X_ADD] = {"+", 10},         [RSC_X_SUB] = {"-", 10},        [RSC_X_MUL] = {"*", 11},
    [RSC_X_DIV] = {"/", 11},         [RSC_X_MOD] = {"%", 11},        [RSC_X_POWER] = {"^", 13},
};

enum { LOOSE = 0, PREFIX = 6, MINUS = 12, TIGHT = 14 };

static void text_of(const rsc_expr *expr, int level, gy_text *out);

static void type_text(const rsc_syntax *syntax, gy_text *out)
{
    if (syntax->name)
        gy_text_add(out, syntax->name);
    else if (syntax->type)
        rsc_type_text(syntax->type, out);
}

static void bound_text(const rsc_bound *bound, gy_text *out)
{
    for (uint32_t i = 0; i < bound->count; i++) {
        gy_text_printf(out, "%s%s", i ? ", " : "", bound->vars[i].name.name);
        gy_text_add(out, bound->vars[i].type ? ":" : " ∈ ");
        if (bound->vars[i].type)
            type_text(bound->vars[i].type, out);
        else
            text_of(bound->vars[i].set, 7, out);
    }
    if (bound->with) {
        gy_text_add(out, " with ");
        text_of(bound->with, LOOSE, out);
    }
}

static void list_text(const rsc_expr *expr, const char *open, const char *close, gy_text *out)
{
    gy_text_add(out, open);
    for (uint32_t i = 0; i < expr->count; i++) {
        gy_text_add(out, i ? ", " : "");
        if (expr->kind == RSC_X_RECORD)
            gy_text_printf(out, "%s:", expr->names[i].name);
        text_of(expr->args[i], LOOSE, out);
    }
    gy_text_add(out, close);
}

// A value that is bound at the moment, and known.
static bool known_text(const rsc_symbol *symbol, gy_text *out)
{
    if (!symbol || symbol->kind != RSC_S_BOUND || !symbol->value)
        return false;
    const rsc_value *value = symbol->value;
    if (value->type->kind == RSC_INT && value->scalar->op == GY_E_CONST) {
        gy_text_printf(out, "%d", value->scalar->value);
        return true;
    }
    uint64_t code;
    if (!rsc_known_code(NULL, value, &code))
        return false;
    rsc_code_text(value->type, code, out);
    return true;
}

static void quantifier_text(const rsc_expr *expr, gy_text *out)
{
    static const char *const signs[] = {
        [RSC_X_FORALL] = "∀",    [RSC_X_EXISTS] = "∃", [RSC_X_SUM] = "∑",
        [RSC_X_PRODUCT] = "∏",   [RSC_X_COUNT] = "#",  [RSC_X_CHOOSE] = "choose ",
        [RSC_X_SET_BUILD] = "{", [RSC_X_MIN] = "min ", [RSC_X_MAX] = "max "};
    // What it binds is not what those names may stand for outside.
    rsc_value *before[8] = {0};
    for (uint32_t i = 0; i < expr->bound->count && i < 8; i++)
        if (expr->bound->vars[i].symbol) {
            before[i] = expr->bound->vars[i].symbol->value;
            expr->bound->vars[i].symbol->value = NULL;
        }
    gy_text_add(out, signs[expr->kind]);
    if (expr->kind == RSC_X_SET_BUILD) {
        text_of(expr->a, LOOSE, out);
        gy_text_add(out, " | ");
    }
    bound_text(expr->bound, out);
    if (expr->kind == RSC_X_SET_BUILD) {
        gy_text_char(out, '}');
    } else if (expr->a) {
        gy_text_add(out, ". ");
        text_of(expr->a, LOOSE, out);
    }
    for (uint32_t i = 0; i < expr->bound->count && i < 8; i++)
        if (expr->bound->vars[i].symbol)
            expr->bound->vars[i].symbol->value = before[i];
}

static void let_text(const rsc_expr *expr, gy_text *out)
{
    gy_text_add(out, "let ");
    for (uint32_t i = 0; i < expr->count; i++) {
        gy_text_printf(out, "%s%s = ", i ? ", " : "", expr->bound->vars[i].name.name);
        text_of(expr->args[i], LOOSE, out);
    }
    gy_text_add(out, " in ");
    text_of(expr->a, LOOSE, out);
}

static void around(const char *open, const rsc_expr *expr, const char *close, gy_text *out)
{
    gy_text_add(out, open);
    text_of(expr, LOOSE, out);
    gy_text_add(out, close);
}

static void update_text(const rsc_expr *expr, gy_text *out)
{
    text_of(expr->a, TIGHT, out);
    gy_text_add(out, " with ");
    if (expr->kind == RSC_X_WITH_INDEX)
        around("[", expr->b, "]", out);
    else if (expr->kind == RSC_X_WITH_FIELD)
        gy_text_printf(out, ".%s", expr->member);
    else
        gy_text_printf(out, ".%d", expr->value + 1);
    gy_text_add(out, " = ");
    text_of(expr->c, 7, out);
}

static int level_of(const rsc_expr *expr)
{
    switch (expr->kind) {
    case RSC_X_FORALL:
    case RSC_X_EXISTS:
    case RSC_X_SUM:
    case RSC_X_MIN:
    case RSC_X_MAX:
    case RSC_X_PRODUCT:
    case RSC_X_COUNT:
    case RSC_X_CHOOSE:
    case RSC_X_LET:
    case RSC_X_IF:
    case RSC_X_WITH_INDEX:
    case RSC_X_WITH_FIELD:
    case RSC_X_WITH_ITEM:
        return LOOSE;
    case RSC_X_NOT:
    case RSC_X_ALWAYS:
    case RSC_X_EVENTUALLY:
    case RSC_X_NEXT:
        return PREFIX;
    case RSC_X_NEG:
        return MINUS;
    default:
        break;
    }
    bool is_binary = (size_t)expr->kind < sizeof binary / sizeof *binary && binary[expr->kind].text;
    return is_binary ? binary[expr->kind].level : TIGHT;
}

static void prefix_text(const char *sign, const rsc_expr *expr, int level, gy_text *out)
{
    gy_text_add(out, sign);
    text_of(expr, level, out);
}

static void plain_text(const rsc_expr *expr, gy_text *out)
{
    switch (expr->kind) {
    case RSC_X_NUMBER:
        gy_text_printf(out, "%d", expr->value);
        break;
    case RSC_X_BOOL:
        gy_text_add(out, expr->value ? "true" : "false");
        break;
    case RSC_X_NAME:
        if (!known_text(expr->symbol, out))
            gy_text_add(out, expr->name);
        break;
    case RSC_X_CALL:
        gy_text_add(out, expr->name);
        list_text(expr, "(", ")", out);
        break;
    case RSC_X_ENUM:
        gy_text_printf(out, "%s!%s", expr->name, expr->member);
        break;
    case RSC_X_FILL:
        type_text(expr->syntax, out);
        around("(", expr->a, ")", out);
        break;
    case RSC_X_EMPTY:
        gy_text_add(out, "∅[");
        type_text(expr->syntax, out);
        gy_text_char(out, ']');
        break;
    case RSC_X_SET_LIST:
        list_text(expr, "{", "}", out);
        break;
    case RSC_X_TUPLE:
    case RSC_X_RECORD:
        list_text(expr, "⟨", "⟩", out);
        break;
    case RSC_X_SIZE:
        around("|", expr->a, "|", out);
        break;
    case RSC_X_POWERSET:
        around("Set(", expr->a, ")", out);
        break;
    case RSC_X_STATE:
        around("⟦", expr->a, "⟧", out);
        break;
    case RSC_X_SET_BUILD:
        quantifier_text(expr, out);
        break;
    case RSC_X_INDEX:
        text_of(expr->a, TIGHT, out);
        around("[", expr->b, "]", out);
        break;
    case RSC_X_FIELD:
        text_of(expr->a, TIGHT, out);
        gy_text_printf(out, ".%s", expr->member);
        break;
    case RSC_X_ITEM:
        text_of(expr->a, TIGHT, out);
        gy_text_printf(out, ".%d", expr->value + 1);
        break;
    default:
        break;
    }
}

static void inner_text(const rsc_expr *expr, int own, gy_text *out)
{
    switch (expr->kind) {
    case RSC_X_NOT:
        prefix_text("¬", expr->a, TIGHT, out);
        break;
    case RSC_X_ALWAYS:
        prefix_text("□", expr->a, TIGHT, out);
        break;
    case RSC_X_EVENTUALLY:
        prefix_text("◇", expr->a, TIGHT, out);
        break;
    case RSC_X_NEXT:
        prefix_text("○", expr->a, TIGHT, out);
        break;
    case RSC_X_NEG:
        prefix_text("-", expr->a, TIGHT, out);
        break;
    case RSC_X_IF:
        gy_text_add(out, "if ");
        text_of(expr->a, LOOSE, out);
        gy_text_add(out, " then ");
        text_of(expr->b, LOOSE, out);
        prefix_text(" else ", expr->c, LOOSE, out);
        break;
    case RSC_X_LET:
        let_text(expr, out);
        break;
    case RSC_X_WITH_INDEX:
    case RSC_X_WITH_FIELD:
    case RSC_X_WITH_ITEM:
        update_text(expr, out);
        break;
    default:
        if (own == TIGHT) {
            plain_text(expr, out);
        } else if (own == LOOSE) {
            quantifier_text(expr, out);
        } else {
            bool right = expr->kind == RSC_X_IMPLIES || own == 5 || own == 13;
            text_of(expr->a, right ? own + 1 : own, out);
            gy_text_add(out, binary[expr->kind].text);
            text_of(expr->b, right ? own : own + 1, out);
        }
    }
}

static void text_of(const rsc_expr *expr, int level, gy_text *out)
{
    int own = level_of(expr);
    bool enclosed = own < level;
    gy_text_add(out, enclosed ? "(" : "");
    inner_text(expr, own, out);
    gy_text_add(out, enclosed ? ")" : "");
}

void rsc_expr_text(const rsc_expr *expr, gy_text *out)
{
    text_of(expr, LOOSE, out);
}
