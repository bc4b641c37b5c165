// if, do, for and select.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

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
    s = pml_unlabelled(s);
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
        const pml_stmt *first = pml_unlabelled(s->options[i].at[0]);
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
                         "`else` next to a send or receive cannot be used with `xr` and `xs`");
        else
            d = gy_warn(p->diags, other->place,
                        "`else` next to a send or receive depends on what other processes do");
        d->length = 4;
    }
}

// options: { '::' sequence }
pml_stmt *pml_parse_choice(pml_parser *p)
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
            missing = !pml_ends_sequence(&t) && !pml_is_separator(&t);
            if (pml_is(&t, PML_P_COLON))
                pml_advance(p);
        }
    }
    while (!p->panic && (missing || pml_look_is(p, PML_P_SEP))) {
        pml_token sep = missing ? word : pml_advance(p);
        missing = false;
        pml_seq seq = {0};
        p->initialisation_ok = false;
        pml_parse_sequence(p, &seq, "an option");
        if (pml_label_first(&seq) && !pml_label_is_fair(seq.at[0]->label_name)) {
            gy_diag *d = gy_warn(
                p->diags, seq.at[0]->place,
                "the label `%s` is before a guard: the state it marks is shared by all options",
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
    gy_location end = t->place;
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

void pml_mark_written(pml_parser *p, const pml_ref *ref)
{
    if (p->noted)
        pml_note_role(p, ref, GY_USE_WRITTEN);
    for (uint32_t i = 0; i < ref->part_count; i++)
        ref->parts[i].var->is_written = true;
}

void pml_refuse_builtin(pml_parser *p, const pml_ref *ref)
{
    if (ref->part_count == 0 || ref->parts[0].var->role != PML_VAR_BUILTIN)
        return;
    pml_builtin b = ref->parts[0].var->builtin;
    if (b == PML_BI_PRIORITY)
        p->model->uses_priority = p->model->priorities_differ = true;
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
    if (!var->is_array)
        pml_error_at(p, over, "`%s` is not an array", var->name);
    else if (s->over.part_count > 1) // Spin examines the structure instead
        gy_hint(pml_error_at(p, over, "`for` cannot run over `%s`, an array inside a structure",
                             var->name),
                "use a range: `for (%s : 0 .. %u)`", index->name, var->count - 1);
    if (s->ref.part_count > 1 || index->is_array || index->type.kind == PML_TY_CHAN) {
        gy_diag *d = gy_error(p->diags, s->ref.parts[0].place,
                              "the variable of a `for` must be a plain variable");
        d->length = (uint32_t)strlen(s->ref.parts[0].var->name);
    }
}

// for '(' variable ( ':' expr '..' expr | in name ) ')' '{' sequence '}'
pml_stmt *pml_parse_for(pml_parser *p)
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
    pml_mark_written(p, &s->ref);
    pml_refuse_builtin(p, &s->ref);
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
pml_stmt *pml_parse_select(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_stmt *s = pml_new_stmt(p, PML_S_SELECT, word.place);
    s->expr = s->expr2 = pml_number(p, 0, word.place, 1);
    pml_expect(p, PML_P_LPAREN, "after `select`");
    if (p->panic)
        return s;
    uint32_t length;
    s->ref = pml_parse_ref(p, PML_R_VALUE, &length);
    pml_mark_written(p, &s->ref);
    pml_refuse_builtin(p, &s->ref);
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
