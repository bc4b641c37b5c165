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
#include "lang/dve/read/dve_parser.h"

enum { MOST_DEPTH = 500 };

enum { NONE, IMPLIES, EITHER, BOTH, UNTIL, BITS, EQUALITY, ORDER, SHIFT, SUM, PRODUCT };

typedef struct operator_ {
    int token;
    dve_expr_kind kind;
    int level;
} operator_;

static const operator_ operators[] = {
    {DVE_T_IMPLY, DVE_X_IMPLY, IMPLIES},
    {DVE_T_OR, DVE_X_OR, EITHER},
    {DVE_T_AND, DVE_X_AND, BOTH},
    {'|', DVE_X_BITOR, BITS},
    {'&', DVE_X_BITAND, BITS},
    {'^', DVE_X_BITXOR, BITS},
    {DVE_T_EQ, DVE_X_EQ, EQUALITY},
    {DVE_T_NE, DVE_X_NE, EQUALITY},
    {'<', DVE_X_LT, ORDER},
    {DVE_T_LE, DVE_X_LE, ORDER},
    {'>', DVE_X_GT, ORDER},
    {DVE_T_GE, DVE_X_GE, ORDER},
    {DVE_T_SHL, DVE_X_SHL, SHIFT},
    {DVE_T_SHR, DVE_X_SHR, SHIFT},
    {'+', DVE_X_ADD, SUM},
    {'-', DVE_X_SUB, SUM},
    {'*', DVE_X_MUL, PRODUCT},
    {'/', DVE_X_DIV, PRODUCT},
    {'%', DVE_X_MOD, PRODUCT},
};

static const struct {
    const char *text;
    dve_expr_kind kind;
} letters[] = {{"U", DVE_X_UNTIL},
               {"R", DVE_X_RELEASE},
               {"V", DVE_X_RELEASE},
               {"W", DVE_X_WEAK_UNTIL},
               {"M", DVE_X_STRONG_RELEASE}};

static operator_ operator_at(const dve_parser *p)
{
    const gy_token *token = p->in.at;
    if (p->in_formula) {
        if (token->kind == DVE_T_ARROW)
            return (operator_){DVE_T_ARROW, DVE_X_IMPLY, IMPLIES};
        if (token->kind == DVE_T_EQUIV)
            return (operator_){DVE_T_EQUIV, DVE_X_EQUIV, IMPLIES};
        for (size_t i = 0; token->kind == GY_T_NAME && i < sizeof letters / sizeof *letters; i++)
            if (strcmp(letters[i].text, token->text) == 0)
                return (operator_){GY_T_NAME, letters[i].kind, UNTIL};
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].token == token->kind) {
            operator_ found = operators[i];
            if (found.level == BOTH && !p->in_formula)
                found.level = EITHER;
            return found;
        }
    return (operator_){.level = NONE};
}

static dve_expr *new_expr(dve_parser *p, dve_expr_kind kind, const gy_token *token)
{
    dve_expr *expr = GY_NEW(p->arena, dve_expr);
    expr->kind = kind;
    expr->place = token->place;
    expr->length = token->length;
    expr->state = -1;
    return expr;
}

static void warn_of_mixture(dve_parser *p, const dve_expr *left, const gy_token *token)
{
    if (token->kind != DVE_T_AND || left->kind != DVE_X_OR || left->in_parentheses || p->in_formula)
        return;
    gy_diag *diag = gy_warn(p->in.diags, token->place,
                            "`or` and `and` bind alike in DVE: this reads as (… or …) and …");
    gy_hint(diag, "use parentheses");
}

static dve_expr *parse_level(dve_parser *p, int level)
{
    dve_expr *left = dve_parse_operand(p);
    while (left) {
        operator_ op = operator_at(p);
        if (op.level == NONE || op.level < level)
            return left;
        const gy_token *token = p->in.at++;
        warn_of_mixture(p, left, token);
        bool to_the_right = p->in_formula && (op.level == IMPLIES || op.level == UNTIL);
        if (++p->in.depth > MOST_DEPTH) {
            gy_error(p->in.diags, token->place, "this expression is nested too deeply");
            return NULL;
        }
        dve_expr *right = parse_level(p, to_the_right ? op.level : op.level + 1);
        p->in.depth--;
        if (!right)
            return NULL;
        dve_expr *expr = new_expr(p, op.kind, token);
        expr->a = left;
        expr->b = right;
        left = expr;
    }
    return NULL;
}

dve_expr *dve_parse_expr(dve_parser *p)
{
    return parse_level(p, NONE + 1);
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

// G, F, X and runs of them, where no variable or process has that name.
static bool is_temporal_word(const dve_parser *p)
{
    const char *text = p->in.at->text;
    return p->in_formula && p->in.at->kind == GY_T_NAME && strspn(text, "GFX") == strlen(text) &&
           !is_process(p, text) && !dve_find_var(p->model->vars, p->model->var_count, text);
}

static dve_expr *parse_temporal(dve_parser *p)
{
    const gy_token *token = p->in.at++;
    const char *word = token->kind == DVE_T_BOX       ? "G"
                       : token->kind == DVE_T_DIAMOND ? "F"
                                                      : token->text;
    dve_expr *inner = parse_level(p, UNTIL + 1);
    for (size_t i = strlen(word); inner && i-- > 0;) {
        dve_expr *expr = new_expr(p,
                                  word[i] == 'G'   ? DVE_X_ALWAYS
                                  : word[i] == 'F' ? DVE_X_EVENTUALLY
                                                   : DVE_X_NEXT,
                                  token);
        expr->a = inner;
        inner = expr;
    }
    return inner;
}

static dve_expr *parse_unary(dve_parser *p, dve_expr_kind kind)
{
    const gy_token *token = p->in.at++;
    dve_expr *inner = dve_parse_operand(p);
    if (!inner)
        return NULL;
    dve_expr *expr = new_expr(p, kind, token);
    expr->a = inner;
    return expr;
}

static dve_expr *parse_primary(dve_parser *p)
{
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
    case '-':
        return parse_unary(p, DVE_X_NEG);
    case '~':
        return parse_unary(p, DVE_X_COMPL);
    case '!':
    case DVE_T_NOT:
        return parse_unary(p, DVE_X_NOT);
    case GY_T_NUMBER:
    case DVE_T_TRUE:
    case DVE_T_FALSE:
        p->in.at++;
        expr = new_expr(p, DVE_X_NUMBER, token);
        expr->value = token->kind == GY_T_NUMBER ? token->value : token->kind == DVE_T_TRUE;
        return expr;
    case GY_T_NAME:
        return is_temporal_word(p) ? parse_temporal(p) : parse_name(p);
    case DVE_T_BOX:
    case DVE_T_DIAMOND:
        if (p->in_formula)
            return parse_temporal(p);
        break;
    default:
        break;
    }
    gy_unexpected(&p->in, "an operand (a number, a variable, a state of a process)", "here");
    return NULL;
}

dve_expr *dve_parse_operand(dve_parser *p)
{
    if (p->in.depth >= MOST_DEPTH) {
        if (p->in.last_error != p->in.at)
            gy_error(p->in.diags, p->in.at->place, "this expression is nested too deeply");
        p->in.last_error = p->in.at;
        return NULL;
    }
    p->in.depth++;
    dve_expr *expr = parse_primary(p);
    p->in.depth--;
    return expr;
}
