// C that says no more than Promela could: lowered to expressions and assignments.
//
// `c_expr { now.turn == 2 && !now.busy }` and `c_code { now.n++; now.last = now.n - 1; }` read and
// write scalars of the state and nothing else. What they mean in C, where all operands are promoted
// to int, is what the same words mean in Promela; so they need no compiler, and nothing that is
// switched off for C, which could do anything, is switched off for them.
//
// Left to C: whatever could fail there in another way than here (division, shifts, indices), all
// names that are not a scalar of the state, and everything in a model whose own macros might make
// these words mean something else.
#include "lang/promela/lower/lower_internal.h"

#include <ctype.h>
#include <string.h>

typedef struct reader {
    lowering *l;
    const char *at;
    gy_location place;
    uint32_t read; // operands, with their signs and parentheses
    bool failed;
} reader;

// Code that examines an expression descends into it: a block with more operands than this is left
// to C.
enum { MOST_READ = 500 };

// ---- words --------------------------------------------------------------------------------

static void skip_space(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool take(reader *r, const char *text)
{
    size_t n = strlen(text);
    skip_space(r);
    if (strncmp(r->at, text, n) != 0 || (is_word(text[0]) && is_word(r->at[n])))
        return false;
    r->at += n;
    return true;
}

static gy_expr *fail(reader *r)
{
    r->failed = true;
    return new_const(r->l, r->place, 0);
}

// ---- operands -----------------------------------------------------------------------------

// `now.NAME` with a scalar that C promotes to int.
static bool take_variable(reader *r, int32_t *var)
{
    const pml_model *tree = r->l->tree;
    if (!take(r, "now") || !take(r, "."))
        return false;
    skip_space(r);
    size_t n = 0;
    while (is_word(r->at[n]))
        n++;
    for (uint32_t i = 0; i < tree->global_count; i++) {
        const pml_var *global = tree->globals[i];
        if (strlen(global->name) != n || strncmp(global->name, r->at, n) != 0)
            continue;
        pml_type_kind kind = global->type.kind;
        bool plain = kind == PML_TY_BIT || kind == PML_TY_BOOL || kind == PML_TY_BYTE ||
                     kind == PML_TY_SHORT || kind == PML_TY_INT || kind == PML_TY_MTYPE ||
                     kind == PML_TY_UNSIGNED;
        if (!plain || global->is_array || global->visibility == PML_VIS_HIDDEN)
            return false;
        r->at += n;
        *var = ((const lowered_var *)global->lowered)->var;
        return *var != GY_NONE;
    }
    return false;
}

static gy_expr *read_number(reader *r)
{
    int64_t value = 0;
    if (r->at[0] == '0' && is_word(r->at[1]))
        return fail(r); // octal, hexadecimal
    for (; isdigit((unsigned char)*r->at); r->at++) {
        value = 10 * value + (*r->at - '0');
        if (value > INT32_MAX)
            return fail(r);
    }
    return is_word(*r->at) || *r->at == '.' ? fail(r) : new_const(r->l, r->place, (int32_t)value);
}

static gy_expr *read_binary(reader *r, unsigned level);

static gy_expr *read_unary(reader *r, gy_expr_op op);

static gy_expr *read_operand(reader *r)
{
    skip_space(r);
    if (r->failed || r->read++ == MOST_READ)
        return fail(r);
    if (!strncmp(r->at, "--", 2) || !strncmp(r->at, "++", 2))
        return fail(r);
    if (take(r, "!"))
        return read_unary(r, GY_E_NOT);
    if (take(r, "~"))
        return read_unary(r, GY_E_COMPL);
    if (take(r, "-"))
        return read_unary(r, GY_E_NEG);
    if (take(r, "(")) {
        gy_expr *inner = read_binary(r, 0);
        return take(r, ")") ? inner : fail(r);
    }
    if (isdigit((unsigned char)*r->at))
        return read_number(r);
    gy_expr *expr = new_expr(r->l, GY_E_VAR, r->place);
    return take_variable(r, &expr->var) ? expr : fail(r);
}

static gy_expr *read_unary(reader *r, gy_expr_op op)
{
    gy_expr *expr = new_expr(r->l, op, r->place);
    expr->a = read_operand(r);
    return expr;
}

// ---- operators ----------------------------------------------------------------------------

typedef struct binary_operator {
    unsigned level;
    const char *text;
    gy_expr_op op;
} binary_operator;

// Of those that begin alike, the longer one first; what is left to C ends the expression.
static const binary_operator operators[] = {
    {0, "||", GY_E_OR},    {1, "&&", GY_E_AND}, {2, "|", GY_E_BITOR}, {3, "^", GY_E_BITXOR},
    {4, "&", GY_E_BITAND}, {5, "==", GY_E_EQ},  {5, "!=", GY_E_NE},   {6, "<=", GY_E_LE},
    {6, ">=", GY_E_GE},    {6, "<", GY_E_LT},   {6, ">", GY_E_GT},    {7, "+", GY_E_ADD},
    {7, "-", GY_E_SUB},    {8, "*", GY_E_MUL},
};

enum { OPERATORS = sizeof operators / sizeof *operators, LEVELS = 9 };

// The operator that is here, or NULL.
static const binary_operator *look(reader *r)
{
    static const char *const others[] = {
        "<<", ">>", "++", "--", "|=", "&=", "^=", "+=", "-=", "*="};
    skip_space(r);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(r->at, others[i], 2))
            return NULL;
    for (size_t i = 0; i < OPERATORS; i++)
        if (!strncmp(r->at, operators[i].text, strlen(operators[i].text)))
            return &operators[i];
    return NULL;
}

static gy_expr *read_binary(reader *r, unsigned level)
{
    if (level == LEVELS)
        return read_operand(r);
    gy_expr *left = read_binary(r, level + 1);
    for (;;) {
        const binary_operator *found = r->failed ? NULL : look(r);
        if (!found || found->level != level)
            return left;
        r->at += strlen(found->text);
        gy_expr *both = new_expr(r->l, found->op, r->place);
        both->a = left;
        both->b = read_binary(r, level + 1);
        left = both;
    }
}

// ---- whole blocks -------------------------------------------------------------------------

// Macros of the model's could follow any word; those of the standard library do not.
static bool may_have_macros(const char *text)
{
    for (const char *at = text; (at = strchr(at, '#')); at++) {
        const char *word = at + 1;
        while (*word == ' ' || *word == '\t')
            word++;
        if (strncmp(word, "include", 7) != 0)
            return true;
        for (word += 7; *word == ' ' || *word == '\t'; word++)
            ;
        if (*word != '<')
            return true;
    }
    return false;
}

static bool is_readable(const lowering *l, const pml_c_block *block)
{
    if (block->precondition || strchr(block->code, '#'))
        return false;
    for (uint32_t i = 0; i < l->tree->c_unit_count; i++)
        if (may_have_macros(l->tree->c_units[i].text))
            return false;
    return true;
}

gy_expr *lower_plain_c_expr(lowering *l, const pml_c_block *block)
{
    reader r = {.l = l, .at = block->code, .place = block->place};
    if (!is_readable(l, block))
        return NULL;
    gy_expr *expr = read_binary(&r, 0);
    skip_space(&r);
    if (r.failed || *r.at)
        return NULL;
    l->model->plain_c = true;
    return expr;
}

// NAME = EXPRESSION; NAME++; NAME--;
static gy_expr *read_value(reader *r, int32_t var)
{
    bool up = take(r, "++"), down = !up && take(r, "--");
    if (!up && !down) {
        skip_space(r);
        return r->at[0] == '=' && r->at[1] != '=' && take(r, "=") ? read_binary(r, 0) : fail(r);
    }
    gy_expr *value = new_expr(r->l, up ? GY_E_ADD : GY_E_SUB, r->place);
    value->a = new_expr(r->l, GY_E_VAR, r->place);
    value->a->var = var;
    value->b = new_const(r->l, r->place, 1);
    return value;
}

bool lower_plain_c_code(lowering *l, const pml_c_block *block, action_list *actions)
{
    reader r = {.l = l, .at = block->code, .place = block->place};
    size_t before = actions->n;
    if (!is_readable(l, block))
        return false;
    while (skip_space(&r), *r.at && !r.failed) {
        gy_action action = {
            .kind = GY_A_ASSIGN, .place = block->place, .tmpl = GY_NONE, .channel_type = GY_NONE};
        if (!take_variable(&r, &action.var))
            fail(&r);
        else
            action.expr = read_value(&r, action.var);
        if (!take(&r, ";"))
            fail(&r);
        gy_vec_push(actions, action);
    }
    if (!r.failed && actions->n > before) {
        l->model->plain_c = true;
        return true;
    }
    actions->n = before;
    return false;
}
