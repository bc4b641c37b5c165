// Recursive descent: expressions, and the formulas that are written around them.
//
//   expression := operand { operator operand }        by the levels below, left to right
//   operand    := ( '-' | '~' | 'not' | '!' ) operand | number | 'true' | 'false'
//               | '(' expression ')' | name [ '[' expression ']' ] | name '.' name
//               | name '->' name [ '[' expression ']' ]
//
// `and` and `or` are on one level, as are | & ^: that is the language. In a formula, `and` binds
// tighter than `or`, and there are also:
//   -> <->         loosest, to the right
//   U R V W M      tighter than `and`, to the right
//   [] <> G F X    before an operand or comparison; letters may be joined (GF)
// `a -> b` in a formula is the variable b of process a if a is a process.
#include "lang/common/expression.h"
#include "lang/dve/read/dve_parser.h"

enum { MOST_DEPTH = 500 };

enum { MODEL = 1, FORMULA = 2, BOTH = MODEL | FORMULA };

enum { IMPLIES = GY_LOOSEST, OR, AND, UNTIL, BITS, EQUALITY, ORDER, SHIFT, SUM, PRODUCT };

static const gy_operator operators[] = {
    {DVE_T_ARROW, 0, NULL, IMPLIES, FORMULA, DVE_X_IMPLY, 0, true},
    {DVE_T_EQUIV, 0, NULL, IMPLIES, FORMULA, DVE_X_EQUIV, 0, true},
    {DVE_T_IMPLY, 0, NULL, IMPLIES, FORMULA, DVE_X_IMPLY, 0, true},
    {DVE_T_IMPLY, 0, NULL, IMPLIES, MODEL, DVE_X_IMPLY, 0, false},
    {DVE_T_OR, 0, NULL, OR, BOTH, DVE_X_OR, 0, false},
    {DVE_T_AND, 0, NULL, AND, FORMULA, DVE_X_AND, 0, false},
    {DVE_T_AND, 0, NULL, OR, MODEL, DVE_X_AND, 0, false},
    {GY_T_NAME, 0, "U", UNTIL, FORMULA, DVE_X_UNTIL, 0, true},
    {GY_T_NAME, 0, "R", UNTIL, FORMULA, DVE_X_RELEASE, 0, true},
    {GY_T_NAME, 0, "V", UNTIL, FORMULA, DVE_X_RELEASE, 0, true},
    {GY_T_NAME, 0, "W", UNTIL, FORMULA, DVE_X_WEAK_UNTIL, 0, true},
    {GY_T_NAME, 0, "M", UNTIL, FORMULA, DVE_X_STRONG_RELEASE, 0, true},
    {'|', 0, NULL, BITS, BOTH, DVE_X_BITOR, 0, false},
    {'&', 0, NULL, BITS, BOTH, DVE_X_BITAND, 0, false},
    {'^', 0, NULL, BITS, BOTH, DVE_X_BITXOR, 0, false},
    {DVE_T_EQ, 0, NULL, EQUALITY, BOTH, DVE_X_EQ, 0, false},
    {DVE_T_NE, 0, NULL, EQUALITY, BOTH, DVE_X_NE, 0, false},
    {'<', 0, NULL, ORDER, BOTH, DVE_X_LT, 0, false},
    {DVE_T_LE, 0, NULL, ORDER, BOTH, DVE_X_LE, 0, false},
    {'>', 0, NULL, ORDER, BOTH, DVE_X_GT, 0, false},
    {DVE_T_GE, 0, NULL, ORDER, BOTH, DVE_X_GE, 0, false},
    {DVE_T_SHL, 0, NULL, SHIFT, BOTH, DVE_X_SHL, 0, false},
    {DVE_T_SHR, 0, NULL, SHIFT, BOTH, DVE_X_SHR, 0, false},
    {'+', 0, NULL, SUM, BOTH, DVE_X_ADD, 0, false},
    {'-', 0, NULL, SUM, BOTH, DVE_X_SUB, 0, false},
    {'*', 0, NULL, PRODUCT, BOTH, DVE_X_MUL, 0, false},
    {'/', 0, NULL, PRODUCT, BOTH, DVE_X_DIV, 0, false},
    {'%', 0, NULL, PRODUCT, BOTH, DVE_X_MOD, 0, false},
    {0},
};

static const gy_operator prefixes[] = {
    {'-', 0, NULL, GY_OPERAND, BOTH, DVE_X_NEG, 0, false},
    {'~', 0, NULL, GY_OPERAND, BOTH, DVE_X_COMPL, 0, false},
    {'!', 0, NULL, GY_OPERAND, BOTH, DVE_X_NOT, 0, false},
    {DVE_T_NOT, 0, NULL, GY_OPERAND, BOTH, DVE_X_NOT, 0, false},
    {DVE_T_BOX, 0, NULL, UNTIL + 1, FORMULA, DVE_X_ALWAYS, 0, false},
    {DVE_T_DIAMOND, 0, NULL, UNTIL + 1, FORMULA, DVE_X_EVENTUALLY, 0, false},
    {GY_T_NAME, 0, "G", UNTIL + 1, FORMULA, DVE_X_ALWAYS, 0, false},
    {GY_T_NAME, 0, "F", UNTIL + 1, FORMULA, DVE_X_EVENTUALLY, 0, false},
    {GY_T_NAME, 0, "X", UNTIL + 1, FORMULA, DVE_X_NEXT, 0, false},
    {0},
};

static dve_expr *new_expr(dve_parser *p, dve_expr_kind kind, const gy_token *token)
{
    dve_expr *expr = GY_NEW(p->arena, dve_expr);
    expr->kind = kind;
    expr->place = token->place;
    expr->length = token->length;
    expr->state = -1;
    return expr;
}

// ---- operands -------------------------------------------------------------------------------

static bool parse_index(dve_parser *p, dve_expr *expr)
{
    if (p->in.at->kind == DVE_T_BOX) {
        gy_unexpected(&p->in, "an index", "between the brackets");
        return false;
    }
    if (!gy_accept(&p->in, '['))
        return true;
    expr->a = dve_parse_expr(p);
    return expr->a && gy_expect(&p->in, ']', "after the index");
}

static bool is_process(const dve_parser *p, const char *name)
{
    return dve_find_process(p->model, name) != NULL;
}

static dve_expr *parse_name(dve_parser *p)
{
    const gy_token *token = p->in.at++;
    dve_expr *expr = new_expr(p, DVE_X_NAME, token);
    expr->name = token->text;
    bool remote = p->in.at->kind == DVE_T_ARROW && (!p->in_formula || is_process(p, token->text));
    if (p->in.at->kind == '.' || remote) {
        expr->kind = remote ? DVE_X_REMOTE : DVE_X_AT;
        p->in.at++;
        gy_name member;
        if (!gy_take_name(&p->in, &member,
                          remote ? "the name of a variable" : "the name of a state"))
            return NULL;
        expr->member = member.name;
        expr->member_place = member.place;
    }
    return expr->kind == DVE_X_AT || parse_index(p, expr) ? expr : NULL;
}

static void *parse_operand(void *parser)
{
    dve_parser *p = parser;
    const gy_token *token = p->in.at;
    dve_expr *expr;
    switch (token->kind) {
    case '(':
        p->in.at++;
        expr = dve_parse_expr(p);
        if (!expr || !gy_expect(&p->in, ')', "to match the opening parenthesis"))
            return NULL;
        expr->in_parentheses = true;
        return expr;
    case GY_T_NUMBER:
    case DVE_T_TRUE:
    case DVE_T_FALSE:
        p->in.at++;
        expr = new_expr(p, DVE_X_NUMBER, token);
        expr->value = token->kind == GY_T_NUMBER ? token->value : token->kind == DVE_T_TRUE;
        return expr;
    case GY_T_NAME:
        return parse_name(p);
    default:
        gy_unexpected(&p->in, "an operand (a number, a variable, a state of a process)", "here");
        return NULL;
    }
}

// ---- levels ---------------------------------------------------------------------------------

static bool warn_of_mixture(void *parser, const gy_operator *op, const gy_operator *before,
                            const void *operand)
{
    dve_parser *p = parser;
    const dve_expr *left = operand;
    (void)before;
    if (op->token != DVE_T_AND || left->kind != DVE_X_OR || left->in_parentheses || p->in_formula)
        return true;
    gy_diag *diag = gy_warn(p->in.diags, p->in.at->place,
                            "`or` and `and` bind alike in DVE: this reads as (… or …) and …");
    gy_hint(diag, "use parentheses");
    return true;
}

static void *join(void *parser, const gy_operator *op, const gy_token *token, void *a, void *b)
{
    dve_expr *expr = new_expr(parser, (dve_expr_kind)op->kind, token);
    expr->a = a;
    expr->b = b;
    return expr;
}

// G is a variable or process where one has that name.
static bool is_declared(void *parser)
{
    const dve_parser *p = parser;
    const dve_model *model = p->model;
    return is_process(p, p->in.at->text) ||
           dve_find_var(model->vars, model->var_count, p->in.at->text);
}

static const gy_grammar grammar = {.prefixes = prefixes,
                                   .operators = operators,
                                   .most_depth = MOST_DEPTH,
                                   .operand = parse_operand,
                                   .join = join,
                                   .may_follow = warn_of_mixture,
                                   .is_name = is_declared};

static dve_expr *parse_level(dve_parser *p, int level)
{
    gy_expression_reader reader = {&grammar, p, &p->in, p->in_formula ? FORMULA : MODEL};
    return gy_read_expression(&reader, level);
}

dve_expr *dve_parse_expr(dve_parser *p)
{
    return parse_level(p, GY_LOOSEST);
}

dve_expr *dve_parse_operand(dve_parser *p)
{
    return parse_level(p, GY_OPERAND);
}
