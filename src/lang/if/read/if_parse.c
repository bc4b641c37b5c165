// Recursive descent: the system and what is declared in it. Each function has its rule above it.
// After an error the parser goes on after the next place where something new can begin.
#include "lang/if/read/if_parser.h"

void if_refuse(if_parser *p, const char *what, const char *hint)
{
    if (p->in.last_error == p->in.at)
        return;
    p->in.last_error = p->in.at;
    gy_diag *diag = gy_error(p->in.diags, p->in.at->place, "`%.*s` is not supported (%s)",
                             (int)p->in.at->length, p->in.at->text, what);
    diag->length = p->in.at->length;
    gy_hint(diag, "%s", hint);
}

bool if_parse_names(if_parser *p, const char *what, gy_name **names, uint32_t *count)
{
    GY_VEC(gy_name) list = {0};
    bool good;
    do {
        gy_name name;
        good = gy_take_name(&p->in, &name, what);
        if (good)
            gy_vec_push(&list, name);
    } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &list, gy_name, *names, *count);
    return good;
}

if_symbol *if_new_symbol(if_parser *p, if_symbol_kind kind)
{
    if_symbol *symbol = GY_NEW(p->arena, if_symbol);
    symbol->kind = kind;
    symbol->name = (gy_name){"", p->in.at->place};
    return symbol;
}

// ---- types ------------------------------------------------------------------------------------

static if_syntax *new_syntax(if_parser *p, if_syntax_kind kind)
{
    if_syntax *syntax = GY_NEW(p->arena, if_syntax);
    syntax->kind = kind;
    syntax->name = (gy_name){"", p->in.at->place};
    return syntax;
}

if_syntax *if_parse_type_name(if_parser *p)
{
    if_syntax *syntax = new_syntax(p, IF_Y_NAME);
    return gy_take_name(&p->in, &syntax->name, "the name of a type") ? syntax : NULL;
}

// expression '..' expression
static bool parse_range(if_parser *p, if_syntax *syntax)
{
    return (syntax->low = if_parse_expr(p)) && gy_expect(&p->in, IF_T_DOTS, "between the bounds") &&
           (syntax->high = if_parse_expr(p));
}

// 'record' { name type ';' } 'endrecord'
static if_syntax *parse_record(if_parser *p)
{
    if_syntax *syntax = new_syntax(p, IF_Y_RECORD);
    GY_VEC(gy_name) names = {0};
    GY_VEC(if_syntax *) types = {0};
    bool good = true;
    p->in.at++;
    while (good && p->in.at->kind != IF_T_ENDRECORD) {
        gy_name name;
        if_syntax *type = NULL;
        good = gy_take_name(&p->in, &name, "the name of a field or `endrecord`") &&
               (type = if_parse_type_name(p)) && gy_expect(&p->in, ';', "after the field");
        if (good) {
            gy_vec_push(&names, name);
            gy_vec_push(&types, type);
        }
    }
    gy_keep(p->arena, &names, gy_name, syntax->names, syntax->count);
    gy_keep(p->arena, &types, if_syntax *, syntax->types, syntax->count);
    return good && gy_accept(&p->in, IF_T_ENDRECORD) ? syntax : NULL;
}

// 'enum' name { ',' name } 'endenum' | 'range' low '..' high | 'array' '[' low '..' high ']' 'of'
// type | 'record' … 'endrecord' | type
static if_syntax *parse_type(if_parser *p)
{
    if_syntax *syntax;
    switch (p->in.at->kind) {
    case IF_T_ENUM:
        syntax = new_syntax(p, IF_Y_ENUM);
        p->in.at++;
        return if_parse_names(p, "the name of a value", &syntax->names, &syntax->count) &&
                       gy_expect(&p->in, IF_T_ENDENUM, "after the values")
                   ? syntax
                   : NULL;
    case IF_T_RANGE:
        syntax = new_syntax(p, IF_Y_RANGE);
        p->in.at++;
        return parse_range(p, syntax) ? syntax : NULL;
    case IF_T_ARRAY:
        syntax = new_syntax(p, IF_Y_ARRAY);
        p->in.at++;
        return gy_expect(&p->in, '[', "after `array`") && parse_range(p, syntax) &&
                       gy_expect(&p->in, ']', "after the bounds") &&
                       gy_expect(&p->in, IF_T_OF, "before the type of the elements") &&
                       (syntax->item = if_parse_type_name(p))
                   ? syntax
                   : NULL;
    case IF_T_RECORD:
        return parse_record(p);
    case IF_T_STRING:
        if_refuse(p, "a sequence", "an array and a number for its length say the same");
        return NULL;
    case IF_T_ABSTRACT:
        if_refuse(p, "a type that is defined elsewhere",
                  "types are made of boolean, integer, pid, enum, range, array and record");
        return NULL;
    default:
        return if_parse_type_name(p);
    }
}

// ---- declarations -----------------------------------------------------------------------------

// name [ '=' expression ] ';'
bool if_parse_const(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_CONST);
    bool good = gy_take_name(&p->in, &symbol->name, "the name of a constant") &&
                (!gy_accept(&p->in, '=') || (symbol->value = if_parse_expr(p))) &&
                gy_expect(&p->in, ';', "after the constant");
    if (good)
        gy_vec_push(into, symbol);
    return good;
}

// name '=' type ';'
bool if_parse_type_definition(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_TYPE);
    bool good = gy_take_name(&p->in, &symbol->name, "the name of a type") &&
                gy_expect(&p->in, '=', "after the name of the type") &&
                (symbol->syntax = parse_type(p)) && gy_expect(&p->in, ';', "after the type");
    if (*symbol->name.name) // known, so that its uses are no errors
        gy_vec_push(into, symbol);
    if (!symbol->syntax)
        symbol->resolved = 2;
    return good;
}

// name type [ ':=' expression ] [ 'private' | 'public' ] ';'
bool if_parse_var(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_VAR);
    bool good = gy_take_name(&p->in, &symbol->name, "the name of a variable") &&
                (symbol->syntax = if_parse_type_name(p)) &&
                (!gy_accept(&p->in, IF_T_ASSIGN) || (symbol->value = if_parse_expr(p)));
    if (good && gy_accept(&p->in, IF_T_PUBLIC))
        symbol->is_public = true;
    else if (good)
        gy_accept(&p->in, IF_T_PRIVATE);
    if (*symbol->name.name)
        gy_vec_push(into, symbol);
    if (!symbol->syntax)
        symbol->resolved = 2;
    return good && gy_expect(&p->in, ';', "after the variable");
}

// [ 'in' | 'inout' | 'out' ] name type { ',' … } ';'
bool if_parse_fpar(if_parser *p, if_symbol_list *into)
{
    do {
        if_symbol *symbol = if_new_symbol(p, IF_D_VAR);
        if (gy_accept(&p->in, IF_T_INOUT))
            symbol->direction = IF_PARAM_INOUT;
        else if (gy_accept(&p->in, IF_T_OUT))
            symbol->direction = IF_PARAM_OUT;
        else
            gy_accept(&p->in, IF_T_IN);
        if (!gy_take_name(&p->in, &symbol->name, "the name of a parameter") ||
            !(symbol->syntax = if_parse_type_name(p)))
            return false;
        gy_vec_push(into, symbol);
    } while (gy_accept(&p->in, ','));
    return gy_expect(&p->in, ';', "after the parameters");
}

// name '(' [ type { ',' type } ] ')' ';'
static bool parse_signal(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_SIGNAL);
    symbol->signal = GY_NEW(p->arena, if_signal);
    GY_VEC(if_syntax *) types = {0};
    bool good = gy_take_name(&p->in, &symbol->name, "the name of a signal") &&
                gy_expect(&p->in, '(', "after the name of the signal");
    if (good && p->in.at->kind != ')')
        do {
            if_syntax *type = if_parse_type_name(p);
            good = type != NULL;
            if (good)
                gy_vec_push(&types, type);
        } while (good && gy_accept(&p->in, ','));
    good = good && gy_expect(&p->in, ')', "after the types") &&
           gy_expect(&p->in, ';', "after the signal");
    gy_keep(p->arena, &types, if_syntax *, symbol->signal->params, symbol->signal->count);
    symbol->signal->name = symbol->name;
    if (good)
        gy_vec_push(into, symbol);
    return good;
}

// ---- signal routes ----------------------------------------------------------------------------

if_expr *if_parse_options(if_parser *p)
{
    if_expr *expr;
    return gy_expect(&p->in, '[', "before the number") && (expr = if_parse_expr(p)) &&
                   gy_expect(&p->in, ']', "after the number")
               ? expr
               : NULL;
}

static bool parse_route_option(if_parser *p, if_route *route)
{
    p->in.at++;
    const gy_token *token = p->in.at;
    const char *word = token->kind == GY_T_NAME ? token->text : "";
    if (!strcmp(word, "delay") || !strcmp(word, "rate") || !strcmp(word, "urgent")) {
        if_refuse(p, "time",
                  "without it, a route delivers at once, or with #multiset at some time");
        return false;
    }
    p->in.at += *word != 0;
    if (!strcmp(word, "fifo") || !strcmp(word, "multiset"))
        route->multiset = *word == 'm';
    else if (!strcmp(word, "reliable") || !strcmp(word, "lossy"))
        route->lossy = *word == 'l';
    else if (!strcmp(word, "peer") || !strcmp(word, "multicast") || !strcmp(word, "unicast"))
        route->peer = *word == 'p', route->multicast = *word == 'm';
    else if (!strcmp(word, "size"))
        return (route->size = if_parse_options(p)) != NULL;
    else {
        p->in.at = token;
        gy_unexpected(&p->in,
                      "`fifo`, `multiset`, `reliable`, `lossy`, `peer`, `multicast`, `unicast` or "
                      "`size`",
                      "after `#`");
        return false;
    }
    return true;
}

static bool parse_end_of_route(if_parser *p, gy_name *name)
{
    *name = (gy_name){"", p->in.at->place};
    return gy_accept(&p->in, IF_T_ENV) ||
           gy_take_name(&p->in, name, "the name of a process or `env`");
}

// name '(' number ')' { '#' option } 'from' process 'to' process 'with' name { ',' name } ';'
static bool parse_route(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_ROUTE);
    if_route *route = symbol->route = GY_NEW(p->arena, if_route);
    bool good = gy_take_name(&p->in, &symbol->name, "the name of a signal route") &&
                gy_expect(&p->in, '(', "after the name of the signal route") &&
                (route->number = if_parse_expr(p)) &&
                gy_expect(&p->in, ')', "after the number of routes");
    route->name = symbol->name;
    if (*symbol->name.name)
        gy_vec_push(into, symbol);
    while (good && p->in.at->kind == '#')
        good = parse_route_option(p, route);
    return good && gy_expect(&p->in, IF_T_FROM, "before the process that sends") &&
           parse_end_of_route(p, &route->from) &&
           gy_expect(&p->in, IF_T_TO, "before the process that receives") &&
           parse_end_of_route(p, &route->to) &&
           gy_expect(&p->in, IF_T_WITH, "before the signals") &&
           if_parse_names(p, "the name of a signal", &route->signals, &route->signal_count) &&
           gy_expect(&p->in, ';', "after the signals");
}

// ---- the system -------------------------------------------------------------------------------

static bool parse_process_symbol(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_PROCESS);
    symbol->itself = if_parse_process(p);
    symbol->name = symbol->itself->name;
    if (*symbol->name.name)
        gy_vec_push(into, symbol);
    return true;
}

static bool parse_procedure_symbol(if_parser *p, if_symbol_list *into)
{
    if_symbol *symbol = if_new_symbol(p, IF_D_PROCEDURE);
    symbol->procedure = if_parse_procedure(p);
    symbol->name = symbol->procedure->name;
    if (*symbol->name.name)
        gy_vec_push(into, symbol);
    return true;
}

static bool parse_declaration(if_parser *p, if_symbol_list *into)
{
    int kind = p->in.at->kind;
    p->in.at++;
    switch (kind) {
    case IF_T_CONST:
        return if_parse_const(p, into);
    case IF_T_TYPE:
        return if_parse_type_definition(p, into);
    case IF_T_VAR:
        return if_parse_var(p, into);
    case IF_T_SIGNAL:
        return parse_signal(p, into);
    case IF_T_SIGNALROUTE:
        return parse_route(p, into);
    case IF_T_PROCESS:
        return parse_process_symbol(p, into);
    case IF_T_PROCEDURE:
        return parse_procedure_symbol(p, into);
    default:
        p->in.at--;
        gy_unexpected(&p->in, "a declaration, a process or `endsystem`", "here");
        return false;
    }
}

static void skip_declaration(if_parser *p)
{
    static const int begin[] = {IF_T_CONST,     IF_T_TYPE,        IF_T_VAR,
                                IF_T_SIGNAL,    IF_T_PROCESS,     IF_T_PROCEDURE,
                                IF_T_ENDSYSTEM, IF_T_SIGNALROUTE, 0};
    gy_skip_to(&p->in, NULL, begin);
}

// 'system' name ';' { declaration } 'endsystem' ';'
static void parse_system(if_parser *p)
{
    if_system *system = p->system;
    if_symbol_list symbols = {0};
    if (!gy_expect(&p->in, IF_T_SYSTEM, "at the beginning") ||
        !gy_take_name(&p->in, &system->name, "the name of the system") ||
        !gy_expect(&p->in, ';', "after the name of the system"))
        skip_declaration(p);
    while (p->in.at->kind != IF_T_ENDSYSTEM && p->in.at->kind != GY_T_END &&
           !gy_diags_full(p->in.diags)) {
        p->in.depth = 0;
        if (!parse_declaration(p, &symbols))
            skip_declaration(p);
    }
    if (!gy_diags_full(p->in.diags) &&
        gy_expect(&p->in, IF_T_ENDSYSTEM, "at the end of the system")) {
        gy_accept(&p->in, ';');
        if (p->in.at->kind != GY_T_END)
            gy_unexpected(&p->in, "the end of the file", "after `endsystem`");
    }
    gy_keep(p->arena, &symbols, if_symbol *, system->symbols.at, system->symbols.count);
}

if_system *if_parse(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file)
{
    if_system *system = GY_NEW(arena, if_system);
    *system = (if_system){.arena = arena, .sources = sources, .diags = diags, .name = {"", 0}};
    if_parser p = {.arena = arena, .system = system};
    p.in = gy_read_tokens(&if_lexicon, arena, sources, diags, file);
    parse_system(&p);
    return system;
}

if_expr *if_parse_text(if_system *system, const char *text, bool temporal)
{
    uint32_t file = gy_sources_add(system->sources, "formula", text, strlen(text), 0);
    if_parser p = {.arena = system->arena, .system = system, .in_formula = true};
    p.in = gy_read_tokens(&if_lexicon, system->arena, system->sources, system->diags, file);
    unsigned errors = gy_diags_errors(system->diags);
    if_expr *expr = if_parse_expr(&p);
    if (expr && p.in.at->kind != GY_T_END)
        gy_unexpected(&p.in, "the end of the formula", "here");
    if (expr && expr->temporal && !temporal)
        gy_error(system->diags, expr->place, "a predicate over states has no temporal operators");
    return gy_diags_errors(system->diags) == errors ? expr : NULL;
}
