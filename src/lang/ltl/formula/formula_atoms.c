// Atoms of formulas, and formulas that come from a model.
//
// An atom is a text (from the command line) or an expression of a model. Two texts are the
// same atom if they differ in white space only; two expressions, if they are structurally
// equal (places do not count). A negated expression is the negation of its atom, so that
// `x == 1` and `!(x == 1)` share one. Conjunctions inside an expression stay in one atom: a
// model may rely on `i < N && a[i]` not to examine a[i] when i is out of range.
#include "base/hash.h"
#include "lang/ltl/formula/formula_pool.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The text without white space, except one space where two words would run together.
static char *key_of(gy_arena *arena, const char *text)
{
    size_t length = strlen(text), n = 0;
    char *key = gy_arena_alloc(arena, length + 1);
    bool blank = false;
    for (size_t i = 0; i < length; i++) {
        if (isspace((unsigned char)text[i])) {
            blank = n > 0;
            continue;
        }
        if (blank && is_word(key[n - 1]) && is_word(text[i]))
            key[n++] = ' ';
        blank = false;
        key[n++] = text[i];
    }
    key[n] = '\0';
    return key;
}

static uint32_t add_atom(gy_ltl_pool *pool, struct ltl_atom atom)
{
    uint32_t number = (uint32_t)pool->atoms.n;
    gy_vec_push(&pool->atoms, atom);
    gy_map_add(&pool->atom_map, atom.hash, number);
    return number;
}

static bool same_expr(const gy_expr *a, const gy_expr *b);

// The atom with this expression or, if expr is NULL, with this key; UINT32_MAX if none.
static uint32_t find_atom(const gy_ltl_pool *pool, uint64_t hash, const gy_expr *expr,
                          const char *key)
{
    const gy_map *map = &pool->atom_map;
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p)) {
        const struct ltl_atom *atom = &pool->atoms.at[p.number];
        if (atom->hash == hash && !atom->expr == !expr &&
            (expr ? same_expr(atom->expr, expr) : !strcmp(atom->key, key)))
            return p.number;
    }
    return UINT32_MAX;
}

uint32_t gy_ltl_atom_named(gy_ltl_pool *pool, const char *text)
{
    char *key = key_of(pool->arena, text);
    uint64_t hash = gy_hash_bytes(key, strlen(key), 1);
    uint32_t known = find_atom(pool, hash, NULL, key);
    if (known != UINT32_MAX)
        return known;
    char *copy = gy_arena_strdup(pool->arena, text);
    return add_atom(pool, (struct ltl_atom){.text = copy, .key = key, .hash = hash});
}

static uint64_t hash_expr(const gy_expr *e)
{
    if (!e)
        return 7;
    uint64_t hash = gy_hash_pair((uint64_t)e->op, (uint32_t)e->value);
    hash = gy_hash_pair(hash, (uint64_t)(uint32_t)e->var << 32 | (uint32_t)e->tmpl);
    hash = gy_hash_pair(hash, (uint64_t)(uint32_t)e->node << 32 | e->arg_count);
    hash = gy_hash_pair(hash, hash_expr(e->a));
    hash = gy_hash_pair(hash, hash_expr(e->b));
    hash = gy_hash_pair(hash, hash_expr(e->c));
    for (uint32_t i = 0; i < e->arg_count; i++)
        hash = gy_hash_pair(hash, hash_expr(e->args[i].expr) + e->args[i].kind);
    return hash;
}

static bool same_code(const gy_c_code *a, const gy_c_code *b)
{
    return a == b || (a && b && a->code && b->code && !strcmp(a->code, b->code) &&
                      !a->precondition == !b->precondition &&
                      (!a->precondition || !strcmp(a->precondition, b->precondition)));
}

static bool same_expr(const gy_expr *a, const gy_expr *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->op != b->op || a->value != b->value || a->var != b->var ||
        a->tmpl != b->tmpl || a->node != b->node || a->arg_count != b->arg_count ||
        a->random != b->random || !same_code(a->c_block, b->c_block))
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i].kind != b->args[i].kind || a->args[i].var != b->args[i].var ||
            !same_expr(a->args[i].expr, b->args[i].expr) ||
            !same_expr(a->args[i].index, b->args[i].index))
            return false;
    return same_expr(a->a, b->a) && same_expr(a->b, b->b) && same_expr(a->c, b->c);
}

uint32_t gy_ltl_atom_of(gy_ltl_pool *pool, const gy_expr *expr, const char *text)
{
    uint64_t hash = hash_expr(expr);
    uint32_t known = find_atom(pool, hash, expr, NULL);
    if (known != UINT32_MAX)
        return known;
    char *copy = gy_arena_strdup(pool->arena, text ? text : "?");
    return add_atom(
        pool, (struct ltl_atom){
                  .text = copy, .key = key_of(pool->arena, copy), .expr = expr, .hash = hash});
}

uint32_t gy_ltl_atom_count(const gy_ltl_pool *pool)
{
    return (uint32_t)pool->atoms.n;
}

const char *gy_ltl_atom_text(const gy_ltl_pool *pool, uint32_t atom)
{
    return pool->atoms.at[atom].text;
}

const gy_expr *gy_ltl_atom_expr(const gy_ltl_pool *pool, uint32_t atom)
{
    return pool->atoms.at[atom].expr;
}

// The text of a negated atom, `!(x == 1)` or `!x`, without the negation.
static const char *positive_text(gy_ltl_pool *pool, const char *text)
{
    if (!text)
        return NULL;
    while (isspace((unsigned char)*text))
        text++;
    return *text == '!' ? text + 1 : gy_arena_printf(pool->arena, "!(%s)", text);
}

static gy_ltl atom_formula(gy_ltl_pool *pool, const gy_expr *expr, const char *text,
                           const char *written)
{
    bool negated = false;
    while (expr->op == GY_E_NOT) {
        expr = expr->a;
        text = positive_text(pool, text);
        written = NULL;
        negated = !negated;
    }
    gy_ltl f = expr->value ? GY_LTL_TRUE : GY_LTL_FALSE;
    if (expr->op != GY_E_CONST) {
        uint32_t atom = gy_ltl_atom_of(pool, expr, text);
        if (written && !pool->atoms.at[atom].written)
            pool->atoms.at[atom].written = gy_arena_strdup(pool->arena, written);
        f = gy_ltl_atom(pool, atom);
    }
    return negated ? gy_ltl_not(pool, f) : f;
}

static const gy_ltl_op from_model[] = {
    [GY_F_NOT] = GY_LTL_OP_NOT,      [GY_F_AND] = GY_LTL_OP_AND,
    [GY_F_OR] = GY_LTL_OP_OR,        [GY_F_IMPLIES] = GY_LTL_OP_IMPLIES,
    [GY_F_EQUIV] = GY_LTL_OP_EQUIV,  [GY_F_NEXT] = GY_LTL_OP_X,
    [GY_F_ALWAYS] = GY_LTL_OP_G,     [GY_F_EVENTUALLY] = GY_LTL_OP_F,
    [GY_F_UNTIL] = GY_LTL_OP_U,      [GY_F_RELEASE] = GY_LTL_OP_R,
    [GY_F_WEAK_UNTIL] = GY_LTL_OP_W, [GY_F_STRONG_RELEASE] = GY_LTL_OP_M,
};

struct visit {
    const gy_formula *formula;
    uint32_t operands; // 0: not entered yet
};
typedef GY_VEC(struct visit) visits;

// Schedules the operands of f, first one last. A chain of conjunctions has all its members as
// operands at once: joining them one by one would be quadratic.
static uint32_t schedule(visits *todo, const gy_formula *f)
{
    size_t before = todo->n;
    if (f->op != GY_F_AND && f->op != GY_F_OR) {
        if (f->b)
            gy_vec_push(todo, ((struct visit){f->b, 0}));
        gy_vec_push(todo, ((struct visit){f->a, 0}));
        return (uint32_t)(todo->n - before);
    }
    GY_VEC(const gy_formula *) chain = {0};
    gy_vec_push(&chain, f);
    while (chain.n) {
        const gy_formula *top = chain.at[--chain.n];
        if (top->op == f->op) {
            gy_vec_push(&chain, top->a);
            gy_vec_push(&chain, top->b);
        } else {
            gy_vec_push(todo, ((struct visit){top, 0}));
        }
    }
    gy_vec_free(&chain);
    return (uint32_t)(todo->n - before);
}

bool gy_ltl_from_model(gy_ltl_pool *pool, const gy_formula *formula, gy_ltl *out)
{
    visits todo = {0};
    GY_VEC(gy_ltl) done = {0};
    bool fits = true;
    gy_vec_push(&todo, ((struct visit){formula, 0}));
    while (todo.n && fits) {
        size_t top = todo.n - 1;
        const gy_formula *f = todo.at[top].formula;
        if (!todo.at[top].operands && f->op > GY_F_FALSE) {
            uint32_t operands = schedule(&todo, f);
            todo.at[top].operands = operands;
            continue;
        }
        uint32_t operands = todo.at[top].operands;
        todo.n--;
        gy_ltl made = f->op == GY_F_TRUE ? GY_LTL_TRUE : GY_LTL_FALSE;
        if (f->op == GY_F_ATOM)
            made = atom_formula(pool, f->atom, f->text, f->written);
        else if (f->op > GY_F_FALSE) {
            done.n -= operands;
            made = gy_ltl_rebuild(pool, from_model[f->op], &done.at[done.n], operands);
            if (f->written && pool->nodes.at[made].op > GY_LTL_OP_ATOM)
                gy_vec_push(&pool->names,
                            ((struct ltl_name){made, gy_arena_strdup(pool->arena, f->written)}));
        }
        fits = gy_ltl_depth(pool, made) <= GY_LTL_MAX_DEPTH;
        gy_vec_push(&done, made);
    }
    if (fits)
        *out = done.at[0];
    gy_vec_free(&todo);
    gy_vec_free(&done);
    return fits;
}
