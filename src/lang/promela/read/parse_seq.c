// Sequences of steps, and what may be between them.
#include "lang/promela/read/parser.h"

pml_stmt *pml_new_stmt(pml_parser *p, pml_stmt_kind kind, gy_location place)
{
    pml_xstmt *x = GY_NEW(p->arena, pml_xstmt);
    x->s.kind = kind;
    x->s.place = place;
    x->d_step = p->d_step_now;
    return &x->s;
}

void pml_add_stmt(pml_parser *p, pml_stmt *stmt)
{
    pml_builder *b = p->sequence;
    if (stmt && b)
        PML_PUSH(p, b->at, b->n, stmt);
}

pml_stmt *pml_skip_stmt(pml_parser *p, gy_location place)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_EXPR, place);
    s->expr = pml_number(p, 1, place, 1);
    return s;
}

// The statement under any number of labels.
const pml_stmt *pml_unlabelled(const pml_stmt *s)
{
    while (s->kind == PML_S_LABELLED && s->body.n)
        s = s->body.at[0];
    return s;
}

// Does the sequence begin with a state that has a label? (A loop begins with a state before
// the labelled one.)
const pml_stmt *pml_label_first(const pml_seq *seq)
{
    if (seq->n == 0 || seq->at[0]->kind != PML_S_LABELLED)
        return NULL;
    switch (pml_unlabelled(seq->at[0])->kind) {
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
    const pml_stmt *s = pml_label_first(seq);
    if (!s || p->panic)
        return;
    gy_diag *d = gy_error(p->diags, s->place, "the label `%s` cannot be at the start of %s",
                          s->label_name, what);
    d->length = (uint32_t)strlen(s->label_name);
    gy_hint(d, "put it before %s", what);
}

// ---- sequences ----------------------------------------------------------------------

bool pml_ends_sequence(const pml_token *t)
{
    return t->kind == PML_T_END || t->kind == PML_T_FI || t->kind == PML_T_OD ||
           pml_is(t, PML_P_RBRACE) || pml_is(t, PML_P_SEP);
}

// xr channels | xs channels
void pml_parse_exclusive(pml_parser *p)
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
    pml_stmt *escape = pml_parse_stmt(p);
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
    if (main->kind != PML_S_BLOCK && !lifted && pml_label_first(&s->body) && !p->panic) {
        gy_diag *d = gy_error(p->diags, main->place, "a label cannot be before `unless`");
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
        pml_parse_exclusive(p);
        return;
    }
    pml_stmt *s = pml_parse_stmt(p);
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
            pml_token equals = pml_advance(p);
            bool arrow = pml_look_is(p, PML_P_GT);
            d = pml_error_at(p, &equals, arrow ? "`=>` is not Promela" : "unexpected `=`");
            d->length = 1 + arrow;
            gy_hint(d, arrow ? "write `->`" : "`=` assigns to a variable; `==` compares");
            p->panic = true;
        } else if (pml_is(t, PML_P_RPAREN)) {
            pml_syntax_error(p, "this `)` closes nothing");
        } else {
            pml_token token = *t;
            d = pml_syntax_error(p, "unexpected %s after the statement", pml_describe(p, t));
            pml_hint_behind(p, d, &token);
        }
        return;
    }
    gy_diag *d = gy_error(p->diags, t->place, "missing `;` or `->` before %s", pml_describe(p, t));
    d->length = t->length;
    if (gy_diags_full(p->diags))
        pml_give_up(p);
}

// `x = y -> ...`: for a warning. `x++` is no slip for a condition.
static void note_arrow(pml_parser *p, const pml_token *separator)
{
    pml_stmt *last = p->sequence->n ? p->sequence->at[p->sequence->n - 1] : NULL;
    while (last && last->kind == PML_S_LABELLED)
        last = last->body.at[0];
    if (last && last == p->last_assigned)
        last->arrow = pml_is(separator, PML_P_ARROW);
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
        if (!any && (pml_ends_sequence(&t) || pml_is_separator(&t))) {
            gy_diag *d = pml_syntax_error(p, "expected a statement in %s, found %s", what,
                                          pml_describe(p, &t));
            if (d && pml_is_separator(&t) && t.length)
                gy_hint(d, "a `%s` separates statements: there is none before it",
                        pml_punct_spelling(t.punct));
            else if (d)
                gy_hint(d, "use `skip` for a statement that does nothing");
        } else if (pml_starts_unit(&t)) {
            gy_diag *d = pml_syntax_error(p, "%s cannot be inside a process", pml_describe(p, &t));
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
        if (pml_ends_sequence(next))
            break;
        if (pml_is_separator(next)) {
            unsigned separators = 0;
            note_arrow(p, next);
            while (pml_is_separator(pml_look(p))) {
                p->previous_implied = pml_look(p)->length == 0;
                pml_advance(p);
                separators++;
            }
            if (pml_ends_sequence(pml_look(p))) {
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
                if (p->panic || pml_ends_sequence(pml_look(p)))
                    break;
                while (pml_is_separator(pml_look(p)))
                    pml_advance(p);
                if (pml_ends_sequence(pml_look(p)))
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
