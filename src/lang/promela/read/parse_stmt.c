// Statements.
#include "lang/promela/read/parser.h"

// ---- expressions as statements ------------------------------------------------------

static void check_run(pml_parser *p, const pml_expr *e)
{
    if (e->kind == PML_X_RUN)
        return;
    if (!pml_contains(e, PML_X_RUN))
        return;
    gy_diag *d = gy_error(p->diags, e->place, "`run` cannot be part of a larger condition");
    d->length = e->length;
    gy_hint(d, "store its result: `p = run ...`");
}

static const pml_expr *find_remote(const pml_expr *e)
{
    if (!e)
        return NULL;
    if (e->kind == PML_X_REMOTE_VAR) // labels are refused where they are read
        return e;
    const pml_expr *found = find_remote(e->a);
    if (!found)
        found = find_remote(e->b);
    if (!found)
        found = find_remote(e->c);
    return found;
}

static void check_no_remote(pml_parser *p, const pml_expr *e)
{
    const pml_expr *found = p->d_step_depth ? find_remote(e) : NULL;
    if (found) {
        gy_diag *d =
            gy_error(p->diags, found->place, "a `d_step` cannot read from another process");
        d->length = found->length;
    }
}

static pml_stmt *condition(pml_parser *p, pml_expr *e, gy_location place)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_EXPR, place);
    s->expr = e;
    if (!p->panic) {
        check_run(p, e);
        check_no_remote(p, e);
    }
    return s;
}

// label ':' [ statement ]
static pml_stmt *parse_labelled(pml_parser *p, const pml_token *name)
{
    pml_token colon = pml_advance(p);
    if (pml_look_is(p, PML_P_ASSIGN)) {
        gy_diag *d = pml_error_at(p, &colon, "`:=` is not Promela");
        d->length = 2;
        gy_hint(d, "`=` assigns, `==` compares");
        p->panic = true;
        return pml_skip_stmt(p, name->place);
    }
    pml_symbol *symbol = pml_label_symbol(p, name);
    pml_token t = *pml_look(p);
    pml_stmt *inner;
    if (pml_starts_declaration(p, &t) || t.kind == PML_T_XR || t.kind == PML_T_XS) {
        gy_hint(pml_error_at(p, &t, "a label cannot be before a declaration"),
                "put the declaration before the label");
        if (t.kind == PML_T_XR || t.kind == PML_T_XS)
            pml_parse_exclusive(p);
        else
            pml_parse_declaration(p, PML_D_LOCAL, NULL);
        inner = pml_skip_stmt(p, name->place);
    } else if (pml_ends_sequence(&t) || pml_is_separator(&t) || t.kind == PML_T_UNLESS) {
        inner = pml_skip_stmt(p, name->place);
    } else if (pml_enter(p, "labels")) {
        inner = pml_parse_stmt(p);
        pml_leave(p);
    } else {
        inner = pml_skip_stmt(p, name->place);
    }
    pml_stmt *s = pml_new_stmt(p, PML_S_LABELLED, name->place);
    s->label_name = name->text;
    PML_PUSH(p, s->body.at, s->body.n, inner);
    if (symbol)
        pml_add_label(p, symbol, s, name->place);
    return s;
}

static pml_stmt *parse_assignment(pml_parser *p, pml_ref ref, const pml_token *first)
{
    pml_advance(p);
    pml_forbid_step(p, first);
    pml_token call = *pml_look(p);
    if (pml_classify(p, &call) == PML_C_INLINE) {
        pml_advance(p);
        pml_mark_written(p, &ref);
        return pml_parse_inline_call(p, &call, &ref);
    }
    pml_expr *value = pml_parse_full_expr(p);
    if (p->panic)
        return pml_skip_stmt(p, first->place);
    if (pml_look_is(p, PML_P_ASSIGN)) {
        gy_diag *d = pml_syntax_error(p, "assignments cannot be chained");
        if (d)
            gy_hint(d, "write one assignment per variable");
    }
    pml_stmt *s = pml_assignment(p, ref, value, first->place);
    p->last_assigned = s;
    return s;
}

static void refuse_underscore(pml_parser *p, pml_ref *ref, const pml_token *first)
{
    if (!pml_ref_is_builtin(ref, PML_BI_UNDERSCORE))
        return;
    pml_error_at(p, first, "`_` has no value: it can only be written");
    ref->part_count = 0;
}

// ++ and --
static pml_stmt *parse_count(pml_parser *p, pml_ref ref, uint32_t length, const pml_token *first,
                             const pml_token *op)
{
    pml_advance(p);
    pml_forbid_step(p, first);
    const pml_var *var = pml_ref_var(&ref);
    if (var && ref.parts[0].var->type.kind == PML_TY_CHAN)
        pml_error_at(p, first, "nothing can be computed from a channel");
    refuse_underscore(p, &ref, first);
    pml_expr *old = pml_var_expr(p, ref, length);
    pml_expr *one = pml_number(p, 1, op->place, op->length);
    return pml_assignment(p, ref,
                          pml_binary(p, op->punct == PML_P_INCR ? PML_X_ADD : PML_X_SUB, old, one),
                          first->place);
}

static pml_stmt *parse_receive_or_poll(pml_parser *p, pml_ref ref, const pml_token *first,
                                       const pml_token *op)
{
    pml_advance(p);
    bool random = op->punct == PML_P_RCVRAND;
    if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_forbid_step(p, first);
        pml_expr *e = pml_parse_poll(p, ref, first->place, random);
        return condition(p, pml_parse_expr_from(p, e), first->place);
    }
    if (random || pml_look_is(p, PML_P_LT))
        pml_forbid_step(p, first);
    return pml_parse_receive(p, ref, first, random);
}

// The name as the first operand of a condition.
static pml_expr *read_name(pml_parser *p, pml_ref ref, uint32_t length, const pml_token *first)
{
    if (pml_ref_is_builtin(&ref, PML_BI_LAST))
        p->model->uses_last = true;
    if (pml_ref_is_builtin(&ref, PML_BI_PRIORITY))
        p->model->uses_priority = true;
    pml_expr *e = pml_var_expr(p, ref, length);
    if (ref.part_count == 1 && ref.parts[0].var->role == PML_VAR_BUILTIN &&
        ref.parts[0].var->builtin == PML_BI_NONE) { // _p
        pml_ref pid = {0};
        pml_ref_part part = {.var = p->builtins[1], .place = first->place};
        PML_PUSH(p, pid.parts, pid.part_count, part);
        e = pml_new_expr(p, PML_X_PC_VALUE, first->place, first->length);
        e->a = pml_var_expr(p, pid, first->length);
        XEXPR(e)->depth = 2;
    }
    return e;
}

// `float x`: the word for the type was taken, and is put back. (A name after a name came from no
// look ahead: nothing is held.)
static pml_stmt *parse_foreign_declaration(pml_parser *p, const pml_token *first)
{
    p->hold = *pml_look(p);
    p->has_hold = true;
    p->look = *first;
    if (pml_take_foreign_type(p))
        pml_parse_declaration(p, PML_D_LOCAL, NULL);
    return pml_skip_stmt(p, first->place);
}

// A statement that begins with a name: label, assignment, send, receive or expression.
static pml_stmt *parse_name_stmt(pml_parser *p)
{
    pml_token first = pml_advance(p);
    if (pml_look_is(p, PML_P_COLON))
        return parse_labelled(p, &first);
    if (pml_is_foreign_declaration(p, &first))
        return parse_foreign_declaration(p, &first);
    uint32_t length;
    pml_ref ref = pml_parse_ref_from(p, first, PML_R_VALUE, &length);
    if (p->panic)
        return pml_skip_stmt(p, first.place);
    pml_token op = *pml_look(p);
    if (op.kind == PML_T_PUNCT) {
        switch (op.punct) {
        case PML_P_ASSIGN:
            return parse_assignment(p, ref, &first);
        case PML_P_INCR:
        case PML_P_DECR:
            return parse_count(p, ref, length, &first, &op);
        case PML_P_SND:
            return pml_parse_send(p, ref, &first);
        case PML_P_SNDSORT:
            pml_forbid_step(p, &first);
            return pml_parse_send(p, ref, &first);
        case PML_P_RCV:
        case PML_P_RCVRAND:
            return parse_receive_or_poll(p, ref, &first, &op);
        default:
            break;
        }
    }
    pml_forbid_step(p, &first);
    refuse_underscore(p, &ref, &first);
    pml_expr *e = read_name(p, ref, length, &first);
    return condition(p, pml_parse_expr_from(p, e), first.place);
}

// ---- other statements ---------------------------------------------------------------

static pml_stmt *parse_group(pml_parser *p, pml_stmt_kind kind, const char *what)
{
    pml_token word = *pml_look(p);
    if (kind != PML_S_BLOCK)
        pml_advance(p);
    pml_forbid_step(p, &word);
    uint32_t outer_loops = p->d_step_loops;
    if (kind == PML_S_D_STEP) {
        p->d_step_now = ++p->d_step_count;
        if (p->d_step_depth++ == 0)
            p->d_step_loops = p->loop_depth;
        p->d_step_opens = true;
    }
    pml_seq body = pml_parse_braces(p, what);
    pml_stmt *s = pml_new_stmt(p, kind, word.place);
    s->body = body;
    if (kind == PML_S_D_STEP) {
        p->d_step_now = 0; // Spin forgets the outer one of two nested d_steps
        p->d_step_depth--;
        p->d_step_loops = outer_loops;
    }
    pml_refuse_label_first(p, &s->body, what);
    return s;
}

// The conversions in a format: as many as arguments?
static void check_format(pml_parser *p, const pml_token *format, uint32_t args)
{
    uint32_t wanted = 0;
    for (const char *c = format->text; *c; c++) {
        if (*c == '\\' && c[1])
            c++;
        else if (*c == '%' && c[1] == '%')
            c++;
        else if (*c == '%')
            wanted++;
    }
    if (wanted == args)
        return;
    gy_diag *d = gy_warn(p->diags, format->place, "the format needs %u value%s, but %u %s given",
                         wanted, wanted == 1 ? "" : "s", args, args == 1 ? "is" : "are");
    d->length = format->length;
}

// printf '(' string { ',' expr } ')'
static pml_stmt *parse_printf(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_forbid_step(p, &word);
    pml_stmt *s = pml_new_stmt(p, PML_S_PRINTF, word.place);
    s->format = "";
    pml_expect(p, PML_P_LPAREN, "after `printf`");
    if (p->panic)
        return s;
    pml_token format = *pml_look(p);
    if (format.kind != PML_T_STRING) {
        pml_syntax_error(p, "expected a string after `printf (`, found %s",
                         pml_describe(p, &format));
        return s;
    }
    pml_advance(p);
    s->format = format.text;
    if (pml_accept(p, PML_P_COMMA))
        pml_parse_args(p, &s->args, &s->arg_count, PML_R_VALUE);
    pml_expect(p, PML_P_RPAREN, "after the arguments of `printf`");
    if (!p->panic) {
        check_format(p, &format, s->arg_count);
        for (uint32_t i = 0; i < s->arg_count; i++)
            check_no_remote(p, s->args[i]);
    }
    return s;
}

// printm '(' ( reference | number ) ')'
static pml_stmt *parse_printm(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_forbid_step(p, &word);
    pml_stmt *s = pml_new_stmt(p, PML_S_PRINTM, word.place);
    pml_expect(p, PML_P_LPAREN, "after `printm`");
    s->expr = p->panic ? pml_number(p, 0, word.place, 1) : pml_parse_expr(p);
    if (!p->panic && s->expr->kind != PML_X_NUMBER && s->expr->kind != PML_X_VAR) {
        gy_diag *d =
            gy_error(p->diags, s->expr->place, "`printm` takes a variable or an mtype name");
        d->length = s->expr->length;
    }
    pml_expect(p, PML_P_RPAREN, "after the argument of `printm`");
    return s;
}

static pml_stmt *parse_return(pml_parser *p)
{
    pml_token word = pml_advance(p);
    const pml_feed_frame *frame = pml_feed_inline(p);
    pml_ref result = {0};
    bool has_result = frame && frame->has_result;
    if (has_result) {
        result = frame->result;
    } else {
        gy_diag *d = pml_error_at(p, &word,
                                  frame ? "`return` in an inline whose result is not used"
                                        : "`return` outside of an inline");
        if (frame)
            gy_hint(d, "call it as `variable = %s(...)`", frame->def->name);
        else
            gy_hint(d, "a process ends when it reaches the end of its body: use `goto`");
    }
    if (pml_ends_sequence(pml_look(p)) || pml_is_separator(pml_look(p)))
        return pml_skip_stmt(p, word.place);
    pml_expr *value = pml_parse_full_expr(p);
    if (p->panic || !has_result)
        return pml_skip_stmt(p, word.place);
    return pml_assignment(p, result, value, word.place);
}

static pml_stmt *unexpected_statement(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    gy_diag *d = NULL;
    if (t->kind == PML_T_NAME && pml_classify(p, t) == PML_C_PROC) {
        d = pml_syntax_error(p, "expected a statement, found the proctype `%s`", t->text);
        if (d)
            gy_hint(d, "`run %s(...)` starts a process", t->text);
    } else {
        d = pml_syntax_error(p, "expected a statement, found %s", pml_describe(p, t));
        if (d && t->kind == PML_T_UNLESS)
            gy_hint(d, "remove the separator between `unless` and the statement that it guards");
        else if (d && (pml_is(t, PML_P_INCR) || pml_is(t, PML_P_DECR)))
            gy_hint(d, "write the operator after the variable");
        else if (d && t->kind == PML_T_PUNCT && p->previous_implied)
            gy_hint(d, "a statement ends with its line, unless a parenthesis is open or an "
                       "operator comes last");
    }
    return pml_skip_stmt(p, t->place);
}

static pml_stmt *parse_break(pml_parser *p, const pml_token *t)
{
    pml_advance(p);
    if (p->loop_depth == 0)
        gy_hint(pml_error_at(p, t, "`break` outside of a loop"), "`break` leaves a `do` or `for`");
    else if (p->d_step_depth && p->loop_depth == p->d_step_loops)
        pml_error_at(p, t, "this `break` leaves its `d_step`");
    return pml_new_stmt(p, PML_S_BREAK, t->place);
}

static pml_stmt *parse_goto(pml_parser *p, const pml_token *t)
{
    pml_advance(p);
    pml_token name = *pml_look(p);
    if (pml_classify(p, &name) != PML_C_NAME) {
        pml_syntax_error(p, "expected a label after `goto`, found %s", pml_describe(p, &name));
        return pml_skip_stmt(p, t->place);
    }
    pml_advance(p);
    pml_symbol *symbol = pml_label_symbol(p, &name);
    pml_stmt *s = pml_new_stmt(p, PML_S_GOTO, name.place);
    s->label_name = name.text;
    XSTMT(s)->symbol = symbol;
    if (symbol)
        gy_vec_push(&p->gotos, s);
    return s;
}

static pml_stmt *parse_assert(pml_parser *p, const pml_token *t)
{
    pml_advance(p);
    pml_forbid_step(p, t);
    pml_stmt *s = pml_new_stmt(p, PML_S_ASSERT, t->place);
    s->expr = pml_parse_full_expr(p);
    if (!p->panic)
        check_no_remote(p, s->expr);
    return s;
}

static pml_stmt *parse_set_priority(pml_parser *p, const pml_token *t)
{
    pml_advance(p);
    pml_forbid_step(p, t);
    pml_stmt *s = pml_new_stmt(p, PML_S_SET_PRIORITY, t->place);
    p->model->uses_priority = p->model->priorities_differ = true;
    pml_expect(p, PML_P_LPAREN, "after `set_priority`");
    if (p->panic)
        return s;
    pml_parse_args(p, &s->args, &s->arg_count, PML_R_VALUE);
    pml_expect(p, PML_P_RPAREN, "after the arguments of `set_priority`");
    if (!p->panic && s->arg_count != 2)
        pml_error_at(p, t, "`set_priority` takes two arguments: a pid and a priority");
    return s;
}

static pml_stmt *parse_c_code(pml_parser *p, const pml_token *t)
{
    pml_advance(p);
    pml_forbid_step(p, t);
    pml_stmt *s = pml_new_stmt(p, PML_S_C_CODE, t->place);
    s->c_block = pml_parse_c_block(p);
    return s;
}

static pml_stmt *parse_statement(pml_parser *p)
{
    pml_token t = *pml_look(p);
    switch (t.kind) {
    case PML_T_IF:
    case PML_T_DO:
        return pml_parse_choice(p);
    case PML_T_FOR:
        return pml_parse_for(p);
    case PML_T_SELECT:
        return pml_parse_select(p);
    case PML_T_ATOMIC:
        return parse_group(p, PML_S_ATOMIC, "an `atomic` block");
    case PML_T_D_STEP:
        return parse_group(p, PML_S_D_STEP, "a `d_step` block");
    case PML_T_BREAK:
        return parse_break(p, &t);
    case PML_T_GOTO:
        return parse_goto(p, &t);
    case PML_T_PRINTF:
        return parse_printf(p);
    case PML_T_PRINTM:
        return parse_printm(p);
    case PML_T_ASSERT:
        return parse_assert(p, &t);
    case PML_T_SET_PRIORITY:
        return parse_set_priority(p, &t);
    case PML_T_ELSE:
        pml_advance(p);
        pml_forbid_step(p, &t);
        return pml_new_stmt(p, PML_S_ELSE, t.place);
    case PML_T_C_CODE:
    case PML_T_C_DECL:
        return parse_c_code(p, &t);
    case PML_T_RETURN:
        return parse_return(p);
    case PML_T_NAME:
        switch (pml_classify(p, &t)) {
        case PML_C_NAME:
            return parse_name_stmt(p);
        case PML_C_INLINE:
            pml_forbid_step(p, &t);
            pml_advance(p);
            return pml_parse_inline_call(p, &t, NULL);
        default:
            break;
        }
        break;
    case PML_T_PUNCT:
        if (t.punct == PML_P_LBRACE)
            return parse_group(p, PML_S_BLOCK, "a block");
        if (t.punct != PML_P_LPAREN && t.punct != PML_P_SND && t.punct != PML_P_MINUS &&
            t.punct != PML_P_TILDE && t.punct != PML_P_SNDSORT)
            return unexpected_statement(p);
        break;
    case PML_T_END:
    case PML_T_UNLESS:
    case PML_T_STRING:
    case PML_T_OF:
    case PML_T_PRIORITY:
    case PML_T_PROVIDED:
    case PML_T_IN:
        return unexpected_statement(p);
    default:
        break;
    }
    pml_forbid_step(p, &t);
    return condition(p, pml_parse_full_expr(p), t.place);
}

// What is reported as one step.
static bool is_basic(const pml_stmt *s)
{
    switch (s->kind) {
    case PML_S_EXPR:
    case PML_S_ASSIGN:
    case PML_S_SEND:
    case PML_S_RECV:
    case PML_S_ASSERT:
    case PML_S_PRINTF:
    case PML_S_PRINTM:
    case PML_S_SET_PRIORITY:
        return true;
    default:
        return false;
    }
}

pml_stmt *pml_parse_stmt(pml_parser *p)
{
    gy_location before;
    size_t first = pml_written_begin(p, &before);
    pml_stmt *s = parse_statement(p);
    p->initialisation_ok = false;
    const char *written = pml_written_end(p, first, before, is_basic(s));
    if (written)
        s->written = written;
    return s;
}
