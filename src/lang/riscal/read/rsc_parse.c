// Recursive descent: declarations and the system. Each function has its rule above it. After an
// error the parser goes on after the next place where something new can begin.
#include "lang/riscal/read/rsc_parser.h"

void rsc_refuse(rsc_parser *p)
{
    if (p->in.last_error == p->in.at)
        return;
    p->in.last_error = p->in.at;
    gy_diag *diag = gy_error(p->in.diags, p->in.at->place, "`%.*s` is not supported",
                             (int)p->in.at->length, p->in.at->text);
    diag->length = p->in.at->length;
    gy_hint(diag, "shared systems are read, with the values, types, functions and predicates that "
                  "they use; contracts, proofs and sequential programs are not");
}

// ---- declarations ---------------------------------------------------------------------------

static rsc_declaration *new_declaration(rsc_parser *p, rsc_declaration_kind kind)
{
    rsc_declaration *d = GY_NEW(p->arena, rsc_declaration);
    d->kind = kind;
    d->name.place = p->in.at->place;
    p->in.at++;
    return d;
}

// 'val' name [ ':' type ] [ '=' expression ] ';'         a number is just ℕ or ℤ without bounds
static bool parse_val(rsc_parser *p, rsc_declaration *d)
{
    if (!gy_take_name(&p->in, &d->name, "the name of a value"))
        return false;
    if (gy_accept(&p->in, ':')) {
        if ((p->in.at->kind == RSC_T_NAT || p->in.at->kind == RSC_T_INT) &&
            p->in.at[1].kind != '[') {
            d->type = GY_NEW(p->arena, rsc_syntax);
            d->type->kind = p->in.at->kind == RSC_T_NAT ? RSC_Y_NAT : RSC_Y_INT;
            d->type->place = p->in.at->place;
            p->in.at++;
        } else if (!(d->type = rsc_parse_type(p))) {
            return false;
        }
    }
    if (gy_accept(&p->in, '=') && !(d->value = rsc_parse_expr(p)))
        return false;
    if (!d->type && !d->value) {
        gy_unexpected(&p->in, "`:` or `=`", "after the name of the value");
        return false;
    }
    return true;
}

// 'type' name '=' type [ 'with' expression ] ';'
static bool parse_type_definition(rsc_parser *p, rsc_declaration *d)
{
    bool good = gy_take_name(&p->in, &d->name, "the name of a type") &&
                gy_expect(&p->in, '=', "after the name of the type") &&
                (d->type = rsc_parse_type(p));
    if (good && p->in.at->kind == RSC_T_WITH) {
        gy_error(p->in.diags, p->in.at->place, "a type with a condition is not supported");
        p->in.last_error = p->in.at;
        return false;
    }
    return good;
}

// 'enumtype' name '=' name { '|' name } ';'
static bool parse_enum(rsc_parser *p, rsc_declaration *d)
{
    GY_VEC(gy_name) members = {0};
    bool good = gy_take_name(&p->in, &d->name, "the name of a type") &&
                gy_expect(&p->in, '=', "after the name of the type");
    while (good) {
        gy_name member;
        good = gy_take_name(&p->in, &member, "the name of a value");
        gy_vec_push(&members, member);
        if (!good || !gy_accept(&p->in, '|'))
            break;
    }
    gy_keep(p->arena, &members, gy_name, d->members, d->count);
    return good;
}

// '(' [ name ':' type { ',' name ':' type } ] ')'
static bool parse_params(rsc_parser *p, rsc_declaration *d)
{
    GY_VEC(rsc_param) params = {0};
    bool good = gy_expect(&p->in, '(', "before the parameters");
    if (good && p->in.at->kind != ')')
        do {
            rsc_param param = {0};
            good = gy_take_name(&p->in, &param.name, "the name of a parameter") &&
                   gy_expect(&p->in, ':', "after the name of the parameter") &&
                   (param.type = rsc_parse_type(p));
            gy_vec_push(&params, param);
        } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &params, rsc_param, d->params, d->count);
    return good && gy_expect(&p->in, ')', "after the parameters");
}

// What a recursive function says of its end: 'decreases' expression { ',' expression } ';'
static bool skip_decreases(rsc_parser *p)
{
    while (gy_accept(&p->in, RSC_T_DECREASES)) {
        do
            if (!rsc_parse_expr(p))
                return false;
        while (gy_accept(&p->in, ','));
        if (!gy_expect(&p->in, ';', "after the measure"))
            return false;
    }
    return true;
}

// 'fun' name params ':' type '=' expression ';' | 'pred' name params '⇔' expression ';'
static bool parse_function(rsc_parser *p, rsc_declaration *d)
{
    bool good = gy_take_name(&p->in, &d->name,
                             d->is_pred ? "the name of a predicate" : "the name of a function") &&
                parse_params(p, d);
    if (good && !d->is_pred)
        good = gy_expect(&p->in, ':', "after the parameters: the type of the result") &&
               (d->type = rsc_parse_type(p));
    if (good && p->in.at->kind == RSC_T_OUTSIDE) {
        rsc_refuse(p);
        return false;
    }
    return good && skip_decreases(p) &&
           (d->is_pred
                ? gy_accept(&p->in, '=') || gy_expect(&p->in, RSC_T_EQUIV, "before the formula")
                : gy_expect(&p->in, '=', "before the value of the function")) &&
           (d->value = rsc_parse_expr(p));
}

// ---- the system -----------------------------------------------------------------------------

// 'var' name ':' type [ ( '=' | ':=' ) expression ] ';'
static bool parse_variable(rsc_parser *p, rsc_declaration *d)
{
    return gy_take_name(&p->in, &d->name, "the name of a variable") &&
           gy_expect(&p->in, ':', "after the name of the variable: its type") &&
           (d->type = rsc_parse_type(p)) &&
           (!(gy_accept(&p->in, '=') || gy_accept(&p->in, RSC_T_ASSIGN)) ||
            (d->value = rsc_parse_expr(p)));
}

static bool parse_fairness(rsc_parser *p, rsc_declaration *d)
{
    static const struct {
        const char *text;
        rsc_fairness fairness;
    } kinds[] = {{"weak", RSC_WEAK},
                 {"weak_all", RSC_WEAK_ALL},
                 {"strong", RSC_STRONG},
                 {"strong_all", RSC_STRONG_ALL}};
    p->in.at++;
    for (size_t i = 0; p->in.at->kind == GY_T_NAME && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].text, p->in.at->text) == 0)
            d->fairness = kinds[i].fairness;
    if (!d->fairness) {
        gy_unexpected(&p->in, "`weak`, `weak_all`, `strong` or `strong_all`", "after `fairness`");
        return false;
    }
    p->in.at++;
    return gy_expect(&p->in, ';', "after the kind of fairness");
}

// action := 'action' name params { 'with' expression ';' | 'fairness' kind ';' } block
// init   := 'init' params { 'with' expression ';' } block
static bool parse_action(rsc_parser *p, rsc_declaration *d)
{
    if (d->kind == RSC_D_ACTION && !gy_take_name(&p->in, &d->name, "the name of an action"))
        return false;
    if (!parse_params(p, d))
        return false;
    bool good = true;
    while (good && (p->in.at->kind == RSC_T_WITH || p->in.at->kind == RSC_T_FAIRNESS)) {
        if (p->in.at->kind == RSC_T_FAIRNESS && d->kind == RSC_D_ACTION) {
            good = parse_fairness(p, d);
            continue;
        }
        if (d->with || p->in.at->kind == RSC_T_FAIRNESS)
            break;
        p->in.at++;
        good = (d->with = rsc_parse_expr(p)) && gy_expect(&p->in, ';', "after the condition");
    }
    return good && (d->body = rsc_parse_block(p));
}

// 'ltl' [ '[' 'fairness' ']' ] formula ';'
static bool parse_ltl(rsc_parser *p, rsc_declaration *d)
{
    if (p->in.at->kind == '[' && p->in.at[1].kind == RSC_T_FAIRNESS) {
        p->in.at += 2;
        d->fair = true;
        if (!gy_expect(&p->in, ']', "after `fairness`"))
            return false;
    }
    p->in_formula = true;
    d->value = rsc_parse_expr(p);
    p->in_formula = false;
    return d->value;
}

static rsc_declaration *parse_part(rsc_parser *p, bool *good)
{
    rsc_declaration *d;
    bool closed = false;
    switch (p->in.at->kind) {
    case RSC_T_VAR:
        d = new_declaration(p, RSC_D_VAR);
        *good = parse_variable(p, d);
        break;
    case RSC_T_INVARIANT:
        d = new_declaration(p, RSC_D_INVARIANT);
        *good = (d->value = rsc_parse_expr(p));
        break;
    case RSC_T_LTL:
        d = new_declaration(p, RSC_D_LTL);
        *good = parse_ltl(p, d);
        break;
    case RSC_T_INIT:
    case RSC_T_ACTION:
        d = new_declaration(p, p->in.at->kind == RSC_T_INIT ? RSC_D_INIT : RSC_D_ACTION);
        *good = parse_action(p, d);
        closed = true;
        break;
    default:
        if (p->in.at->kind == RSC_T_OUTSIDE)
            rsc_refuse(p);
        else
            gy_unexpected(&p->in, "`var`, `init`, `action`, `invariant` or `ltl`", "in a system");
        *good = false;
        return NULL;
    }
    if (*good && !closed)
        *good = gy_expect(&p->in, ';', "at the end of the declaration");
    return d;
}

typedef GY_VEC(rsc_declaration *) declaration_list;

static bool begins_part(int kind)
{
    return kind == RSC_T_VAR || kind == RSC_T_INIT || kind == RSC_T_ACTION || kind == RSC_T_LTL ||
           kind == RSC_T_INVARIANT;
}

// Goes on at the next part of the system, or at its end.
static void skip_part(rsc_parser *p, const gy_token *from)
{
    unsigned open = 0;
    if (p->in.at == from && p->in.at->kind != GY_T_END)
        p->in.at++;
    for (; p->in.at->kind != GY_T_END; p->in.at++) {
        int kind = p->in.at->kind;
        if (!open && (kind == '}' || begins_part(kind)))
            return;
        if (kind == RSC_T_ACTION || kind == RSC_T_LTL)
            return; // never inside anything
        if (kind == '{')
            open++;
        else if (kind == '}')
            open--;
    }
}

// 'shared' 'system' name '{' { part } '}'
static void parse_system(rsc_parser *p, declaration_list *list)
{
    gy_name name;
    gy_location place = p->in.at->place;
    p->in.at++;
    if (!gy_expect(&p->in, RSC_T_SYSTEM, "after `shared`") ||
        !gy_take_name(&p->in, &name, "the name of the system")) {
        gy_skip_to(&p->in, (const int[]){'{', 0}, NULL);
        name = (gy_name){"system", place};
    }
    if (p->file->system.name) {
        gy_error(p->in.diags, name.place, "a second system: a file may have one");
        gy_note(p->in.diags, p->file->system.place, "the first one is here");
    }
    p->file->system = name;
    if (!gy_expect(&p->in, '{', "after the name of the system"))
        return;
    while (p->in.at->kind != '}' && p->in.at->kind != GY_T_END && !gy_diags_full(p->in.diags)) {
        const gy_token *from = p->in.at;
        bool good = false;
        p->in.depth = 0;
        p->no_equals = p->in_formula = false;
        rsc_declaration *d = parse_part(p, &good);
        if (d) {
            d->bad = !good;
            gy_vec_push(list, d);
        }
        if (!good)
            skip_part(p, from);
    }
    gy_expect(&p->in, '}', "at the end of the system");
}

// ---- the file -------------------------------------------------------------------------------

static bool begins_declaration(int kind)
{
    return kind == RSC_T_VAL || kind == RSC_T_TYPE || kind == RSC_T_ENUMTYPE || kind == RSC_T_FUN ||
           kind == RSC_T_PRED || kind == RSC_T_SHARED || kind == RSC_T_OUTSIDE;
}

static rsc_declaration *parse_declaration(rsc_parser *p, bool *good)
{
    rsc_declaration *d = NULL;
    switch (p->in.at->kind) {
    case RSC_T_VAL:
        *good = parse_val(p, d = new_declaration(p, RSC_D_VAL));
        break;
    case RSC_T_TYPE:
        *good = parse_type_definition(p, d = new_declaration(p, RSC_D_TYPE));
        break;
    case RSC_T_ENUMTYPE:
        *good = parse_enum(p, d = new_declaration(p, RSC_D_ENUM));
        break;
    case RSC_T_FUN:
    case RSC_T_PRED: {
        bool is_pred = p->in.at->kind == RSC_T_PRED;
        d = new_declaration(p, RSC_D_FUN);
        d->is_pred = is_pred;
        *good = parse_function(p, d);
        break;
    }
    case RSC_T_OUTSIDE:
        rsc_refuse(p);
        *good = false;
        return NULL;
    default:
        gy_unexpected(&p->in, "`val`, `type`, `enumtype`, `fun`, `pred` or `shared system`",
                      "here");
        *good = false;
        return NULL;
    }
    if (*good)
        *good = gy_expect(&p->in, ';', "at the end of the declaration");
    return d;
}

static void skip_declaration(rsc_parser *p, const gy_token *from)
{
    unsigned open = 0;
    if (p->in.at == from && p->in.at->kind != GY_T_END)
        p->in.at++;
    for (; p->in.at->kind != GY_T_END; p->in.at++) {
        int kind = p->in.at->kind;
        if (kind == RSC_T_SHARED || kind == RSC_T_TYPE || kind == RSC_T_ENUMTYPE ||
            (!open && begins_declaration(kind) &&
             (kind != RSC_T_OUTSIDE || p->in.at[-1].kind == ';' || p->in.at[-1].kind == '}')))
            return;
        if (kind == '{')
            open++;
        else if (kind == '}' && open)
            open--;
    }
}

rsc_file *rsc_parse(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t number)
{
    rsc_file *file = GY_NEW(arena, rsc_file);
    *file = (rsc_file){.arena = arena, .sources = sources, .diags = diags};
    rsc_parser p = {.arena = arena, .file = file};
    p.in = gy_read_tokens(&rsc_lexicon, arena, sources, diags, number);
    declaration_list list = {0};
    while (p.in.at->kind != GY_T_END && !gy_diags_full(diags)) {
        const gy_token *from = p.in.at;
        p.in.depth = 0;
        p.no_equals = p.in_formula = false;
        if (p.in.at->kind == RSC_T_SHARED) {
            parse_system(&p, &list);
            continue;
        }
        bool good = false;
        rsc_declaration *d = parse_declaration(&p, &good);
        if (d) {
            d->bad = !good;
            gy_vec_push(&list, d);
        }
        if (!good)
            skip_declaration(&p, from);
    }
    if (!file->system.name && !gy_diags_errors(diags)) {
        gy_diag *diag = gy_error(diags, p.in.at->place, "no `shared system` in this file");
        gy_hint(diag, "add one: it is the system that Gyre verifies (docs/riscal.md)");
    }
    gy_keep(p.arena, &list, rsc_declaration *, file->list, file->count);
    return file;
}

rsc_expr *rsc_parse_text(rsc_file *file, const char *text, bool temporal)
{
    uint32_t number = gy_sources_add(file->sources, temporal ? "<formula>" : "<expression>", text,
                                     strlen(text), 0);
    rsc_parser p = {.arena = file->arena, .file = file};
    p.in = gy_read_tokens(&rsc_lexicon, file->arena, file->sources, file->diags, number);
    unsigned errors = gy_diags_errors(file->diags);
    p.in_formula = temporal;
    rsc_expr *expr = rsc_parse_expr(&p);
    if (expr && p.in.at->kind != GY_T_END)
        gy_unexpected(&p.in, "the end", temporal ? "of the formula" : "of the expression");
    return gy_diags_errors(file->diags) == errors ? expr : NULL;
}
