// Recursive descent: expressions, and the formulas that are written around them. From the loosest:
//
//   ∀ ∃ ∑ ∏ # if let choose     in front of an expression that reaches as far as it can
//   ⇔ ; ⇒ (to the right) ; ∨ ; ∧ ; U W R (formulas, to the right)
//   ¬ □ ◇ ○                     in front
//   = ≠ < ≤ > ≥ ∈ ∉ ⊆ ; .. ; ∪ \ ; ∩ × ; + - ; * / % ; - in front ; ^ ; selectors
#include "lang/riscal/read/rsc_parser.h"

enum { NONE, EQUIV, IMPLIES, EITHER, BOTH, UNTIL, COMPARE, RANGE, JOIN, MEET, SUM, PRODUCT, POWER };

typedef struct operator_ {
    int token;
    rsc_expr_kind kind;
    int level;
} operator_;

static const operator_ operators[] = {
    {RSC_T_EQUIV, RSC_X_EQUIV, EQUIV},
    {RSC_T_IMPLIES, RSC_X_IMPLIES, IMPLIES},
    {RSC_T_OR, RSC_X_OR, EITHER},
    {RSC_T_AND, RSC_X_AND, BOTH},
    {'=', RSC_X_EQ, COMPARE},
    {RSC_T_NE, RSC_X_NE, COMPARE},
    {'<', RSC_X_LT, COMPARE},
    {RSC_T_LE, RSC_X_LE, COMPARE},
    {'>', RSC_X_GT, COMPARE},
    {RSC_T_GE, RSC_X_GE, COMPARE},
    {RSC_T_IN, RSC_X_IN, COMPARE},
    {RSC_T_NOTIN, RSC_X_NOTIN, COMPARE},
    {RSC_T_SUBSET, RSC_X_SUBSET, COMPARE},
    {RSC_T_DOTS, RSC_X_RANGE, RANGE},
    {RSC_T_UNION, RSC_X_UNION, JOIN},
    {RSC_T_WITHOUT, RSC_X_WITHOUT, JOIN},
    {RSC_T_INTERSECT, RSC_X_INTERSECT, MEET},
    {RSC_T_TIMES, RSC_X_TIMES, MEET},
    {'+', RSC_X_ADD, SUM},
    {'-', RSC_X_SUB, SUM},
    {'*', RSC_X_MUL, PRODUCT},
    {'/', RSC_X_DIV, PRODUCT},
    {'%', RSC_X_MOD, PRODUCT},
    {'^', RSC_X_POWER, POWER},
};

static const struct {
    const char *text;
    rsc_expr_kind kind;
} letters[] = {{"U", RSC_X_UNTIL}, {"R", RSC_X_RELEASE}, {"W", RSC_X_WEAK_UNTIL}};

static operator_ operator_at(const rsc_parser *p)
{
    const gy_token *token = p->in.at;
    if (p->in_formula && token->kind == GY_T_NAME)
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            if (strcmp(letters[i].text, token->text) == 0)
                return (operator_){GY_T_NAME, letters[i].kind, UNTIL};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].token == token->kind && !(p->no_equals && token->kind == '='))
            return operators[i];
    return (operator_){.level = NONE};
}

rsc_expr *rsc_new_expr(rsc_parser *p, rsc_expr_kind kind, const gy_token *token)
{
    rsc_expr *expr = GY_NEW(p->arena, rsc_expr);
    expr->kind = kind;
    expr->place = token->place;
    expr->length = token->length;
    return expr;
}

static rsc_expr *parse_level(rsc_parser *p, int level)
{
    rsc_expr *left = rsc_parse_operand(p);
    bool compared = false;
    while (left) {
        operator_ op = operator_at(p);
        if (op.level == NONE || op.level < level)
            return left;
        const gy_token *token = p->in.at++;
        if (op.level == COMPARE && compared) {
            gy_diag *diag = gy_error(p->in.diags, token->place, "a comparison of a comparison");
            gy_hint(diag, "write a < b ∧ b < c, or parentheses");
            return NULL;
        }
        compared = op.level == COMPARE;
        bool to_the_right = op.level == IMPLIES || op.level == UNTIL || op.level == POWER;
        if (!gy_enter(&p->in, RSC_MOST_DEPTH))
            return NULL;
        rsc_expr *right = parse_level(p, to_the_right ? op.level : op.level + 1);
        p->in.depth--;
        if (!right)
            return NULL;
        rsc_expr *expr = rsc_new_expr(p, op.kind, token);
        expr->a = left;
        expr->b = right;
        left = expr;
    }
    return NULL;
}

// What ¬, □ … and unary minus stand in front of.
static rsc_expr *parse_prefixed(rsc_parser *p, rsc_expr_kind kind, const gy_token *token, int level)
{
    rsc_expr *expr = rsc_new_expr(p, kind, token);
    if (!gy_enter(&p->in, RSC_MOST_DEPTH))
        return NULL;
    expr->a = parse_level(p, level);
    p->in.depth--;
    return expr->a ? expr : NULL;
}

static bool is_box(const gy_token *token)
{
    return token->kind == '[' && token[1].kind == ']' && !token->spaced;
}

// prefix := ( '¬' | '□' | '◇' | '○' ) comparison | '-' power | selection
rsc_expr *rsc_parse_operand(rsc_parser *p)
{
    const gy_token *token = p->in.at;
    switch (token->kind) {
    case RSC_T_NOT:
        p->in.at++;
        return parse_prefixed(p, RSC_X_NOT, token, COMPARE);
    case '-':
        p->in.at++;
        return parse_prefixed(p, RSC_X_NEG, token, POWER);
    case RSC_T_BOX:
    case RSC_T_DIAMOND:
    case RSC_T_NEXT:
        p->in.at++;
        return parse_prefixed(p,
                              token->kind == RSC_T_BOX       ? RSC_X_ALWAYS
                              : token->kind == RSC_T_DIAMOND ? RSC_X_EVENTUALLY
                                                             : RSC_X_NEXT,
                              token, COMPARE);
    default:
        if (!is_box(token))
            return rsc_parse_selection(p);
        p->in.at += 2;
        return parse_prefixed(p, RSC_X_ALWAYS, token, COMPARE);
    }
}

rsc_expr *rsc_parse_expr(rsc_parser *p)
{
    if (!gy_enter(&p->in, RSC_MOST_DEPTH))
        return NULL;
    bool no_equals = p->no_equals;
    p->no_equals = false;
    rsc_expr *expr = parse_level(p, EQUIV);
    p->no_equals = no_equals;
    p->in.depth--;
    return expr;
}

rsc_expr *rsc_parse_sum(rsc_parser *p)
{
    if (!gy_enter(&p->in, RSC_MOST_DEPTH))
        return NULL;
    rsc_expr *expr = parse_level(p, RANGE);
    p->in.depth--;
    return expr;
}
