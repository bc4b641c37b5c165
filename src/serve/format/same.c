// The last word before a formatted text is given out: it must have the same tokens, line breaks
// included, as they are and after preprocessing.
#include "serve/format/parts.h"

#include <string.h>

// ---- as they are ------------------------------------------------------------------------------

typedef struct reader {
    pml_words words;
    pp_scanner scanner;
    char *copy;
    struct pp_splice *splices;
} reader;

static void start(reader *r, gy_arena *arena, const char *text, size_t bytes)
{
    pml_words_init(&r->words, arena);
    pp_scanner_init(&r->scanner, &r->words, text, bytes, 0, &r->copy, &r->splices);
}

static void finish(reader *r)
{
    pml_words_free(&r->words);
    free(r->copy);
    free(r->splices);
}

static bool same_spelling(gy_arena *arena, const gy_format_input *before, const gy_text *after)
{
    reader a, b;
    pp_token x, y;
    bool same, first = true;
    start(&a, arena, before->text, before->bytes);
    start(&b, arena, gy_text_str(after), after->n);
    do {
        x = pp_scan(&a.scanner);
        y = pp_scan(&b.scanner);
        unsigned differ = (x.flags ^ y.flags) & (first ? 0 : PP_NEWLINE);
        same = x.kind == y.kind && x.punct == y.punct && x.length == y.length &&
               memcmp(x.text, y.text, x.length) == 0 && (differ == 0 || x.kind == PP_END);
        first = false;
    } while (same && x.kind != PP_END);
    finish(&a);
    finish(&b);
    return same;
}

// ---- after preprocessing ------------------------------------------------------------------------

static pml_tokens *open_stream(gy_arena *arena, gy_sources *sources, gy_diags *diags,
                               const gy_format_input *input)
{
    const char *slash = strrchr(input->name, '/');
    size_t given = 0;
    while (input->include_dirs && input->include_dirs[given])
        given++;
    const char **dirs = GY_NEW_ARRAY(arena, const char *, given + 2); // ends with NULL
    dirs[0] = slash ? gy_arena_strndup(arena, input->name, (size_t)(slash - input->name) + 1) : ".";
    if (given > 0)
        memcpy(dirs + 1, input->include_dirs, given * sizeof *dirs);
    pml_input stream = {
        .name = input->name, .text = input->text, .bytes = input->bytes, .include_dirs = dirs};
    return pml_tokens_open(arena, sources, diags, &stream);
}

static bool same_token(const pml_token *a, const pml_token *b, bool first)
{
    bool text = a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
    return a->kind == b->kind && a->punct == b->punct && a->value == b->value && text &&
           (first || a->newline_before == b->newline_before || a->kind == PML_T_END);
}

static bool same_stream(gy_arena *arena, const gy_format_input *before, const gy_text *after)
{
    gy_format_input input = *before;
    input.text = gy_text_str(after);
    input.bytes = after->n;
    gy_sources *sources[2] = {gy_sources_new(), gy_sources_new()};
    gy_diags *diags[2] = {gy_diags_new(sources[0]), gy_diags_new(sources[1])};
    pml_tokens *a = open_stream(arena, sources[0], diags[0], before);
    pml_tokens *b = open_stream(arena, sources[1], diags[1], &input);
    bool same = !a == !b, first = true;
    while (a && b && same) {
        pml_token x = pml_next(a), y = pml_next(b);
        same = same_token(&x, &y, first);
        first = false;
        if (x.kind == PML_T_END)
            break;
    }
    if (a)
        pml_tokens_close(a);
    if (b)
        pml_tokens_close(b);
    for (int i = 0; i < 2; i++) {
        gy_diags_free(diags[i]);
        gy_sources_free(sources[i]);
    }
    return same;
}

bool fmt_same(const gy_format_input *before, const gy_text *after)
{
    gy_arena *arena = gy_arena_new();
    bool same = same_spelling(arena, before, after) && same_stream(arena, before, after);
    gy_arena_free(arena);
    return same;
}

// ---- brackets -----------------------------------------------------------------------------------

typedef struct bracket {
    unsigned kind; // what closes it
    pml_token token;
} bracket;

// What closes this token: a keyword, or a punctuation after all keywords; 0: it opens nothing.
static unsigned closer(const pml_token *t)
{
    if (t->kind == PML_T_DO)
        return PML_T_OD;
    if (t->kind == PML_T_IF)
        return PML_T_FI;
    if (t->kind != PML_T_PUNCT)
        return 0;
    switch (t->punct) {
    case PML_P_LPAREN:
        return PML_T_COUNT + PML_P_RPAREN;
    case PML_P_LBRACE:
        return PML_T_COUNT + PML_P_RBRACE;
    case PML_P_LBRACKET:
        return PML_T_COUNT + PML_P_RBRACKET;
    default:
        return 0;
    }
}

static unsigned closed_by(const pml_token *t)
{
    if (t->kind == PML_T_OD || t->kind == PML_T_FI)
        return t->kind;
    if (t->kind == PML_T_PUNCT &&
        (t->punct == PML_P_RPAREN || t->punct == PML_P_RBRACE || t->punct == PML_P_RBRACKET))
        return PML_T_COUNT + t->punct;
    return 0;
}

static void complain(gy_diags *diags, const pml_token *t, const char *what)
{
    gy_text word = {0};
    pml_token_describe(t, &word);
    gy_error(diags, t->place, "%s %s", gy_text_str(&word), what)->length = t->length;
    gy_text_free(&word);
}

bool fmt_is_closed(gy_diags *diags, gy_sources *sources, const gy_format_input *input)
{
    enum { MOST_LEVELS = 4000 }; // no model has more that can be read
    gy_arena *arena = gy_arena_new();
    gy_diags *others = gy_diags_new(sources); // of the preprocessor: a file may be missing here
    pml_tokens *tokens = open_stream(arena, sources, others, input);
    GY_VEC(bracket) open = {0};
    pml_token wrong = {0}, t;
    const char *what = NULL;
    bool deep = false;
    while (tokens && !what && (t = pml_next(tokens)).kind != PML_T_END) {
        unsigned opens = closer(&t), closes = closed_by(&t);
        if (opens)
            gy_vec_push(&open, ((bracket){opens, t}));
        if (open.n > MOST_LEVELS) {
            deep = true;
            wrong = t;
            what = "is nested too deeply";
        }
        if (!closes)
            continue;
        if (open.n > 0 && open.at[open.n - 1].kind == closes) {
            open.n--;
            continue;
        }
        wrong = open.n > 0 ? open.at[open.n - 1].token : t;
        what = open.n > 0 ? "is not closed" : "closes nothing";
    }
    if (!what && open.n > 0) {
        wrong = open.at[open.n - 1].token;
        what = "is never closed";
    }
    bool known = gy_diags_errors(others) == 0;
    if (what && (known || deep))
        complain(diags, &wrong, what);
    if (tokens)
        pml_tokens_close(tokens);
    gy_vec_free(&open);
    gy_diags_free(others);
    gy_arena_free(arena);
    return !what || (!known && !deep);
}
