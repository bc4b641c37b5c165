// Expressions by a table of precedence next to the plainest thing that reads them: find the
// operator that binds least, the last of those that group to the left or the first of those that
// group to the right, and split there.
#include "lang/common/expression.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EXPRESSIONS = 20000, MOST = 7, PLAIN = 1, OTHER = 2, BOTH = 3 };

// One context has `;` to the left, the other to the right and tighter; `N` is an operator in one of
// them.
static const gy_operator operators[] = {
    {';', 0, NULL, 1, PLAIN, ';', 0, false}, {';', 0, NULL, 3, OTHER, ';', 0, true},
    {'>', 0, NULL, 2, BOTH, '>', 0, true},   {'+', 0, NULL, 4, BOTH, '+', 0, false},
    {'-', 0, NULL, 4, BOTH, '-', 0, false},  {GY_T_NAME, 0, "N", 5, OTHER, 'N', 0, true},
    {'*', 0, NULL, 6, BOTH, '*', 0, false},  {0},
};

static const gy_operator prefixes[] = {
    {'!', 0, NULL, GY_OPERAND, BOTH, '!', 0, false},
    {'[', ']', NULL, 4, OTHER, 'G', 0, false},
    {GY_T_NAME, 0, "G", 4, OTHER, 'G', 0, false},
    {GY_T_NAME, 0, "F", 4, OTHER, 'F', 0, false},
    {0},
};

typedef struct parser {
    gy_token_reader in;
    gy_arena *arena;
    unsigned context;
    const gy_grammar *grammar; // NULL: the one below
} parser;

static void *join(void *self, const gy_operator *op, const gy_token *token, void *a, void *b)
{
    const parser *p = self;
    (void)token;
    return b ? gy_arena_printf(p->arena, "(%s %c %s)", (char *)a, op->kind, (char *)b)
             : gy_arena_printf(p->arena, "(%c %s)", op->kind, (char *)a);
}

static void *first_only(void *self, const gy_operator *op, const gy_token *token, void *a, void *b)
{
    (void)self, (void)op, (void)token, (void)b;
    return a;
}

static void *operand(void *self);

// G and F are names where a dot follows.
static bool is_name(void *self)
{
    const parser *p = self;
    return p->in.at[1].kind == '.';
}

static const gy_grammar grammar = {.prefixes = prefixes,
                                   .operators = operators,
                                   .most_depth = 100,
                                   .operand = operand,
                                   .join = join,
                                   .is_name = is_name};

static void *read_level(parser *p, int level)
{
    gy_expression_reader reader = {p->grammar ? p->grammar : &grammar, p, &p->in, p->context};
    return gy_read_expression(&reader, level);
}

static void *operand(void *self)
{
    parser *p = self;
    const gy_token *token = p->in.at;
    if (token->kind == '(') {
        p->in.at++;
        void *inner = read_level(p, GY_LOOSEST);
        return inner && gy_expect(&p->in, ')', "to match the opening parenthesis") ? inner : NULL;
    }
    if (token->kind != GY_T_NAME) {
        gy_unexpected(&p->in, "an operand", "here");
        return NULL;
    }
    p->in.at += token[1].kind == '.' ? 2 : 1;
    return (void *)(uintptr_t)token->text;
}

// ---- the plain way ----------------------------------------------------------------------------

static const gy_operator *row(const gy_operator *rows, const gy_token *token, unsigned context)
{
    for (; rows->token; rows++)
        if (rows->token == token->kind && (rows->in & context) &&
            (!rows->word || strcmp(rows->word, token->text) == 0))
            return rows;
    return NULL;
}

static char *split(const parser *p, const gy_token *from, const gy_token *to);

// An expression that begins with a prefix and has no looser operator outside of it, or an operand.
static char *split_prefix(const parser *p, const gy_token *from, const gy_token *to)
{
    if (from->kind == '(')
        return split(p, from + 1, to - 1);
    if (from->kind == '!')
        return gy_arena_printf(p->arena, "(! %s)", split(p, from + 1, to));
    if (from->kind == '[')
        return gy_arena_printf(p->arena, "(G %s)", split(p, from + 2, to));
    char *inner =
        p->context == OTHER && from + 1 < to && from[1].kind != '.' ? split(p, from + 1, to) : NULL;
    if (!inner)
        return gy_arena_printf(p->arena, "%s", from->text);
    for (size_t i = strlen(from->text); i-- > 0;)
        inner = gy_arena_printf(p->arena, "(%c %s)", from->text[i], inner);
    return inner;
}

// Of a prefix at `from`: the lowest level of operators that belong to what it precedes.
static int reach(const parser *p, const gy_token *from)
{
    if (from->kind == '!')
        return GY_OPERAND;
    bool letters = from->kind == GY_T_NAME && strspn(from->text, "GF") == strlen(from->text);
    return p->context == OTHER && (from->kind == '[' || (letters && from[1].kind != '.')) ? 4 : 0;
}

static char *split(const parser *p, const gy_token *from, const gy_token *to)
{
    const gy_token *best = NULL;
    const gy_operator *least = NULL;
    int depth = 0, held = 0; // operators of that level and tighter ones belong to a prefix
    bool at_operand = true;
    for (const gy_token *t = from; t < to; t++) {
        depth += (t->kind == '(') - (t->kind == ')');
        if (depth > 0)
            continue;
        if (at_operand) {
            int own = reach(p, t);
            if (own) {
                held = !held || own < held ? own : held;
                t += t->kind == '[';
                continue;
            }
            at_operand = false;
            continue;
        }
        const gy_operator *op = row(operators, t, p->context);
        if (!op)
            continue;
        at_operand = true;
        if (held && op->level >= held)
            continue;
        held = 0;
        if (!least || op->level < least->level || (op->level == least->level && !op->right)) {
            least = op;
            best = t;
        }
    }
    if (!best)
        return split_prefix(p, from, to);
    char *left = split(p, from, best), *right = split(p, best + 1, to);
    return gy_arena_printf(p->arena, "(%s %c %s)", left, least->kind, right);
}

// ---- both -------------------------------------------------------------------------------------

typedef GY_VEC(gy_token) token_list;

static void add(token_list *list, int kind, const char *text)
{
    gy_token token = {.kind = kind, .text = text};
    gy_vec_push(list, token);
}

static void add_prefix(gy_random *random, unsigned context, token_list *list)
{
    static const char *const words[] = {"G", "F", "GF", "FGG"};
    switch (gy_random_below(random, context == OTHER ? 3 : 1)) {
    case 0:
        add(list, '!', NULL);
        break;
    case 1:
        add(list, '[', NULL);
        add(list, ']', NULL);
        break;
    default:
        add(list, GY_T_NAME, words[gy_random_below(random, 4)]);
    }
}

static void make(gy_random *random, unsigned context, unsigned operands, token_list *list)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const int signs[] = {';', '>', '+', '-', '*'};
    for (unsigned i = 0; i < operands; i++) {
        if (i && context == OTHER && gy_random_below(random, 6) == 0)
            add(list, GY_T_NAME, "N");
        else if (i)
            add(list, signs[gy_random_below(random, 5)], NULL);
        while (gy_random_below(random, 4) == 0)
            add_prefix(random, context, list);
        if (gy_random_below(random, 5) == 0 && operands > 1) {
            add(list, '(', NULL);
            make(random, context, 1 + (unsigned)gy_random_below(random, operands - 1), list);
            add(list, ')', NULL);
        } else if (gy_random_below(random, 9) == 0) {
            add(list, GY_T_NAME, "G");
            add(list, '.', NULL);
        } else {
            add(list, GY_T_NAME, names[gy_random_below(random, 4)]);
        }
    }
}

static void random_expressions(void **state)
{
    (void)state;
    gy_random random;
    gy_random_seed(&random, 5);
    gy_diags *diags = gy_diags_new(NULL);
    for (unsigned i = 0; i < EXPRESSIONS; i++) {
        token_list list = {0};
        parser p = {.in.diags = diags, .arena = gy_arena_new(), .context = i % 2 ? PLAIN : OTHER};
        make(&random, p.context, 1 + (unsigned)gy_random_below(&random, MOST), &list);
        size_t count = list.n;
        add(&list, GY_T_END, NULL);
        add(&list, GY_T_END, NULL);
        p.in.at = list.at;
        const char *got = read_level(&p, GY_LOOSEST);
        assert_non_null(got);
        assert_ptr_equal(p.in.at, list.at + count);
        assert_int_equal(p.in.depth, 0);
        assert_string_equal(got, split(&p, list.at, list.at + count));
        gy_vec_free(&list);
        gy_arena_free(p.arena);
    }
    gy_diags_free(diags);
}

// ( a + a + … ) + a + …, or the sum in parentheses after the other one.
static bool reads(unsigned inner, unsigned outer, bool behind)
{
    token_list list = {0};
    gy_diags *diags = gy_diags_new(NULL);
    parser p = {.in.diags = diags, .context = PLAIN};
    gy_grammar counting = grammar;
    counting.join = first_only;
    for (unsigned i = 0; i < outer && behind; i++) {
        add(&list, GY_T_NAME, "a");
        add(&list, '+', NULL);
    }
    add(&list, '(', NULL);
    add(&list, GY_T_NAME, "a");
    for (unsigned i = 0; i < inner; i++) {
        add(&list, '+', NULL);
        add(&list, GY_T_NAME, "a");
    }
    add(&list, ')', NULL);
    for (unsigned i = 0; i < outer && !behind; i++) {
        add(&list, '+', NULL);
        add(&list, GY_T_NAME, "a");
    }
    add(&list, GY_T_END, NULL);
    add(&list, GY_T_END, NULL);
    p.in.at = list.at;
    p.grammar = &counting;
    bool good = read_level(&p, GY_LOOSEST) != NULL;
    assert_int_equal(gy_diags_errors(diags), !good);
    gy_vec_free(&list);
    gy_diags_free(diags);
    return good;
}

// a + a + … is as high as it has operators, and higher by what is in parentheses where that is
// deepest.
static void height(void **state)
{
    (void)state;
    assert_true(reads(0, GY_MOST_HEIGHT, false));
    assert_false(reads(0, GY_MOST_HEIGHT + 1, false));
    assert_true(reads(GY_MOST_HEIGHT, 0, false));
    assert_false(reads(GY_MOST_HEIGHT + 1, 0, false));
    assert_true(reads(GY_MOST_HEIGHT / 2, GY_MOST_HEIGHT / 2, false));
    assert_false(reads(GY_MOST_HEIGHT / 2, GY_MOST_HEIGHT / 2 + 1, false));
    assert_true(reads(GY_MOST_HEIGHT - 1, GY_MOST_HEIGHT, true)); // one below the last operator
    assert_false(reads(GY_MOST_HEIGHT, GY_MOST_HEIGHT, true));
}

static void recursion(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth < 1000; depth += 99) {
        token_list list = {0};
        gy_diags *diags = gy_diags_new(NULL);
        parser p = {.in.diags = diags, .arena = gy_arena_new(), .context = PLAIN};
        for (unsigned i = 0; i < depth; i++)
            add(&list, i % 2 ? '(' : '!', NULL);
        add(&list, GY_T_NAME, "a");
        for (unsigned i = 0; i < depth; i++)
            if (i % 2)
                add(&list, ')', NULL);
        add(&list, GY_T_END, NULL);
        add(&list, GY_T_END, NULL);
        p.in.at = list.at;
        assert_int_equal(read_level(&p, GY_LOOSEST) != NULL, depth < grammar.most_depth);
        assert_int_equal(gy_diags_errors(diags), depth >= grammar.most_depth);
        gy_vec_free(&list);
        gy_diags_free(diags);
        gy_arena_free(p.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions),
        cmocka_unit_test(height),
        cmocka_unit_test(recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
