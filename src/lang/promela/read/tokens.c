// The stream of tokens: a ring before the lexer, so that looking ahead and putting back
// cost no more than the tokens moved. Also the names of tokens, for messages.
#include "lang/promela/read/lexer.h"

#include "base/fatal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- opening and closing -----------------------------------------------------------------

static pml_tokens *new_stream(gy_arena *arena, gy_sources *sources, gy_diags *diags,
                              const pml_input *input)
{
    pml_tokens *tokens = gy_alloc_zero(sizeof *tokens);
    tokens->arena = arena;
    tokens->sources = sources;
    tokens->diags = diags;
    pml_words_init(&tokens->words, arena);
    tokens->word_true = pml_word_of(&tokens->words, "true", 4)->text;
    tokens->word_false = pml_word_of(&tokens->words, "false", 5)->text;
    tokens->reading = input->reading;
    tokens->pp = pp_new(arena, sources, diags, &tokens->words, input);
    return tokens;
}

pml_tokens *pml_tokens_open(gy_arena *arena, gy_sources *sources, gy_diags *diags,
                            const pml_input *input)
{
    pml_tokens *tokens = new_stream(arena, sources, diags, input);
    bool good = input->text ? pp_open_text(tokens->pp, input->name, input->text, input->bytes)
                            : pp_open_file(tokens->pp, input->name);
    if (!good) {
        pml_tokens_close(tokens);
        return NULL;
    }
    pp_define(tokens->pp, input->defines, input->define_count);
    return tokens;
}

void pml_tokens_close(pml_tokens *tokens)
{
    if (!tokens)
        return;
    pp_free(tokens->pp);
    pml_words_free(&tokens->words);
    free(tokens->ring);
    free(tokens);
}

const gy_reading *pml_tokens_reading(const pml_tokens *tokens)
{
    return tokens->reading;
}

const char *pml_intern(pml_tokens *tokens, const char *text, size_t bytes)
{
    return pml_word_of(&tokens->words, text, bytes)->text;
}

// ---- the ring -------------------------------------------------------------------------------

static void make_room(pml_tokens *tokens, size_t more)
{
    size_t wanted = tokens->count + more;
    if (wanted <= tokens->room)
        return;
    size_t room = tokens->room ? tokens->room : 16;
    while (room < wanted)
        room *= 2;
    pml_token *ring = gy_alloc(room * sizeof *ring);
    for (size_t i = 0; i < tokens->count; i++)
        ring[i] = tokens->ring[(tokens->head + i) & (tokens->room - 1)];
    free(tokens->ring);
    tokens->ring = ring;
    tokens->room = room;
    tokens->head = 0;
}

void pml_queue(pml_tokens *tokens, const pml_token *token)
{
    make_room(tokens, 1);
    tokens->ring[(tokens->head + tokens->count++) & (tokens->room - 1)] = *token;
}

const pml_token *pml_peek(pml_tokens *tokens, unsigned ahead)
{
    while (tokens->count <= ahead) {
        if (tokens->count) { // nothing comes after the end
            size_t last = (tokens->head + tokens->count - 1) & (tokens->room - 1);
            if (tokens->ring[last].kind == PML_T_END)
                return &tokens->ring[last];
        }
        pml_lex(tokens);
    }
    return &tokens->ring[(tokens->head + ahead) & (tokens->room - 1)];
}

pml_token pml_next(pml_tokens *tokens)
{
    pml_token token = *pml_peek(tokens, 0);
    if (token.kind != PML_T_END) {
        tokens->head = (tokens->head + 1) & (tokens->room - 1);
        tokens->count--;
    }
    return token;
}

// ---- names for messages -----------------------------------------------------------------

const char *pml_token_kind_name(pml_token_kind kind)
{
    switch (kind) {
    case PML_T_END:
        return "the end of the model";
    case PML_T_NAME:
        return "a name";
    case PML_T_NUMBER:
        return "a number";
    case PML_T_STRING:
        return "a string";
    case PML_T_C_BLOCK:
        return "C code";
    case PML_T_PUNCT:
        return "a symbol";
#define X(name, spelling)                                                                          \
    case PML_T_##name:                                                                             \
        return "`" spelling "`";
        PML_KEYWORDS(X)
#undef X
    default:
        return "something unreadable";
    }
}

const char *pml_punct_spelling(pml_punct punct)
{
    static const char *const spellings[PML_P_COUNT] = {
        [PML_P_NONE] = "",      [PML_P_LPAREN] = "(",      [PML_P_RPAREN] = ")",
        [PML_P_LBRACE] = "{",   [PML_P_RBRACE] = "}",      [PML_P_LBRACKET] = "[",
        [PML_P_RBRACKET] = "]", [PML_P_COMMA] = ",",       [PML_P_SEMI] = ";",
        [PML_P_COLON] = ":",    [PML_P_SEP] = "::",        [PML_P_DOT] = ".",
        [PML_P_DOTDOT] = "..",  [PML_P_AT] = "@",          [PML_P_ASSIGN] = "=",
        [PML_P_ARROW] = "->",   [PML_P_EQUIV] = "<->",     [PML_P_INCR] = "++",
        [PML_P_DECR] = "--",    [PML_P_SND] = "!",         [PML_P_SNDSORT] = "!!",
        [PML_P_RCV] = "?",      [PML_P_RCVRAND] = "??",    [PML_P_PLUS] = "+",
        [PML_P_MINUS] = "-",    [PML_P_STAR] = "*",        [PML_P_SLASH] = "/",
        [PML_P_PERCENT] = "%",  [PML_P_AMP] = "&",         [PML_P_BAR] = "|",
        [PML_P_CARET] = "^",    [PML_P_TILDE] = "~",       [PML_P_ANDAND] = "&&",
        [PML_P_OROR] = "||",    [PML_P_EQ] = "==",         [PML_P_NE] = "!=",
        [PML_P_LT] = "<",       [PML_P_GT] = ">",          [PML_P_LE] = "<=",
        [PML_P_GE] = ">=",      [PML_P_SHL] = "<<",        [PML_P_SHR] = ">>",
        [PML_P_ALWAYS] = "[]",  [PML_P_EVENTUALLY] = "<>", [PML_P_WEDGE] = "/\\",
        [PML_P_VEE] = "\\/",    [PML_P_HASH] = "#",
    };
    return punct < PML_P_COUNT ? spellings[punct] : "";
}

void pml_token_describe(const pml_token *token, gy_text *out)
{
    enum { LONGEST = 40 };
    switch (token->kind) {
    case PML_T_NAME:
    case PML_T_STRING: {
        const char *quote = token->kind == PML_T_STRING ? "\"" : "";
        bool cut = strlen(token->text) > LONGEST;
        gy_text_printf(out, "`%s%.*s%s%s`", quote, LONGEST, token->text, cut ? "..." : "", quote);
        break;
    }
    case PML_T_NUMBER:
        if (token->text)
            gy_text_printf(out, "`%s`", token->text);
        else
            gy_text_printf(out, "`%" PRId64 "`", token->value);
        break;
    case PML_T_PUNCT:
        gy_text_printf(out, "`%s`", pml_punct_spelling(token->punct));
        break;
    default:
        gy_text_add(out, pml_token_kind_name(token->kind));
    }
}
