// Operands of expressions.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

// channel '?' '[' receive arguments ']'
pml_expr *pml_parse_poll(pml_parser *p, pml_ref ref, gy_location place, bool random)
{
    pml_advance(p); // [
    pml_expr *e = pml_new_expr(p, PML_X_POLL, place, 0);
    e->ref = ref;
    e->random = random;
    pml_parse_receive_args(p, &e->args, &e->arg_count);
    pml_expect(p, PML_P_RBRACKET, "after the arguments of the poll");
    e->length = pml_span(p, place, 1);
    for (uint32_t i = 0; i < e->arg_count; i++)
        pml_deepen(p, e, e->args[i]);
    if (ref.part_count) {
        gy_vec_push(&p->messages, ((pml_message_use){.channel = ref,
                                                     .args = e->args,
                                                     .arg_count = e->arg_count,
                                                     .place = place,
                                                     .random = random,
                                                     .poll = true}));
    }
    return e;
}

static pml_expr *parse_name_operand(pml_parser *p)
{
    pml_token first = pml_advance(p);
    uint32_t length;
    pml_ref ref = pml_parse_ref_from(p, first, p->expr_use, &length);
    if (pml_look_is(p, PML_P_RCV) || pml_look_is(p, PML_P_RCVRAND)) {
        bool random = pml_look_is(p, PML_P_RCVRAND);
        pml_token op = pml_advance(p);
        if (pml_look_is(p, PML_P_LBRACKET))
            return pml_parse_poll(p, ref, first.place, random);
        if (!p->panic) {
            gy_diag *d = pml_error_at(p, &op, "a receive cannot be part of an expression");
            const pml_var *var = pml_ref_var(&ref); // NULL: an error was reported for it
            if (var && var->type.kind != PML_TY_CHAN)
                gy_hint(d, "a conditional value is `(condition -> value : value)`");
            else
                gy_hint(d, "`%s?[...]` tests for a message without receiving it", first.text);
            p->panic = true;
        }
    }
    if (pml_ref_is_builtin(&ref, PML_BI_UNDERSCORE) && !p->in_trace) {
        pml_error_at(p, &first, "`_` has no value: it can only be written");
        ref.part_count = 0;
    } else if (ref.part_count == 1 && ref.parts[0].var->role == PML_VAR_BUILTIN) {
        switch (ref.parts[0].var->builtin) {
        case PML_BI_LAST:
            p->model->uses_last = true;
            break;
        case PML_BI_PRIORITY:
            p->model->uses_priority = true;
            break;
        case PML_BI_NONE: { // _p: the state that this process is in
            pml_expr *e = pml_new_expr(p, PML_X_PC_VALUE, first.place, first.length);
            pml_ref pid = {0};
            pml_ref_part part = {.var = p->builtins[1], .place = first.place};
            PML_PUSH(p, pid.parts, pid.part_count, part);
            e->a = pml_var_expr(p, pid, first.length);
            pml_deepen(p, e, e->a);
            return e;
        }
        default:
            break;
        }
    }
    pml_expr *e = pml_var_expr(p, ref, length);
    e->place = first.place;
    return e;
}

// len ( channel ) and its like
static pml_expr *parse_channel_function(pml_parser *p, pml_expr_kind kind)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, kind, word.place, word.length);
    pml_expect(p, PML_P_LPAREN, "before the channel");
    uint32_t length;
    if (!p->panic) {
        e->ref = pml_parse_ref(p, p->expr_use == PML_R_FOR ? PML_R_FOR : PML_R_VALUE, &length);
        pml_expect(p, PML_P_RPAREN, "after the channel");
    }
    e->length = pml_span(p, word.place, word.length);
    const pml_var *var = pml_ref_var(&e->ref);
    if (var && var->type.kind != PML_TY_CHAN) {
        if (kind == PML_X_LEN) {
            gy_diag *d = gy_warn(p->diags, e->ref.parts[0].place,
                                 "`%s` is not declared as a channel", var->name);
            d->length = (uint32_t)strlen(var->name);
        } else {
            gy_diag *d =
                gy_error(p->diags, e->ref.parts[0].place, "`%s` is not a channel", var->name);
            d->length = (uint32_t)strlen(var->name);
        }
    }
    XEXPR(e)->probe = kind != PML_X_LEN;
    return e;
}

// enabled ( expr ) and its like
static pml_expr *parse_process_function(pml_parser *p, pml_expr_kind kind)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, kind, word.place, word.length);
    pml_expect(p, PML_P_LPAREN, "before the process number");
    e->a = p->panic ? pml_number(p, 0, word.place, 1) : pml_parse_expr(p);
    pml_expect(p, PML_P_RPAREN, "after the process number");
    e->length = pml_span(p, word.place, word.length);
    pml_deepen(p, e, e->a);
    bool outside = p->proc && p->proc->p.kind != PML_PROC_NEVER;
    if (kind == PML_X_ENABLED) {
        p->model->uses_enabled = true;
        if (!p->enabled_place)
            p->enabled_place = word.place;
        if (outside && !p->warned_enabled) {
            pml_token at = word;
            p->warned_enabled = true;
            gy_diag *d = gy_warn(p->diags, at.place, "`enabled` is meant for never claims");
            d->length = at.length;
        }
    } else if (kind == PML_X_PC_VALUE) {
        if (outside && !p->warned_pc_value) {
            p->warned_pc_value = true;
            gy_diag *d = gy_warn(p->diags, word.place, "`pc_value` is meant for never claims");
            d->length = word.length;
        }
    } else {
        p->model->uses_priority = true;
    }
    return e;
}

// run name ( [args] ) [ priority number ]
static pml_expr *parse_run(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_RUN, word.place, word.length);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME && c != PML_C_PROC) {
        if (name.kind == PML_T_NAME && !p->panic) {
            pml_error_at(p, &name, "`%s` is not a proctype", name.text);
            p->panic = true;
        } else {
            pml_syntax_error(p, "expected the name of a proctype after `run`");
        }
        return e;
    }
    pml_advance(p);
    if (!p->proc) {
        pml_error_at(p, &word, "`run` can only be used inside a process");
    } else if (c == PML_C_NAME) {
        pml_symbol *s = pml_lookup(p, pml_name_of(p, name.text), name.place);
        if (s->kind == PML_SYM_VAR || s->kind == PML_SYM_LABEL) {
            pml_error_at(p, &name, "`%s` is not a proctype", name.text);
            name.text = NULL;
        }
    }
    if (p->d_step_depth)
        gy_hint(pml_error_at(p, &word, "`run` inside a `d_step`"), "use `atomic` instead");
    pml_expect(p, PML_P_LPAREN, "before the arguments of `run`");
    if (!p->panic) {
        if (!pml_look_is(p, PML_P_RPAREN))
            pml_parse_args(p, &e->args, &e->arg_count, PML_R_MESSAGE);
        pml_expect(p, PML_P_RPAREN, "after the arguments of `run`");
    }
    if (!p->panic && pml_look(p)->kind == PML_T_PRIORITY) {
        pml_advance(p);
        pml_token number = *pml_look(p);
        if (pml_classify(p, &number) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number after `priority`");
        } else {
            pml_advance(p);
            p->model->uses_priority = true;
            int64_t value = number.kind == PML_T_NAME
                                ? p->model->mtypes[pml_name_of(p, number.text)->mtype - 1].value
                                : number.value;
            if (value < 0 || value > 255)
                pml_error_at(p, &number, "a priority must be between 1 and 255");
            else
                e->priority = (int32_t)value;
            p->model->priorities_differ |= value > 1;
        }
    }
    e->length = pml_span(p, word.place, word.length);
    for (uint32_t i = 0; i < e->arg_count; i++)
        pml_deepen(p, e, e->args[i]);
    if (name.text) {
        pml_run_use use = {.expr = e,
                           .name = pml_name_of(p, name.text),
                           .place = name.place,
                           .length = name.length,
                           .early = c == PML_C_NAME};
        gy_vec_push(&p->runs, use);
    }
    return e;
}

// '@' label; what it has in common with a variable is filled in by the caller.
static pml_expr *parse_remote_label(pml_parser *p, pml_proc *proc, const pml_token *word)
{
    pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_REMOTE_LABEL, word->place, word->length);
    pml_token label = *pml_look(p);
    if (pml_classify(p, &label) != PML_C_NAME) {
        pml_syntax_error(p, "expected a label after `@`");
        return e;
    }
    pml_advance(p);
    e->label_name = label.text;
    e->label = pml_remote_label(p, proc, &label);
    if (p->d_step_depth)
        pml_error_at(p, word, "reference to a label of another process inside a `d_step`");
    // Spin looks the label up as a name of this place.
    pml_symbol *s = pml_lookup(p, pml_name_of(p, label.text), label.place);
    if (s->kind == PML_SYM_NEW)
        s->kind = PML_SYM_LABEL;
    else if (s->kind == PML_SYM_VAR)
        pml_error_at(p, &label, "`%s` is a variable here, not only a label", label.text);
    return e;
}

static void refuse_remote_variable(pml_parser *p, const pml_proc *proc, const pml_token *word,
                                   const pml_token *name)
{
    gy_diag *d =
        pml_error_at(p, name, "proctype `%s` has no variable `%s`", word->text, name->text);
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t i = 0; i < proc->local_count; i++)
        gy_nearest_offer(name->text, proc->locals[i]->name, &best, &distance);
    for (uint32_t i = 0; i < proc->param_count; i++)
        gy_nearest_offer(name->text, proc->params[i]->name, &best, &distance);
    if (best && !strcmp(best, name->text))
        gy_hint(d, "`%s` is declared in an inner block, which cannot be seen from outside", best);
    else if (best)
        gy_hint(d, "a similar name exists: `%s`", best);
}

// ':' variable
static pml_expr *parse_remote_variable(pml_parser *p, pml_proc *proc, const pml_token *word)
{
    pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_REMOTE_VAR, word->place, word->length);
    pml_token name = *pml_look(p);
    if (pml_classify(p, &name) != PML_C_NAME) {
        pml_syntax_error(p, "expected a variable of `%s` after `:`", word->text);
        return e;
    }
    pml_advance(p);
    pml_ref_part part = {.var = pml_pair_get(&p->remotes, proc, name.text), .place = name.place};
    if (!part.var)
        refuse_remote_variable(p, proc, word, &name);
    else if (p->noted)
        pml_note_reference(p, part.var, name.place, name.length);
    pml_parse_index(p, &part, name.text, PML_R_VALUE);
    if (part.var && part.var->type.kind == PML_TY_STRUCT)
        pml_error_at(p, &name, "a structure of another process cannot be read");
    if (part.var) {
        PML_PUSH(p, e->ref.parts, e->ref.part_count, part);
        pml_deepen(p, e, part.index);
    }
    return e;
}

static pml_expr *refuse_proctype(pml_parser *p, const pml_token *word)
{
    bool call = pml_look_is(p, PML_P_LPAREN);
    gy_diag *d = call ? pml_syntax_error(p, "the proctype `%s` cannot be called", word->text)
                      : pml_syntax_error(p,
                                         "expected `@label` or `:variable` after the "
                                         "proctype `%s`",
                                         word->text);
    if (d && call)
        gy_hint(d, "a process is started by `run %s(...)`", word->text);
    else if (d)
        gy_hint(d, "`%s` is a proctype, not a variable", word->text);
    return pml_number(p, 0, word->place, word->length);
}

// proctype [ '[' expr ']' ] ( '@' label | ':' variable [ '[' expr ']' ] )
static pml_expr *parse_remote(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_proc *proc = pml_name_of(p, word.text)->proc;
    pml_expr *pid = NULL;
    if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_advance(p);
        pml_ref_use saved = p->expr_use;
        p->expr_use = PML_R_VALUE;
        pid = pml_parse_expr(p);
        p->expr_use = saved;
        pml_expect(p, PML_P_RBRACKET, "after the process number");
    }
    pml_expr *e;
    if (pml_look_is(p, PML_P_AT))
        e = parse_remote_label(p, proc, &word);
    else if (pml_look_is(p, PML_P_COLON))
        e = parse_remote_variable(p, proc, &word);
    else
        return refuse_proctype(p, &word);
    if (p->panic)
        return e;
    e->proc = proc;
    e->a = pid;
    e->length = pml_span(p, word.place, word.length);
    pml_deepen(p, e, pid);
    return e;
}

// Spin refuses a c_expr that looks as if it changed something. To it, a call does so, unless there
// is a space or an underscore before the parenthesis; here functions may be called.
static bool has_side_effect(const char *code)
{
    static const char *patterns[] = {";", "++", "--"};
    for (size_t i = 0; i < 3; i++) {
        const char *at = strstr(code, patterns[i]);
        if (at && (at == code || (at[-1] != '"' && at[-1] != '\'')))
            return true;
    }
    for (const char *at = code; (at = strchr(at, '=')) != NULL;) {
        char before = at > code ? at[-1] : ' ';
        if (before == '!' || before == '>' || before == '<' || before == '"' || before == '\'') {
            at += at[1] ? 2 : 1;
            continue;
        }
        at++;
        if (*at != '=')
            return true;
        at++;
    }
    return false;
}

static pml_expr *parse_c_expr(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_C_EXPR, word.place, word.length);
    e->c_block = pml_parse_c_block(p);
    if (e->c_block && has_side_effect(e->c_block->code)) {
        gy_diag *d = pml_error_at(p, &word, "this `c_expr` may have side effects");
        gy_hint(d, "assignments belong into `c_code`");
    }
    return e;
}

// '(' expr ')' | '(' expr '->' expr ':' expr ')'
static pml_expr *parse_parenthesised(pml_parser *p)
{
    pml_token open = pml_advance(p);
    if (!pml_enter(p, "parentheses"))
        return pml_number(p, 0, open.place, 1);
    pml_expr *e = pml_parse_full_expr(p);
    if (!p->panic && pml_look_is(p, PML_P_ARROW) && !p->ltl_mode) {
        pml_advance(p);
        pml_expr *cond = pml_new_expr(p, PML_X_COND, e->place, 1);
        cond->a = e;
        cond->b = pml_parse_expr(p);
        if (!p->panic && !pml_look_is(p, PML_P_COLON)) {
            gy_diag *d = pml_syntax_error(p, "expected `:` and another value");
            if (d)
                gy_hint(d, "a conditional value is `(condition -> value : value)`");
        } else if (!p->panic) {
            pml_advance(p);
        }
        cond->c = p->panic ? pml_number(p, 0, open.place, 1) : pml_parse_expr(p);
        pml_check_operand(p, PML_X_COND, cond->a);
        pml_check_operand(p, PML_X_COND, cond->b);
        pml_check_operand(p, PML_X_COND, cond->c);
        pml_deepen(p, cond, cond->a);
        pml_deepen(p, cond, cond->b);
        pml_deepen(p, cond, cond->c);
        e = cond;
    }
    pml_leave(p);
    if (!p->panic && pml_look_is(p, PML_P_ASSIGN)) {
        gy_diag *d = pml_syntax_error(p, "`=` inside a condition");
        if (d)
            gy_hint(d, "`=` assigns; `==` compares");
    } else if (!p->panic && !pml_look_is(p, PML_P_RPAREN)) {
        gy_diag *d = pml_syntax_error(p, "expected `)`, found %s", pml_describe(p, pml_look(p)));
        const char *meant = pml_operator_meant(pml_look(p));
        if (d && pml_look_is(p, PML_P_RCV))
            gy_hint(d, "a conditional value is `(condition -> value : value)`");
        if (d && meant)
            gy_hint(d, "write `%s`", meant);
        if (d)
            gy_note(p->diags, open.place, "the `(` is here");
    } else if (!p->panic) {
        pml_advance(p);
    }
    XEXPR(e)->parens = true;
    return e;
}

static void unexpected_value(pml_parser *p, const pml_token *t)
{
    if (t->kind == PML_T_STRING && p->no_strings) {
        p->panic = true; // it has been said
        return;
    }
    gy_diag *d = pml_syntax_error(p, "expected a value, found %s", pml_describe(p, t));
    if (d && pml_is(t, PML_P_ASSIGN))
        gy_hint(d, "there is no `+=`: write `x = x + 1`; `==` compares");
    else if (d && t->kind == PML_T_STRING)
        gy_hint(d, "there are no strings; the names of an `mtype` are written without quotes");
    else if (d && pml_is_separator(t) && t->length == 0)
        gy_hint(d, "a line break ends the statement here");
}

static pml_expr *nothing(pml_parser *p)
{
    return pml_number(p, 0, pml_look(p)->place, 1);
}

static pml_expr *parse_word(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    switch (pml_classify(p, t)) {
    case PML_C_CONST: {
        pml_token word = pml_advance(p);
        const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, word.text)->mtype - 1];
        pml_expr *e = pml_number(p, m->value, word.place, word.length);
        e->mtype = m->name;
        return e;
    }
    case PML_C_PROC:
        return parse_remote(p);
    case PML_C_INLINE: {
        gy_diag *d =
            pml_syntax_error(p, "the inline `%s` cannot be called in an expression", t->text);
        if (d)
            gy_hint(d, "call it as a statement, or as `variable = %s(...)`", t->text);
        break;
    }
    case PML_C_TYPE:
        pml_syntax_error(p, "expected a value, found the type `%s`", t->text);
        break;
    default:
        return parse_name_operand(p);
    }
    return nothing(p);
}

// operand: number | reference | function | '(' expr ')' | …
pml_expr *pml_parse_operand(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    switch (t->kind) {
    case PML_T_NUMBER:
    case PML_T_SKIP: {
        pml_token number = pml_advance(p);
        pml_expr *e = pml_number(p, number.value, number.place, number.length);
        e->word = number.kind == PML_T_NUMBER ? number.text : NULL;
        return e;
    }
    case PML_T_NAME:
        return parse_word(p);
    case PML_T_PUNCT:
        if (t->punct == PML_P_LPAREN)
            return parse_parenthesised(p);
        if (t->punct == PML_P_SNDSORT) {
            gy_diag *d = pml_syntax_error(p, "`!!` is the sorted send, not a double negation");
            if (d)
                gy_hint(d, "write `!(!x)`, or `(x != 0)`");
            break;
        }
        unexpected_value(p, t);
        break;
    case PML_T_LEN:
        return parse_channel_function(p, PML_X_LEN);
    case PML_T_FULL:
        return parse_channel_function(p, PML_X_FULL);
    case PML_T_NFULL:
        return parse_channel_function(p, PML_X_NFULL);
    case PML_T_EMPTY:
        return parse_channel_function(p, PML_X_EMPTY);
    case PML_T_NEMPTY:
        return parse_channel_function(p, PML_X_NEMPTY);
    case PML_T_ENABLED:
        return parse_process_function(p, PML_X_ENABLED);
    case PML_T_PC_VALUE:
        return parse_process_function(p, PML_X_PC_VALUE);
    case PML_T_GET_PRIORITY:
        return parse_process_function(p, PML_X_GET_PRIORITY);
    case PML_T_RUN:
        return parse_run(p);
    case PML_T_C_EXPR:
        return parse_c_expr(p);
    case PML_T_TIMEOUT: {
        pml_token word = pml_advance(p);
        return pml_new_expr(p, PML_X_TIMEOUT, word.place, word.length);
    }
    case PML_T_NP: {
        pml_token word = pml_advance(p);
        if (p->proc && p->proc->p.kind != PML_PROC_NEVER)
            pml_error_at(p, &word, "`np_` can only be used in a never claim or ltl formula");
        p->model->uses_np = true;
        return pml_new_expr(p, PML_X_NP, word.place, word.length);
    }
    case PML_T_ELSE:
        pml_syntax_error(p, "`else` is a statement: it cannot be part of an expression");
        break;
    case PML_T_EVAL:
        pml_syntax_error(p, "`eval` can only be used in the arguments of a receive");
        break;
    default:
        unexpected_value(p, t);
        break;
    }
    return nothing(p);
}
