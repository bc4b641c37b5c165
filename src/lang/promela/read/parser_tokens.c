// Tokens as the parser gets them.
//
// Three layers, each a function: raw() takes the next token from the innermost inline call
// or from the stream and puts actual parameters in place of formals. lex() adds what Spin's
// lexer adds: a `;` at most line breaks inside a sequence, parentheses around `timeout`, the
// options that a `select` over constants stands for; and it puts `ltl` blocks off to the end
// of the model, where all names are known. feed() adds and drops separators around `}`,
// `else` and before another separator. Since what lex() does depends on where the parser is
// (in_sequence, parens), no layer reads further ahead than Spin's does.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

enum { LEX_OTHER, LEX_ENDS_STATEMENT, LEX_RBRACE, LEX_LPAREN };
enum { FED_OTHER, FED_ELSE, FED_RBRACE };

void pml_feed_push(pml_parser *p, const pml_feed_frame *frame)
{
    gy_vec_push(&p->frames, *frame);
    if (frame->def) {
        p->inline_depth++;
        p->last_lex = LEX_OTHER;
    }
}

void pml_feed_free(pml_parser *p)
{
    gy_vec_free(&p->frames);
    gy_vec_free(&p->deferred);
    gy_vec_free(&p->record);
    gy_vec_free(&p->written);
}

const pml_feed_frame *pml_feed_inline(const pml_parser *p)
{
    for (size_t i = p->frames.n; i-- > 0;) {
        if (p->frames.at[i].def)
            return &p->frames.at[i];
    }
    return NULL;
}

uint32_t pml_feed_inline_number(const pml_parser *p)
{
    const pml_feed_frame *frame = pml_feed_inline(p);
    return frame ? frame->def->number : 0;
}

// Stops the parse: from here on the input is at its end, and nothing more is reported.
void pml_give_up(pml_parser *p)
{
    p->gave_up = true;
    p->panic = true;
    p->has_hold = false;
    p->has_raw_held = false;
    memset(&p->look, 0, sizeof p->look);
    p->look.kind = PML_T_END;
    p->look.place = p->last_place;
    p->has_look = true;
}

static pml_token end_token(pml_parser *p)
{
    pml_token t = {.kind = PML_T_END, .place = p->last_place, .length = 1};
    return t;
}

// An actual parameter that contains a formal one as a word of its own, or next to a dot,
// would be replaced repeatedly in Spin, which therefore refuses it.
static bool actual_is_safe(pml_parser *p, const pml_feed_frame *frame, const pml_token *formal,
                           const pml_actual *actual)
{
    for (uint32_t i = 0; i < frame->def->formal_count; i++) {
        if (actual->count == 1 && actual->tokens[0].kind == PML_T_NAME &&
            actual->tokens[0].text == frame->def->formals[i].text) {
            gy_diag *d = gy_error(p->diags, actual->tokens[0].place,
                                  "`%s` is passed for `%s`, but `%s` is also the name of another "
                                  "parameter of inline `%s`",
                                  actual->text, formal->text, actual->text, frame->def->name);
            gy_hint(d, "arguments of an inline are text: rename the parameter");
            return false;
        }
    }
    size_t n = strlen(formal->text);
    for (const char *at = actual->text; (at = strstr(at, formal->text)) != NULL; at++) {
        if ((at > actual->text && at[-1] == '.') || at[n] == '.') {
            gy_diag *d = gy_error(p->diags, actual->tokens[0].place,
                                  "the structure reference `%s` contains `%s`, the parameter of "
                                  "inline `%s` that it is passed for",
                                  actual->text, formal->text, frame->def->name);
            gy_hint(d, "arguments of an inline are text: rename the parameter");
            return false;
        }
    }
    return true;
}

static pml_token raw(pml_parser *p)
{
    bool newline = false;
    for (;;) {
        if (p->gave_up)
            return end_token(p);
        pml_token t;
        if (p->has_raw_held) {
            p->has_raw_held = false;
            return p->raw_held;
        }
        if (p->frames.n == 0) {
            t = pml_next(p->tokens);
        } else {
            pml_feed_frame *f = &p->frames.at[p->frames.n - 1];
            if (f->actual) {
                if (f->actual_at == f->actual->count) {
                    f->actual = NULL;
                    continue;
                }
                t = f->actual->tokens[f->actual_at];
                t.newline_before = false;
                t.argument = true;
                if (f->actual_at++ == 0)
                    t.space_before = f->space_before;
            } else if (f->at == f->count) {
                if (f->def)
                    p->inline_depth--;
                p->frames.n--;
                continue;
            } else {
                t = f->tokens[f->at];
                int32_t formal = f->def ? f->def->formal[f->at] : -1;
                f->at++;
                if (formal >= 0 && !(f->actuals[formal].count == 1 &&
                                     f->actuals[formal].tokens[0].text == t.text)) {
                    newline |= t.newline_before;
                    if (!actual_is_safe(p, f, &f->def->formals[formal], &f->actuals[formal])) {
                        pml_give_up(p);
                        return end_token(p);
                    }
                    f->actual = &f->actuals[formal];
                    f->space_before = t.space_before;
                    f->actual_at = 0;
                    continue;
                }
                if (f->def)
                    t.place = gy_location_expanded(p->sources, t.place, GY_FROM_INLINE,
                                                   f->def->name, f->call);
            }
        }
        newline |= t.newline_before;
        if (t.kind == PML_T_BAD)
            continue;
        p->expanded_count += p->inline_depth > 0;
        if (++p->token_count > PML_MAX_TOKENS || p->expanded_count > PML_MAX_EXPANDED) {
            gy_error(p->diags, t.place,
                     p->expanded_count > PML_MAX_EXPANDED
                         ? "the inline calls expand to too much text (more than %d tokens)"
                         : "the model is too large (more than %d tokens)",
                     p->expanded_count > PML_MAX_EXPANDED ? PML_MAX_EXPANDED : PML_MAX_TOKENS);
            pml_give_up(p);
            return end_token(p);
        }
        if (p->stop && atomic_load_explicit(p->stop, memory_order_relaxed)) {
            pml_give_up(p);
            return end_token(p);
        }
        t.newline_before = newline;
        return t;
    }
}

pml_token pml_advance_raw(pml_parser *p)
{
    pml_token t = raw(p);
    if (p->recording_depth)
        gy_vec_push(&p->record, t);
    p->last_place = t.place;
    p->last_length = t.length;
    return t;
}

static pml_token word_token(pml_parser *p, pml_token_kind kind, const char *text,
                            const pml_token *like)
{
    pml_token t = {.kind = kind, .place = like->place, .length = like->length};
    t.text = pml_intern(p->tokens, text, strlen(text));
    t.made = true;
    return t;
}

static pml_token punct_token(pml_punct punct, const pml_token *like)
{
    pml_token t = {
        .kind = PML_T_PUNCT, .punct = punct, .place = like->place, .length = like->length};
    t.made = true;
    return t;
}

static void push_tokens(pml_parser *p, const pml_token *list, uint32_t count)
{
    pml_token *copy = GY_NEW_ARRAY(p->arena, pml_token, count ? count : 1);
    memcpy(copy, list, count * sizeof *list);
    pml_feed_push(p, &(pml_feed_frame){.tokens = copy, .count = count});
}

void pml_feed_tokens(pml_parser *p, const pml_token *list, uint32_t count)
{
    push_tokens(p, list, count);
}

static bool is_alphanumeric(const char *text)
{
    for (; *text; text++) {
        if (*text == '_')
            return false;
    }
    return true;
}

// select ( name : number .. number ), written on one line with a plain name: Spin's lexer
// replaces it by a choice of up to 33 assignments, or by a loop.
static bool expand_select(pml_parser *p, const pml_token *keyword)
{
    pml_token t[7];
    uint32_t n = 0;
    bool ok = true;
    static const pml_punct puncts[7] = {PML_P_LPAREN, 0, PML_P_COLON, 0,
                                        PML_P_DOTDOT, 0, PML_P_RPAREN};
    for (; n < 7 && ok; n++) {
        t[n] = raw(p);
        if (puncts[n])
            ok = pml_is(&t[n], puncts[n]);
        else if (n == 1)
            ok = t[n].kind == PML_T_NAME && is_alphanumeric(t[n].text) &&
                 pml_classify(p, &t[n]) != PML_C_CONST;
        else
            ok = t[n].kind == PML_T_NUMBER;
        if (n > 0 && t[n].newline_before)
            ok = false;
    }
    if (!ok) {
        push_tokens(p, t, n);
        return false;
    }
    int64_t from = t[3].value, to = t[5].value;
    GY_VEC(pml_token) out = {0};
    if (from > to) {
        gy_diag *d = gy_error(p->diags, keyword->place, "the range of this `select` is empty");
        d->length = keyword->length;
        gy_hint(d, "%lld is greater than %lld", (long long)from, (long long)to);
        gy_vec_push(&out, word_token(p, PML_T_SKIP, "skip", keyword));
        out.at[0].value = 1;
    } else if (to - from <= 32) {
        gy_vec_push(&out, word_token(p, PML_T_IF, "if", keyword));
        for (int64_t i = from; i <= to; i++) {
            gy_vec_push(&out, punct_token(PML_P_SEP, keyword));
            gy_vec_push(&out, t[1]);
            gy_vec_push(&out, punct_token(PML_P_ASSIGN, &t[1]));
            pml_token number = t[3];
            number.value = i;
            gy_vec_push(&out, number);
        }
        gy_vec_push(&out, word_token(p, PML_T_FI, "fi", keyword));
    } else {
        gy_vec_push(&out, t[1]);
        gy_vec_push(&out, punct_token(PML_P_ASSIGN, &t[1]));
        gy_vec_push(&out, t[3]);
        gy_vec_push(&out, punct_token(PML_P_SEMI, keyword));
        gy_vec_push(&out, word_token(p, PML_T_DO, "do", keyword));
        gy_vec_push(&out, punct_token(PML_P_SEP, keyword));
        gy_vec_push(&out, punct_token(PML_P_LPAREN, keyword));
        gy_vec_push(&out, t[1]);
        gy_vec_push(&out, punct_token(PML_P_LT, &t[1]));
        gy_vec_push(&out, t[5]);
        gy_vec_push(&out, punct_token(PML_P_RPAREN, keyword));
        gy_vec_push(&out, punct_token(PML_P_ARROW, keyword));
        gy_vec_push(&out, t[1]);
        gy_vec_push(&out, punct_token(PML_P_INCR, &t[1]));
        gy_vec_push(&out, punct_token(PML_P_SEP, keyword));
        gy_vec_push(&out, word_token(p, PML_T_BREAK, "break", keyword));
        gy_vec_push(&out, word_token(p, PML_T_OD, "od", keyword));
        gy_vec_push(&out, punct_token(PML_P_SEMI, keyword));
    }
    for (size_t i = 0; i < out.n; i++)
        out.at[i].newline_before = false;
    push_tokens(p, out.at, (uint32_t)out.n);
    gy_vec_free(&out);
    return true;
}

// Keeps the tokens of an ltl block, from its keyword to its closing brace, for later.
static void defer_ltl(pml_parser *p, const pml_token *keyword)
{
    gy_vec_push(&p->deferred, *keyword);
    unsigned depth = 0;
    gy_location opened = keyword->place;
    for (;;) {
        pml_token t = raw(p);
        if (t.kind == PML_T_END) {
            if (!p->gave_up && !p->panic) {
                gy_diag *d = gy_error(p->diags, opened,
                                      depth ? "the `{` of this ltl block is never closed"
                                            : "this ltl block has no formula in braces");
                d->length = keyword->length;
                pml_give_up(p);
            }
            return;
        }
        gy_vec_push(&p->deferred, t);
        if (pml_is(&t, PML_P_LBRACE)) {
            if (depth++ == 0)
                opened = t.place;
        } else if (pml_is(&t, PML_P_RBRACE)) {
            if (depth <= 1)
                return;
            depth--;
        } else if (depth == 0 && t.kind != PML_T_NAME) {
            // No block follows: let the parser say so at its place.
            return;
        }
    }
}

// Does a line break after this token end a statement?
static int lex_class(pml_parser *p, const pml_token *t)
{
    switch (t->kind) {
    case PML_T_PUNCT:
        switch (t->punct) {
        case PML_P_RBRACE:
            return LEX_RBRACE;
        case PML_P_LPAREN:
            return LEX_LPAREN;
        case PML_P_RPAREN:
        case PML_P_RBRACKET:
        case PML_P_INCR:
        case PML_P_DECR:
            return LEX_ENDS_STATEMENT;
        default:
            return LEX_OTHER;
        }
    case PML_T_NUMBER:
    case PML_T_SKIP:
    case PML_T_OD:
    case PML_T_FI:
    case PML_T_ELSE:
    case PML_T_BREAK:
    case PML_T_C_CODE:
    case PML_T_C_DECL:
    case PML_T_C_EXPR:
        return LEX_ENDS_STATEMENT;
    case PML_T_NAME: {
        pml_class c = pml_classify(p, t);
        return c == PML_C_NAME || c == PML_C_CONST ? LEX_ENDS_STATEMENT : LEX_OTHER;
    }
    default:
        return LEX_OTHER;
    }
}

static pml_token lex(pml_parser *p)
{
    for (;;) {
        pml_token t = raw(p);
        if (t.newline_before && p->in_sequence && p->parens == 0 &&
            (p->last_lex == LEX_ENDS_STATEMENT ||
             (p->last_lex == LEX_RBRACE && !(t.text && t.kind != PML_T_STRING &&
                                             t.kind != PML_T_C_BLOCK && t.text[0] == 'u')))) {
            t.newline_before = false;
            p->raw_held = t;
            p->has_raw_held = true;
            p->last_lex = LEX_OTHER;
            pml_token semi = punct_token(PML_P_SEMI, &t);
            semi.length = 0; // not written
            return semi;
        }
        if (t.kind == PML_T_IN && !p->in_for_head)
            t.kind = PML_T_NAME;
        if (t.kind == PML_T_TIMEOUT && p->inline_depth == 0 && p->last_lex != LEX_LPAREN) {
            pml_token list[2] = {t, punct_token(PML_P_RPAREN, &t)};
            list[0].newline_before = false;
            push_tokens(p, list, 2);
            p->last_lex = LEX_LPAREN;
            return punct_token(PML_P_LPAREN, &t);
        }
        if (t.kind == PML_T_SELECT && p->inline_depth == 0 && expand_select(p, &t))
            continue;
        if (t.kind == PML_T_LTL && !p->deferred_given && !p->formula_mode) {
            defer_ltl(p, &t);
            continue;
        }
        if (t.kind == PML_T_END && !p->deferred_given && !p->gave_up) {
            p->deferred_given = true;
            if (p->deferred.n > 0) {
                push_tokens(p, p->deferred.at, (uint32_t)p->deferred.n);
                continue;
            }
        }
        p->last_lex = lex_class(p, &t);
        return t;
    }
}

static pml_token feed(pml_parser *p)
{
    pml_token t;
    if (p->has_hold) {
        t = p->hold;
        p->has_hold = false;
        p->last_lex = lex_class(p, &t);
    } else {
        t = lex(p);
        bool separator = pml_is_separator(&t);
        bool missing = false;
        if (p->last_fed == FED_ELSE)
            missing = !separator && t.kind != PML_T_FI;
        else if (p->last_fed == FED_RBRACE)
            missing = !separator && t.kind != PML_T_PROCTYPE && t.kind != PML_T_INIT &&
                      t.kind != PML_T_NEVER && t.kind != PML_T_FI && t.kind != PML_T_OD &&
                      t.kind != PML_T_UNLESS && t.kind != PML_T_END && !pml_is(&t, PML_P_SEP) &&
                      !pml_is(&t, PML_P_RBRACE);
        if (missing) {
            p->hold = t;
            p->has_hold = true;
            p->last_fed = FED_OTHER;
            p->last_lex = LEX_OTHER;
            pml_token semi = punct_token(PML_P_SEMI, &t);
            semi.length = 0;
            return semi;
        }
        if (separator) {
            pml_token ahead = lex(p);
            if (pml_is_separator(&ahead) || pml_is(&ahead, PML_P_RBRACE)) {
                t = ahead;
            } else {
                p->hold = ahead;
                p->has_hold = true;
            }
        }
    }
    p->last_fed = t.kind == PML_T_ELSE       ? FED_ELSE
                  : pml_is(&t, PML_P_RBRACE) ? FED_RBRACE
                                             : FED_OTHER;
    return t;
}

const pml_token *pml_look(pml_parser *p)
{
    if (!p->has_look) {
        p->look = feed(p);
        p->has_look = true;
    }
    return &p->look;
}

pml_token pml_advance(pml_parser *p)
{
    pml_token t = *pml_look(p);
    if (t.kind == PML_T_END)
        return t;
    p->has_look = false;
    if (p->recording_depth)
        gy_vec_push(&p->record, t);
    if (p->writing && t.length)
        gy_vec_push(&p->written, t);
    if (p->noted && t.kind == PML_T_NAME)
        pml_note_word(p, &t);
    p->last_place = t.place;
    p->last_length = t.length;
    if (pml_is(&t, PML_P_LPAREN))
        p->parens++;
    else if (pml_is(&t, PML_P_RPAREN) && p->parens > 0)
        p->parens--;
    return t;
}
