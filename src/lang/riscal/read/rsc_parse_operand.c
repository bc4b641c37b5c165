// Recursive descent: operands of expressions, and what selects a part of one.
//
// The dot after the variables of a quantifier and the dot of a selector look alike: `with i ≠ N.
// f` ends there, `r.f` selects. White space after the dot tells them apart.
#include "lang/riscal/read/rsc_parser.h"

static bool parse_list(rsc_parser *p, rsc_expr *expr, int end, const char *where)
{
    rsc_expr_list list = {0};
    bool good = true;
    if (p->in.at->kind != end)
        do {
            rsc_expr *item = rsc_parse_expr(p);
            good = item;
            if (good)
                gy_vec_push(&list, item);
        } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &list, rsc_expr *, expr->args, expr->count);
    return good && gy_expect(&p->in, end, where);
}

// ( '∀' | '∃' | '∑' | '∏' ) bound '.' expression | '#' bound | 'choose' bound
static rsc_expr *parse_quantified(rsc_parser *p, rsc_expr_kind kind)
{
    const gy_token *token = p->in.at++;
    rsc_expr *expr = rsc_new_expr(p, kind, token);
    expr->bound = rsc_parse_bound(p);
    if (!expr->bound || kind == RSC_X_COUNT || kind == RSC_X_CHOOSE)
        return expr->bound ? expr : NULL;
    if (p->in.at->kind != '.') {
        gy_diag *diag = gy_unexpected(&p->in, "`.`", "after the variables of the quantifier");
        if (diag)
            gy_hint(diag, "a dot that ends the variables needs a space after it: r.f selects");
        return NULL;
    }
    p->in.at++;
    expr->a = rsc_parse_expr(p);
    return expr->a ? expr : NULL;
}

// name | name '!' name | name '(' [ expression { ',' expression } ] ')'
static rsc_expr *parse_name(rsc_parser *p)
{
    const gy_token *token = p->in.at;
    bool min = strcmp(token->text, "min") == 0, max = strcmp(token->text, "max") == 0;
    if ((min || max) && token[1].kind == GY_T_NAME)
        return parse_quantified(p, min ? RSC_X_MIN : RSC_X_MAX);
    p->in.at++;
    rsc_expr *expr = rsc_new_expr(p, RSC_X_NAME, token);
    expr->name = token->text;
    if (p->in_formula && strcmp(token->text, "X") == 0 &&
        (p->in.at->kind == RSC_T_OPEN_STATE || p->in.at->kind == '[' || p->in.at->kind == '(')) {
        expr->kind = RSC_X_NEXT;
        expr->a = rsc_parse_operand(p);
        return expr->a ? expr : NULL;
    }
    if (gy_accept(&p->in, '!')) {
        gy_name member;
        expr->kind = RSC_X_ENUM;
        if (!gy_take_name(&p->in, &member, "the name of a value"))
            return NULL;
        expr->member = member.name;
        expr->member_place = member.place;
    } else if (gy_accept(&p->in, '(')) {
        expr->kind = RSC_X_CALL;
        if (!parse_list(p, expr, ')', "after the arguments"))
            return NULL;
    }
    return expr;
}

// 'if' expression 'then' expression 'else' expression
static rsc_expr *parse_if(rsc_parser *p)
{
    rsc_expr *expr = rsc_new_expr(p, RSC_X_IF, p->in.at++);
    bool good = (expr->a = rsc_parse_expr(p)) &&
                gy_expect(&p->in, RSC_T_THEN, "after the condition") &&
                (expr->b = rsc_parse_expr(p)) &&
                gy_expect(&p->in, RSC_T_ELSE, "after what holds if the condition does") &&
                (expr->c = rsc_parse_expr(p));
    return good ? expr : NULL;
}

// 'let' name '=' expression { ',' name '=' expression } 'in' expression
static rsc_expr *parse_let(rsc_parser *p)
{
    rsc_expr *expr = rsc_new_expr(p, RSC_X_LET, p->in.at++);
    GY_VEC(rsc_bound_var) vars = {0};
    rsc_expr_list values = {0};
    bool good = true;
    uint32_t count;
    do {
        rsc_bound_var var = {0};
        rsc_expr *value = NULL;
        good = gy_take_name(&p->in, &var.name, "the name of a value") &&
               (gy_accept(&p->in, '=') || gy_expect(&p->in, RSC_T_ASSIGN, "after the name")) &&
               (value = rsc_parse_expr(p));
        gy_vec_push(&vars, var);
        gy_vec_push(&values, value);
    } while (good && gy_accept(&p->in, ','));
    expr->bound = GY_NEW(p->arena, rsc_bound);
    gy_keep(p->arena, &vars, rsc_bound_var, expr->bound->vars, count);
    gy_keep(p->arena, &values, rsc_expr *, expr->args, expr->count);
    expr->bound->count = count;
    good = good && gy_expect(&p->in, RSC_T_IN_WORD, "after the values") &&
           (expr->a = rsc_parse_expr(p));
    return good ? expr : NULL;
}

// '{' '}' '[' type ']' | '{' expression { ',' expression } '}' | '{' expression '|' bound '}'
static rsc_expr *parse_set(rsc_parser *p)
{
    const gy_token *token = p->in.at++;
    rsc_expr *expr = rsc_new_expr(p, RSC_X_SET_LIST, token);
    if (token->kind == RSC_T_EMPTYSET || gy_accept(&p->in, '}')) {
        expr->kind = RSC_X_EMPTY;
        if (!gy_expect(&p->in, '[', "after the empty set: the type of its elements") ||
            !(expr->syntax = rsc_parse_type(p)) ||
            !gy_expect(&p->in, ']', "after the type of the elements"))
            return NULL;
        return expr;
    }
    rsc_expr *first = rsc_parse_expr(p);
    if (!first)
        return NULL;
    if (gy_accept(&p->in, '|')) {
        expr->kind = RSC_X_SET_BUILD;
        expr->a = first;
        expr->bound = rsc_parse_bound(p);
        return expr->bound && gy_expect(&p->in, '}', "at the end of the set") ? expr : NULL;
    }
    rsc_expr_list list = {0};
    gy_vec_push(&list, first);
    while (first && gy_accept(&p->in, ',')) {
        first = rsc_parse_expr(p);
        if (first)
            gy_vec_push(&list, first);
    }
    gy_keep(p->arena, &list, rsc_expr *, expr->args, expr->count);
    return first && gy_expect(&p->in, '}', "at the end of the set") ? expr : NULL;
}

// '⟨' expression { ',' expression } '⟩' | '⟨' name ':' expression { ',' name ':' expression } '⟩'
static rsc_expr *parse_tuple(rsc_parser *p)
{
    rsc_expr *expr = rsc_new_expr(p, RSC_X_TUPLE, p->in.at++);
    rsc_expr_list list = {0};
    GY_VEC(gy_name) names = {0};
    bool good = true;
    uint32_t count;
    if (p->in.at->kind == GY_T_NAME && p->in.at[1].kind == ':')
        expr->kind = RSC_X_RECORD;
    do {
        gy_name name = {"", p->in.at->place};
        if (expr->kind == RSC_X_RECORD)
            good = gy_take_name(&p->in, &name, "the name of a field") &&
                   gy_expect(&p->in, ':', "after the name of the field");
        rsc_expr *item = good ? rsc_parse_expr(p) : NULL;
        good = item;
        gy_vec_push(&list, item);
        gy_vec_push(&names, name);
    } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &list, rsc_expr *, expr->args, expr->count);
    gy_keep(p->arena, &names, gy_name, expr->names, count);
    (void)count;
    return good && gy_expect(&p->in, RSC_T_CLOSE_TUPLE, "after the values") ? expr : NULL;
}

// ( 'Array' | 'Map' ) '[' … ']' '(' expression ')' | 'Set' '(' expression ')'
static rsc_expr *parse_container(rsc_parser *p)
{
    const gy_token *token = p->in.at;
    rsc_expr *expr = rsc_new_expr(p, RSC_X_FILL, token);
    if (token->kind == RSC_T_SET && token[1].kind == '(') {
        p->in.at += 2;
        expr->kind = RSC_X_POWERSET;
        expr->a = rsc_parse_expr(p);
        return expr->a && gy_expect(&p->in, ')', "after the set") ? expr : NULL;
    }
    expr->syntax = rsc_parse_type(p);
    bool good = expr->syntax &&
                gy_expect(&p->in, '(', "after the type: the value of all elements") &&
                (expr->a = rsc_parse_expr(p)) && gy_expect(&p->in, ')', "after the value");
    return good ? expr : NULL;
}

// '⟦' expression '⟧'
static rsc_expr *parse_state(rsc_parser *p, bool ascii)
{
    rsc_expr *expr = rsc_new_expr(p, RSC_X_STATE, p->in.at);
    bool in_formula = p->in_formula;
    p->in.at += ascii ? 2 : 1;
    p->in_formula = false;
    expr->a = rsc_parse_expr(p);
    p->in_formula = in_formula;
    bool good = expr->a && (!ascii ? gy_expect(&p->in, RSC_T_CLOSE_STATE, "after the state formula")
                                   : gy_expect(&p->in, ']', "after the state formula") &&
                                         gy_expect(&p->in, ']', "after the state formula"));
    return good ? expr : NULL;
}

static rsc_expr *parse_enclosed(rsc_parser *p)
{
    const gy_token *token = p->in.at++;
    bool size = token->kind == '|';
    rsc_expr *expr = rsc_parse_expr(p);
    if (!expr ||
        !gy_expect(&p->in, size ? '|' : ')', size ? "after the set" : "after the expression"))
        return NULL;
    if (!size)
        return expr;
    rsc_expr *whole = rsc_new_expr(p, RSC_X_SIZE, token);
    whole->a = expr;
    return whole;
}

static rsc_expr *parse_constant(rsc_parser *p)
{
    const gy_token *token = p->in.at++;
    bool number = token->kind == GY_T_NUMBER;
    rsc_expr *expr = rsc_new_expr(p, number ? RSC_X_NUMBER : RSC_X_BOOL, token);
    expr->value = number ? token->value : token->kind == RSC_T_TRUE;
    return expr;
}

static rsc_expr *parse_primary(rsc_parser *p)
{
    switch (p->in.at->kind) {
    case GY_T_NUMBER:
    case RSC_T_TRUE:
    case RSC_T_FALSE:
        return parse_constant(p);
    case GY_T_NAME:
        return parse_name(p);
    case '(':
    case '|':
        return parse_enclosed(p);
    case RSC_T_FORALL:
        return parse_quantified(p, RSC_X_FORALL);
    case RSC_T_EXISTS:
        return parse_quantified(p, RSC_X_EXISTS);
    case RSC_T_SUM:
        return parse_quantified(p, RSC_X_SUM);
    case RSC_T_PRODUCT:
        return parse_quantified(p, RSC_X_PRODUCT);
    case '#':
        return parse_quantified(p, RSC_X_COUNT);
    case RSC_T_CHOOSE:
        return parse_quantified(p, RSC_X_CHOOSE);
    case RSC_T_IF:
        return parse_if(p);
    case RSC_T_LET:
        return parse_let(p);
    case '{':
    case RSC_T_EMPTYSET:
        return parse_set(p);
    case RSC_T_OPEN_TUPLE:
        return parse_tuple(p);
    case RSC_T_ARRAY:
    case RSC_T_MAP:
    case RSC_T_SET:
        return parse_container(p);
    case RSC_T_OPEN_STATE:
        return parse_state(p, false);
    case '[':
        if (p->in.at[1].kind == '[')
            return parse_state(p, true);
        break;
    case RSC_T_OUTSIDE:
        rsc_refuse(p);
        return NULL;
    default:
        break;
    }
    gy_unexpected(&p->in, "an expression", "here");
    return NULL;
}

// ---- selectors --------------------------------------------------------------------------------

static bool is_selector(const rsc_parser *p, const rsc_expr *of)
{
    const gy_token *at = p->in.at;
    return at->kind == '.' && !at->spaced && of->kind != RSC_X_NUMBER &&
           (at[1].kind == GY_T_NAME || at[1].kind == GY_T_NUMBER);
}

// '.' ( name | number ), of which the dot was taken
static bool parse_member(rsc_parser *p, rsc_expr *expr, rsc_expr_kind field, rsc_expr_kind item)
{
    const gy_token *token = p->in.at;
    expr->member_place = token->place;
    if (gy_accept(&p->in, GY_T_NUMBER)) {
        expr->kind = item;
        expr->value = token->value;
        return true;
    }
    gy_name name;
    expr->kind = field;
    if (!gy_take_name(&p->in, &name, "the name or number of a field"))
        return false;
    expr->member = name.name;
    return true;
}

// 'with' ( '[' expression ']' | '.' member ) '=' expression
static rsc_expr *parse_update(rsc_parser *p, rsc_expr *of)
{
    rsc_expr *expr = rsc_new_expr(p, RSC_X_WITH_INDEX, p->in.at++);
    expr->a = of;
    if (gy_accept(&p->in, '[')) {
        if (!(expr->b = rsc_parse_expr(p)) || !gy_expect(&p->in, ']', "after the index"))
            return NULL;
    } else {
        p->in.at++; // the dot
        if (!parse_member(p, expr, RSC_X_WITH_FIELD, RSC_X_WITH_ITEM))
            return NULL;
    }
    if (!gy_expect(&p->in, '=', "before the new value"))
        return NULL;
    expr->c = rsc_parse_sum(p);
    return expr->c ? expr : NULL;
}

// selection := primary { '[' expression ']' | '.' member | update }
rsc_expr *rsc_parse_selection(rsc_parser *p)
{
    rsc_expr *of = parse_primary(p);
    for (unsigned steps = 0; of; steps++) {
        if (steps > RSC_MOST_DEPTH) {
            gy_error(p->in.diags, p->in.at->place, "this expression is nested too deeply");
            return NULL;
        }
        const gy_token *token = p->in.at;
        if (token->kind == RSC_T_WITH &&
            ((token[1].kind == '[' && token[2].kind != ']' && token[2].kind != '[') ||
             token[1].kind == '.')) {
            of = parse_update(p, of);
            continue;
        }
        rsc_expr *expr = NULL;
        if (token->kind == '[' && token[1].kind != ']') {
            p->in.at++;
            expr = rsc_new_expr(p, RSC_X_INDEX, token);
            bool no_equals = p->no_equals;
            p->no_equals = false;
            expr->b = rsc_parse_expr(p);
            p->no_equals = no_equals;
            if (!expr->b || !gy_expect(&p->in, ']', "after the index"))
                return NULL;
        } else if (is_selector(p, of)) {
            p->in.at++;
            expr = rsc_new_expr(p, RSC_X_FIELD, token);
            if (!parse_member(p, expr, RSC_X_FIELD, RSC_X_ITEM))
                return NULL;
        } else {
            return of;
        }
        expr->a = of;
        of = expr;
    }
    return NULL;
}
