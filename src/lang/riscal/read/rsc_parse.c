// Recursive descent: declarations and the system. Each function has its rule above it. After an
// error the parser goes on behind the next place where something new can begin.
#include "lang/riscal/read/rsc_parser.h"

// ---- tokens ---------------------------------------------------------------------------------

bool rsc_accept(rsc_parser *p, int kind)
{
    if (p->at->kind != kind)
        return false;
    if (kind != RSC_T_END)
        p->at++;
    return true;
}

gy_diag *rsc_unexpected(rsc_parser *p, const char *expected, const char *where)
{
    if (p->last_error == p->at || p->at->kind == RSC_T_BAD)
        return NULL;
    p->last_error = p->at;
    gy_text found = {0};
    rsc_token_text(p->at, &found);
    gy_diag *diag = gy_error(p->diags, p->at->place, "%s was expected %s, but here is %s", expected,
                             where, gy_text_str(&found));
    diag->length = p->at->length;
    gy_text_free(&found);
    return diag;
}

bool rsc_expect(rsc_parser *p, int kind, const char *where)
{
    if (rsc_accept(p, kind))
        return true;
    rsc_unexpected(p, rsc_kind_text(kind), where);
    return false;
}

bool rsc_take_name(rsc_parser *p, rsc_name *name, const char *what)
{
    if (p->at->kind != RSC_T_NAME) {
        gy_diag *diag = rsc_unexpected(p, what, "here");
        if (diag && p->at->kind >= RSC_T_ACTION && p->at->kind <= RSC_T_LAST_WORD)
            gy_hint(diag, "`%.*s` is a word of the language", (int)p->at->length, p->at->text);
        *name = (rsc_name){"", p->at->place};
        return false;
    }
    *name = (rsc_name){p->at->text, p->at->place};
    p->at++;
    return true;
}

bool rsc_enter(rsc_parser *p)
{
    if (p->depth < RSC_MOST_DEPTH) {
        p->depth++;
        return true;
    }
    if (p->last_error != p->at)
        gy_error(p->diags, p->at->place, "this is nested too deeply");
    p->last_error = p->at;
    return false;
}

void rsc_refuse(rsc_parser *p)
{
    if (p->last_error == p->at)
        return;
    p->last_error = p->at;
    gy_diag *diag = gy_error(p->diags, p->at->place, "`%.*s` is outside of what Gyre reads",
                             (int)p->at->length, p->at->text);
    diag->length = p->at->length;
    gy_hint(diag, "shared systems are read, with the values, types, functions and predicates that "
                  "they use; contracts, proofs and sequential programs are not");
}

void rsc_skip_to(rsc_parser *p, int a, int b)
{
    unsigned open = 0;
    for (; p->at->kind != RSC_T_END; p->at++) {
        int kind = p->at->kind;
        if (!open && (kind == a || kind == b))
            return;
        if (kind == '{' || kind == '(' || kind == '[')
            open++;
        else if ((kind == '}' || kind == ')' || kind == ']') && open)
            open--;
    }
}

// ---- declarations ---------------------------------------------------------------------------

static rsc_declaration *new_declaration(rsc_parser *p, rsc_declaration_kind kind)
{
    rsc_declaration *d = GY_NEW(p->arena, rsc_declaration);
    d->kind = kind;
    d->name.place = p->at->place;
    p->at++;
    return d;
}

// 'val' name [ ':' type ] [ '=' expression ] ';'         a number is just ℕ or ℤ without bounds
static bool parse_val(rsc_parser *p, rsc_declaration *d)
{
    if (!rsc_take_name(p, &d->name, "the name of a value"))
        return false;
    if (rsc_accept(p, ':')) {
        if ((p->at->kind == RSC_T_NAT || p->at->kind == RSC_T_INT) && p->at[1].kind != '[') {
            d->type = GY_NEW(p->arena, rsc_syntax);
            d->type->kind = p->at->kind == RSC_T_NAT ? RSC_Y_NAT : RSC_Y_INT;
            d->type->place = p->at->place;
            p->at++;
        } else if (!(d->type = rsc_parse_type(p))) {
            return false;
        }
    }
    if (rsc_accept(p, '=') && !(d->value = rsc_parse_expr(p)))
        return false;
    if (!d->type && !d->value) {
        rsc_unexpected(p, "`:` or `=`", "after the name of the value");
        return false;
    }
    return true;
}

// 'type' name '=' type [ 'with' expression ] ';'
static bool parse_type_definition(rsc_parser *p, rsc_declaration *d)
{
    bool good = rsc_take_name(p, &d->name, "the name of a type") &&
                rsc_expect(p, '=', "after the name of the type") && (d->type = rsc_parse_type(p));
    if (good && p->at->kind == RSC_T_WITH) {
        gy_error(p->diags, p->at->place, "a type with a condition is outside of what Gyre reads");
        p->last_error = p->at;
        return false;
    }
    return good;
}

// 'enumtype' name '=' name { '|' name } ';'
static bool parse_enum(rsc_parser *p, rsc_declaration *d)
{
    GY_VEC(rsc_name) members = {0};
    bool good = rsc_take_name(p, &d->name, "the name of a type") &&
                rsc_expect(p, '=', "after the name of the type");
    while (good) {
        rsc_name member;
        good = rsc_take_name(p, &member, "the name of a value");
        gy_vec_push(&members, member);
        if (!good || !rsc_accept(p, '|'))
            break;
    }
    rsc_keep(p, &members, rsc_name, d->members, d->count);
    return good;
}

// '(' [ name ':' type { ',' name ':' type } ] ')'
static bool parse_params(rsc_parser *p, rsc_declaration *d)
{
    GY_VEC(rsc_param) params = {0};
    bool good = rsc_expect(p, '(', "in front of the parameters");
    if (good && p->at->kind != ')')
        do {
            rsc_param param = {0};
            good = rsc_take_name(p, &param.name, "the name of a parameter") &&
                   rsc_expect(p, ':', "after the name of the parameter") &&
                   (param.type = rsc_parse_type(p));
            gy_vec_push(&params, param);
        } while (good && rsc_accept(p, ','));
    rsc_keep(p, &params, rsc_param, d->params, d->count);
    return good && rsc_expect(p, ')', "after the parameters");
}

// What a recursive function says of its end: 'decreases' expression { ',' expression } ';'
static bool skip_decreases(rsc_parser *p)
{
    while (rsc_accept(p, RSC_T_DECREASES)) {
        do
            if (!rsc_parse_expr(p))
                return false;
        while (rsc_accept(p, ','));
        if (!rsc_expect(p, ';', "after the measure"))
            return false;
    }
    return true;
}

// 'fun' name params ':' type '=' expression ';' | 'pred' name params '⇔' expression ';'
static bool parse_function(rsc_parser *p, rsc_declaration *d)
{
    bool good = rsc_take_name(p, &d->name,
                              d->is_pred ? "the name of a predicate" : "the name of a function") &&
                parse_params(p, d);
    if (good && !d->is_pred)
        good = rsc_expect(p, ':', "after the parameters: the type of the result") &&
               (d->type = rsc_parse_type(p));
    if (good && p->at->kind == RSC_T_OUTSIDE) {
        rsc_refuse(p);
        return false;
    }
    return good && skip_decreases(p) &&
           (d->is_pred ? rsc_accept(p, '=') || rsc_expect(p, RSC_T_EQUIV, "in front of the formula")
                       : rsc_expect(p, '=', "in front of the value of the function")) &&
           (d->value = rsc_parse_expr(p));
}

// ---- the system -----------------------------------------------------------------------------

// 'var' name ':' type [ ( '=' | ':=' ) expression ] ';'
static bool parse_variable(rsc_parser *p, rsc_declaration *d)
{
    return rsc_take_name(p, &d->name, "the name of a variable") &&
           rsc_expect(p, ':', "after the name of the variable: its type") &&
           (d->type = rsc_parse_type(p)) &&
           (!(rsc_accept(p, '=') || rsc_accept(p, RSC_T_ASSIGN)) || (d->value = rsc_parse_expr(p)));
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
    d->fairness_place = p->at->place;
    p->at++;
    for (size_t i = 0; p->at->kind == RSC_T_NAME && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].text, p->at->text) == 0)
            d->fairness = kinds[i].fairness;
    if (!d->fairness) {
        rsc_unexpected(p, "`weak`, `weak_all`, `strong` or `strong_all`", "after `fairness`");
        return false;
    }
    p->at++;
    return rsc_expect(p, ';', "after the kind of fairness");
}

// action := 'action' name params { 'with' expression ';' | 'fairness' kind ';' } block
// init   := 'init' params { 'with' expression ';' } block
static bool parse_action(rsc_parser *p, rsc_declaration *d)
{
    if (d->kind == RSC_D_ACTION && !rsc_take_name(p, &d->name, "the name of an action"))
        return false;
    if (!parse_params(p, d))
        return false;
    bool good = true;
    while (good && (p->at->kind == RSC_T_WITH || p->at->kind == RSC_T_FAIRNESS)) {
        if (p->at->kind == RSC_T_FAIRNESS && d->kind == RSC_D_ACTION) {
            good = parse_fairness(p, d);
            continue;
        }
        if (d->with || p->at->kind == RSC_T_FAIRNESS)
            break;
        p->at++;
        good = (d->with = rsc_parse_expr(p)) && rsc_expect(p, ';', "after the condition");
    }
    return good && (d->body = rsc_parse_block(p));
}

// 'ltl' [ '[' 'fairness' ']' ] formula ';'
static bool parse_ltl(rsc_parser *p, rsc_declaration *d)
{
    if (p->at->kind == '[' && p->at[1].kind == RSC_T_FAIRNESS) {
        p->at += 2;
        d->fair = true;
        if (!rsc_expect(p, ']', "after `fairness`"))
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
    switch (p->at->kind) {
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
        d = new_declaration(p, p->at->kind == RSC_T_INIT ? RSC_D_INIT : RSC_D_ACTION);
        *good = parse_action(p, d);
        closed = true;
        break;
    default:
        if (p->at->kind == RSC_T_OUTSIDE)
            rsc_refuse(p);
        else
            rsc_unexpected(p, "`var`, `init`, `action`, `invariant` or `ltl`", "in a system");
        *good = false;
        return NULL;
    }
    if (*good && !closed)
        *good = rsc_expect(p, ';', "at the end of the declaration");
    return d;
}

typedef GY_VEC(rsc_declaration *) declaration_list;

static bool begins_part(int kind)
{
    return kind == RSC_T_VAR || kind == RSC_T_INIT || kind == RSC_T_ACTION || kind == RSC_T_LTL ||
           kind == RSC_T_INVARIANT;
}

// Goes on at the next part of the system, or at its end.
static void skip_part(rsc_parser *p, const rsc_token *from)
{
    unsigned open = 0;
    if (p->at == from && p->at->kind != RSC_T_END)
        p->at++;
    for (; p->at->kind != RSC_T_END; p->at++) {
        int kind = p->at->kind;
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
    rsc_name name;
    gy_place place = p->at->place;
    p->at++;
    if (!rsc_expect(p, RSC_T_SYSTEM, "after `shared`") ||
        !rsc_take_name(p, &name, "the name of the system")) {
        rsc_skip_to(p, '{', '{');
        name = (rsc_name){"system", place};
    }
    if (p->file->system.name) {
        gy_error(p->diags, name.place, "a second system: a file may have one");
        gy_note(p->diags, p->file->system.place, "the first one is here");
    }
    p->file->system = name;
    if (!rsc_expect(p, '{', "after the name of the system"))
        return;
    while (p->at->kind != '}' && p->at->kind != RSC_T_END && !gy_diags_full(p->diags)) {
        const rsc_token *from = p->at;
        bool good = false;
        p->depth = 0;
        p->no_equals = p->in_formula = false;
        rsc_declaration *d = parse_part(p, &good);
        if (d) {
            d->bad = !good;
            gy_vec_push(list, d);
        }
        if (!good)
            skip_part(p, from);
    }
    rsc_expect(p, '}', "at the end of the system");
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
    switch (p->at->kind) {
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
        bool is_pred = p->at->kind == RSC_T_PRED;
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
        rsc_unexpected(p, "`val`, `type`, `enumtype`, `fun`, `pred` or `shared system`", "here");
        *good = false;
        return NULL;
    }
    if (*good)
        *good = rsc_expect(p, ';', "at the end of the declaration");
    return d;
}

static void skip_declaration(rsc_parser *p, const rsc_token *from)
{
    unsigned open = 0;
    if (p->at == from && p->at->kind != RSC_T_END)
        p->at++;
    for (; p->at->kind != RSC_T_END; p->at++) {
        int kind = p->at->kind;
        if (kind == RSC_T_SHARED || kind == RSC_T_TYPE || kind == RSC_T_ENUMTYPE ||
            (!open && begins_declaration(kind) &&
             (kind != RSC_T_OUTSIDE || p->at[-1].kind == ';' || p->at[-1].kind == '}')))
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
    *file = (rsc_file){.arena = arena, .sources = sources, .diags = diags, .number = number};
    rsc_tokens tokens = rsc_lex(arena, sources, diags, number);
    rsc_parser p = {.arena = arena, .diags = diags, .at = tokens.at, .file = file};
    declaration_list list = {0};
    while (p.at->kind != RSC_T_END && !gy_diags_full(diags)) {
        const rsc_token *from = p.at;
        p.depth = 0;
        p.no_equals = p.in_formula = false;
        if (p.at->kind == RSC_T_SHARED) {
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
        gy_diag *diag = gy_error(diags, p.at->place, "there is no `shared system` in this file");
        gy_hint(diag, "it is what is checked; see docs/riscal.md");
    }
    rsc_keep(&p, &list, rsc_declaration *, file->list, file->count);
    return file;
}

rsc_expr *rsc_parse_text(rsc_file *file, const char *text, bool temporal)
{
    uint32_t number = gy_sources_add(file->sources, temporal ? "<formula>" : "<expression>", text,
                                     strlen(text), 0);
    rsc_tokens tokens = rsc_lex(file->arena, file->sources, file->diags, number);
    rsc_parser p = {.arena = file->arena, .diags = file->diags, .at = tokens.at, .file = file};
    unsigned errors = gy_diags_errors(file->diags);
    p.in_formula = temporal;
    rsc_expr *expr = rsc_parse_expr(&p);
    if (expr && p.at->kind != RSC_T_END)
        rsc_unexpected(&p, "the end", temporal ? "of the formula" : "of the expression");
    return gy_diags_errors(file->diags) == errors ? expr : NULL;
}
