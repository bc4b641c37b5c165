// Spaces between two items of a line.
//
// What all agree on is fixed: `x = 1; y == 2`, no space inside parentheses or before a comma. What
// people do differently stays as it was written, but the same on both sides: a space before `+`,
// `!` or `?` means one behind it, too.
#include "serve/format/parts.h"

#include <string.h>

static bool is_among(const fmt_item *item, const uint8_t *puncts, size_t count)
{
    return item && item->kind == FMT_TOKEN && item->token == PP_PUNCT &&
           memchr(puncts, item->punct, count);
}

#define AMONG(item, ...)                                                                           \
    is_among((item), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

// Words that are operators in formulas.
static bool is_operator_word(const fmt_item *item)
{
    static const char *const words[] = {"U",       "V",          "W",           "R",
                                        "M",       "X",          "always",      "next",
                                        "until",   "eventually", "stronguntil", "release",
                                        "implies", "weakuntil",  "equivalent"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == item->length && !memcmp(words[i], item->text, item->length))
            return true;
    return false;
}

bool fmt_ends_operand(const fmt_item *item, bool formula)
{
    if (!item)
        return false;
    if (item->kind != FMT_TOKEN)
        return item->kind == FMT_VERBATIM;
    switch (item->token) {
    case PP_NAME:
        switch (item->keyword) {
        case 0:
            return !formula || !is_operator_word(item);
        case PML_T_SKIP:
        case PML_T_TIMEOUT:
        case PML_T_NP:
        case PML_T_ELSE:
        case PML_T_BREAK:
        case PML_T_OD:
        case PML_T_FI:
            return true;
        default:
            return false;
        }
    case PP_PUNCT:
        return AMONG(item, PML_P_RPAREN, PML_P_RBRACKET, PML_P_INCR, PML_P_DECR) ||
               (item->punct == PML_P_GT && item->copies) ||
               (item->punct == PML_P_ALWAYS && !formula);
    default:
        return true;
    }
}

static bool is_message_operator(const fmt_item *item)
{
    return AMONG(item, PML_P_SND, PML_P_SNDSORT, PML_P_RCV, PML_P_RCVRAND);
}

static bool is_arithmetic(const fmt_item *item)
{
    return AMONG(item, PML_P_PLUS, PML_P_MINUS, PML_P_STAR, PML_P_SLASH, PML_P_PERCENT, PML_P_AMP,
                 PML_P_BAR, PML_P_CARET, PML_P_SHL, PML_P_SHR, PML_P_DOTDOT, PML_P_COLON);
}

static bool is_spaced_operator(const fmt_item *item)
{
    return AMONG(item, PML_P_ASSIGN, PML_P_ARROW, PML_P_EQUIV, PML_P_ANDAND, PML_P_OROR, PML_P_EQ,
                 PML_P_NE, PML_P_LT, PML_P_GT, PML_P_LE, PML_P_GE, PML_P_WEDGE, PML_P_VEE,
                 PML_P_SEP);
}

bool fmt_goes_on(const fmt_item *last)
{
    if (!last || last->kind != FMT_TOKEN)
        return false;
    if (last->token == PP_PUNCT)
        return !last->is_label && (AMONG(last, PML_P_COMMA, PML_P_DOT, PML_P_AT, PML_P_TILDE,
                                         PML_P_ALWAYS, PML_P_EVENTUALLY) ||
                                   is_message_operator(last) || is_arithmetic(last) ||
                                   (is_spaced_operator(last) && last->punct != PML_P_ARROW &&
                                    last->punct != PML_P_SEP && !last->copies));
    switch (last->keyword) {
    case PML_T_RUN:
    case PML_T_GOTO:
    case PML_T_ASSERT:
    case PML_T_PRINTF:
    case PML_T_PROCTYPE:
    case PML_T_D_PROCTYPE:
    case PML_T_ACTIVE:
    case PML_T_TYPEDEF:
    case PML_T_INLINE:
    case PML_T_CHAN:
    case PML_T_OF:
    case PML_T_BIT:
    case PML_T_BOOL:
    case PML_T_BYTE:
    case PML_T_PID:
    case PML_T_SHORT:
    case PML_T_INT:
    case PML_T_UNSIGNED:
    case PML_T_HIDDEN:
    case PML_T_SHOW:
    case PML_T_LOCAL:
    case PML_T_PROVIDED:
    case PML_T_PRIORITY:
    case PML_T_XR:
    case PML_T_XS:
        return true;
    default:
        return false;
    }
}

// Would the two, without a space, be read as something else?
static bool run_together(fmt_text *f, const fmt_item *a, const fmt_item *b)
{
    char both[64];
    size_t more = b->length < 8 ? b->length : 8;
    if (a->kind != FMT_TOKEN || a->length + more >= sizeof both)
        return false;
    memcpy(both, a->text, a->length);
    memcpy(both + a->length, b->text, more);
    both[a->length + more] = '\0';
    pp_scanner scanner = {.text = both,
                          .at = both,
                          .end = both + a->length + more,
                          .in_directive = true,
                          .words = &f->words};
    return pp_scan(&scanner).length != a->length || scanner.open_comment ||
           (*both == '/' && (both[1] == '/' || both[1] == '*'));
}

static bool is_call_keyword(unsigned keyword)
{
    switch (keyword) {
    case PML_T_ASSERT:
    case PML_T_PRINTF:
    case PML_T_PRINTM:
    case PML_T_LEN:
    case PML_T_EMPTY:
    case PML_T_NEMPTY:
    case PML_T_FULL:
    case PML_T_NFULL:
    case PML_T_ENABLED:
    case PML_T_EVAL:
    case PML_T_PC_VALUE:
    case PML_T_GET_PRIORITY:
    case PML_T_SET_PRIORITY:
        return true;
    default:
        return false;
    }
}

// Before an opening parenthesis or bracket.
static size_t before_open(const fmt_item *prev, const fmt_item *cur, const fmt_context *context)
{
    size_t written = cur->blanks > 0;
    if (prev->kind != FMT_TOKEN)
        return 1;
    if (prev->token != PP_NAME)
        return fmt_is(prev, PML_P_RBRACKET) ? 0 : fmt_is(prev, PML_P_RPAREN) ? written : 1;
    if (cur->punct == PML_P_LBRACKET)
        return prev->keyword ? 1 : context->formula ? written : 0;
    if (prev->keyword == PML_T_SELECT)
        return written;
    if (prev->keyword)
        return !is_call_keyword(prev->keyword);
    return context->formula ? written : 0;
}

// Decides what an operator is.
static void classify(const fmt_item *prev, fmt_item *cur, const fmt_item *next,
                     const fmt_context *context)
{
    bool operand = !context->statement && fmt_ends_operand(prev, context->formula);
    if (fmt_is(cur, PML_P_TILDE))
        cur->unary = true;
    else if (AMONG(cur, PML_P_SND, PML_P_MINUS, PML_P_SNDSORT))
        cur->unary = !operand || (cur->punct != PML_P_MINUS && context->formula);
    if (AMONG(cur, PML_P_ALWAYS, PML_P_EVENTUALLY) && context->formula)
        cur->unary = true;
    if (AMONG(cur, PML_P_RCV, PML_P_RCVRAND) && next && fmt_is(next, PML_P_LT))
        cur->copies = true;
    if (fmt_is(cur, PML_P_LT) && AMONG(prev, PML_P_RCV, PML_P_RCVRAND))
        cur->copies = true;
    cur->glued = fmt_is(cur, PML_P_COLON) && fmt_is_keyword(prev, PML_T_MTYPE); // mtype:t
    if (!cur->unary && (is_arithmetic(cur) || is_message_operator(cur)))
        cur->tight = cur->breaks == 0 ? cur->blanks == 0 : next && next->blanks == 0;
}

// Operators of other languages, `+=` or `=>`, which are errors here: reported as such only in one
// piece.
static bool is_foreign(const fmt_item *prev, const fmt_item *cur)
{
    return cur->blanks == 0 && AMONG(cur, PML_P_ASSIGN, PML_P_GT, PML_P_EQ) && !cur->copies &&
           (is_arithmetic(prev) || is_spaced_operator(prev)) && !prev->copies;
}

// How many spaces are right, whatever was written; the order of the questions matters.
static size_t between(const fmt_item *prev, const fmt_item *cur, const fmt_context *context)
{
    size_t written = cur->blanks > 0;
    if (is_foreign(prev, cur))
        return 0;
    if (cur->kind == FMT_VERBATIM || prev->kind == FMT_VERBATIM)
        return AMONG(cur, PML_P_SEMI, PML_P_COMMA, PML_P_RPAREN, PML_P_RBRACKET) ? 0
               : AMONG(prev, PML_P_LPAREN)                                       ? 0
                                                                                 : 1;
    if (AMONG(cur, PML_P_SEMI, PML_P_COMMA))
        return fmt_is(prev, PML_P_SEP) ? 1 : 0;
    if (AMONG(prev, PML_P_LPAREN, PML_P_LBRACKET) || AMONG(cur, PML_P_RPAREN, PML_P_RBRACKET))
        return 0;
    if (prev->unary)
        return AMONG(prev, PML_P_ALWAYS, PML_P_EVENTUALLY) ? written : 0;
    if (is_message_operator(prev) && (prev->copies || fmt_is(cur, PML_P_LBRACKET)))
        return 0;
    if ((fmt_is(prev, PML_P_LT) && prev->copies) || (fmt_is(cur, PML_P_GT) && cur->copies))
        return 0;
    if (AMONG(prev, PML_P_DOT, PML_P_AT) || AMONG(cur, PML_P_DOT, PML_P_AT))
        return 0;
    if (fmt_is(prev, PML_P_COMMA))
        return context->list ? 1 : written;
    if (fmt_is(prev, PML_P_COLON) && prev->glued)
        return 0;
    if (cur->is_label || fmt_is_keyword(prev, PML_T_MTYPE))
        return !AMONG(cur, PML_P_COLON);
    if (AMONG(prev, PML_P_SEMI, PML_P_SEP, PML_P_ARROW))
        return 1;
    if (prev->is_label) // or the process of a remote reference, P:x
        return prev->blanks == 0 ? written : 1;
    if (cur->unary)
        return prev->token != PP_PUNCT || !prev->tight;
    if (is_spaced_operator(cur) || is_spaced_operator(prev))
        return 1;
    if (cur->tight || prev->tight)
        return 0;
    if (is_message_operator(cur) || is_arithmetic(cur) || is_message_operator(prev) ||
        is_arithmetic(prev))
        return 1;
    if (AMONG(cur, PML_P_INCR, PML_P_DECR))
        return 0;
    if (fmt_is(prev, PML_P_LBRACE) && fmt_is(cur, PML_P_RBRACE))
        return 0;
    if (AMONG(cur, PML_P_LPAREN, PML_P_LBRACKET))
        return before_open(prev, cur, context);
    if (AMONG(cur, PML_P_ALWAYS) || AMONG(prev, PML_P_ALWAYS))
        return written;
    return 1;
}

void fmt_settle(fmt_item *item)
{
    if (item->breaks == 0 && !item->unary && (is_arithmetic(item) || is_message_operator(item)))
        item->tight = item->gap == 0;
}

void fmt_space(fmt_text *f, const fmt_item *prev, fmt_item *cur, const fmt_item *next,
               const fmt_context *context)
{
    if (cur->kind == FMT_TOKEN && cur->token == PP_PUNCT)
        classify(prev, cur, next, context);
    if (cur->breaks > 0 || !prev)
        return;
    if (f->plain || cur->as_written) {
        cur->gap = cur->blanks;
        return;
    }
    cur->gap = between(prev, cur, context);
    if (cur->gap == 0 && cur->blanks > 0 && run_together(f, prev, cur))
        cur->gap = 1;
}
