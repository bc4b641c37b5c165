// Atoms of formulas, and formulas that come from a model.
//
// An atom is a text (from the command line) or a predicate of a system, by its number. Two texts
// are the same atom if they differ in white space only. A negated predicate is the negation of its
// atom, so that `x == 1` and `!(x == 1)` share one. Conjunctions inside a predicate stay in one
// atom: a model may rely on `i < N && a[i]` not to examine a[i] when i is out of range.
#include "base/hash.h"
#include "lang/ltl/formula/formula_pool.h"
#include "model/atoms.h"

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

// The atom that is this predicate or, if that is 0, has this key; UINT32_MAX if none.
static uint32_t find_atom(const gy_ltl_pool *pool, uint64_t hash, gy_atom predicate,
                          const char *key)
{
    const gy_map *map = &pool->atom_map;
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p)) {
        const struct ltl_atom *atom = &pool->atoms.at[p.number];
        if (atom->hash == hash && atom->predicate == predicate &&
            (predicate || !strcmp(atom->key, key)))
            return p.number;
    }
    return UINT32_MAX;
}

uint32_t gy_ltl_atom_named(gy_ltl_pool *pool, const char *text)
{
    char *key = key_of(pool->arena, text);
    uint64_t hash = gy_hash_bytes(key, strlen(key), 1);
    uint32_t known = find_atom(pool, hash, 0, key);
    if (known != UINT32_MAX)
        return known;
    char *copy = gy_arena_strdup(pool->arena, text);
    return add_atom(pool, (struct ltl_atom){.text = copy, .key = key, .hash = hash});
}

uint32_t gy_ltl_atom_of(gy_ltl_pool *pool, gy_atom predicate, const char *text)
{
    uint64_t hash = predicate;
    uint32_t known = find_atom(pool, hash, predicate, NULL);
    if (known != UINT32_MAX)
        return known;
    char *copy = gy_arena_strdup(pool->arena, text ? text : "?");
    return add_atom(pool, (struct ltl_atom){.text = copy,
                                            .key = key_of(pool->arena, copy),
                                            .predicate = predicate,
                                            .hash = hash});
}

uint32_t gy_ltl_atom_count(const gy_ltl_pool *pool)
{
    return (uint32_t)pool->atoms.n;
}

const char *gy_ltl_atom_text(const gy_ltl_pool *pool, uint32_t atom)
{
    return pool->atoms.at[atom].text;
}

gy_atom gy_ltl_atom_predicate(const gy_ltl_pool *pool, uint32_t atom)
{
    return pool->atoms.at[atom].predicate;
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

static gy_ltl atom_formula(gy_ltl_pool *pool, const gy_model *model, const gy_formula *formula)
{
    const char *text = formula->text, *written = formula->written;
    gy_atom predicate = formula->atom;
    bool negated = false, value = false;
    while (model && gy_atom_is_negation(model, predicate, &predicate)) {
        text = positive_text(pool, text);
        written = NULL;
        negated = !negated;
    }
    gy_ltl f;
    if (model && gy_atom_is_constant(model, predicate, &value)) {
        f = value ? GY_LTL_TRUE : GY_LTL_FALSE;
    } else {
        uint32_t atom = gy_ltl_atom_of(pool, predicate, text);
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

bool gy_ltl_from_model(gy_ltl_pool *pool, const gy_model *model, const gy_formula *formula,
                       gy_ltl *out)
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
            made = atom_formula(pool, model, f);
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
