// Units of a model, recovery after syntax errors, and the entry points.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

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
        return !p->formula_mode ? "the end of the model"
               : p->ltl_mode    ? "the end of the formula"
                                : "the end of the expression";
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

void pml_open_push(pml_parser *p, gy_location place, const char *what)
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
    if (count & (count - 1))
        return old;
    size_t room = count ? (size_t)count * 2 : 1;
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
        if (p->writing)
            gy_vec_push(&p->written, t); // without it, all that is written would be the keyword
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

// ---- units --------------------------------------------------------------------------

// A word that begins no unit. True: it stands for `proctype`, and is taken for that.
static bool hint_word(pml_parser *p, gy_diag *d, const pml_token *t)
{
    static const char *words[] = {"proctype", "typedef", "inline", "active", "mtype", "never",
                                  "init",     "chan",    "bool",   "byte",   "short", "int",
                                  "unsigned", "hidden",  "trace",  "ltl"};
    const char *best = NULL;
    unsigned distance = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        gy_nearest_offer(t->text, words[i], &best, &distance);
    if (best)
        gy_hint(d, "a similar name exists: `%s`", best);
    pml_hint_unit(d, t->text);
    if (best != words[0])
        return false;
    p->look.kind = PML_T_PROCTYPE;
    p->panic = false;
    return true;
}

static void unexpected_unit(pml_parser *p, const pml_token *t)
{
    gy_diag *d;
    if (pml_take_foreign_type(p)) {
        pml_parse_declaration(p, PML_D_GLOBAL, NULL);
        return;
    }
    if (pml_is(t, PML_P_RBRACE)) {
        d = pml_syntax_error(p, "this `}` closes nothing");
        pml_advance(p);
        p->panic = false;
        return;
    }
    d = pml_syntax_error(p, "expected a declaration or a process, found %s", pml_describe(p, t));
    if (!d)
        return;
    if (pml_is(t, PML_P_DECR))
        gy_hint(d, "a comment is `/* ... */` or `// ...`");
    if (t->kind == PML_T_NAME) {
        if (hint_word(p, d, t))
            pml_parse_proctype(p);
    } else if (pml_is(t, PML_P_LPAREN)) {
        gy_hint(d, "a process is `active proctype NAME() { ... }`, what runs first `init { ... }`");
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
        pml_parse_proctype(p);
        return;
    case PML_T_INIT:
        pml_parse_init(p);
        return;
    case PML_T_NEVER:
        pml_parse_never(p);
        return;
    case PML_T_TRACE:
    case PML_T_NOTRACE:
        pml_parse_trace(p);
        return;
    case PML_T_LTL:
        pml_parse_ltl(p);
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

void pml_parser_init(pml_parser *p, gy_arena *arena, pml_tokens *tokens, gy_sources *sources,
                     gy_diags *diags, pml_model *model)
{
    p->arena = arena;
    p->tokens = tokens;
    p->sources = sources;
    p->diags = diags;
    p->model = model;
    const gy_reading *reading = pml_tokens_reading(tokens);
    p->noted = reading ? reading->names : NULL;
    p->stop = reading ? reading->stop : NULL;
    p->initialisation_ok = true;
    pml_scopes_init(p);
}

void pml_parser_free(pml_parser *p)
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
    pml_parser_init(p, arena, tokens, sources, diags, model);
    while (pml_look(p)->kind != PML_T_END) {
        parse_unit(p);
        if (p->panic)
            skip_to_unit(p);
    }
    if (!p->gave_up)
        pml_check_model(p);
    if (p->noted)
        pml_note_uncalled(p);
    gy_text definitions = {0};
    pml_tokens_definitions(tokens, &definitions);
    model->definitions = gy_arena_strdup(arena, gy_text_str(&definitions));
    gy_text_free(&definitions);
    pml_parser_free(p);
    return model;
}
