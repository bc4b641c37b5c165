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
#include "lang/if/read/if_parser.h"

enum { NONE, IMPLIES, EITHER, BOTH, UNTIL, COMPARISON, SUM, PRODUCT };

typedef struct operator_ {
    int token;
    gy_expr_op op;
    int level;
    gy_formula_op formula_op; // TRUE: none
} operator_;

static const operator_ operators[] = {
    {IF_T_OR, GY_E_OR, EITHER, GY_F_OR},       {IF_T_AND, GY_E_AND, BOTH, GY_F_AND},
    {'=', GY_E_EQ, COMPARISON, GY_F_TRUE},     {IF_T_SAME, GY_E_EQ, COMPARISON, GY_F_TRUE},
    {IF_T_NE, GY_E_NE, COMPARISON, GY_F_TRUE}, {'<', GY_E_LT, COMPARISON, GY_F_TRUE},
    {IF_T_LE, GY_E_LE, COMPARISON, GY_F_TRUE}, {'>', GY_E_GT, COMPARISON, GY_F_TRUE},
    {IF_T_GE, GY_E_GE, COMPARISON, GY_F_TRUE}, {'+', GY_E_ADD, SUM, GY_F_TRUE},
    {'-', GY_E_SUB, SUM, GY_F_TRUE},           {'*', GY_E_MUL, PRODUCT, GY_F_TRUE},
    {'/', GY_E_DIV, PRODUCT, GY_F_TRUE},       {'%', GY_E_MOD, PRODUCT, GY_F_TRUE},
};

static const struct {
    const char *text;
    gy_formula_op op;
} letters[] = {{"U", GY_F_UNTIL},
               {"R", GY_F_RELEASE},
               {"V", GY_F_RELEASE},
               {"W", GY_F_WEAK_UNTIL},
               {"M", GY_F_STRONG_RELEASE}};

static operator_ operator_at(const if_parser *p)
{
    const gy_token *token = p->in.at;
    if (p->in_formula) {
        if (token->kind == IF_T_ARROW)
            return (operator_){IF_T_ARROW, GY_E_CONST, IMPLIES, GY_F_IMPLIES};
        if (token->kind == IF_T_EQUIV)
            return (operator_){IF_T_EQUIV, GY_E_EQ, IMPLIES, GY_F_EQUIV};
        for (size_t i = 0; token->kind == GY_T_NAME && i < sizeof letters / sizeof *letters; i++)
            if (strcmp(letters[i].text, token->text) == 0)
                return (operator_){GY_T_NAME, GY_E_CONST, UNTIL, letters[i].op};
    }
    if ((token->kind == IF_T_SAME && !p->in_formula && !p->in_code) ||
        (token->kind == '=' && p->in_code))
        return (operator_){.level = NONE};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].token == token->kind)
            return operators[i];
    return (operator_){.level = NONE};
}

if_expr *if_new_expr(if_parser *p, if_expr_kind kind, const gy_token *token)
{
    if_expr *expr = GY_NEW(p->arena, if_expr);
    *expr = (if_expr){.kind = kind, .place = token->place, .length = token->length};
    return expr;
}

static if_expr *join(if_parser *p, const operator_ *op, const gy_token *token, if_expr *a,
                     if_expr *b)
{
    bool temporal = op->level == UNTIL || a->temporal || b->temporal;
    bool joins = op->level == IMPLIES || (temporal && op->formula_op != GY_F_TRUE);
    if_expr *expr = if_new_expr(p, joins ? IF_X_TEMPORAL : IF_X_BINARY, token);
    expr->op = op->op;
    expr->formula_op = op->formula_op;
    expr->temporal = temporal;
    expr->a = a;
    expr->b = b;
    return expr;
}

static if_expr *parse_level(if_parser *p, int level)
{
    enum { MOST_OPERATORS = 2000 };
    if_expr *left = if_parse_operand(p);
    for (unsigned count = 0; left; count++) {
        operator_ op = operator_at(p);
        if (p->in.at->kind == IF_T_SAME && op.level == NONE) {
            gy_diag *diag = gy_unexpected(&p->in, "an operator", "here");
            if (diag)
                gy_hint(diag, "IF compares with `=`");
            return NULL;
        }
        if (op.level == NONE || op.level < level)
            return left;
        const gy_token *token = p->in.at++;
        bool to_the_right = op.level == IMPLIES || op.level == UNTIL;
        if (!gy_enter(&p->in, count < MOST_OPERATORS ? IF_MOST_DEPTH : 0))
            return NULL;
        if_expr *right = parse_level(p, to_the_right ? op.level : op.level + 1);
        p->in.depth--;
        left = right ? join(p, &op, token, left, right) : NULL;
    }
    return NULL;
}

if_expr *if_parse_expr(if_parser *p)
{
    if_expr *expr = parse_level(p, NONE + 1);
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

static if_expr *parse_unary(if_parser *p, if_expr_kind kind, gy_expr_op op)
{
    const gy_token *token = p->in.at++;
    if_expr *inner = if_parse_operand(p);
    if (!inner)
        return NULL;
    bool temporal = op == GY_E_NOT && inner->temporal;
    if_expr *expr = if_new_expr(p, temporal ? IF_X_TEMPORAL : kind, token);
    expr->op = op;
    expr->formula_op = GY_F_NOT;
    expr->temporal = inner->temporal;
    expr->a = inner;
    return expr;
}

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

static bool is_declared(const if_parser *p, const char *name)
{
    for (uint32_t i = 0; i < p->system->symbols.count; i++)
        if (strcmp(p->system->symbols.at[i]->name.name, name) == 0)
            return true;
    return false;
}

static bool is_temporal_word(const if_parser *p)
{
    const char *text = p->in.at->text;
    return p->in_formula && p->in.at->kind == GY_T_NAME && strspn(text, "GFX") == strlen(text) &&
           p->in.at[1].kind != '@' && p->in.at[1].kind != '.' && !is_declared(p, text);
}

static if_expr *parse_temporal(if_parser *p)
{
    const gy_token *token = p->in.at++;
    const char *word = token->kind == '[' ? "G" : token->kind == IF_T_NE ? "F" : token->text;
    if (token->kind == '[')
        p->in.at++;
    if_expr *inner = parse_level(p, UNTIL + 1);
    for (size_t i = strlen(word); inner && i-- > 0;) {
        if_expr *expr = if_new_expr(p, IF_X_TEMPORAL, token);
        expr->formula_op = word[i] == 'G'   ? GY_F_ALWAYS
                           : word[i] == 'F' ? GY_F_EVENTUALLY
                                            : GY_F_NEXT;
        expr->temporal = true;
        expr->a = inner;
        inner = expr;
    }
    return inner;
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
                                     "functions of abstract types are outside of what Gyre reads");
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

static if_expr *parse_operand(if_parser *p)
{
    switch (p->in.at->kind) {
    case '-':
        return parse_unary(p, IF_X_UNARY, GY_E_NEG);
    case '+':
        return parse_unary(p, IF_X_UNARY, GY_E_ADD);
    case IF_T_NOT:
        return parse_unary(p, IF_X_UNARY, GY_E_NOT);
    case IF_T_ACTIVE:
        return parse_unary(p, IF_X_ACTIVE, GY_E_CONST);
    case '{':
        return parse_selectors(p, parse_cast(p));
    case IF_T_NE:
        if (p->in_formula)
            return parse_temporal(p);
        break;
    case '[':
        if (p->in_formula && p->in.at[1].kind == ']')
            return parse_temporal(p);
        break;
    default:
        if (is_temporal_word(p))
            return parse_temporal(p);
    }
    return parse_selectors(p, parse_primary(p));
}

if_expr *if_parse_operand(if_parser *p)
{
    if (!gy_enter(&p->in, IF_MOST_DEPTH))
        return NULL;
    if_expr *expr = parse_operand(p);
    p->in.depth--;
    return expr;
}
