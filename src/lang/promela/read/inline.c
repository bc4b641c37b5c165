// Inlines: definitions are kept as tokens, calls put them before the stream.
//
// As in Spin, arguments are text: the tokens of an actual parameter replace every occurrence
// of the formal one, without parentheses. The body, braces included, is then parsed as the
// block that the call stands for, so its declarations and labels have a scope of their own.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

static void parse_formals(pml_parser *p, pml_inline *def)
{
    while (!p->panic && !pml_look_is(p, PML_P_RPAREN)) {
        pml_token formal = *pml_look(p);
        if (pml_classify(p, &formal) != PML_C_NAME) {
            pml_syntax_error(p, "expected the name of a parameter, found %s",
                             pml_describe(p, &formal));
            break;
        }
        pml_advance(p);
        pml_symbol *s = pml_name_of(p, formal.text)->symbol;
        if (s && s->kind == PML_SYM_VAR) {
            if (s->var->is_array || s->var->type.kind == PML_TY_STRUCT) {
                gy_hint(pml_error_at(p, &formal, "the parameter `%s` has the name of a global %s",
                                     formal.text, s->var->is_array ? "array" : "structure"),
                        "choose another name for the parameter");
            }
            s->inline_formal = true;
        }
        PML_PUSH(p, def->formals, def->formal_count, formal);
        if (!pml_accept(p, PML_P_COMMA))
            break;
        if (pml_look_is(p, PML_P_RPAREN))
            pml_syntax_error(p, "expected the name of a parameter, found `)`");
    }
}

// The parameter that this token is, or -1.
static int32_t formal_of(const pml_inline *def, const pml_token *t)
{
    for (uint32_t i = 0; t->kind == PML_T_NAME && i < def->formal_count; i++)
        if (def->formals[i].text == t->text)
            return (int32_t)i;
    return -1;
}

// From the brace `t` to the one that closes it. False: there is none.
static bool read_body(pml_parser *p, pml_inline *def, pml_token t)
{
    pml_token open = t;
    unsigned depth = 0;
    for (;;) {
        int32_t formal = formal_of(def, &t);
        uint32_t n = def->body_count;
        def->formal = pml_grow(p, def->formal, n, sizeof *def->formal);
        def->formal[n] = formal;
        PML_PUSH(p, def->body, def->body_count, t);
        if (pml_is(&t, PML_P_LBRACE))
            depth++;
        else if (pml_is(&t, PML_P_RBRACE) && --depth == 0)
            return true;
        t = pml_advance_raw(p);
        if (t.kind == PML_T_END) {
            if (!p->gave_up) {
                gy_diag *d = gy_error(p->diags, open.place,
                                      "the body of inline `%s` is never closed", def->name);
                d->length = 1;
                pml_give_up(p);
            }
            return false;
        }
    }
}

// inline: inline name '(' [ name { ',' name } ] ')' '{' tokens '}'
void pml_parse_inline(pml_parser *p)
{
    pml_advance(p);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME && c != PML_C_INLINE) {
        pml_syntax_error(p, "expected a name after `inline`, found %s", pml_describe(p, &name));
        return;
    }
    pml_advance(p);
    pml_name *info = pml_name_of(p, name.text);
    if (c == PML_C_INLINE) {
        pml_error_at(p, &name, "inline `%s` is defined twice", name.text);
        gy_note(p->diags, info->inl->place, "first defined here");
    }
    pml_inline *def = GY_NEW(p->arena, pml_inline);
    def->name = name.text;
    def->place = name.place;
    def->number = ++p->inline_count;
    def->broken = true; // until its end was read
    info->inl = def;
    pml_expect(p, PML_P_LPAREN, "after the name of the inline");
    parse_formals(p, def);
    if (p->panic)
        return;
    if (!pml_look_is(p, PML_P_RPAREN)) {
        pml_expect(p, PML_P_RPAREN, "after the parameters of the inline");
        return;
    }
    pml_advance(p);
    // Nothing after the parenthesis was examined: the body can be read raw.
    pml_token t = pml_advance_raw(p);
    if (!pml_is(&t, PML_P_LBRACE)) {
        p->raw_held = t;
        p->has_raw_held = true;
        pml_syntax_error(p, "expected `{` before the body of the inline, found %s",
                         pml_describe(p, &t));
        return;
    }
    if (!read_body(p, def, t))
        return;
    if (def->body_count == 2)
        gy_warn(p->diags, t.place, "the inline `%s` is empty", def->name);
    def->broken = false;
    if (p->noted)
        pml_note_inline(p, def, name.length);
}

static const char *actual_text(pml_parser *p, const pml_actual *actual)
{
    gy_text text = {0};
    for (uint32_t i = 0; i < actual->count; i++) {
        const pml_token *t = &actual->tokens[i];
        if (t->kind == PML_T_PUNCT)
            gy_text_add(&text, pml_punct_spelling(t->punct));
        else if (t->kind == PML_T_NUMBER)
            gy_text_printf(&text, "%lld", (long long)t->value);
        else if (t->text)
            gy_text_add(&text, t->text);
    }
    const char *copy = gy_arena_strdup(p->arena, gy_text_str(&text));
    gy_text_free(&text);
    return copy;
}

// Up to the closing parenthesis: what was written for each parameter.
static pml_actual *parse_actuals(pml_parser *p, uint32_t *count)
{
    p->recording_depth++;
    size_t start = p->record.n;
    pml_actual *actuals = NULL;
    *count = 0;
    if (!pml_look_is(p, PML_P_RPAREN)) {
        pml_ref_use saved = p->expr_use;
        p->expr_use = PML_R_ARGUMENT;
        for (;;) {
            start = p->record.n;
            pml_parse_expr(p);
            if (p->panic)
                break;
            pml_actual actual = {.count = (uint32_t)(p->record.n - start)};
            actual.tokens = GY_NEW_ARRAY(p->arena, pml_token, actual.count ? actual.count : 1);
            memcpy(actual.tokens, &p->record.at[start], actual.count * sizeof(pml_token));
            actual.text = actual_text(p, &actual);
            PML_PUSH(p, actuals, *count, actual);
            if (!pml_accept(p, PML_P_COMMA))
                break;
        }
        p->expr_use = saved;
    }
    if (--p->recording_depth == 0)
        p->record.n = 0;
    return actuals;
}

static bool may_be_called(pml_parser *p, const pml_inline *def, const pml_token *name,
                          uint32_t count)
{
    if (count != def->formal_count) {
        pml_error_at(p, name, "inline `%s` takes %u argument%s, but %u %s given", name->text,
                     def->formal_count, def->formal_count == 1 ? "" : "s", count,
                     count == 1 ? "is" : "are");
        gy_note(p->diags, def->place, "it is defined here");
        return false;
    }
    for (size_t i = 0; i < p->frames.n; i++) {
        if (p->frames.at[i].def == def) {
            pml_error_at(p, name, "inline `%s` calls itself", name->text);
            gy_note(p->diags, def->place, "it is defined here");
            return false;
        }
    }
    if (p->inline_depth >= PML_MAX_INLINE_DEPTH) {
        pml_error_at(p, name, "inline calls are nested too deeply");
        pml_give_up(p);
        return false;
    }
    return true;
}

// call: name '(' [ expr { ',' expr } ] ')'
//
// The arguments are parsed once where they are, for their errors, while a record is made
// of their tokens.
pml_stmt *pml_parse_inline_call(pml_parser *p, const pml_token *name, const pml_ref *result)
{
    pml_inline *def = pml_name_of(p, name->text)->inl;
    pml_stmt *failed = pml_new_stmt(p, PML_S_EXPR, name->place);
    failed->expr = pml_number(p, 1, name->place, 1);
    if (!pml_look_is(p, PML_P_LPAREN)) {
        pml_syntax_error(p, "expected `(` after the inline `%s`, found %s", name->text,
                         pml_describe(p, pml_look(p)));
        return failed;
    }
    pml_advance(p);
    unsigned errors = gy_diags_errors(p->diags);
    uint32_t count;
    pml_actual *actuals = parse_actuals(p, &count);
    if (p->panic)
        return failed;
    if (!pml_look_is(p, PML_P_RPAREN)) {
        pml_expect(p, PML_P_RPAREN, "after the arguments of the inline");
        return failed;
    }
    pml_advance(p);
    if (def->broken || gy_diags_errors(p->diags) > errors)
        return failed; // say it once
    if (!may_be_called(p, def, name, count))
        return failed;
    if (p->noted)
        pml_note_call(p, def, actuals);
    pml_feed_frame frame = {.tokens = def->body,
                            .count = def->body_count,
                            .def = def,
                            .actuals = actuals,
                            .call = name->place,
                            .use = ++p->inline_uses};
    if (result) {
        frame.has_result = true;
        frame.result = *result;
    }
    pml_feed_push(p, &frame);
    p->initialisation_ok = false;
    pml_stmt *s = pml_new_stmt(p, PML_S_BLOCK, name->place);
    const pml_token *t = pml_look(p);
    s->place = t->place;
    s->body = pml_parse_braces(p, "the body of the inline");
    if (s->body.n && s->body.at[0]->kind == PML_S_LABELLED && !p->panic)
        pml_refuse_label_first(p, &s->body, "the body of an inline");
    XSTMT(s)->d_step = p->d_step_now;
    return s;
}
