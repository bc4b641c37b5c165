// Processes: proctypes, init, never claims, traces; and ltl blocks.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

static pml_xproc *new_proc(pml_parser *p, pml_proc_kind kind, const char *name, gy_location place)
{
    pml_xproc *x = GY_NEW(p->arena, pml_xproc);
    x->p.kind = kind;
    x->p.name = name;
    x->p.place = place;
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
    if (p->noted)
        pml_note_process_end(p);
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
    p->model->priorities_differ |= number.value != 0 && number.value != 1;
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
        } else if (p->noted) {
            pml_note_reference(p, s->var, first.place, first.length);
        }
        if (s->kind != PML_SYM_VAR) {
            // told
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
void pml_parse_proctype(pml_parser *p)
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
    if (p->noted)
        pml_note_process(p, &proc->p, name.length);
    pml_scope_open(p); // of the parameters
    pml_expect(p, PML_P_LPAREN, "after the name of the proctype");
    if (!p->panic && !pml_look_is(p, PML_P_RPAREN)) {
        do {
            if (!pml_starts_declaration(p, pml_look(p)) && !pml_take_foreign_type(p)) {
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
    if (p->noted)
        pml_note_parameters(p, &proc->p);
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
void pml_parse_init(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_xproc *proc = new_proc(p, PML_PROC_INIT, ":init:", word.place);
    proc->p.active = 1;
    p->proc = proc;
    if (p->noted)
        pml_note_process(p, &proc->p, word.length);
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
void pml_parse_never(pml_parser *p)
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
    if (p->noted)
        pml_note_process(p, &proc->p, word.length);
    pml_scope_open(p);
    parse_body(p, proc);
    pml_scope_close(p);
    p->proc = NULL;
}

// trace: ( trace | notrace ) body
void pml_parse_trace(pml_parser *p)
{
    pml_token word = pml_advance(p);
    bool trace = word.kind == PML_T_TRACE;
    if (p->has_trace)
        pml_error_at(p, &word, "a model can have one `trace` or `notrace` only");
    p->has_trace = true;
    pml_xproc *proc = new_proc(p, trace ? PML_PROC_TRACE : PML_PROC_NOTRACE,
                               trace ? ":trace:" : ":notrace:", word.place);
    p->proc = proc;
    if (p->noted)
        pml_note_process(p, &proc->p, word.length);
    p->in_trace = true;
    pml_scope_open(p);
    parse_body(p, proc);
    pml_scope_close(p);
    p->in_trace = false;
    p->proc = NULL;
}

// ltl: ltl [name] '{' formula '}'
void pml_parse_ltl(pml_parser *p)
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
        if (p->noted)
            pml_note_formula(p, &t);
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
    gy_location before;
    size_t first = pml_written_begin(p, &before);
    ltl.formula = pml_parse_full_expr(p);
    ltl.written = pml_written_end(p, first, before, true);
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
