// Statements and sequences.
#include "lang/promela/parser.h"

pml_stmt *pml_new_stmt(pml_parser *p, pml_stmt_kind kind, gy_place place)
{
    pml_xstmt *x = GY_NEW(p->arena, pml_xstmt);
    x->s.kind = kind;
    x->s.place = place;
    x->s.scope = p->scope->id;
    x->d_step = p->d_step_now;
    return &x->s;
}

void pml_add_stmt(pml_parser *p, pml_stmt *stmt)
{
    pml_builder *b = p->sequence;
    if (stmt && b)
        PML_PUSH(p, b->at, b->n, stmt);
}

static pml_stmt *skip_stmt(pml_parser *p, gy_place place)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_EXPR, place);
    s->expr = pml_number(p, 1, place, 1);
    return s;
}

// The statement under any number of labels.
static const pml_stmt *unlabelled(const pml_stmt *s)
{
    while (s->kind == PML_S_LABELLED && s->body.n)
        s = s->body.at[0];
    return s;
}

// Does the sequence begin with a state that has a label? (A loop begins with a state before
// the labelled one.)
static const pml_stmt *label_first(const pml_seq *seq)
{
    if (seq->n == 0 || seq->at[0]->kind != PML_S_LABELLED)
        return NULL;
    switch (unlabelled(seq->at[0])->kind) {
    case PML_S_DO:
    case PML_S_FOR_RANGE:
    case PML_S_FOR_ARRAY:
    case PML_S_FOR_CHAN:
    case PML_S_SELECT:
        return NULL;
    default:
        return seq->at[0];
    }
}

void pml_refuse_label_first(pml_parser *p, const pml_seq *seq, const char *what)
{
    const pml_stmt *s = label_first(seq);
    if (!s || p->panic)
        return;
    gy_diag *d = gy_error(p->diags, s->place, "the label `%s` cannot stand first in %s",
                          s->label_name, what);
    d->length = (uint32_t)strlen(s->label_name);
    gy_hint(d, "put it in front of %s", what);
}

// ---- sequences ----------------------------------------------------------------------

static pml_stmt *parse_stmt(pml_parser *p);

static bool ends_sequence(const pml_token *t)
{
    return t->kind == PML_T_END || t->kind == PML_T_FI || t->kind == PML_T_OD ||
           pml_is(t, PML_P_RBRACE) || pml_is(t, PML_P_SEP);
}

// xr channels | xs channels
static void parse_exclusive(pml_parser *p)
{
    pml_token word = pml_advance(p);
    p->has_exclusive = true;
    do {
        pml_token first = *pml_look(p);
        uint32_t length;
        pml_ref ref = pml_parse_ref(p, PML_R_MESSAGE, &length);
        const pml_var *var = pml_ref_var(&ref);
        if (!var)
            continue;
        bool indexed = false;
        for (uint32_t i = 0; i < ref.part_count; i++)
            indexed |= ref.parts[i].index != NULL;
        if (var->type.kind != PML_TY_CHAN) {
            pml_error_at(p, &first, "`%s` is not a channel", var->name);
            continue;
        }
        if (indexed) {
            gy_hint(pml_error_at(p, &first, "`%s` cannot be claimed for an element of an array",
                                 word.text),
                    "copy the element into a `chan` variable, and use that");
            continue;
        }
        bool receive = word.kind == PML_T_XR;
        pml_var *root = ref.parts[0].var;
        if (var->role == PML_VAR_GLOBAL || var->role == PML_VAR_MEMBER) {
            bool taken = receive ? root->exclusive_receive : root->exclusive_send;
            for (uint32_t i = 0; taken && i + 1 < p->model->proc_count; i++) {
                const pml_proc *other = p->model->procs[i];
                for (uint32_t j = 0; j < other->exclusive_count; j++) {
                    if (other->exclusive[j].channel.parts[0].var == root &&
                        pml_ref_var(&other->exclusive[j].channel) == var &&
                        other->exclusive[j].receive == receive) {
                        pml_error_at(p, &first, "`%s` of `%s` is claimed by `%s` already",
                                     word.text, var->name, other->name);
                        taken = false;
                        break;
                    }
                }
            }
        }
        if (receive)
            root->exclusive_receive = true;
        else
            root->exclusive_send = true;
        pml_exclusive use = {.place = first.place, .channel = ref, .receive = receive};
        PML_PUSH(p, p->proc->p.exclusive, p->proc->p.exclusive_count, use);
    } while (!p->panic && pml_accept(p, PML_P_COMMA));
}

// escape: statement unless statement
static pml_stmt *parse_unless(pml_parser *p, pml_stmt *main)
{
    pml_token word = pml_advance(p);
    // Spin: in the escape of a loop, `break` leaves what is around the loop.
    pml_stmt *s = pml_new_stmt(p, PML_S_UNLESS, main->place);
    PML_PUSH(p, s->body.at, s->body.n, main);
    pml_stmt *escape = parse_stmt(p);
    PML_PUSH(p, s->escape.at, s->escape.n, escape);
    if (p->d_step_depth) {
        bool first = p->sequence && p->sequence->n == 0 && p->sequence->is_d_step;
        gy_diag *d = first ? gy_error(p->diags, word.place, "`unless` first inside a `d_step`")
                           : gy_warn(p->diags, word.place,
                                     "`unless` inside a `d_step`: the escape is ignored");
        d->length = word.length;
    }
    if (escape->kind != PML_S_BLOCK)
        pml_refuse_label_first(p, &s->escape, "an escape");
    bool lifted =
        main->kind == PML_S_LABELLED && main->body.n &&
        (main->body.at[0]->kind == PML_S_BLOCK || main->body.at[0]->kind == PML_S_ATOMIC ||
         main->body.at[0]->kind == PML_S_D_STEP);
    if (main->kind != PML_S_BLOCK && !lifted && label_first(&s->body) && !p->panic) {
        gy_diag *d = gy_error(p->diags, main->place, "a label cannot stand in front of `unless`");
        d->length = (uint32_t)strlen(main->label_name);
        gy_hint(d, "write `%s: { ... unless ... }`", main->label_name);
    }
    return s;
}

// step: declaration | xr … | statement [ unless statement ]
static void parse_step(pml_parser *p)
{
    pml_token t = *pml_look(p);
    if (pml_starts_declaration(p, &t)) {
        pml_parse_declaration(p, PML_D_LOCAL, NULL);
        return;
    }
    if (t.kind == PML_T_XR || t.kind == PML_T_XS) {
        parse_exclusive(p);
        return;
    }
    pml_stmt *s = parse_stmt(p);
    if (!p->panic && pml_look(p)->kind == PML_T_UNLESS) {
        s = parse_unless(p, s);
        if (!p->panic && pml_look(p)->kind == PML_T_UNLESS)
            gy_hint(pml_syntax_error(p, "`unless` cannot be chained"),
                    "put braces around the first");
    }
    pml_add_stmt(p, s);
}

static void missing_separator(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    if (t->kind == PML_T_UNLESS || t->kind == PML_T_PUNCT) {
        gy_diag *d;
        if (pml_is(t, PML_P_ASSIGN)) {
            d = pml_syntax_error(p, "unexpected `=`");
            if (d)
                gy_hint(d, "`=` assigns to a variable; `==` compares");
        } else if (pml_is(t, PML_P_RPAREN)) {
            pml_syntax_error(p, "this `)` closes nothing");
        } else {
            pml_syntax_error(p, "unexpected %s after the statement", pml_describe(p, t));
        }
        return;
    }
    gy_diag *d = gy_error(p->diags, t->place, "missing `;` or `->` before %s", pml_describe(p, t));
    d->length = t->length;
    if (gy_diags_full(p->diags))
        pml_give_up(p);
}

// sequence: step { (';' | '->') step } [ ';' | '->' ]
void pml_parse_sequence(pml_parser *p, pml_seq *out, const char *what)
{
    pml_builder builder = {.outer = p->sequence, .is_d_step = p->d_step_opens};
    p->d_step_opens = false;
    p->sequence = &builder;
    if (!pml_enter(p, "blocks")) {
        p->sequence = builder.outer;
        return;
    }
    bool any = false;
    for (;;) {
        pml_token t = *pml_look(p);
        if (p->gave_up)
            break;
        if (!any && (ends_sequence(&t) || pml_is_separator(&t))) {
            gy_diag *d = pml_syntax_error(p, "expected a statement in %s, found %s", what,
                                          pml_describe(p, &t));
            if (d && pml_is_separator(&t) && t.length)
                gy_hint(d, "a `%s` separates statements: there is none before it",
                        pml_punct_spelling(t.punct));
            else if (d)
                gy_hint(d, "use `skip` for a statement that does nothing");
        } else if (pml_starts_unit(&t)) {
            gy_diag *d =
                pml_syntax_error(p, "%s cannot stand inside a process", pml_describe(p, &t));
            if (d && p->open.n)
                gy_note(p->diags, p->open.at[p->open.n - 1].place,
                        "is the end missing of the `%s` that opens here?",
                        p->open.at[p->open.n - 1].what);
            break;
        } else {
            parse_step(p);
        }
        any = true;
        if (p->panic) {
            pml_skip_to_statement(p);
            if (p->panic)
                break;
        }
        const pml_token *next = pml_look(p);
        if (ends_sequence(next))
            break;
        if (pml_is_separator(next)) {
            unsigned separators = 0;
            while (pml_is_separator(pml_look(p))) {
                p->previous_implied = pml_look(p)->length == 0;
                pml_advance(p);
                separators++;
            }
            if (ends_sequence(pml_look(p))) {
                if (separators > 1)
                    pml_syntax_error(p, "expected a statement after the separators, found %s",
                                     pml_describe(p, pml_look(p)));
                p->panic = p->gave_up;
                break;
            }
        } else if (!pml_starts_unit(next)) {
            missing_separator(p);
            if (p->panic) {
                pml_skip_to_statement(p);
                if (p->panic || ends_sequence(pml_look(p)))
                    break;
                while (pml_is_separator(pml_look(p)))
                    pml_advance(p);
                if (ends_sequence(pml_look(p)))
                    break;
            }
        }
    }
    pml_leave(p);
    p->sequence = builder.outer;
    out->at = builder.at;
    out->n = builder.n;
    out->end = pml_look(p)->place;
}

// '{' sequence '}' with a scope of its own
pml_seq pml_parse_braces(pml_parser *p, const char *what)
{
    pml_seq seq = {0};
    if (p->panic)
        return seq;
    if (!pml_look_is(p, PML_P_LBRACE)) {
        pml_syntax_error(p, "expected `{` before %s, found %s", what, pml_describe(p, pml_look(p)));
        return seq;
    }
    pml_token brace = pml_advance(p);
    pml_open_push(p, brace.place, "{");
    pml_scope_open(p);
    p->initialisation_ok = false;
    pml_parse_sequence(p, &seq, what);
    const pml_token *t = pml_look(p);
    if (pml_is(t, PML_P_RBRACE)) {
        pml_advance(p);
        seq.end = p->last_place;
    } else if (!p->panic) {
        gy_diag *d =
            pml_syntax_error(p, "expected `}` after %s, found %s", what, pml_describe(p, t));
        if (d && !p->gave_up)
            gy_note(p->diags, brace.place, "the `{` is here");
    }
    pml_scope_close(p);
    if (p->open.n)
        pml_open_pop(p);
    if (seq.n == 0 && !p->panic && gy_diags_errors(p->diags) == 0)
        gy_error(p->diags, brace.place, "%s needs at least one statement", what);
    return seq;
}

// ---- if and do ----------------------------------------------------------------------

static bool uses_channel(const pml_expr *e)
{
    if (!e)
        return false;
    if (e->kind == PML_X_FULL || e->kind == PML_X_NFULL || e->kind == PML_X_EMPTY ||
        e->kind == PML_X_NEMPTY)
        return true;
    return uses_channel(e->a) || uses_channel(e->b) || uses_channel(e->c);
}

static bool does_io(const pml_stmt *s)
{
    s = unlabelled(s);
    return s->kind == PML_S_SEND || s->kind == PML_S_RECV ||
           (s->expr && s->kind != PML_S_ELSE && uses_channel(s->expr));
}

// What if_seq of Spin says about `else`.
static void check_else(pml_parser *p, const pml_stmt *s)
{
    const pml_stmt *other = NULL, *io = NULL;
    for (uint32_t i = 0; i < s->option_count; i++) {
        if (s->options[i].n == 0)
            continue;
        const pml_stmt *first = unlabelled(s->options[i].at[0]);
        if (first->kind == PML_S_ELSE) {
            if (other) {
                gy_diag *d = gy_error(p->diags, first->place, "a second `else`");
                d->length = 4;
                gy_note(p->diags, other->place, "the first `else` is here");
            }
            other = first;
        } else if (!io && does_io(first)) {
            io = first;
        }
    }
    if (other && io) {
        gy_diag *d;
        if (p->has_exclusive)
            d = gy_error(p->diags, other->place,
                         "`else` beside a send or receive cannot be used with `xr` and `xs`");
        else
            d = gy_warn(p->diags, other->place,
                        "`else` beside a send or receive depends on what other processes do");
        d->length = 4;
    }
}

// options: { '::' sequence }
static pml_stmt *parse_choice(pml_parser *p)
{
    pml_token word = pml_advance(p);
    bool loop = word.kind == PML_T_DO;
    pml_open_push(p, word.place, loop ? "do" : "if");
    pml_seq *options = NULL;
    uint32_t count = 0;
    p->loop_depth += loop;
    bool missing = !pml_look_is(p, PML_P_SEP);
    if (missing) {
        pml_token t = *pml_look(p);
        gy_diag *d = pml_syntax_error(p, "expected `::` after `%s`, found %s", loop ? "do" : "if",
                                      pml_describe(p, &t));
        if (d && !p->gave_up) {
            if (loop)
                gy_hint(d, "a loop is `do :: condition -> ... :: else -> break od`");
            else
                gy_hint(d, "a choice is `if :: condition -> ... :: else -> ... fi`");
            // Go on as if it were there, unless this looks like C.
            p->panic = pml_is(&t, PML_P_LPAREN);
            missing = !ends_sequence(&t) && !pml_is_separator(&t);
        }
    }
    while (!p->panic && (missing || pml_look_is(p, PML_P_SEP))) {
        pml_token sep = missing ? word : pml_advance(p);
        missing = false;
        pml_seq seq = {0};
        p->initialisation_ok = false;
        pml_parse_sequence(p, &seq, "an option");
        if (label_first(&seq)) {
            gy_diag *d = gy_warn(p->diags, seq.at[0]->place,
                                 "the label `%s` stands in front of a guard: the state it marks "
                                 "is shared by all options",
                                 seq.at[0]->label_name);
            d->length = (uint32_t)strlen(seq.at[0]->label_name);
        }
        if (seq.n == 0 && !p->panic && gy_diags_errors(p->diags) == 0)
            pml_error_at(p, &sep, "this option needs at least one statement");
        PML_PUSH(p, options, count, seq);
    }
    p->loop_depth -= loop;
    pml_token_kind closer = loop ? PML_T_OD : PML_T_FI;
    const pml_token *t = pml_look(p);
    gy_place end = t->place;
    if (p->panic) {
        // Reported; the end of the statement is looked for by the caller.
    } else if (t->kind == closer) {
        pml_advance(p);
    } else {
        gy_diag *d = pml_syntax_error(p, "expected `::` or `%s`, found %s", loop ? "od" : "fi",
                                      pml_describe(p, t));
        if (d && !p->gave_up) {
            gy_note(p->diags, word.place, "the `%s` is here", loop ? "do" : "if");
            if (t->kind == PML_T_FI || t->kind == PML_T_OD) {
                pml_advance(p); // the wrong one: most likely meant
                p->panic = false;
            }
        }
    }
    if (p->open.n)
        pml_open_pop(p);
    pml_stmt *s = pml_new_stmt(p, loop ? PML_S_DO : PML_S_IF, word.place);
    s->options = options;
    s->option_count = count;
    s->body.end = end;
    check_else(p, s);
    return s;
}

// ---- for and select -----------------------------------------------------------------

static void check_range(pml_parser *p, const pml_stmt *s, const char *what)
{
    const pml_var *var = pml_ref_var(&s->ref);
    if (var && (s->ref.part_count > 1 || var->type.kind == PML_TY_CHAN ||
                var->type.kind == PML_TY_STRUCT || var->is_array)) {
        gy_diag *d = gy_error(p->diags, s->ref.parts[0].place,
                              "the variable of a `%s` must be a plain variable", what);
        d->length = (uint32_t)strlen(s->ref.parts[0].var->name);
    }
    if (var && s->expr->kind == PML_X_NUMBER && s->expr2->kind == PML_X_NUMBER &&
        s->expr->value > s->expr2->value) {
        gy_diag *d = gy_error(p->diags, s->expr->place, "the range of this `%s` is empty", what);
        gy_hint(d, "%lld is greater than %lld", (long long)s->expr->value,
                (long long)s->expr2->value);
    }
    if (var) {
        const char *name = gy_arena_printf(p->arena, "`%s`", var->name);
        pml_warn_truncation(p, &var->type, s->expr, name);
        pml_warn_truncation(p, &var->type, s->expr2, name);
    }
}

static void mark_written(const pml_ref *ref)
{
    for (uint32_t i = 0; i < ref->part_count; i++)
        ref->parts[i].var->is_written = true;
}

static void refuse_builtin(pml_parser *p, const pml_ref *ref)
{
    if (ref->part_count == 0 || ref->parts[0].var->role != PML_VAR_BUILTIN)
        return;
    pml_builtin b = ref->parts[0].var->builtin;
    if (b == PML_BI_PRIORITY)
        p->model->uses_priority = true;
    if (b == PML_BI_UNDERSCORE || b == PML_BI_PRIORITY)
        return;
    gy_diag *d = gy_error(p->diags, ref->parts[0].place, "`%s` cannot be assigned to",
                          ref->parts[0].var->name);
    d->length = (uint32_t)strlen(ref->parts[0].var->name);
}

// The counter that Spin makes for loops over channels: one for all loops of a block.
static pml_var *hidden_counter(pml_parser *p, const pml_chan_init *chan)
{
    if (!p->scope->for_counter) {
        const char *name = gy_arena_printf(p->arena, "_f0r_t3mp_%u", p->scope->id);
        pml_var *var = pml_new_var(p, name, p->last_place, PML_VAR_LOCAL);
        pml_add_local(p, var);
        p->scope->for_counter = var;
    }
    p->scope->for_counter->type.kind = chan->capacity > 255 ? PML_TY_SHORT : PML_TY_BYTE;
    return p->scope->for_counter;
}

static void finish_for_in(pml_parser *p, pml_stmt *s, const pml_token *over)
{
    const pml_var *index = pml_ref_var(&s->ref), *var = pml_ref_var(&s->over);
    if (!index || !var)
        return;
    if (index->type.kind == PML_TY_STRUCT && s->ref.part_count == 1) {
        s->kind = PML_S_FOR_CHAN;
        const pml_chan_init *chan = var->chan;
        if (var->type.kind != PML_TY_CHAN || s->over.part_count > 1) {
            gy_hint(pml_error_at(p, over, "`%s` is not a channel", var->name),
                    "`%s` is a structure: it can only run over the messages of a channel",
                    index->name);
        } else if (!chan || chan->capacity == 0 || chan->field_count != 1 ||
                   chan->fields[0].kind != PML_TY_STRUCT) {
            gy_hint(pml_error_at(p, over, "`for` cannot run over the channel `%s`", var->name),
                    "its messages must consist of one structure, and it must have a capacity");
        } else if (chan->fields[0].record != index->type.record) {
            pml_error_at(p, over, "the messages of `%s` are of type %s, but `%s` is of type %s",
                         var->name, pml_type_name(p, &chan->fields[0]), index->name,
                         pml_type_name(p, &index->type));
        } else {
            s->counter = hidden_counter(p, chan);
        }
        return;
    }
    s->kind = PML_S_FOR_ARRAY;
    if (s->over.part_count > 1 || !var->is_array)
        pml_error_at(p, over, "`%s` is not an array", var->name);
    if (s->ref.part_count > 1 || index->is_array || index->type.kind == PML_TY_CHAN) {
        gy_diag *d = gy_error(p->diags, s->ref.parts[0].place,
                              "the variable of a `for` must be a plain variable");
        d->length = (uint32_t)strlen(s->ref.parts[0].var->name);
    }
}

// for '(' variable ( ':' expr '..' expr | in name ) ')' '{' sequence '}'
static pml_stmt *parse_for(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_stmt *s = pml_new_stmt(p, PML_S_FOR_RANGE, word.place);
    pml_expect(p, PML_P_LPAREN, "after `for`");
    if (p->panic)
        return s;
    p->in_for_head = true;
    pml_ref_use saved = p->expr_use;
    p->expr_use = PML_R_FOR;
    uint32_t length;
    if (pml_starts_declaration(p, pml_look(p)))
        gy_hint(pml_syntax_error(p, "the variable of a `for` must be declared before"),
                "a loop is `for (i : 0 .. 9) { ... }`");
    s->ref = pml_parse_ref(p, PML_R_FOR, &length);
    mark_written(&s->ref);
    refuse_builtin(p, &s->ref);
    if (!p->panic && pml_look_is(p, PML_P_COLON)) {
        pml_advance(p);
        s->expr = pml_parse_expr(p);
        pml_expect(p, PML_P_DOTDOT, "between the ends of the range");
        s->expr2 = p->panic ? pml_number(p, 0, word.place, 1) : pml_parse_expr(p);
        if (!p->panic)
            check_range(p, s, "for");
        pml_expect(p, PML_P_RPAREN, "after the range");
    } else if (!p->panic && pml_look(p)->kind == PML_T_IN) {
        pml_advance(p);
        pml_token over = *pml_look(p);
        s->over = pml_parse_ref(p, PML_R_FOR, &length);
        // An index on an array that is run over means nothing; on an array of channels it does.
        const pml_var *runner = s->ref.part_count ? pml_ref_var(&s->ref) : NULL;
        bool over_channel = runner && runner->type.kind == PML_TY_STRUCT;
        if (s->over.part_count == 1 && s->over.parts[0].index && !over_channel)
            s->over.parts[0].index = NULL;
        if (!p->panic) {
            pml_expect(p, PML_P_RPAREN, "after the name of the array or channel");
            finish_for_in(p, s, &over);
        }
    } else if (!p->panic) {
        gy_diag *d = pml_syntax_error(p, "expected `:` or `in` in the head of `for`, found %s",
                                      pml_describe(p, pml_look(p)));
        if (d)
            gy_hint(d, "a loop is `for (i : 0 .. 9) { ... }`");
    }
    p->in_for_head = false;
    p->expr_use = saved;
    if (!p->panic && pml_look_is(p, PML_P_SEMI))
        pml_advance(p); // the line ends after the head
    p->loop_depth++;
    s->body = pml_parse_braces(p, "the body of the loop");
    p->loop_depth--;
    return s;
}

// select '(' variable ':' expr '..' expr ')'
static pml_stmt *parse_select(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_stmt *s = pml_new_stmt(p, PML_S_SELECT, word.place);
    s->expr = s->expr2 = pml_number(p, 0, word.place, 1);
    pml_expect(p, PML_P_LPAREN, "after `select`");
    if (p->panic)
        return s;
    uint32_t length;
    s->ref = pml_parse_ref(p, PML_R_VALUE, &length);
    mark_written(&s->ref);
    refuse_builtin(p, &s->ref);
    pml_expect(p, PML_P_COLON, "after the variable");
    if (p->panic)
        return s;
    s->expr = pml_parse_expr(p);
    pml_expect(p, PML_P_DOTDOT, "between the ends of the range");
    if (p->panic)
        return s;
    s->expr2 = pml_parse_expr(p);
    pml_expect(p, PML_P_RPAREN, "after the range");
    if (!p->panic)
        check_range(p, s, "select");
    return s;
}

// ---- assignment ---------------------------------------------------------------------

static const char *subtype_text(const char *subtype)
{
    return subtype && *subtype ? subtype : "";
}

// Spin keeps track of the mtype that a variable holds: constants of another one are errors.
static void check_mtype(pml_parser *p, const pml_ref *ref, const pml_expr *value)
{
    if (!value->mtype || ref->part_count != 1 || ref->parts[0].var->role == PML_VAR_BUILTIN)
        return;
    const pml_var *var = ref->parts[0].var;
    pml_symbol *s = pml_name_of(p, var->name)->symbol;
    if (!s || s->var != var)
        return;
    const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, value->mtype)->mtype - 1];
    const char *right = m->subtype ? m->subtype : "";
    if (!s->subtype) {
        s->subtype = right;
    } else if (strcmp(s->subtype, right) != 0) {
        gy_diag *d = gy_error(p->diags, value->place,
                              "`%s` is of type mtype%s%s, but `%s` holds "
                              "mtype%s%s",
                              value->mtype, *right ? ":" : "", right, var->name,
                              *subtype_text(s->subtype) ? ":" : "", subtype_text(s->subtype));
        d->length = value->length;
    }
}

// Channels inside arithmetic: nothing may be computed from them.
static bool channel_inside(const pml_expr *e, bool top)
{
    if (!e)
        return false;
    switch (e->kind) {
    case PML_X_LEN:
    case PML_X_RUN:
    case PML_X_FULL:
    case PML_X_NFULL:
    case PML_X_EMPTY:
    case PML_X_NEMPTY:
    case PML_X_POLL:
        return false;
    case PML_X_VAR:
        return !top && e->ref.part_count == 1 && e->ref.parts[0].var->type.kind == PML_TY_CHAN;
    default:
        return channel_inside(e->a, false) || channel_inside(e->b, false) ||
               channel_inside(e->c, false);
    }
}

void pml_check_assignment(pml_parser *p, const pml_ref *ref, const pml_expr *value, gy_place place)
{
    const pml_var *var = pml_ref_var(ref);
    if (!var)
        return;
    refuse_builtin(p, ref);
    const pml_var *root = ref->parts[0].var;
    if (root->type.kind != PML_TY_STRUCT) {
        check_mtype(p, ref, value);
        if (root->type.kind == PML_TY_CHAN && value->kind == PML_X_NUMBER) {
            gy_diag *d = gy_error(p->diags, value->place,
                                  "a number cannot be assigned to the "
                                  "channel `%s`",
                                  root->name);
            d->length = value->length;
        } else if (channel_inside(value, true)) {
            gy_diag *d = gy_error(p->diags, value->place, "nothing can be computed from a channel");
            d->length = value->length;
        }
    }
    if (p->proc && p->proc->p.kind == PML_PROC_NEVER && !p->warned_claim) {
        gy_warn(p->diags, place, "a never claim should not change variables");
        p->warned_claim = true;
    }
    pml_warn_truncation(p, &var->type, value, gy_arena_printf(p->arena, "`%s`", var->name));
}

static pml_stmt *assignment(pml_parser *p, pml_ref ref, pml_expr *value, gy_place place)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_ASSIGN, place);
    s->ref = ref;
    s->expr = value;
    mark_written(&ref);
    pml_check_assignment(p, &ref, value, place);
    return s;
}

static void forbid_step(pml_parser *p, const pml_token *word)
{
    if (p->in_trace)
        pml_error_at(p, word, "only sends, receives and control flow can be in a trace");
}

// ---- messages -----------------------------------------------------------------------

static void check_channel(pml_parser *p, const pml_ref *ref, const pml_token *first)
{
    const pml_var *var = pml_ref_var(ref);
    if (var && var->type.kind != PML_TY_CHAN)
        pml_error_at(p, first, "`%s` is not a channel", var->name);
    if (p->proc && p->proc->p.kind == PML_PROC_NEVER)
        pml_error_at(p, first, "a never claim cannot send or receive");
}

static pml_stmt *parse_send(pml_parser *p, pml_ref ref, const pml_token *first)
{
    pml_token op = pml_advance(p);
    pml_stmt *s = pml_new_stmt(p, PML_S_SEND, first->place);
    s->ref = ref;
    s->sorted = op.punct == PML_P_SNDSORT;
    check_channel(p, &ref, first);
    pml_parse_send_args(p, &s->args, &s->arg_count);
    if (ref.part_count && pml_ref_var(&ref)->type.kind == PML_TY_CHAN && !p->panic) {
        pml_message_use use = {ref, s->args, s->arg_count, first->place, true, false, p->in_trace};
        gy_vec_push(&p->messages, use);
    }
    return s;
}

static void check_twice(pml_parser *p, const pml_stmt *s)
{
    if (p->d_step_depth)
        return;
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const pml_expr *a = s->args[i];
        if (a->kind != PML_X_VAR || a->ref.part_count != 1 || a->ref.parts[0].var->is_array ||
            a->ref.parts[0].var->type.kind == PML_TY_STRUCT ||
            pml_ref_is_builtin(&a->ref, PML_BI_UNDERSCORE))
            continue;
        for (uint32_t j = i + 1; j < s->arg_count && j < i + 256; j++) {
            const pml_expr *b = s->args[j];
            if (b->kind == PML_X_VAR && b->ref.part_count == 1 &&
                b->ref.parts[0].var == a->ref.parts[0].var) {
                gy_diag *d =
                    gy_error(p->diags, b->place, "`%s` cannot take two fields of the same message",
                             a->ref.parts[0].var->name);
                d->length = b->length;
            }
        }
    }
}

// channel ('?' | '??') ( args | '<' args '>' ), after which '[' was ruled out
static pml_stmt *parse_receive(pml_parser *p, pml_ref ref, const pml_token *first, bool random)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_RECV, first->place);
    s->ref = ref;
    s->random = random;
    check_channel(p, &ref, first);
    if (pml_look_is(p, PML_P_LT)) {
        pml_advance(p);
        s->keep = true;
        pml_parse_receive_args(p, &s->args, &s->arg_count);
        pml_expect(p, PML_P_GT, "after the arguments of the receive");
    } else {
        pml_parse_receive_args(p, &s->args, &s->arg_count);
    }
    if (p->panic)
        return s;
    check_twice(p, s);
    for (uint32_t i = 0; i < s->arg_count; i++) {
        if (s->args[i]->kind == PML_X_VAR)
            mark_written(&s->args[i]->ref);
    }
    if (ref.part_count && pml_ref_var(&ref)->type.kind == PML_TY_CHAN) {
        pml_message_use use = {ref,   s->args, s->arg_count, first->place,
                               false, random,  p->in_trace};
        gy_vec_push(&p->messages, use);
    }
    return s;
}

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
            gy_error(p->diags, found->place, "a `d_step` cannot look into another process");
        d->length = found->length;
    }
}

static pml_stmt *condition(pml_parser *p, pml_expr *e, gy_place place)
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
    pml_advance(p); // :
    pml_symbol *symbol = pml_label_symbol(p, name);
    pml_token t = *pml_look(p);
    pml_stmt *inner;
    if (pml_starts_declaration(p, &t) || t.kind == PML_T_XR || t.kind == PML_T_XS) {
        gy_hint(pml_error_at(p, &t, "a label cannot stand in front of a declaration"),
                "put the declaration in front of the label");
        if (t.kind == PML_T_XR || t.kind == PML_T_XS)
            parse_exclusive(p);
        else
            pml_parse_declaration(p, PML_D_LOCAL, NULL);
        inner = skip_stmt(p, name->place);
    } else if (ends_sequence(&t) || pml_is_separator(&t) || t.kind == PML_T_UNLESS) {
        inner = skip_stmt(p, name->place);
    } else if (pml_enter(p, "labels")) {
        inner = parse_stmt(p);
        pml_leave(p);
    } else {
        inner = skip_stmt(p, name->place);
    }
    pml_stmt *s = pml_new_stmt(p, PML_S_LABELLED, name->place);
    s->label_name = name->text;
    PML_PUSH(p, s->body.at, s->body.n, inner);
    if (symbol)
        pml_add_label(p, symbol, s, name->place);
    return s;
}

// A statement that begins with a name: label, assignment, send, receive or expression.
static pml_stmt *parse_name_stmt(pml_parser *p)
{
    pml_token first = pml_advance(p);
    if (pml_look_is(p, PML_P_COLON))
        return parse_labelled(p, &first);
    uint32_t length;
    pml_ref ref = pml_parse_ref_from(p, first, PML_R_VALUE, &length);
    if (p->panic)
        return skip_stmt(p, first.place);
    pml_token op = *pml_look(p);
    if (op.kind == PML_T_PUNCT) {
        switch (op.punct) {
        case PML_P_ASSIGN: {
            pml_advance(p);
            forbid_step(p, &first);
            pml_token call = *pml_look(p);
            if (pml_classify(p, &call) == PML_C_INLINE) {
                pml_advance(p);
                mark_written(&ref);
                return pml_parse_inline_call(p, &call, &ref);
            }
            pml_expr *value = pml_parse_full_expr(p);
            if (p->panic)
                return skip_stmt(p, first.place);
            if (pml_look_is(p, PML_P_ASSIGN)) {
                gy_diag *d = pml_syntax_error(p, "assignments cannot be chained");
                if (d)
                    gy_hint(d, "write one assignment per variable");
            }
            return assignment(p, ref, value, first.place);
        }
        case PML_P_INCR:
        case PML_P_DECR: {
            pml_advance(p);
            forbid_step(p, &first);
            const pml_var *var = pml_ref_var(&ref);
            if (var && ref.parts[0].var->type.kind == PML_TY_CHAN)
                pml_error_at(p, &first, "nothing can be computed from a channel");
            if (pml_ref_is_builtin(&ref, PML_BI_UNDERSCORE)) {
                pml_error_at(p, &first, "`_` has no value: it can only be written");
                ref.part_count = 0;
            }
            pml_expr *old = pml_var_expr(p, ref, length);
            pml_expr *one = pml_number(p, 1, op.place, op.length);
            for (uint32_t i = 0; i < ref.part_count; i++)
                ref.parts[i].var->is_read = true;
            return assignment(
                p, ref, pml_binary(p, op.punct == PML_P_INCR ? PML_X_ADD : PML_X_SUB, old, one),
                first.place);
        }
        case PML_P_SND:
            return parse_send(p, ref, &first);
        case PML_P_SNDSORT:
            forbid_step(p, &first);
            return parse_send(p, ref, &first);
        case PML_P_RCV:
        case PML_P_RCVRAND: {
            pml_advance(p);
            bool random = op.punct == PML_P_RCVRAND;
            if (pml_look_is(p, PML_P_LBRACKET)) {
                forbid_step(p, &first);
                pml_expr *e = pml_parse_poll(p, ref, first.place, random);
                return condition(p, pml_parse_expr_from(p, e), first.place);
            }
            if (random || pml_look_is(p, PML_P_LT))
                forbid_step(p, &first);
            return parse_receive(p, ref, &first, random);
        }
        default:
            break;
        }
    }
    forbid_step(p, &first);
    if (pml_ref_is_builtin(&ref, PML_BI_UNDERSCORE)) {
        pml_error_at(p, &first, "`_` has no value: it can only be written");
        ref.part_count = 0;
    }
    if (pml_ref_is_builtin(&ref, PML_BI_LAST))
        p->model->uses_last = true;
    if (pml_ref_is_builtin(&ref, PML_BI_PRIORITY))
        p->model->uses_priority = true;
    for (uint32_t i = 0; i < ref.part_count; i++)
        ref.parts[i].var->is_read = true;
    pml_expr *e = pml_var_expr(p, ref, length);
    if (ref.part_count == 1 && ref.parts[0].var->role == PML_VAR_BUILTIN &&
        ref.parts[0].var->builtin == PML_BI_NONE) { // _p
        pml_ref pid = {0};
        pml_ref_part part = {.var = p->builtins[1], .place = first.place};
        PML_PUSH(p, pid.parts, pid.part_count, part);
        e = pml_new_expr(p, PML_X_PC_VALUE, first.place, first.length);
        e->a = pml_var_expr(p, pid, first.length);
        XEXPR(e)->depth = 2;
        p->model->uses_pc_value = true;
    }
    return condition(p, pml_parse_expr_from(p, e), first.place);
}

// ---- other statements ---------------------------------------------------------------

static pml_stmt *parse_group(pml_parser *p, pml_stmt_kind kind, const char *what)
{
    pml_token word = *pml_look(p);
    if (kind != PML_S_BLOCK)
        pml_advance(p);
    forbid_step(p, &word);
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
    forbid_step(p, &word);
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
    forbid_step(p, &word);
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
    if (ends_sequence(pml_look(p)) || pml_is_separator(pml_look(p)))
        return skip_stmt(p, word.place);
    pml_expr *value = pml_parse_full_expr(p);
    if (p->panic || !has_result)
        return skip_stmt(p, word.place);
    return assignment(p, result, value, word.place);
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
            gy_hint(d, "no separator may stand between `unless` and the statement it guards");
        else if (d && (pml_is(t, PML_P_INCR) || pml_is(t, PML_P_DECR)))
            gy_hint(d, "write the operator after the variable");
        else if (d && t->kind == PML_T_PUNCT && p->previous_implied)
            gy_hint(d, "a statement ends with its line, unless a parenthesis is open or an "
                       "operator comes last");
    }
    return skip_stmt(p, t->place);
}

static pml_stmt *parse_statement(pml_parser *p)
{
    pml_token t = *pml_look(p);
    switch (t.kind) {
    case PML_T_IF:
    case PML_T_DO:
        return parse_choice(p);
    case PML_T_FOR:
        return parse_for(p);
    case PML_T_SELECT:
        return parse_select(p);
    case PML_T_ATOMIC:
        return parse_group(p, PML_S_ATOMIC, "an `atomic` block");
    case PML_T_D_STEP:
        return parse_group(p, PML_S_D_STEP, "a `d_step` block");
    case PML_T_BREAK: {
        pml_advance(p);
        if (p->loop_depth == 0)
            gy_hint(pml_error_at(p, &t, "`break` outside of a loop"),
                    "`break` leaves a `do` or `for`");
        else if (p->d_step_depth && p->loop_depth == p->d_step_loops)
            pml_error_at(p, &t, "this `break` leaves its `d_step`");
        return pml_new_stmt(p, PML_S_BREAK, t.place);
    }
    case PML_T_GOTO: {
        pml_advance(p);
        pml_token name = *pml_look(p);
        if (pml_classify(p, &name) != PML_C_NAME) {
            pml_syntax_error(p, "expected a label after `goto`, found %s", pml_describe(p, &name));
            return skip_stmt(p, t.place);
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
    case PML_T_PRINTF:
        return parse_printf(p);
    case PML_T_PRINTM:
        return parse_printm(p);
    case PML_T_ASSERT: {
        pml_advance(p);
        forbid_step(p, &t);
        pml_stmt *s = pml_new_stmt(p, PML_S_ASSERT, t.place);
        s->expr = pml_parse_full_expr(p);
        if (!p->panic)
            check_no_remote(p, s->expr);
        return s;
    }
    case PML_T_SET_PRIORITY: {
        pml_advance(p);
        forbid_step(p, &t);
        pml_stmt *s = pml_new_stmt(p, PML_S_SET_PRIORITY, t.place);
        p->model->uses_priority = true;
        pml_expect(p, PML_P_LPAREN, "after `set_priority`");
        if (p->panic)
            return s;
        pml_parse_args(p, &s->args, &s->arg_count, PML_R_VALUE);
        pml_expect(p, PML_P_RPAREN, "after the arguments of `set_priority`");
        if (!p->panic && s->arg_count != 2)
            pml_error_at(p, &t, "`set_priority` takes two arguments: a pid and a priority");
        return s;
    }
    case PML_T_ELSE:
        pml_advance(p);
        forbid_step(p, &t);
        return pml_new_stmt(p, PML_S_ELSE, t.place);
    case PML_T_C_CODE:
    case PML_T_C_DECL: {
        pml_advance(p);
        forbid_step(p, &t);
        pml_stmt *s = pml_new_stmt(p, PML_S_C_CODE, t.place);
        s->c_block = pml_parse_c_block(p);
        return s;
    }
    case PML_T_RETURN:
        return parse_return(p);
    case PML_T_NAME:
        switch (pml_classify(p, &t)) {
        case PML_C_NAME:
            return parse_name_stmt(p);
        case PML_C_INLINE:
            forbid_step(p, &t);
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
    forbid_step(p, &t);
    return condition(p, pml_parse_full_expr(p), t.place);
}

static pml_stmt *parse_stmt(pml_parser *p)
{
    pml_stmt *s = parse_statement(p);
    p->initialisation_ok = false;
    return s;
}
