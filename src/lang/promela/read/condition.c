// The expressions of #if and #elif: C's integer constant expressions, in 64 bits, with names
// that are not macros worth 0. Operands that && || ?: do not need are read but not judged.
#include "lang/promela/read/pp_state.h"

#include <string.h>

typedef struct {
    int64_t v;
    bool is_unsigned;
} number;

struct eval {
    pp *p;
    pp_token token;         // the one in front
    gy_location directive;  // for "the line ends too early"
    unsigned depth, unused; // unused > 0: the value does not matter
    bool failed;
};

static void advance(struct eval *e)
{
    e->token = pp_next(e->p);
}

static bool at_punct(const struct eval *e, unsigned punct)
{
    return e->token.kind == PP_PUNCT && e->token.punct == punct;
}

static number fail(struct eval *e, const pp_token *token, const char *message)
{
    if (!e->failed) {
        gy_location place = token && token->kind != PP_END ? token->place : e->directive;
        gy_diag *diag = gy_error(e->p->diags, place, "%s", message);
        if (token && token->kind != PP_END)
            diag->length = token->length;
    }
    e->failed = true;
    return (number){0, false};
}

static number ternary(struct eval *e);

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static number parse_number(struct eval *e)
{
    const char *at = e->token.text, *end = at + e->token.length;
    int base = 10;
    if (*at == '0' && end - at > 1) {
        base = 8;
        if ((at[1] | 32) == 'x' || (at[1] | 32) == 'b') {
            base = (at[1] | 32) == 'x' ? 16 : 2;
            at += 2;
        }
    }
    uint64_t value = 0;
    bool too_large = false;
    const char *digits = at;
    for (; at < end && digit_of(*at) < base; at++) {
        too_large |= value > (UINT64_MAX - (unsigned)digit_of(*at)) / (unsigned)base;
        value = value * (unsigned)base + (unsigned)digit_of(*at);
    }
    bool no_digits = at == digits;
    bool is_unsigned = false;
    for (; at < end && strchr("uUlL", *at); at++)
        is_unsigned |= (*at | 32) == 'u';
    if (at < end || no_digits)
        return fail(e, &e->token, "this is not an integer");
    if (too_large)
        return fail(e, &e->token, "this number is too large");
    return (number){(int64_t)value, is_unsigned || value > INT64_MAX};
}

static number parse_char(struct eval *e)
{
    if (e->token.flags & PP_UNCLOSED)
        return fail(e, &e->token, "the closing quote is missing");
    const char *at = e->token.text + 1, *end = e->token.text + e->token.length - 1;
    uint32_t value = 0;
    if (at == end)
        return fail(e, &e->token, "this character constant is empty");
    while (at < end) {
        unsigned char c = (unsigned char)*at++;
        if (c == '\\' && at < end) {
            static const char names[] = "abfnrtv", codes[] = "\a\b\f\n\r\t\v";
            c = (unsigned char)*at++;
            const char *escape = c ? strchr(names, c) : NULL;
            if (escape) {
                c = (unsigned char)codes[escape - names];
            } else if (c == 'x') {
                for (c = 0; at < end && digit_of(*at) < 16; at++)
                    c = (unsigned char)(c * 16 + digit_of(*at));
            } else if (digit_of((char)c) < 8) {
                c = (unsigned char)(c - '0');
                for (int i = 0; i < 2 && at < end && digit_of(*at) < 8; i++, at++)
                    c = (unsigned char)(c * 8 + digit_of(*at));
            }
        }
        value = value << 8 | c;
    }
    return (number){(int32_t)value, false};
}

// defined X, defined(X): X is not expanded.
static number parse_defined(struct eval *e)
{
    pp_token word = e->token, name = pp_read(e->p);
    bool open = name.kind == PP_PUNCT && name.punct == PML_P_LPAREN;
    if (open)
        name = pp_read(e->p);
    if (name.kind != PP_NAME)
        return fail(e, &word, "`defined` needs a name");
    if (open) {
        pp_token close = pp_read(e->p);
        if (close.kind != PP_PUNCT || close.punct != PML_P_RPAREN)
            return fail(e, &word, "`)` is missing after `defined`");
    }
    return (number){pp_is_defined(e->p, &name), false};
}

static number primary(struct eval *e)
{
    number value = {0, false};
    switch (e->token.kind) {
    case PP_NUMBER:
        value = parse_number(e);
        break;
    case PP_CHAR:
        value = parse_char(e);
        break;
    case PP_NAME:
        if (e->token.text == e->p->word_defined)
            value = parse_defined(e);
        break;
    case PP_PUNCT:
        if (e->token.punct == PML_P_LPAREN) {
            advance(e);
            value = ternary(e);
            if (!e->failed && !at_punct(e, PML_P_RPAREN))
                return fail(e, &e->token, "`)` is missing in this condition");
            break;
        }
        return fail(e, &e->token, "this cannot be used in a condition here");
    case PP_END:
        return fail(e, NULL, "the condition ends too early");
    default:
        return fail(e, &e->token, "this cannot be used in a condition");
    }
    if (!e->failed)
        advance(e);
    return value;
}

static number unary(struct eval *e)
{
    if (e->failed)
        return (number){0, false};
    if (++e->depth > PP_MAX_CONDITION_NESTING)
        return fail(e, &e->token, "this condition is nested too deeply");
    number value;
    unsigned punct = e->token.kind == PP_PUNCT ? e->token.punct : PML_P_NONE;
    switch (punct) {
    case PML_P_SND:
    case PML_P_SNDSORT:
        advance(e);
        value = unary(e);
        value = (number){(value.v != 0) == (punct == PML_P_SNDSORT), false};
        break;
    case PML_P_MINUS:
        advance(e);
        value = unary(e);
        value.v = (int64_t)(0 - (uint64_t)value.v);
        break;
    case PML_P_TILDE:
        advance(e);
        value = unary(e);
        value.v = ~value.v;
        break;
    case PML_P_PLUS:
        advance(e);
        value = unary(e);
        break;
    default:
        value = primary(e);
    }
    e->depth--;
    return value;
}

static int precedence(const pp_token *token)
{
    if (token->kind != PP_PUNCT)
        return 0;
    switch (token->punct) {
    case PML_P_OROR:
        return 1;
    case PML_P_ANDAND:
        return 2;
    case PML_P_BAR:
        return 3;
    case PML_P_CARET:
        return 4;
    case PML_P_AMP:
        return 5;
    case PML_P_EQ:
    case PML_P_NE:
        return 6;
    case PML_P_LT:
    case PML_P_GT:
    case PML_P_LE:
    case PML_P_GE:
        return 7;
    case PML_P_SHL:
    case PML_P_SHR:
        return 8;
    case PML_P_PLUS:
    case PML_P_MINUS:
        return 9;
    case PML_P_STAR:
    case PML_P_SLASH:
    case PML_P_PERCENT:
        return 10;
    default:
        return 0;
    }
}

static number shift(number a, number b, bool left)
{
    if (!b.is_unsigned && b.v < 0) {
        left = !left;
        b.v = b.v == INT64_MIN ? INT64_MAX : -b.v;
    }
    uint64_t by = (uint64_t)b.v;
    if (left)
        a.v = by > 63 ? 0 : (int64_t)((uint64_t)a.v << by);
    else if (a.is_unsigned)
        a.v = by > 63 ? 0 : (int64_t)((uint64_t)a.v >> by);
    else
        a.v = by > 63 ? (a.v < 0 ? -1 : 0) : a.v >> by;
    return a;
}

static number divide(struct eval *e, const pp_token *op, number a, number b, bool is_unsigned)
{
    number result = {0, is_unsigned};
    if (b.v == 0) {
        if (!e->unused)
            return fail(e, op, "division by zero in this condition");
    } else if (is_unsigned) {
        uint64_t x = (uint64_t)a.v, y = (uint64_t)b.v;
        result.v = (int64_t)(op->punct == PML_P_SLASH ? x / y : x % y);
    } else if (b.v == -1) {
        result.v = op->punct == PML_P_SLASH ? (int64_t)(0 - (uint64_t)a.v) : 0;
    } else {
        result.v = op->punct == PML_P_SLASH ? a.v / b.v : a.v % b.v;
    }
    return result;
}

static number apply(struct eval *e, const pp_token *op, number a, number b)
{
    bool u = a.is_unsigned || b.is_unsigned;
    uint64_t x = (uint64_t)a.v, y = (uint64_t)b.v;
    int order = u ? (x > y) - (x < y) : (a.v > b.v) - (a.v < b.v);
    switch (op->punct) {
    case PML_P_OROR:
        return (number){a.v || b.v, false};
    case PML_P_ANDAND:
        return (number){a.v && b.v, false};
    case PML_P_BAR:
        return (number){a.v | b.v, u};
    case PML_P_CARET:
        return (number){a.v ^ b.v, u};
    case PML_P_AMP:
        return (number){a.v & b.v, u};
    case PML_P_EQ:
        return (number){order == 0, false};
    case PML_P_NE:
        return (number){order != 0, false};
    case PML_P_LT:
        return (number){order < 0, false};
    case PML_P_GT:
        return (number){order > 0, false};
    case PML_P_LE:
        return (number){order <= 0, false};
    case PML_P_GE:
        return (number){order >= 0, false};
    case PML_P_SHL:
    case PML_P_SHR:
        return shift(a, b, op->punct == PML_P_SHL);
    case PML_P_PLUS:
        return (number){(int64_t)(x + y), u};
    case PML_P_MINUS:
        return (number){(int64_t)(x - y), u};
    case PML_P_STAR:
        return (number){(int64_t)(x * y), u};
    default:
        return divide(e, op, a, b, u);
    }
}

static number binary(struct eval *e, int least)
{
    number left = unary(e);
    for (int level; !e->failed && (level = precedence(&e->token)) >= least && level;) {
        pp_token op = e->token;
        bool decided = (op.punct == PML_P_OROR && left.v) || (op.punct == PML_P_ANDAND && !left.v);
        advance(e);
        e->unused += decided;
        number right = binary(e, level + 1);
        e->unused -= decided;
        if (!e->failed)
            left = apply(e, &op, left, right);
    }
    return left;
}

static number ternary(struct eval *e)
{
    number condition = binary(e, 1);
    if (e->failed || !at_punct(e, PML_P_RCV))
        return condition;
    if (++e->depth > PP_MAX_CONDITION_NESTING)
        return fail(e, &e->token, "this condition is nested too deeply");
    bool first = condition.v != 0;
    advance(e);
    e->unused += !first;
    number a = ternary(e);
    e->unused -= !first;
    if (!e->failed && !at_punct(e, PML_P_COLON))
        return fail(e, &e->token, "`:` is missing in this condition");
    if (e->failed)
        return a;
    advance(e);
    e->unused += first;
    number b = ternary(e);
    e->unused -= first;
    e->depth--;
    return (number){first ? a.v : b.v, a.is_unsigned || b.is_unsigned};
}

bool pp_condition(pp *p, const pp_token *directive, const pp_token *tokens, size_t count)
{
    size_t contexts = p->contexts.n;
    unsigned pending = p->pending;
    p->pending = 0;
    pp_push_context(
        p, (struct pp_context){.tokens = (pp_token *)tokens, .count = count, .barrier = true});
    struct eval e = {.p = p, .directive = directive->place};
    number value = {0, false};
    advance(&e);
    if (e.token.kind == PP_END)
        fail(&e, directive, "this condition is empty");
    else
        value = ternary(&e);
    if (!e.failed && e.token.kind != PP_END)
        fail(&e, &e.token, "the condition should end before this");
    while (p->contexts.n > contexts)
        pp_pop_context(p);
    p->pending = pending;
    return !e.failed && value.v != 0;
}
