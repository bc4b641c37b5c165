// Recursive descent: statements of IF, and the part of C that bodies of procedures are written in.
#include "lang/if/read/if_parser.h"

typedef GY_VEC(if_statement *) statement_list;

static if_statement *new_statement(if_parser *p, if_statement_kind kind)
{
    if_statement *statement = GY_NEW(p->arena, if_statement);
    *statement = (if_statement){.kind = kind, .place = p->in.at->place, .length = p->in.at->length};
    return statement;
}

// '(' [ expression { ',' expression } ] ')'
bool if_parse_arguments(if_parser *p, if_exprs *args, const char *where)
{
    GY_VEC(if_expr *) list = {0};
    bool good = gy_expect(&p->in, '(', where);
    if (good && !gy_accept(&p->in, ')')) {
        do {
            if_expr *arg = if_parse_expr(p);
            good = arg != NULL;
            if (good)
                gy_vec_push(&list, arg);
        } while (good && gy_accept(&p->in, ','));
        good = good && gy_expect(&p->in, ')', "after the arguments");
    }
    gy_keep(p->arena, &list, if_expr *, args->at, args->count);
    return good;
}

// 'output' name '(' … ')' [ 'via' operand ] [ 'to' expression ]
static bool parse_output(if_parser *p, if_statement *s)
{
    p->in.at++;
    return gy_take_name(&p->in, &s->name, "the name of a signal") &&
           if_parse_arguments(p, &s->args, "after the name of the signal") &&
           (!gy_accept(&p->in, IF_T_VIA) || (s->via = if_parse_operand(p))) &&
           (!gy_accept(&p->in, IF_T_TO) || (s->to = if_parse_expr(p)));
}

// ( 'call' | 'fork' ) name '(' … ')'
static bool parse_use(if_parser *p, if_statement *s)
{
    bool forks = p->in.at->kind == IF_T_FORK;
    s->kind = forks ? IF_S_FORK : IF_S_CALL;
    p->in.at++;
    return gy_take_name(&p->in, &s->name,
                        forks ? "the name of a process" : "the name of a procedure") &&
           if_parse_arguments(p, &s->args, "after the name");
}

// operand ':=' ( expression | call | fork )
static bool parse_assignment(if_parser *p, if_statement *s)
{
    if (!(s->target = if_parse_operand(p)))
        return false;
    if (!gy_accept(&p->in, IF_T_ASSIGN)) {
        gy_diag *diag = gy_unexpected(&p->in, "`:=`", "after the assigned variable");
        if (diag && p->in.at->kind == '=')
            gy_hint(diag, "`=` compares; an assignment is `task x := e;`");
        return false;
    }
    if (p->in.at->kind == IF_T_CALL || p->in.at->kind == IF_T_FORK)
        return parse_use(p, s);
    return (s->value = if_parse_expr(p)) != NULL;
}

// 'if' expression 'then' { statement } [ 'else' { statement } ] 'endif'
static bool parse_if(if_parser *p, if_statement *s)
{
    p->in.at++;
    return (s->value = if_parse_expr(p)) && gy_expect(&p->in, IF_T_THEN, "after the condition") &&
           if_parse_statements(p, &s->first) &&
           (!gy_accept(&p->in, IF_T_ELSE) || if_parse_statements(p, &s->second)) &&
           gy_expect(&p->in, IF_T_ENDIF, "at the end of the conditional statement");
}

// 'while' expression 'do' { statement } 'endwhile'
static bool parse_while(if_parser *p, if_statement *s)
{
    p->in.at++;
    return (s->value = if_parse_expr(p)) && gy_expect(&p->in, IF_T_DO, "after the condition") &&
           if_parse_statements(p, &s->first) &&
           gy_expect(&p->in, IF_T_ENDWHILE, "at the end of the loop");
}

static if_statement_kind kind_at(const if_parser *p)
{
    switch (p->in.at->kind) {
    case IF_T_SKIP:
        return IF_S_SKIP;
    case IF_T_INFORMAL:
        return IF_S_INFORMAL;
    case IF_T_OUTPUT:
        return IF_S_OUTPUT;
    case IF_T_CALL:
        return IF_S_CALL;
    case IF_T_FORK:
        return IF_S_FORK;
    case IF_T_KILL:
        return IF_S_KILL;
    case IF_T_IF:
        return IF_S_IF;
    case IF_T_WHILE:
        return IF_S_WHILE;
    case IF_T_RETURN:
        return IF_S_RETURN;
    default:
        return IF_S_ASSIGN;
    }
}

static bool parse_statement(if_parser *p, if_statement *s)
{
    switch (s->kind) {
    case IF_S_SKIP:
        p->in.at++;
        return true;
    case IF_S_INFORMAL:
        p->in.at++;
        s->text = gy_arena_strndup(p->arena, p->in.at->text, p->in.at->length);
        return gy_expect(&p->in, GY_T_STRING, "after `informal`");
    case IF_S_OUTPUT:
        return parse_output(p, s);
    case IF_S_CALL:
    case IF_S_FORK:
        return parse_use(p, s);
    case IF_S_KILL:
        p->in.at++;
        return (s->value = if_parse_expr(p)) != NULL;
    case IF_S_RETURN:
        p->in.at++;
        return p->in.at->kind == ';' || (s->value = if_parse_expr(p));
    case IF_S_IF:
        return parse_if(p, s);
    case IF_S_WHILE:
        return parse_while(p, s);
    case IF_S_ASSIGN:
        break;
    }
    gy_accept(&p->in, IF_T_TASK);
    return parse_assignment(p, s);
}

static bool begins_statement(const if_parser *p)
{
    switch (p->in.at->kind) {
    case IF_T_TASK:
    case GY_T_NAME:
    case '(':
    case '{':
    case IF_T_SET:
    case IF_T_RESET:
        return true;
    default:
        return kind_at(p) != IF_S_ASSIGN;
    }
}

// After an error: after the next semicolon, or at a word that ends what is around.
static void skip_statement(if_parser *p)
{
    static const int ends[] = {';', 0};
    static const int always[] = {
        IF_T_ENDSTATE, IF_T_ENDPROCESS, IF_T_ENDSYSTEM, IF_T_NEXTSTATE, IF_T_ENDPROCEDURE,
        IF_T_STATE,    IF_T_CLOSE_CODE, IF_T_ENDIF,     IF_T_ENDWHILE,  0};
    gy_skip_to(&p->in, ends, always);
    gy_accept(&p->in, ';');
}

// { statement [ ';' ] }                              after if and while, the semicolon may be
// missing
bool if_parse_statements(if_parser *p, if_block *block)
{
    statement_list list = {0};
    bool good = gy_enter(&p->in, IF_MOST_DEPTH);
    while (good && begins_statement(p) && !gy_diags_full(p->in.diags)) {
        if (p->in.at->kind == IF_T_SET || p->in.at->kind == IF_T_RESET) {
            if_refuse(p, "a clock",
                      "remove clocks, delays and deadlines: Gyre reads IF without time");
            skip_statement(p);
            continue;
        }
        if_statement *s = new_statement(p, kind_at(p));
        unsigned depth = p->in.depth;
        bool block_like = s->kind == IF_S_IF || s->kind == IF_S_WHILE;
        bool read = parse_statement(p, s) &&
                    (block_like ? gy_accept(&p->in, ';') || true
                                : gy_expect(&p->in, ';', "at the end of the statement"));
        p->in.depth = depth;
        if (read)
            gy_vec_push(&list, s);
        else
            skip_statement(p);
    }
    if (good)
        p->in.depth--;
    gy_keep(p->arena, &list, if_statement *, block->at, block->count);
    return good;
}

// ---- C ----------------------------------------------------------------------------------------

static bool parse_c_statements(if_parser *p, if_block *block, if_symbol_list *vars, int end);

// '{' { statement } '}' | statement
static bool parse_c_block(if_parser *p, if_block *block, if_symbol_list *vars)
{
    if (gy_accept(&p->in, '{'))
        return parse_c_statements(p, block, vars, '}') &&
               gy_expect(&p->in, '}', "at the end of the block");
    return parse_c_statements(p, block, vars, 0);
}

// 'if' '(' expression ')' block [ 'else' block ] | 'while' '(' expression ')' block
static bool parse_c_control(if_parser *p, if_statement *s, if_symbol_list *vars)
{
    p->in.at++;
    return gy_expect(&p->in, '(', "before the condition") && (s->value = if_parse_expr(p)) &&
           gy_expect(&p->in, ')', "after the condition") && parse_c_block(p, &s->first, vars) &&
           (s->kind == IF_S_WHILE || !gy_accept(&p->in, IF_T_ELSE) ||
            parse_c_block(p, &s->second, vars));
}

// type name [ '=' expression ]: the assignment, or `skip`
static bool parse_c_declaration(if_parser *p, if_statement *s, if_symbol_list *vars)
{
    if_symbol *var = if_new_symbol(p, IF_D_VAR);
    if (!(var->syntax = if_parse_type_name(p)) ||
        !gy_take_name(&p->in, &var->name, "the name of a variable"))
        return false;
    if (strcmp(var->syntax->name.name, "int") == 0)
        var->syntax->name.name = "integer";
    else if (strcmp(var->syntax->name.name, "bool") == 0)
        var->syntax->name.name = "boolean";
    gy_vec_push(vars, var);
    s->kind = IF_S_SKIP;
    if (!gy_accept(&p->in, '='))
        return true;
    s->kind = IF_S_ASSIGN;
    s->target = if_new_expr(p, IF_X_NAME, p->in.at - 2);
    s->target->name = var->name;
    return (s->value = if_parse_expr(p)) != NULL;
}

// operand '=' expression
static bool parse_c_assignment(if_parser *p, if_statement *s)
{
    if (!(s->target = if_parse_operand(p)))
        return false;
    if (p->in.at->kind != '=') {
        gy_diag *diag = gy_unexpected(&p->in, "`=`", "after the assigned variable");
        if (diag)
            gy_hint(diag, "of C, there are declarations, assignments, if, while and return");
        return false;
    }
    p->in.at++;
    return (s->value = if_parse_expr(p)) != NULL;
}

static bool parse_c_statement(if_parser *p, if_statement *s, if_symbol_list *vars)
{
    if (s->kind == IF_S_IF || s->kind == IF_S_WHILE)
        return parse_c_control(p, s, vars);
    bool good;
    if (s->kind == IF_S_RETURN)
        good = parse_statement(p, s);
    else if (p->in.at->kind == GY_T_NAME && p->in.at[1].kind == GY_T_NAME)
        good = parse_c_declaration(p, s, vars);
    else
        good = parse_c_assignment(p, s);
    return good && gy_expect(&p->in, ';', "at the end of the statement");
}

// Statements up to `end`; 0: one of them.
static bool parse_c_statements(if_parser *p, if_block *block, if_symbol_list *vars, int end)
{
    statement_list list = {0};
    bool good = gy_enter(&p->in, IF_MOST_DEPTH), more = good;
    while (more && p->in.at->kind != end && p->in.at->kind != GY_T_END) {
        if_statement *s = new_statement(p, kind_at(p));
        if (s->kind != IF_S_IF && s->kind != IF_S_WHILE && s->kind != IF_S_RETURN)
            s->kind = IF_S_ASSIGN;
        if (parse_c_statement(p, s, vars))
            gy_vec_push(&list, s);
        else
            good = false;
        more = good && end;
    }
    p->in.depth -= p->in.depth > 0;
    gy_keep(p->arena, &list, if_statement *, block->at, block->count);
    return good;
}

bool if_parse_code(if_parser *p, if_procedure *procedure, if_symbol_list *vars)
{
    p->in.at++;
    p->in_code = true;
    bool good = parse_c_statements(p, &procedure->body, vars, IF_T_CLOSE_CODE) &&
                gy_expect(&p->in, IF_T_CLOSE_CODE, "at the end of the code");
    p->in_code = false;
    if (!good) {
        static const int ends[] = {IF_T_CLOSE_CODE, 0};
        static const int always[] = {IF_T_ENDPROCEDURE, IF_T_ENDPROCESS, 0};
        gy_skip_to(&p->in, ends, always);
        gy_accept(&p->in, IF_T_CLOSE_CODE);
    }
    return good;
}
