// Units of a model, recovery after syntax errors, and the entry points.
#include "lang/promela/parser.h"

#include <stdio.h>

// ---- messages -----------------------------------------------------------------------

static void check_full(pml_parser *p)
{
    if (gy_diags_full(p->diags) && !p->gave_up)
        pml_give_up(p);
}

gy_diag *pml_error_at(pml_parser *p, const pml_token *token, const char *format, ...)
{
    char *message = NULL;
    va_list args;
    va_start(args, format);
    gy_text text = {0};
    gy_text_vprintf(&text, format, args);
    va_end(args);
    message = gy_text_take(&text);
    gy_diag *d = gy_error(p->diags, token->place, "%s", message ? message : "");
    free(message);
    d->length = token->length;
    check_full(p);
    return d;
}

const char *pml_describe(pml_parser *p, const pml_token *token)
{
    if (token->kind == PML_T_END)
        return p->formula_mode ? "the end of the formula" : "the end of the model";
    if (pml_is_separator(token) && token->length == 0)
        return "the end of the line";
    gy_text text = {0};
    pml_token_describe(token, &text);
    const char *copy = gy_arena_strdup(p->arena, gy_text_str(&text));
    gy_text_free(&text);
    return copy;
}

gy_diag *pml_syntax_error(pml_parser *p, const char *format, ...)
{
    const pml_token *look = pml_look(p);
    if (p->panic || p->gave_up) {
        p->panic = true;
        return NULL;
    }
    p->panic = true;
    if (look->kind == PML_T_END && p->open.n > 0 && !p->formula_mode) {
        pml_open *open = &p->open.at[p->open.n - 1];
        gy_diag *d = gy_error(p->diags, open->place, "this `%s` is never closed", open->what);
        d->length = (uint32_t)strlen(open->what);
        pml_give_up(p);
        return d;
    }
    va_list args;
    va_start(args, format);
    gy_text text = {0};
    gy_text_vprintf(&text, format, args);
    va_end(args);
    gy_diag *d = gy_error(p->diags, look->place, "%s", gy_text_str(&text));
    gy_text_free(&text);
    d->length = look->length;
    check_full(p);
    return d;
}

bool pml_accept(pml_parser *p, pml_punct punct)
{
    if (!pml_look_is(p, punct))
        return false;
    pml_advance(p);
    return true;
}

bool pml_expect(pml_parser *p, pml_punct punct, const char *where)
{
    if (p->panic)
        return false;
    if (pml_accept(p, punct))
        return true;
    pml_syntax_error(p, "expected `%s` %s, found %s", pml_punct_spelling(punct), where,
                     pml_describe(p, pml_look(p)));
    return false;
}

bool pml_enter(pml_parser *p, const char *what)
{
    if (p->nesting < PML_MAX_NESTING) {
        p->nesting++;
        return true;
    }
    if (!p->gave_up) {
        gy_diag *d = gy_error(p->diags, p->last_place, "%s are nested too deeply here", what);
        gy_hint(d, "the limit is %d levels", PML_MAX_NESTING);
        pml_give_up(p);
    }
    return false;
}

void pml_leave(pml_parser *p)
{
    p->nesting--;
}

void pml_open_push(pml_parser *p, gy_place place, const char *what)
{
    pml_open open = {place, what};
    gy_vec_push(&p->open, open);
}

void pml_open_pop(pml_parser *p)
{
    p->open.n--;
}

void *pml_grow(pml_parser *p, void *old, uint32_t count, size_t element)
{
    if (count & (count - 1) || (count > 0 && count < 4))
        return old;
    size_t room = count < 4 ? 4 : (size_t)count * 2;
    return gy_arena_grow(p->arena, old, count * element, room * element);
}

// ---- recovery -----------------------------------------------------------------------

bool pml_starts_unit(const pml_token *t)
{
    switch (t->kind) {
    case PML_T_PROCTYPE:
    case PML_T_D_PROCTYPE:
    case PML_T_ACTIVE:
    case PML_T_INIT:
    case PML_T_NEVER:
    case PML_T_TRACE:
    case PML_T_NOTRACE:
    case PML_T_TYPEDEF:
    case PML_T_INLINE:
    case PML_T_LTL:
    case PML_T_C_STATE:
    case PML_T_C_TRACK:
        return true;
    default:
        return false;
    }
}

bool pml_starts_declaration(pml_parser *p, const pml_token *t)
{
    switch (t->kind) {
    case PML_T_BIT:
    case PML_T_BOOL:
    case PML_T_BYTE:
    case PML_T_PID:
    case PML_T_SHORT:
    case PML_T_INT:
    case PML_T_UNSIGNED:
    case PML_T_MTYPE:
    case PML_T_CHAN:
    case PML_T_HIDDEN:
    case PML_T_SHOW:
    case PML_T_LOCAL:
        return true;
    case PML_T_NAME:
        return pml_classify(p, t) == PML_C_TYPE;
    default:
        return false;
    }
}

// Skips to a token where a statement may begin or a sequence may end.
void pml_skip_to_statement(pml_parser *p)
{
    unsigned depth = 0;
    p->in_for_head = false;
    if (pml_is_separator(pml_look(p)) && pml_look(p)->length == 0)
        pml_advance(p); // a line break in the middle of the statement
    for (;;) {
        const pml_token *t = pml_look(p);
        if (t->kind == PML_T_END || pml_starts_unit(t))
            break;
        bool opens = pml_is(t, PML_P_LBRACE) || t->kind == PML_T_IF || t->kind == PML_T_DO;
        bool closes = pml_is(t, PML_P_RBRACE) || t->kind == PML_T_FI || t->kind == PML_T_OD;
        if (depth == 0 && (closes || pml_is_separator(t) || pml_is(t, PML_P_SEP)))
            break;
        depth += opens;
        depth -= closes && depth > 0;
        pml_advance(p);
        p->parens = 0; // line breaks count again
    }
    p->parens = 0;
    if (!p->gave_up)
        p->panic = false;
}

// Skips to a token that can only begin a unit, minding braces.
static void skip_to_unit(pml_parser *p)
{
    unsigned depth = 0;
    p->in_for_head = false;
    p->in_sequence = false;
    for (;;) {
        const pml_token *t = pml_look(p);
        if (t->kind == PML_T_END || pml_starts_unit(t))
            break;
        if (depth == 0 && (pml_starts_declaration(p, t) || t->kind == PML_T_C_CODE ||
                           t->kind == PML_T_C_DECL || pml_is(t, PML_P_SEMI)))
            break;
        if (pml_is(t, PML_P_LBRACE))
            depth++;
        else if (pml_is(t, PML_P_RBRACE) && depth > 0)
            depth--;
        pml_advance(p);
    }
    p->parens = 0;
    p->open.n = 0;
    if (!p->gave_up)
        p->panic = false;
}

// ---- embedded C ---------------------------------------------------------------------

// After c_code, c_decl or c_expr: [ '[' C ']' ] '{' C '}'. Not fed through the repair of
// separators: to the parser, all of it is part of the keyword.
pml_c_block *pml_parse_c_block(pml_parser *p)
{
    pml_c_block *block = GY_NEW(p->arena, pml_c_block);
    block->code = "";
    block->place = p->last_place;
    if (p->panic)
        return block;
    pml_token t = pml_advance_raw(p);
    if (pml_is(&t, PML_P_LBRACKET)) {
        t = pml_advance_raw(p);
        if (t.kind == PML_T_C_BLOCK) {
            block->precondition = t.text;
            t = pml_advance_raw(p);
        }
        if (pml_is(&t, PML_P_RBRACKET))
            t = pml_advance_raw(p);
    }
    if (!pml_is(&t, PML_P_LBRACE)) {
        p->raw_held = t;
        p->has_raw_held = true;
        pml_syntax_error(p, "expected `{` and C code, found %s", pml_describe(p, &t));
        return block;
    }
    block->place = t.place;
    t = pml_advance_raw(p);
    if (t.kind == PML_T_C_BLOCK) {
        block->code = t.text;
        t = pml_advance_raw(p);
    }
    if (!pml_is(&t, PML_P_RBRACE) && !p->gave_up && gy_diags_errors(p->diags) == 0)
        gy_error(p->diags, block->place, "the `{` of this C code is never closed");
    return block;
}

static void add_c_unit(pml_parser *p, pml_c_unit unit)
{
    pml_model *m = p->model;
    PML_PUSH(p, m->c_units, m->c_unit_count, unit);
}

// c_state string string [string] | c_track string string [string]
static void parse_c_state(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_c_unit unit = {.kind = word.kind == PML_T_C_STATE ? PML_C_STATE : PML_C_TRACK,
                       .place = word.place};
    const char *strings[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        if (pml_look(p)->kind != PML_T_STRING) {
            if (i < 2) {
                pml_syntax_error(p, "expected a string after `%s`, found %s", word.text,
                                 pml_describe(p, pml_look(p)));
                return;
            }
            break;
        }
        pml_token string = pml_advance(p);
        strings[i] = string.text;
        if (i == 2 && unit.kind == PML_C_TRACK && strcmp(string.text, "Matched") != 0 &&
            strcmp(string.text, "UnMatched") != 0 && strcmp(string.text, "unMatched") != 0 &&
            strcmp(string.text, "StackOnly") != 0)
            pml_error_at(p, &string, "expected \"Matched\" or \"UnMatched\"");
    }
    unit.text = strings[0];
    unit.scope = strings[1];
    unit.extra = strings[2];
    add_c_unit(p, unit);
}

// ---- processes ----------------------------------------------------------------------

static pml_xproc *new_proc(pml_parser *p, pml_proc_kind kind, const char *name, gy_place place)
{
    pml_xproc *x = GY_NEW(p->arena, pml_xproc);
    x->p.kind = kind;
    x->p.name = name;
    x->p.place = place;
    x->p.defined = true;
    x->p.index = p->model->proc_count;
    PML_PUSH(p, p->model->procs, p->model->proc_count, &x->p);
    return x;
}

// body: '{' sequence '}'
static void parse_body(pml_parser *p, pml_xproc *proc)
{
    if (!p->panic && !pml_look_is(p, PML_P_LBRACE)) {
        gy_diag *d = pml_syntax_error(p, "expected `{` before the body of `%s`, found %s",
                                      proc->p.name, pml_describe(p, pml_look(p)));
        (void)d;
        return;
    }
    if (p->panic)
        return;
    pml_token brace = pml_advance(p);
    pml_open_push(p, brace.place, "{");
    pml_scope_open(p);
    proc->body_scope = p->scope->id;
    p->initialisation_ok = true;
    p->in_sequence = true;
    p->loop_depth = 0;
    p->d_step_now = p->d_step_depth = 0;
    pml_parse_sequence(p, &proc->p.body, "a process body");
    const pml_token *t = pml_look(p);
    bool closed = pml_is(t, PML_P_RBRACE);
    if (closed) {
        pml_advance(p);
        proc->p.body.end = p->last_place;
    } else if (!p->panic) {
        gy_diag *d = pml_syntax_error(p, "expected `}` at the end of `%s`, found %s", proc->p.name,
                                      pml_describe(p, t));
        if (d && !p->gave_up)
            gy_note(p->diags, brace.place, "the `{` is here");
    }
    p->in_sequence = false;
    p->initialisation_ok = true;
    pml_scope_close(p);
    if (p->open.n > 0)
        pml_open_pop(p);
    pml_resolve_gotos(p);
}

// [ priority number ]: -1 if there is none
static int32_t parse_priority(pml_parser *p)
{
    if (p->panic || pml_look(p)->kind != PML_T_PRIORITY)
        return -1;
    pml_advance(p);
    pml_token number = *pml_look(p);
    if (pml_classify(p, &number) != PML_C_CONST || number.kind == PML_T_NAME) {
        pml_syntax_error(p, "expected a number after `priority`, found %s",
                         pml_describe(p, &number));
        return -1;
    }
    pml_advance(p);
    p->model->uses_priority = true;
    return (int32_t)number.value;
}

// Only globals, _pid and _priority may occur in a provided clause.
static const pml_expr *improper(const pml_expr *e)
{
    if (!e)
        return NULL;
    switch (e->kind) {
    case PML_X_RUN:
    case PML_X_REMOTE_LABEL:
    case PML_X_REMOTE_VAR:
    case PML_X_NP:
        return e;
    case PML_X_VAR:
    case PML_X_LEN:
    case PML_X_EMPTY:
    case PML_X_NEMPTY:
    case PML_X_FULL:
    case PML_X_NFULL:
    case PML_X_POLL:
        if (e->ref.part_count && (e->ref.parts[0].var->role == PML_VAR_LOCAL ||
                                  e->ref.parts[0].var->role == PML_VAR_PARAM))
            return e;
        return NULL;
    default: {
        const pml_expr *bad = improper(e->a);
        if (!bad)
            bad = improper(e->b);
        if (!bad)
            bad = improper(e->c);
        return bad;
    }
    }
}

// [ provided '(' expr ')' ]
static pml_expr *parse_provided(pml_parser *p)
{
    if (p->panic || pml_look(p)->kind != PML_T_PROVIDED)
        return NULL;
    pml_advance(p);
    if (!pml_look_is(p, PML_P_LPAREN)) {
        pml_syntax_error(p, "expected `(` and a condition after `provided`, found %s",
                         pml_describe(p, pml_look(p)));
        return NULL;
    }
    pml_advance(p);
    pml_expr *e = pml_parse_full_expr(p);
    pml_expect(p, PML_P_RPAREN, "after the condition of `provided`");
    const pml_expr *bad = p->panic ? NULL : improper(e);
    if (bad) {
        gy_diag *d = gy_error(p->diags, bad->place, "this cannot be used in a `provided` clause");
        d->length = bad->length;
        gy_hint(d, "only global variables, `_pid` and `_priority` can");
    }
    return e;
}

// [ active [ '[' number ']' ] ]
static uint32_t parse_active(pml_parser *p)
{
    pml_advance(p);
    if (!pml_look_is(p, PML_P_LBRACKET))
        return 1;
    pml_advance(p);
    pml_token first = *pml_look(p);
    int32_t count = 0;
    if (pml_classify(p, &first) == PML_C_NAME) {
        pml_advance(p);
        pml_symbol *s = pml_lookup(p, pml_name_of(p, first.text), first.place);
        if (s->kind != PML_SYM_VAR) {
            gy_diag *d = pml_error_at(p, &first, "undeclared variable `%s`", first.text);
            pml_suggest_name(p, d, first.text);
        } else if (s->var->init && s->var->init->kind == PML_X_NUMBER) {
            count = (int32_t)s->var->init->value;
        } else if (s->var->init || s->var->list || s->var->chan ||
                   s->var->role == PML_VAR_BUILTIN) {
            gy_hint(pml_error_at(p, &first, "`%s` has no constant initial value", first.text),
                    "the number of processes must be known: use a number or a #define");
        }
    } else {
        pml_const_expr(p, &count);
    }
    pml_expect(p, PML_P_RBRACKET, "after the number of processes");
    if (count > 255) {
        pml_error_at(p, &first, "at most 255 processes can run at a time");
        count = 255;
    }
    return count > 0 ? (uint32_t)count : 0;
}

// proctype: [active] ( proctype | D_proctype ) name '(' [decls] ')' [priority] [provided] body
static void parse_proctype(pml_parser *p)
{
    uint32_t active = pml_look(p)->kind == PML_T_ACTIVE ? parse_active(p) : 0;
    if (p->panic)
        return;
    pml_token word = *pml_look(p);
    if (word.kind != PML_T_PROCTYPE && word.kind != PML_T_D_PROCTYPE) {
        pml_syntax_error(p, "expected `proctype` after `active`, found %s", pml_describe(p, &word));
        return;
    }
    pml_advance(p);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME) {
        if (c == PML_C_PROC && !p->panic) {
            pml_error_at(p, &name, "proctype `%s` is defined twice", name.text);
            gy_note(p->diags, pml_name_of(p, name.text)->proc->place, "first defined here");
        } else {
            pml_syntax_error(p, "expected a name after `proctype`, found %s",
                             pml_describe(p, &name));
            return;
        }
    }
    pml_advance(p);
    pml_name *info = pml_name_of(p, name.text);
    pml_xproc *proc = new_proc(p, PML_PROC_TYPE, name.text, name.place);
    proc->p.deterministic = word.kind == PML_T_D_PROCTYPE;
    proc->p.active = active;
    pml_symbol *s = pml_lookup(p, info, name.place);
    if (s->kind == PML_SYM_VAR) {
        pml_error_at(p, &name, "`%s` is declared already", name.text);
        gy_note(p->diags, s->place, "first declared here");
    }
    if (c == PML_C_NAME) {
        s->kind = PML_SYM_PROC;
        s->place = name.place;
        info->proc = &proc->p;
    }
    p->proc = proc;
    pml_scope_open(p); // of the parameters
    pml_expect(p, PML_P_LPAREN, "after the name of the proctype");
    if (!p->panic && !pml_look_is(p, PML_P_RPAREN)) {
        do {
            if (!pml_starts_declaration(p, pml_look(p))) {
                pml_syntax_error(p, "expected a parameter declaration, found %s",
                                 pml_describe(p, pml_look(p)));
                break;
            }
            pml_parse_declaration(p, PML_D_PARAM, NULL);
        } while (!p->panic && (p->comma_for_semi || pml_accept(p, PML_P_SEMI)));
    }
    pml_expect(p, PML_P_RPAREN, "after the parameters");
    if (p->panic && !p->gave_up) {
        proc->bad_header = true;
        while (pml_look(p)->kind != PML_T_END && !pml_look_is(p, PML_P_RPAREN) &&
               !pml_look_is(p, PML_P_LBRACE) && !pml_starts_unit(pml_look(p)))
            pml_advance(p);
        if (pml_look_is(p, PML_P_RPAREN))
            pml_advance(p);
        p->parens = 0;
        p->panic = !pml_look_is(p, PML_P_LBRACE);
    }
    int32_t priority = parse_priority(p);
    if (active && (priority == 0 || priority > 255 || priority < -1))
        pml_error_at(p, &name, "the priority of `%s` must be between 1 and 255", name.text);
    proc->p.priority = priority > 0 ? priority : 0;
    proc->p.provided = parse_provided(p);
    parse_body(p, proc);
    pml_scope_close(p);
    p->proc = NULL;
}

// init: init [priority] body
static void parse_init(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_xproc *proc = new_proc(p, PML_PROC_INIT, ":init:", word.place);
    proc->p.active = 1;
    p->proc = proc;
    pml_scope_open(p);
    if (pml_look_is(p, PML_P_LPAREN))
        pml_syntax_error(p, "`init` has no parameters: expected `{`");
    int32_t priority = parse_priority(p);
    if (priority == 0 || priority > 255 || priority < -1)
        pml_error_at(p, &word, "the priority of `init` must be between 1 and 255");
    proc->p.priority = priority > 0 ? priority : 0;
    parse_body(p, proc);
    pml_scope_close(p);
    p->proc = NULL;
}

static bool claim_exists(pml_parser *p, const char *name)
{
    for (uint32_t i = 0; i < p->model->proc_count; i++) {
        if (p->model->procs[i]->kind == PML_PROC_NEVER && !strcmp(p->model->procs[i]->name, name))
            return true;
    }
    return false;
}

// never: never [name] body
static void parse_never(pml_parser *p)
{
    pml_token word = pml_advance(p);
    const char *name = gy_arena_printf(p->arena, "never_%u", p->claim_count);
    pml_token t = *pml_look(p);
    if (pml_classify(p, &t) == PML_C_NAME) {
        pml_advance(p);
        name = t.text;
        word = t;
    }
    if (claim_exists(p, name))
        pml_error_at(p, &word, "never claim `%s` is defined twice", name);
    p->claim_count++;
    pml_xproc *proc = new_proc(p, PML_PROC_NEVER, name, word.place);
    p->proc = proc;
    pml_scope_open(p);
    parse_body(p, proc);
    pml_scope_close(p);
    p->proc = NULL;
}

// trace: ( trace | notrace ) body
static void parse_trace(pml_parser *p)
{
    pml_token word = pml_advance(p);
    bool trace = word.kind == PML_T_TRACE;
    if (p->has_trace)
        pml_error_at(p, &word, "a model can have one `trace` or `notrace` only");
    p->has_trace = true;
    pml_xproc *proc = new_proc(p, trace ? PML_PROC_TRACE : PML_PROC_NOTRACE,
                               trace ? ":trace:" : ":notrace:", word.place);
    p->proc = proc;
    p->in_trace = true;
    pml_scope_open(p);
    parse_body(p, proc);
    pml_scope_close(p);
    p->in_trace = false;
    p->proc = NULL;
}

// ltl: ltl [name] '{' formula '}'
static void parse_ltl(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_token t = *pml_look(p);
    pml_ltl ltl = {.place = word.place};
    if (t.kind == PML_T_NAME) {
        if (pml_classify(p, &t) != PML_C_NAME)
            pml_error_at(p, &t, "`%s` cannot name a formula: it means something else", t.text);
        pml_advance(p);
        ltl.name = t.text;
        ltl.place = t.place;
        for (uint32_t i = 0; i < p->model->ltl_count; i++) {
            if (p->model->ltls[i].name == ltl.name || !strcmp(p->model->ltls[i].name, ltl.name)) {
                pml_error_at(p, &t, "formula `%s` is defined twice", t.text);
                gy_note(p->diags, p->model->ltls[i].place, "first defined here");
            }
        }
        if (claim_exists(p, ltl.name))
            pml_error_at(p, &t, "`%s` is the name of a never claim, too", t.text);
    } else {
        ltl.name = gy_arena_printf(p->arena, "ltl_%u", p->ltl_count++);
    }
    pml_token brace = *pml_look(p);
    if (!pml_is(&brace, PML_P_LBRACE)) {
        pml_syntax_error(p, "expected `{` before the formula, found %s", pml_describe(p, &brace));
        return;
    }
    pml_advance(p);
    p->ltl_mode = true;
    p->parens = 0;
    ltl.formula = pml_parse_full_expr(p);
    while (!p->panic && pml_look_is(p, PML_P_SEMI))
        pml_advance(p);
    if (!p->panic && pml_look_is(p, PML_P_RBRACE)) {
        p->ltl_mode = false;
        pml_advance(p);
    } else if (!p->panic) {
        const pml_token *look = pml_look(p);
        gy_diag *d = pml_syntax_error(p, "expected `}` or an operator in the formula, found %s",
                                      pml_describe(p, look));
        if (d && (pml_is(look, PML_P_WEDGE) || pml_is(look, PML_P_VEE)))
            gy_hint(d, "write `&&` and `||`");
    }
    if (XEXPR(ltl.formula)->probe && !p->panic) {
        gy_diag *d = gy_error(p->diags, ltl.formula->place,
                              "full, nfull, empty and nempty cannot be used in an ltl formula");
        d->length = ltl.formula->length;
        gy_hint(d, "compare `len(channel)` instead");
    }
    p->ltl_mode = false;
    PML_PUSH(p, p->model->ltls, p->model->ltl_count, ltl);
}

// ---- units --------------------------------------------------------------------------

static void unexpected_unit(pml_parser *p, const pml_token *t)
{
    gy_diag *d;
    if (pml_is(t, PML_P_RBRACE)) {
        d = pml_syntax_error(p, "this `}` closes nothing");
        pml_advance(p);
        p->panic = false;
        return;
    }
    d = pml_syntax_error(p, "expected a declaration or a process, found %s", pml_describe(p, t));
    if (!d)
        return;
    if (t->kind == PML_T_NAME) {
        static const char *words[] = {"proctype", "typedef", "inline", "active", "mtype", "never",
                                      "init",     "chan",    "bool",   "byte",   "short", "int",
                                      "unsigned", "hidden",  "trace",  "ltl"};
        const char *best = NULL;
        unsigned distance = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            gy_nearest_offer(t->text, words[i], &best, &distance);
        if (best)
            gy_hint(d, "did you mean `%s`?", best);
    } else if (pml_is(t, PML_P_COMMA)) {
        gy_hint(d, "a declaration ends with its `}`: begin a new one");
    } else if (t->kind == PML_T_IF || t->kind == PML_T_DO || t->kind == PML_T_GOTO ||
               t->kind == PML_T_ATOMIC || t->kind == PML_T_PRINTF || t->kind == PML_T_RUN ||
               t->kind == PML_T_ASSERT || t->kind == PML_T_SKIP) {
        gy_hint(d, "statements belong into a proctype or `init { ... }`");
    }
}

static void parse_unit(pml_parser *p)
{
    pml_token t = *pml_look(p);
    switch (t.kind) {
    case PML_T_ACTIVE:
    case PML_T_PROCTYPE:
    case PML_T_D_PROCTYPE:
        parse_proctype(p);
        return;
    case PML_T_INIT:
        parse_init(p);
        return;
    case PML_T_NEVER:
        parse_never(p);
        return;
    case PML_T_TRACE:
    case PML_T_NOTRACE:
        parse_trace(p);
        return;
    case PML_T_LTL:
        parse_ltl(p);
        return;
    case PML_T_TYPEDEF:
        pml_parse_typedef(p);
        return;
    case PML_T_INLINE:
        pml_parse_inline(p);
        return;
    case PML_T_C_CODE:
    case PML_T_C_DECL: {
        pml_advance(p);
        pml_c_block *block = pml_parse_c_block(p);
        pml_c_unit unit = {.kind = t.kind == PML_T_C_CODE ? PML_C_CODE : PML_C_DECL,
                           .place = block->place,
                           .text = block->code};
        add_c_unit(p, unit);
        return;
    }
    case PML_T_C_STATE:
    case PML_T_C_TRACK:
        parse_c_state(p);
        return;
    default:
        break;
    }
    if (pml_is_separator(&t))
        pml_advance(p);
    else if (pml_starts_declaration(p, &t))
        pml_parse_declaration(p, PML_D_GLOBAL, NULL);
    else
        unexpected_unit(p, &t);
}

static void parser_init(pml_parser *p, gy_arena *arena, pml_tokens *tokens, gy_sources *sources,
                        gy_diags *diags, pml_model *model)
{
    p->arena = arena;
    p->tokens = tokens;
    p->sources = sources;
    p->diags = diags;
    p->model = model;
    p->initialisation_ok = true;
    pml_scopes_init(p);
}

static void parser_free(pml_parser *p)
{
    pml_feed_free(p);
    pml_scopes_free(p);
    gy_vec_free(&p->open);
    gy_vec_free(&p->runs);
    gy_vec_free(&p->messages);
    gy_vec_free(&p->gotos);
}

pml_model *pml_parse(gy_arena *arena, pml_tokens *tokens, gy_sources *sources, gy_diags *diags)
{
    pml_model *model = GY_NEW(arena, pml_model);
    model->arena = arena;
    model->sources = sources;
    model->diags = diags;
    pml_parser parser = {0}, *p = &parser;
    parser_init(p, arena, tokens, sources, diags, model);
    while (pml_look(p)->kind != PML_T_END) {
        parse_unit(p);
        if (p->panic)
            skip_to_unit(p);
    }
    if (!p->gave_up)
        pml_check_model(p);
    gy_text definitions = {0};
    pml_tokens_definitions(tokens, &definitions);
    model->definitions = gy_arena_strdup(arena, gy_text_str(&definitions));
    gy_text_free(&definitions);
    parser_free(p);
    return model;
}

// ---- formulas -----------------------------------------------------------------------

// Names of a finished model, entered into the tables of a new parser. Spellings are
// interned anew, because the new token stream has words of its own.
static pml_name *enter(pml_parser *p, const char *text)
{
    return pml_name_of(p, pml_intern(p->tokens, text, strlen(text)));
}

static void enter_model(pml_parser *p, pml_model *model)
{
    for (uint32_t i = 0; i < model->global_count; i++) {
        pml_symbol *s = pml_lookup(p, enter(p, model->globals[i]->name), model->globals[i]->place);
        s->kind = PML_SYM_VAR;
        s->var = model->globals[i];
    }
    for (uint32_t i = 0; i < model->mtype_count; i++)
        enter(p, model->mtypes[i].name)->mtype = (int32_t)i + 1;
    for (uint32_t i = 0; i < model->typedef_count; i++) {
        pml_typedef *record = model->typedefs[i];
        enter(p, record->name)->type = record;
        for (uint32_t j = 0; j < record->member_count; j++)
            pml_pair_put(&p->members, record, enter(p, record->members[j]->name)->text,
                         record->members[j]);
    }
    for (uint32_t i = 0; i < model->proc_count; i++) {
        pml_proc *proc = model->procs[i];
        if (proc->kind == PML_PROC_TYPE)
            enter(p, proc->name)->proc = proc;
        for (uint32_t j = 0; j < proc->param_count; j++)
            pml_pair_put(&p->remotes, proc, enter(p, proc->params[j]->name)->text, proc->params[j]);
        for (uint32_t j = 0; j < proc->local_count; j++) {
            if (proc->locals[j]->scope == XPROC(proc)->body_scope)
                pml_pair_put(&p->remotes, proc, enter(p, proc->locals[j]->name)->text,
                             proc->locals[j]);
        }
        for (uint32_t j = 0; j < proc->label_count; j++)
            pml_pair_put(&p->labels, proc, enter(p, proc->labels[j]->name)->text, proc->labels[j]);
    }
}

pml_expr *pml_parse_formula(pml_model *model, const char *text)
{
    gy_text all = {0};
    gy_text_add(&all, model->definitions ? model->definitions : "");
    gy_text_add(&all, "#line 1 \"<formula>\"\n");
    gy_text_add(&all, text);
    pml_tokens *tokens = pml_tokens_open_text(model->arena, model->sources, model->diags,
                                              "<formula>", all.at, all.n, NULL, 0, NULL);
    gy_text_free(&all);
    if (!tokens)
        return NULL;
    unsigned errors = gy_diags_errors(model->diags);
    pml_parser parser = {0}, *p = &parser;
    p->formula_mode = p->ltl_mode = true;
    parser_init(p, model->arena, tokens, model->sources, model->diags, model);
    enter_model(p, model);
    pml_expr *formula = pml_parse_full_expr(p);
    if (!p->panic && pml_look(p)->kind != PML_T_END)
        pml_syntax_error(p, "expected an operator or the end of the formula, found %s",
                         pml_describe(p, pml_look(p)));
    if (XEXPR(formula)->probe)
        gy_error(p->diags, formula->place,
                 "full, nfull, empty and nempty cannot be used in an ltl formula");
    parser_free(p);
    pml_tokens_close(tokens);
    return gy_diags_errors(model->diags) > errors ? NULL : formula;
}
