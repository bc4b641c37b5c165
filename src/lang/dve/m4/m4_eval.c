// Integer expressions, with the operators, precedences and 32-bit arithmetic of GNU m4 1.4, which
// wraps around.
#include "lang/dve/m4/m4_internal.h"

#include <ctype.h>
#include <string.h>

typedef enum {
    OK,
    DIVIDED_BY_ZERO, // fine where && and || need no value
    NEGATIVE_EXPONENT,
    SYNTAX, // from here on, never fine
    TOO_DEEP,
} problem;

typedef struct parser {
    const char *at;
    int depth;
} parser;

// ---- words of expressions -------------------------------------------------------------------

static const char operators[][3] = {"**", "==", "!=", ">=", ">>", "<=", "<<", "&&",
                                    "||", "*",  "/",  "%",  "+",  "-",  "<",  ">",
                                    "=",  "&",  "^",  "|",  "!",  "~",  "(",  ")"};

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

// The operator that comes next, "" if there is none. Those of C that assign are none.
static const char *look(parser *p)
{
    static const char *const none[] = {
        "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ">>=", "<<="};
    p->at = skip_space(p->at);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strncmp(p->at, none[i], strlen(none[i])) == 0)
            return "";
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(p->at, operators[i], strlen(operators[i])) == 0)
            return operators[i];
    return "";
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

// 0x1f, 0b101, 017, 0r36:zz. 0: it is none of these.
static int read_base(parser *p)
{
    int base = 10;
    if (*p->at != '0')
        return base;
    char kind = *++p->at;
    p->at += kind != '\0' && strchr("xXbBrR", kind) != NULL;
    if (kind == 'x' || kind == 'X')
        return 16;
    if (kind == 'b' || kind == 'B')
        return 2;
    if (kind != 'r' && kind != 'R')
        return 8;
    for (base = 0; isdigit((unsigned char)*p->at) && base <= 36; p->at++)
        base = 10 * base + *p->at - '0';
    if (base == 0 || base > 36 || *p->at != ':')
        return 0;
    p->at++;
    return base;
}

static problem read_number(parser *p, int32_t *value)
{
    int base = read_base(p);
    uint32_t number = 0;
    if (!base)
        return SYNTAX;
    for (;; p->at++) {
        int digit = digit_value(*p->at);
        if (base == 1) { // as many as there are ones, after zeroes
            if (digit == 1)
                number++;
            else if (digit != 0 || number)
                break;
        } else if (digit >= base) {
            break;
        } else {
            number = number * (uint32_t)base + (uint32_t)digit;
        }
    }
    *value = (int32_t)number;
    return OK;
}

// ---- values ---------------------------------------------------------------------------------

static problem power(int32_t a, int32_t b, int32_t *value)
{
    uint32_t result = 1;
    if (b < 0)
        return NEGATIVE_EXPONENT;
    if (a == 0 && b == 0)
        return DIVIDED_BY_ZERO;
    for (uint32_t square = (uint32_t)a; b > 0; b >>= 1, square *= square)
        if (b & 1)
            result *= square;
    *value = (int32_t)result;
    return OK;
}

static int32_t shift_right(int32_t a, int32_t b)
{
    unsigned by = (uint32_t)b & 31;
    return a < 0 ? (int32_t) ~(~(uint32_t)a >> by) : (int32_t)((uint32_t)a >> by);
}

// All but those that may be without the value of their right side, and powers.
static problem apply(const char *op, int32_t a, int32_t b, int32_t *value)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (op[0] << 8 | op[1]) {
    case '*' << 8:
        *value = (int32_t)(x * y);
        break;
    case '+' << 8:
        *value = (int32_t)(x + y);
        break;
    case '-' << 8:
        *value = (int32_t)(x - y);
        break;
    case '/' << 8:
    case '%' << 8:
        if (b == 0)
            return DIVIDED_BY_ZERO;
        if (op[0] == '/')
            *value = b == -1 ? (int32_t)(0 - x) : a / b;
        else
            *value = b == -1 ? 0 : a % b;
        break;
    case '<' << 8 | '<':
        *value = (int32_t)(x << (y & 31));
        break;
    case '>' << 8 | '>':
        *value = shift_right(a, b);
        break;
    case '<' << 8:
        *value = a < b;
        break;
    case '>' << 8:
        *value = a > b;
        break;
    case '<' << 8 | '=':
        *value = a <= b;
        break;
    case '>' << 8 | '=':
        *value = a >= b;
        break;
    case '=' << 8:
    case '=' << 8 | '=':
        *value = a == b;
        break;
    case '!' << 8 | '=':
        *value = a != b;
        break;
    case '&' << 8:
        *value = (int32_t)(x & y);
        break;
    case '^' << 8:
        *value = (int32_t)(x ^ y);
        break;
    default:
        *value = (int32_t)(x | y);
        break;
    }
    return OK;
}

// ---- expressions ----------------------------------------------------------------------------

enum { LOOSEST = 1, POWER = 12 };

// How tightly an operator binds; 0: it takes no two sides.
static int strength(const char *op)
{
    static const char *const levels[] = {"||",      "&&",        "|",     "^",   "&",
                                         "== != =", "> >= < <=", "<< >>", "+ -", "* / %"};
    size_t n = strlen(op);
    if (strcmp(op, "**") == 0)
        return POWER;
    for (int i = 0; n && i < (int)(sizeof levels / sizeof *levels); i++)
        for (const char *at = levels[i]; *at; at += strcspn(at, " "), at += *at == ' ')
            if (strcspn(at, " ") == n && strncmp(at, op, n) == 0)
                return LOOSEST + i;
    return 0;
}

static problem read_binary(parser *p, int least, int32_t *value);

static problem read_unary(parser *p, int32_t *value)
{
    const char *op = look(p);
    problem found = OK;
    if (isdigit((unsigned char)*p->at)) {
        found = read_number(p, value);
    } else if (*op == '(') {
        p->at++;
        found = read_binary(p, LOOSEST, value);
        if (found == OK && *look(p) != ')')
            found = SYNTAX;
        p->at += found == OK;
    } else if (*op && strchr("+-!~", *op) && !op[1]) {
        p->at++;
        found = ++p->depth > M4_MOST_EVAL ? TOO_DEEP : read_unary(p, value);
        p->depth--;
        if (*op == '-')
            *value = (int32_t)(0 - (uint32_t)*value);
        else if (*op != '+')
            *value = *op == '!' ? !*value : ~*value;
    } else {
        found = SYNTAX;
    }
    return found;
}

// && and || go on without the value of their right side where the left one decides. That side was
// not read to its end then: what follows must be an operator that ends it.
static problem join(parser *p, const char *op, problem right, int32_t b, int32_t *value)
{
    bool decided = (*op == '|') == (*value != 0);
    if (right != OK && (!decided || right >= SYNTAX))
        return right;
    *value = decided ? *op == '|' : b != 0;
    return right != OK && strength(look(p)) > strength(op) ? SYNTAX : OK;
}

static problem read_binary(parser *p, int least, int32_t *value)
{
    problem found = ++p->depth > M4_MOST_EVAL ? TOO_DEEP : read_unary(p, value);
    const char *op = "";
    for (int level; found == OK && (level = strength(op = look(p))) >= least && level;) {
        int32_t right = 0;
        p->at += strlen(op);
        found = read_binary(p, level == POWER ? level : level + 1, &right);
        if (level <= LOOSEST + 1)
            found = join(p, op, found, right, value);
        else if (found == OK)
            found = level == POWER ? power(*value, right, value) : apply(op, *value, right, value);
    }
    p->depth--;
    return found;
}

const char *m4_eval(const char *text, int32_t *value)
{
    static const char *const problems[] = {NULL, "division by zero", "negative exponent",
                                           "not an integer expression", "too deeply nested"};
    parser p = {.at = text};
    problem found = read_binary(&p, LOOSEST, value);
    if (found == OK && *skip_space(p.at))
        found = SYNTAX;
    return problems[found];
}
