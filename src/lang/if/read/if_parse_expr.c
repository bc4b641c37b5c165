// Recursive descent: expressions, and the formulas that are written around them.
//
//   expression := level [ '?' expression ':' expression ]
//   level      := operand { operator operand }      or, and, comparisons, + -, * / %
//   operand    := ( '-' | '+' | 'not' | 'active' ) operand | '{' name '}' operand
//               | primary { '.' name | '[' expression ']' }
//   primary    := number | 'true' | 'false' | 'self' | 'nil' | name | '(' expression ')'
//
// In a formula there are also:
//   -> <->         loosest, to the right
//   U R V W M      tighter than `and`, to the right
//   [] <> G F X    before an operand or comparison; letters may be joined (GF)
//   p@state        the instance p (a process: its first instance) is in that state
//   length(p)      of its queue
#include "lang/common/expression.h"
#include "lang/if/read/if_parser.h"

enum { MODEL = 1, FORMULA = 2, CODE = 4, ALL = MODEL | FORMULA | CODE }; // CODE: C

enum { IMPLIES = GY_LOOSEST, OR, AND, UNTIL, COMPARISON, SUM, PRODUCT };

// kind: a gy_expr_op; logic: a gy_formula_op, for operands that are formulas. TRUE: it takes none.
static const gy_operator operators[] = {
    {IF_T_ARROW, 0, NULL, IMPLIES, FORMULA, GY_E_CONST, GY_F_IMPLIES, true},
    {IF_T_EQUIV, 0, NULL, IMPLIES, FORMULA, GY_E_EQ, GY_F_EQUIV, true},
    {IF_T_OR, 0, NULL, OR, ALL, GY_E_OR, GY_F_OR, false},
    {IF_T_AND, 0, NULL, AND, ALL, GY_E_AND, GY_F_AND, false},
    {GY_T_NAME, 0, "U", UNTIL, FORMULA, GY_E_CONST, GY_F_UNTIL, true},
    {GY_T_NAME, 0, "R", UNTIL, FORMULA, GY_E_CONST, GY_F_RELEASE, true},
    {GY_T_NAME, 0, "V", UNTIL, FORMULA, GY_E_CONST, GY_F_RELEASE, true},
    {GY_T_NAME, 0, "W", UNTIL, FORMULA, GY_E_CONST, GY_F_WEAK_UNTIL, true},
    {GY_T_NAME, 0, "M", UNTIL, FORMULA, GY_E_CONST, GY_F_STRONG_RELEASE, true},
    {'=', 0, NULL, COMPARISON, MODEL | FORMULA, GY_E_EQ, GY_F_TRUE, false},
    {IF_T_SAME, 0, NULL, COMPARISON, ALL, GY_E_EQ, GY_F_TRUE, false},
    {IF_T_NE, 0, NULL, COMPARISON, ALL, GY_E_NE, GY_F_TRUE, false},
    {'<', 0, NULL, COMPARISON, ALL, GY_E_LT, GY_F_TRUE, false},
    {IF_T_LE, 0, NULL, COMPARISON, ALL, GY_E_LE, GY_F_TRUE, false},
    {'>', 0, NULL, COMPARISON, ALL, GY_E_GT, GY_F_TRUE, false},
    {IF_T_GE, 0, NULL, COMPARISON, ALL, GY_E_GE, GY_F_TRUE, false},
    {'+', 0, NULL, SUM, ALL, GY_E_ADD, GY_F_TRUE, false},
    {'-', 0, NULL, SUM, ALL, GY_E_SUB, GY_F_TRUE, false},
    {'*', 0, NULL, PRODUCT, ALL, GY_E_MUL, GY_F_TRUE, false},
    {'/', 0, NULL, PRODUCT, ALL, GY_E_DIV, GY_F_TRUE, false},
    {'%', 0, NULL, PRODUCT, ALL, GY_E_MOD, GY_F_TRUE, false},
    {0},
};

static const gy_operator prefixes[] = {
    {'-', 0, NULL, GY_OPERAND, ALL, GY_E_NEG, GY_F_TRUE, false},
    {'+', 0, NULL, GY_OPERAND, ALL, GY_E_ADD, GY_F_TRUE, false},
    {IF_T_NOT, 0, NULL, GY_OPERAND, ALL, GY_E_NOT, GY_F_NOT, false},
    {IF_T_ACTIVE, 0, NULL, GY_OPERAND, ALL, GY_E_CONST, GY_F_TRUE, false},
    {'[', ']', NULL, UNTIL + 1, FORMULA, GY_E_CONST, GY_F_ALWAYS, false},
    {IF_T_NE, 0, NULL, UNTIL + 1, FORMULA, GY_E_CONST, GY_F_EVENTUALLY, false},
    {GY_T_NAME, 0, "G", UNTIL + 1, FORMULA, GY_E_CONST, GY_F_ALWAYS, false},
    {GY_T_NAME, 0, "F", UNTIL + 1, FORMULA, GY_E_CONST, GY_F_EVENTUALLY, false},
    {GY_T_NAME, 0, "X", UNTIL + 1, FORMULA, GY_E_CONST, GY_F_NEXT, false},
    {0},
};

if_expr *if_new_expr(if_parser *p, if_expr_kind kind, const gy_token *token)
{
    if_expr *expr = GY_NEW(p->arena, if_expr);
    *expr = (if_expr){.kind = kind, .place = token->place, .length = token->length};
    return expr;
}

static if_expr *parse_level(if_parser *p, int level);

if_expr *if_parse_expr(if_parser *p)
{
    if_expr *expr = parse_level(p, GY_LOOSEST);
    if (!expr || p->in.at->kind != '?')
        return expr;
    if_expr *choice = if_new_expr(p, IF_X_COND, p->in.at++);
    if (!gy_enter(&p->in, IF_MOST_DEPTH))
        return NULL;
    choice->a = expr;
    bool good = (choice->b = if_parse_expr(p)) &&
                gy_expect(&p->in, ':', "between the two values") && (choice->c = if_parse_expr(p));
    p->in.depth--;
    choice->temporal = good && (choice->a->temporal || choice->b->temporal || choice->c->temporal);
    return good ? choice : NULL;
}

// ---- operands -------------------------------------------------------------------------------

// '{' name '}' operand
static if_expr *parse_cast(if_parser *p)
{
    if_expr *expr = if_new_expr(p, IF_X_CAST, p->in.at++);
    bool outer = p->in_cast;
    if (!gy_take_name(&p->in, &expr->name, "the name of a type, process or signal route") ||
        !gy_expect(&p->in, '}', "after the name"))
        return NULL;
    p->in_cast = true;
    expr->a = if_parse_operand(p);
    p->in_cast = outer;
    return expr->a ? expr : NULL;
}

static if_expr *parse_length(if_parser *p)
{
    if_expr *expr = if_new_expr(p, IF_X_LENGTH, p->in.at);
    p->in.at += 2;
    expr->a = if_parse_expr(p);
    return expr->a && gy_expect(&p->in, ')', "after the process") ? expr : NULL;
}

static if_expr *parse_name(if_parser *p)
{
    const gy_token *token = p->in.at;
    if (token[1].kind == '(') {
        if (p->in_formula && strcmp(token->text, "length") == 0)
            return parse_length(p);
        if (p->in.last_error != token) {
            gy_diag *diag = gy_error(p->in.diags, token->place,
                                     "functions of abstract types are not supported");
            diag->length = token->length;
            gy_hint(diag,
                    "a procedure is called by a statement of its own: "
                    "x := call %s(…);",
                    token->text);
        }
        p->in.last_error = token;
        return NULL;
    }
    if_expr *expr = if_new_expr(p, IF_X_NAME, token);
    expr->name = (gy_name){token->text, token->place};
    p->in.at++;
    return expr;
}

static if_expr *parse_primary(if_parser *p)
{
    const gy_token *token = p->in.at;
    bool in_cast = p->in_cast;
    if_expr *expr;
    switch (token->kind) {
    case '(':
        p->in.at++;
        p->in_cast = false;
        expr = if_parse_expr(p);
        p->in_cast = in_cast;
        if (!expr || !gy_expect(&p->in, ')', "to match the opening parenthesis"))
            return NULL;
        expr->in_parentheses = true;
        return expr;
    case GY_T_NUMBER:
        p->in.at++;
        expr = if_new_expr(p, IF_X_NUMBER, token);
        expr->value = token->value;
        if (p->in.at->kind == '.' && p->in.at[1].kind == GY_T_NUMBER) {
            if_refuse(p, "a number with a fraction", "numbers are integers");
            return NULL;
        }
        return expr;
    case IF_T_TRUE:
    case IF_T_FALSE:
        p->in.at++;
        expr = if_new_expr(p, IF_X_TRUTH, token);
        expr->value = token->kind == IF_T_TRUE;
        return expr;
    case IF_T_SELF:
    case IF_T_NIL:
        p->in.at++;
        return if_new_expr(p, token->kind == IF_T_SELF ? IF_X_SELF : IF_X_NIL, token);
    case GY_T_NAME:
        return parse_name(p);
    default:
        gy_unexpected(&p->in, "an operand (a number, a variable, an expression in parentheses)",
                      "here");
        return NULL;
    }
}

// What follows an operand: fields, indices; in a formula, a state.
static if_expr *parse_selectors(if_parser *p, if_expr *expr)
{
    for (unsigned count = 0; expr && expr->kind != IF_X_NUMBER; count++) {
        const gy_token *token = p->in.at;
        bool at = token->kind == '@' && p->in_formula && !p->in_cast;
        if (token->kind != '.' && token->kind != '[' && !at)
            return expr;
        if (count > IF_MOST_DEPTH) {
            gy_error(p->in.diags, token->place, "this is nested too deeply");
            return NULL;
        }
        if_expr *part = if_new_expr(p,
                                    at                   ? IF_X_AT
                                    : token->kind == '.' ? IF_X_FIELD
                                                         : IF_X_INDEX,
                                    token);
        p->in.at++;
        part->a = expr;
        if (part->kind == IF_X_INDEX) {
            if (!(part->b = if_parse_expr(p)) || !gy_expect(&p->in, ']', "after the index"))
                return NULL;
        } else if (!gy_take_name(&p->in, &part->name,
                                 at ? "the name of a state" : "the name of a field")) {
            return NULL;
        }
        expr = part;
    }
    return expr;
}

static void *parse_operand(void *parser)
{
    if_parser *p = parser;
    return parse_selectors(p, p->in.at->kind == '{' ? parse_cast(p) : parse_primary(p));
}

// ---- levels ---------------------------------------------------------------------------------

// `==` is an operator in formulas and in C.
static bool may_follow(void *parser, const gy_operator *op, const gy_operator *before,
                       const void *left)
{
    if_parser *p = parser;
    (void)before;
    (void)left;
    if (op->token != IF_T_SAME || p->in_formula || p->in_code)
        return true;
    gy_diag *diag = gy_unexpected(&p->in, "an operator", "here");
    if (diag)
        gy_hint(diag, "IF compares with `=`");
    return false;
}

static if_expr_kind kind_of(const gy_operator *op, const if_expr *b)
{
    if (op->token == IF_T_ACTIVE)
        return IF_X_ACTIVE;
    return b ? IF_X_BINARY : IF_X_UNARY;
}

// An implication or a temporal operator makes a formula of anything, the others of formulas.
static void *join(void *parser, const gy_operator *op, const gy_token *token, void *left,
                  void *right)
{
    if_expr *a = left, *b = right;
    bool temporal =
        op->level == UNTIL || (!b && op->level != GY_OPERAND) || a->temporal || (b && b->temporal);
    bool joins = op->level == IMPLIES || (temporal && op->logic != GY_F_TRUE);
    if_expr *expr = if_new_expr(parser, joins ? IF_X_TEMPORAL : kind_of(op, b), token);
    expr->op = (gy_expr_op)op->kind;
    expr->formula_op = (gy_formula_op)op->logic;
    expr->temporal = temporal;
    expr->a = a;
    expr->b = b;
    return expr;
}

static bool is_declared(const if_parser *p, const char *name)
{
    for (uint32_t i = 0; i < p->system->symbols.count; i++)
        if (strcmp(p->system->symbols.at[i]->name.name, name) == 0)
            return true;
    return false;
}

// G is a name where one is declared, or before its state or field.
static bool is_name(void *parser)
{
    const if_parser *p = parser;
    return p->in.at[1].kind == '@' || p->in.at[1].kind == '.' || is_declared(p, p->in.at->text);
}

static const gy_grammar grammar = {.prefixes = prefixes,
                                   .operators = operators,
                                   .most_depth = IF_MOST_DEPTH,
                                   .operand = parse_operand,
                                   .join = join,
                                   .may_follow = may_follow,
                                   .is_name = is_name};

static if_expr *parse_level(if_parser *p, int level)
{
    unsigned context = p->in_formula ? FORMULA : p->in_code ? CODE : MODEL;
    gy_expression_reader reader = {&grammar, p, &p->in, context};
    return gy_read_expression(&reader, level);
}

if_expr *if_parse_operand(if_parser *p)
{
    return parse_level(p, GY_OPERAND);
}
