#include "model/atoms.h"

#include "base/map.h"
#include "model/operators.h"

#include <string.h>

enum { FIRST_BLOCK = 64, MOST_BLOCKS = 26 };

typedef struct row {
    const gy_expr *expr;
    uint64_t hash;
    gy_atom of; // of a negation, or 0
} row;

// Rows never move: each block has twice the rows of the one before.
struct gy_atoms {
    gy_arena *arena;
    row *blocks[MOST_BLOCKS];
    uint32_t count;
    gy_map map; // of the expressions, to places in the blocks
};

gy_atoms *gy_atoms_new(gy_arena *arena)
{
    gy_atoms *atoms = GY_NEW(arena, gy_atoms);
    atoms->arena = arena;
    return atoms;
}

void gy_atoms_free(gy_atoms *atoms)
{
    gy_map_free(&atoms->map);
}

// ---- equal expressions ----------------------------------------------------------------------

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

static bool same_node(const gy_expr *a, const gy_expr *b)
{
    return a->op == b->op && a->value == b->value && a->var == b->var && a->tmpl == b->tmpl &&
           a->node == b->node && a->arg_count == b->arg_count && a->random == b->random &&
           a->of_range == b->of_range && a->least == b->least && same_code(a->c_block, b->c_block);
}

static bool same_expr(const gy_expr *a, const gy_expr *b)
{
    if (a == b)
        return true;
    if (!a || !b || !same_node(a, b))
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i].kind != b->args[i].kind || a->args[i].var != b->args[i].var ||
            !same_expr(a->args[i].expr, b->args[i].expr) ||
            !same_expr(a->args[i].index, b->args[i].index))
            return false;
    return same_expr(a->a, b->a) && same_expr(a->b, b->b) && same_expr(a->c, b->c);
}

// ---- the table ------------------------------------------------------------------------------

static uint32_t block_of(uint32_t place, uint32_t *begin)
{
    uint32_t block = 31 - (uint32_t)__builtin_clz(place / FIRST_BLOCK + 1);
    *begin = FIRST_BLOCK * ((1u << block) - 1);
    return block;
}

static row *row_at(const gy_atoms *atoms, uint32_t place)
{
    uint32_t begin, block = block_of(place, &begin);
    return &atoms->blocks[block][place - begin];
}

static gy_atom add(gy_atoms *atoms, row new)
{
    uint32_t place = atoms->count++, begin, block = block_of(place, &begin);
    if (place == begin)
        atoms->blocks[block] = GY_NEW_ARRAY(atoms->arena, row, (size_t)FIRST_BLOCK << block);
    *row_at(atoms, place) = new;
    gy_map_add(&atoms->map, new.hash, place);
    return place + 1;
}

gy_atom gy_model_atom(const gy_model *model, const gy_expr *expr)
{
    gy_atoms *atoms = model->atoms;
    if (!expr)
        return 0;
    uint64_t hash = hash_expr(expr);
    for (gy_map_probe p = gy_map_first(&atoms->map, hash); p.found; gy_map_next(&atoms->map, &p)) {
        const row *known = row_at(atoms, p.number);
        if (known->hash == hash && same_expr(known->expr, expr))
            return p.number + 1;
    }
    gy_atom of = expr->op == GY_E_NOT ? gy_model_atom(model, expr->a) : 0;
    return add(atoms, (row){expr, hash, of});
}

const gy_expr *gy_atom_expr(const gy_model *model, gy_atom atom)
{
    return atom ? row_at(model->atoms, atom - 1)->expr : NULL;
}

bool gy_atom_is_negation(const gy_model *model, gy_atom atom, gy_atom *of)
{
    const row *at = row_at(model->atoms, atom - 1);
    if (at->of)
        *of = at->of;
    return at->of != 0;
}

bool gy_atom_is_constant(const gy_model *model, gy_atom atom, bool *value)
{
    const gy_expr *expr = gy_atom_expr(model, atom);
    *value = expr->value != 0;
    return expr->op == GY_E_CONST;
}

gy_type gy_atom_type(const gy_model *model, gy_atom atom)
{
    const gy_expr *expr = gy_atom_expr(model, atom);
    if (expr->op == GY_E_VAR || expr->op == GY_E_REMOTE_VAR)
        return model->vars[expr->var].type;
    if (gy_op_is_truth(expr->op))
        return (gy_type){.kind = GY_BOOL, .width = 1};
    return (gy_type){.kind = GY_INT, .width = 32, .is_signed = true};
}

bool gy_atoms_are_unchanged(const gy_model *model)
{
    bool same = true;
    for (uint32_t i = 0; i < model->atoms->count; i++) {
        const row *at = row_at(model->atoms, i);
        same = same && hash_expr(at->expr) == at->hash;
    }
    return same;
}
