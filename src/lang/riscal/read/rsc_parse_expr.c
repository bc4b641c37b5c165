// Recursive descent: expressions, and the formulas that are written around them. From the loosest:
//
//   ∀ ∃ ∑ ∏ # if let choose     before an expression that reaches as far as it can
//   ⇔ ; ⇒ (to the right) ; ∨ ; ∧ ; U W R (formulas, to the right)
//   ¬ □ ◇ ○                     in front
//   = ≠ < ≤ > ≥ ∈ ∉ ⊆ ; .. ; ∪ \ ; ∩ × ; + - ; * / % ; - in front ; ^ ; selectors
#include "lang/common/expression.h"
#include "lang/riscal/read/rsc_parser.h"

enum {
    MODEL = 1,
    FORMULA = 2,
    TARGET = 4,
    ALL = MODEL | FORMULA | TARGET
}; // TARGET: of an assignment

enum {
    EQUIV = GY_LOOSEST,
    IMPLIES,
    OR,
    AND,
    UNTIL,
    COMPARE,
    RANGE,
    JOIN,
    MEET,
    SUM,
    PRODUCT,
    POWER
};

static const gy_operator operators[] = {
    {RSC_T_EQUIV, 0, NULL, EQUIV, ALL, RSC_X_EQUIV, 0, false},
    {RSC_T_IMPLIES, 0, NULL, IMPLIES, ALL, RSC_X_IMPLIES, 0, true},
    {RSC_T_OR, 0, NULL, OR, ALL, RSC_X_OR, 0, false},
    {RSC_T_AND, 0, NULL, AND, ALL, RSC_X_AND, 0, false},
    {GY_T_NAME, 0, "U", UNTIL, FORMULA, RSC_X_UNTIL, 0, true},
    {GY_T_NAME, 0, "R", UNTIL, FORMULA, RSC_X_RELEASE, 0, true},
    {GY_T_NAME, 0, "W", UNTIL, FORMULA, RSC_X_WEAK_UNTIL, 0, true},
    {'=', 0, NULL, COMPARE, MODEL | FORMULA, RSC_X_EQ, 0, false},
    {RSC_T_NE, 0, NULL, COMPARE, ALL, RSC_X_NE, 0, false},
    {'<', 0, NULL, COMPARE, ALL, RSC_X_LT, 0, false},
    {RSC_T_LE, 0, NULL, COMPARE, ALL, RSC_X_LE, 0, false},
    {'>', 0, NULL, COMPARE, ALL, RSC_X_GT, 0, false},
    {RSC_T_GE, 0, NULL, COMPARE, ALL, RSC_X_GE, 0, false},
    {RSC_T_IN, 0, NULL, COMPARE, ALL, RSC_X_IN, 0, false},
    {RSC_T_NOTIN, 0, NULL, COMPARE, ALL, RSC_X_NOTIN, 0, false},
    {RSC_T_SUBSET, 0, NULL, COMPARE, ALL, RSC_X_SUBSET, 0, false},
    {RSC_T_DOTS, 0, NULL, RANGE, ALL, RSC_X_RANGE, 0, false},
    {RSC_T_UNION, 0, NULL, JOIN, ALL, RSC_X_UNION, 0, false},
    {RSC_T_WITHOUT, 0, NULL, JOIN, ALL, RSC_X_WITHOUT, 0, false},
    {RSC_T_INTERSECT, 0, NULL, MEET, ALL, RSC_X_INTERSECT, 0, false},
    {RSC_T_TIMES, 0, NULL, MEET, ALL, RSC_X_TIMES, 0, false},
    {'+', 0, NULL, SUM, ALL, RSC_X_ADD, 0, false},
    {'-', 0, NULL, SUM, ALL, RSC_X_SUB, 0, false},
    {'*', 0, NULL, PRODUCT, ALL, RSC_X_MUL, 0, false},
    {'/', 0, NULL, PRODUCT, ALL, RSC_X_DIV, 0, false},
    {'%', 0, NULL, PRODUCT, ALL, RSC_X_MOD, 0, false},
    {'^', 0, NULL, POWER, ALL, RSC_X_POWER, 0, true},
    {0},
};

static const gy_operator prefixes[] = {
    {RSC_T_NOT, 0, NULL, COMPARE, ALL, RSC_X_NOT, 0, false},
    {'-', 0, NULL, POWER, ALL, RSC_X_NEG, 0, false},
    {RSC_T_BOX, 0, NULL, COMPARE, ALL, RSC_X_ALWAYS, 0, false},
    {'[', ']', NULL, COMPARE, ALL, RSC_X_ALWAYS, 0, false},
    {RSC_T_DIAMOND, 0, NULL, COMPARE, ALL, RSC_X_EVENTUALLY, 0, false},
    {RSC_T_NEXT, 0, NULL, COMPARE, ALL, RSC_X_NEXT, 0, false},
    {0},
};

rsc_expr *rsc_new_expr(rsc_parser *p, rsc_expr_kind kind, const gy_token *token)
{
    rsc_expr *expr = GY_NEW(p->arena, rsc_expr);
    expr->kind = kind;
    expr->place = token->place;
    expr->length = token->length;
    return expr;
}

static bool may_follow(void *parser, const gy_operator *op, const gy_operator *before,
                       const void *left)
{
    rsc_parser *p = parser;
    (void)left;
    if (op->level != COMPARE || !before || before->level != COMPARE)
        return true;
    gy_diag *diag = gy_error(p->in.diags, p->in.at->place, "a comparison of a comparison");
    gy_hint(diag, "write a < b ∧ b < c, or parentheses");
    return false;
}

static void *join(void *parser, const gy_operator *op, const gy_token *token, void *a, void *b)
{
    rsc_expr *expr = rsc_new_expr(parser, (rsc_expr_kind)op->kind, token);
    expr->a = a;
    expr->b = b;
    return expr;
}

static void *parse_selection(void *parser)
{
    return rsc_parse_selection(parser);
}

static const gy_grammar grammar = {.prefixes = prefixes,
                                   .operators = operators,
                                   .most_depth = RSC_MOST_DEPTH,
                                   .operand = parse_selection,
                                   .join = join,
                                   .may_follow = may_follow};

static rsc_expr *parse_level(rsc_parser *p, int level)
{
    unsigned context = p->no_equals ? TARGET : p->in_formula ? FORMULA : MODEL;
    gy_expression_reader reader = {&grammar, p, &p->in, context};
    return gy_read_expression(&reader, level);
}

rsc_expr *rsc_parse_operand(rsc_parser *p)
{
    return parse_level(p, GY_OPERAND);
}

rsc_expr *rsc_parse_expr(rsc_parser *p)
{
    bool no_equals = p->no_equals;
    p->no_equals = false;
    rsc_expr *expr = parse_level(p, EQUIV);
    p->no_equals = no_equals;
    return expr;
}

rsc_expr *rsc_parse_sum(rsc_parser *p)
{
    return parse_level(p, RANGE);
}
