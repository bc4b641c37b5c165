#include "lang/common/expression.h"

static bool is_at(const gy_expression_reader *r, const gy_operator *op)
{
    const gy_token *token = r->in->at;
    return op->token == token->kind && (op->in & r->context) &&
           (!op->second || token[1].kind == op->second) &&
           (!op->word || strcmp(op->word, token->text) == 0);
}

static const gy_operator *operator_at(const gy_expression_reader *r)
{
    for (const gy_operator *op = r->grammar->operators; op->token; op++)
        if (is_at(r, op))
            return op;
    return NULL;
}

static const gy_operator *letter_of(const gy_expression_reader *r, char letter)
{
    for (const gy_operator *op = r->grammar->prefixes; op->token; op++)
        if (op->token == GY_T_NAME && (op->in & r->context) && op->word[0] == letter &&
            !op->word[1])
            return op;
    return NULL;
}

// Each letter of the name at the next token is a prefix.
static bool is_letters(const gy_expression_reader *r)
{
    const gy_token *token = r->in->at;
    if (token->kind != GY_T_NAME)
        return false;
    for (const char *letter = token->text; *letter; letter++)
        if (!letter_of(r, *letter))
            return false;
    return !r->grammar->is_name || !r->grammar->is_name(r->parser);
}

// Joins the trees, of which there is one for a prefix, and computes the height of the result.
static void *join(const gy_expression_reader *r, const gy_operator *op, const gy_token *token,
                  void *a, void *b)
{
    if (++r->in->height <= GY_MOST_HEIGHT)
        return r->grammar->join(r->parser, op, token, a, b);
    if (r->in->last_error != token)
        gy_error(r->in->diags, token->place, "this is nested too deeply");
    r->in->last_error = token;
    return NULL;
}

static void *read_level(const gy_expression_reader *r, int level);

static void *read_letters(const gy_expression_reader *r)
{
    const gy_token *token = r->in->at++;
    void *expr = read_level(r, letter_of(r, token->text[0])->level);
    for (size_t i = strlen(token->text); expr && i-- > 0;)
        expr = join(r, letter_of(r, token->text[i]), token, expr, NULL);
    return expr;
}

static void *read_prefixed(const gy_expression_reader *r)
{
    const gy_token *token = r->in->at;
    for (const gy_operator *op = r->grammar->prefixes; op->token; op++)
        if (op->token != GY_T_NAME && is_at(r, op)) {
            r->in->at += op->second ? 2 : 1;
            void *expr = read_level(r, op->level);
            return expr ? join(r, op, token, expr, NULL) : NULL;
        }
    return is_letters(r) ? read_letters(r) : r->grammar->operand(r->parser);
}

static void *read_operand(const gy_expression_reader *r)
{
    if (!gy_enter(r->in, r->grammar->most_depth))
        return NULL;
    r->in->height = 0; // operands of the language set it, when they read expressions
    void *expr = read_prefixed(r);
    r->in->depth--;
    return expr;
}

static void *read_level(const gy_expression_reader *r, int level)
{
    void *left = read_operand(r);
    const gy_operator *op, *before = NULL;
    while (left && (op = operator_at(r)) && op->level >= level) {
        unsigned height = r->in->height;
        if ((r->grammar->may_follow && !r->grammar->may_follow(r->parser, op, before, left)) ||
            !gy_enter(r->in, r->grammar->most_depth))
            return NULL;
        const gy_token *token = r->in->at++;
        void *right = read_level(r, op->right ? op->level : op->level + 1);
        r->in->depth--;
        if (height > r->in->height)
            r->in->height = height;
        left = right ? join(r, op, token, left, right) : NULL;
        before = op;
    }
    return left;
}

void *gy_read_expression(const gy_expression_reader *r, int level)
{
    unsigned outer = r->in->height;
    void *expr = read_level(r, level);
    if (outer > r->in->height)
        r->in->height = outer;
    return expr;
}
