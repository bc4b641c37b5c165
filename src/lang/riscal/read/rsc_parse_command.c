// Recursive descent: commands, the effects of actions.
#include "lang/riscal/read/rsc_parser.h"

static rsc_command *new_command(rsc_parser *p, rsc_command_kind kind, const gy_token *token)
{
    rsc_command *command = GY_NEW(p->arena, rsc_command);
    command->kind = kind;
    command->place = token->place;
    return command;
}

static bool take_assign(rsc_parser *p)
{
    return gy_accept(&p->in, RSC_T_ASSIGN) || gy_accept(&p->in, '=');
}

// assignment := name { selector } ( ':=' | '=' ) expression
static rsc_command *parse_assignment(rsc_parser *p)
{
    rsc_command *command = new_command(p, RSC_C_ASSIGN, p->in.at);
    p->no_equals = true;
    command->target = rsc_parse_selection(p);
    p->no_equals = false;
    if (!command->target)
        return NULL;
    if (!take_assign(p)) {
        gy_unexpected(&p->in, "`:=`", "after the assigned variable");
        return NULL;
    }
    command->value = rsc_parse_expr(p);
    return command->value ? command : NULL;
}

// ( 'var' | 'val' ) name [ ':' type ] [ ( ':=' | '=' ) expression ]
static rsc_command *parse_local(rsc_parser *p)
{
    rsc_command *command = new_command(p, RSC_C_VAR, p->in.at);
    command->constant = p->in.at->kind == RSC_T_VAL;
    p->in.at++;
    if (!gy_take_name(&p->in, &command->name, "the name of a variable") ||
        (gy_accept(&p->in, ':') && !(command->type = rsc_parse_type(p))) ||
        (take_assign(p) && !(command->value = rsc_parse_expr(p))))
        return NULL;
    if (!command->type && !command->value) {
        gy_unexpected(&p->in, "`:` and a type", "after the name of the variable");
        return NULL;
    }
    return command;
}

// What may precede a semicolon.
static rsc_command *parse_simple(rsc_parser *p)
{
    rsc_command *command;
    switch (p->in.at->kind) {
    case ';':
        return new_command(p, RSC_C_EMPTY, p->in.at);
    case RSC_T_VAR:
    case RSC_T_VAL:
        return parse_local(p);
    case RSC_T_ASSERT:
        command = new_command(p, RSC_C_ASSERT, p->in.at++);
        command->value = rsc_parse_expr(p);
        return command->value ? command : NULL;
    case GY_T_NAME:
        return parse_assignment(p);
    case RSC_T_OUTSIDE:
        rsc_refuse(p);
        return NULL;
    default:
        gy_unexpected(&p->in, "a command", "here");
        return NULL;
    }
}

// What loops claim about themselves ('invariant' F ';', 'decreases' E ';') is not checked
// here.
static bool skip_claims(rsc_parser *p)
{
    while (p->in.at->kind == RSC_T_INVARIANT || p->in.at->kind == RSC_T_DECREASES) {
        gy_warn(p->in.diags, p->in.at->place, "what a loop claims about itself is not checked");
        p->in.at++;
        do
            if (!rsc_parse_expr(p))
                return false;
        while (gy_accept(&p->in, ','));
        if (!gy_expect(&p->in, ';', "after the claim"))
            return false;
    }
    return true;
}

// 'if' expression 'then' command [ 'else' command ]
static rsc_command *parse_if(rsc_parser *p)
{
    rsc_command *command = new_command(p, RSC_C_IF, p->in.at++);
    bool good = (command->value = rsc_parse_expr(p)) &&
                gy_expect(&p->in, RSC_T_THEN, "after the condition") &&
                (command->first = rsc_parse_command(p)) &&
                (!gy_accept(&p->in, RSC_T_ELSE) || (command->second = rsc_parse_command(p)));
    return good ? command : NULL;
}

// 'choose' bound ( ';' | 'then' command 'else' command )
static rsc_command *parse_choose(rsc_parser *p)
{
    rsc_command *command = new_command(p, RSC_C_CHOOSE, p->in.at++);
    if (!(command->bound = rsc_parse_bound(p)))
        return NULL;
    if (p->in.at->kind == RSC_T_DO) {
        gy_diag *diag =
            gy_error(p->in.diags, p->in.at->place, "the loop `choose … do` is not supported");
        gy_hint(diag, "`while ∃…` with a `choose` inside says the same");
        return NULL;
    }
    if (!gy_accept(&p->in, RSC_T_THEN))
        return gy_expect(&p->in, ';', "after the choice") ? command : NULL;
    bool good =
        (command->first = rsc_parse_command(p)) &&
        gy_expect(&p->in, RSC_T_ELSE, "after the command: what to do if no choice is possible") &&
        (command->second = rsc_parse_command(p));
    return good ? command : NULL;
}

// 'while' expression 'do' command | 'do' command 'while' expression ';'
static rsc_command *parse_while(rsc_parser *p)
{
    bool tests_first = p->in.at->kind == RSC_T_WHILE;
    rsc_command *command = new_command(p, tests_first ? RSC_C_WHILE : RSC_C_DO, p->in.at++);
    bool good;
    if (tests_first)
        good = (command->value = rsc_parse_expr(p)) &&
               gy_expect(&p->in, RSC_T_DO, "after the condition") && skip_claims(p) &&
               (command->first = rsc_parse_command(p));
    else
        good = skip_claims(p) && (command->first = rsc_parse_command(p)) &&
               gy_expect(&p->in, RSC_T_WHILE, "after the body of the loop") &&
               (command->value = rsc_parse_expr(p)) &&
               gy_expect(&p->in, ';', "after the condition");
    return good ? command : NULL;
}

static bool is_bound(const rsc_parser *p)
{
    return p->in.at->kind == GY_T_NAME && (p->in.at[1].kind == ':' || p->in.at[1].kind == RSC_T_IN);
}

// 'for' bound 'do' command | 'for' simple ';' expression ';' simple 'do' command
static rsc_command *parse_for(rsc_parser *p)
{
    rsc_command *command = new_command(p, RSC_C_EACH, p->in.at++);
    bool good;
    if (is_bound(p)) {
        good = (command->bound = rsc_parse_bound(p)) != NULL;
    } else {
        command->kind = RSC_C_FOR;
        good = (command->start = parse_simple(p)) &&
               gy_expect(&p->in, ';', "after the first command") &&
               (command->value = rsc_parse_expr(p)) &&
               gy_expect(&p->in, ';', "after the condition of the loop") &&
               (command->step = parse_simple(p));
    }
    good = good && gy_expect(&p->in, RSC_T_DO, "before the body of the loop") && skip_claims(p) &&
           (command->first = rsc_parse_command(p));
    return good ? command : NULL;
}

// block := '{' { command } '}'
rsc_command *rsc_parse_block(rsc_parser *p)
{
    rsc_command *block = new_command(p, RSC_C_BLOCK, p->in.at);
    GY_VEC(rsc_command *) list = {0};
    if (!gy_expect(&p->in, '{', "before the commands"))
        return NULL;
    while (p->in.at->kind != '}' && p->in.at->kind != GY_T_END && !gy_diags_full(p->in.diags)) {
        const gy_token *before = p->in.at;
        unsigned depth = p->in.depth;
        rsc_command *command = rsc_parse_command(p);
        if (command) {
            gy_vec_push(&list, command);
            continue;
        }
        p->no_equals = false;
        p->in.depth = depth;
        gy_skip_to(&p->in, (const int[]){';', '}', 0}, NULL);
        gy_accept(&p->in, ';');
        if (p->in.at == before)
            break;
    }
    gy_keep(p->arena, &list, rsc_command *, block->list, block->count);
    return gy_expect(&p->in, '}', "at the end of the commands") ? block : NULL;
}

rsc_command *rsc_parse_command(rsc_parser *p)
{
    rsc_command *command;
    if (!gy_enter(&p->in, RSC_MOST_DEPTH))
        return NULL;
    switch (p->in.at->kind) {
    case '{':
        command = rsc_parse_block(p);
        break;
    case RSC_T_IF:
        command = parse_if(p);
        break;
    case RSC_T_CHOOSE:
        command = parse_choose(p);
        break;
    case RSC_T_WHILE:
    case RSC_T_DO:
        command = parse_while(p);
        break;
    case RSC_T_FOR:
        command = parse_for(p);
        break;
    default:
        command = parse_simple(p);
        if (command && !gy_expect(&p->in, ';', "after the command"))
            command = NULL;
    }
    p->in.depth--;
    return command;
}
