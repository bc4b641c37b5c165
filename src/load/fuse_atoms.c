#include "load/fuse_atoms.h"

#include "base/arena.h"
#include "lang/ltl/ltl.h"
#include "model/atoms.h"

enum { MOST_ATOMS = 1024 }; // that are fused: texts grow with the square of their number

static uint32_t count_atoms(const gy_formula *f)
{
    if (f->op == GY_F_ATOM)
        return 1;
    return (f->a ? count_atoms(f->a) : 0) + (f->b ? count_atoms(f->b) : 0);
}

static bool has_many_atoms(const gy_model *model, const gy_formula *f)
{
    uint32_t count = count_atoms(f);
    if (count <= GY_AUTOMATON_MAX_ATOMS || count > MOST_ATOMS)
        return false;
    gy_ltl_pool *pool = gy_ltl_pool_new();
    gy_ltl made;
    bool many =
        gy_ltl_from_model(pool, model, f, &made) && // the same one may be there several times
        gy_ltl_atom_count(pool) > GY_AUTOMATON_MAX_ATOMS;
    gy_ltl_pool_free(pool);
    return many;
}

static gy_expr *expr_of(gy_arena *arena, gy_expr_op op, gy_expr *a, gy_expr *b, gy_location place)
{
    gy_expr *made = GY_NEW(arena, gy_expr);
    *made = (gy_expr){.op = op, .place = place, .a = a, .b = b, .var = -1, .tmpl = -1, .node = -1};
    return made;
}

static gy_expr * not(gy_arena * arena, gy_expr *a)
{
    return expr_of(arena, GY_E_NOT, a, NULL, a->place);
}

static gy_expr *joined(gy_arena *arena, const gy_formula *f, gy_expr *a, gy_expr *b)
{
    switch (f->op) {
    case GY_F_NOT:
        return not(arena, a);
    case GY_F_AND:
        return expr_of(arena, GY_E_AND, a, b, f->place);
    case GY_F_OR:
        return expr_of(arena, GY_E_OR, a, b, f->place);
    case GY_F_IMPLIES:
        return expr_of(arena, GY_E_OR, not(arena, a), b, f->place);
    default: // equivalent; any number but 0 is true
        return expr_of(arena, GY_E_EQ, not(arena, a), not(arena, b), f->place);
    }
}

static gy_expr *expr_at(const gy_model *model, const gy_formula *leaf)
{
    return (gy_expr *)gy_atom_expr(model, leaf->atom); // it becomes a part of a larger one
}

static const char *text_of(const gy_model *model, const gy_formula *f, const gy_expr *whole,
                           const gy_formula *part)
{
    const char *text = part->text ? part->text : "?";
    bool same = (f->op == GY_F_AND || f->op == GY_F_OR) && expr_at(model, part)->op == whole->op;
    return same ? text : gy_arena_printf(model->arena, "(%s)", text);
}

static gy_formula *fused(const gy_model *model, const gy_formula *f, gy_formula *a, gy_formula *b)
{
    static const char *const signs[] = {
        [GY_F_AND] = "&&", [GY_F_OR] = "||", [GY_F_IMPLIES] = "->", [GY_F_EQUIV] = "<->"};
    gy_arena *arena = model->arena;
    gy_formula *made = GY_NEW(arena, gy_formula);
    gy_expr *whole = joined(arena, f, expr_at(model, a), b ? expr_at(model, b) : NULL);
    const char *left = text_of(model, f, whole, a);
    *made = (gy_formula){.op = GY_F_ATOM,
                         .place = f->place,
                         .atom = gy_model_atom(model, whole),
                         .written = f->written};
    made->text =
        !b ? gy_arena_printf(arena, "!%s", left)
           : gy_arena_printf(arena, "%s %s %s", left, signs[f->op], text_of(model, f, whole, b));
    return made;
}

static gy_formula *fuse(const gy_model *model, gy_formula *f)
{
    gy_formula *a = f->a ? fuse(model, f->a) : NULL, *b = f->b ? fuse(model, f->b) : NULL;
    if (f->op >= GY_F_NOT && f->op <= GY_F_EQUIV && a->op == GY_F_ATOM &&
        (!b || b->op == GY_F_ATOM))
        return fused(model, f, a, b);
    if (a == f->a && b == f->b)
        return f;
    gy_formula *made = GY_NEW(model->arena, gy_formula);
    *made = *f;
    made->a = a;
    made->b = b;
    return made;
}

gy_formula *gy_fuse_atoms(const gy_model *model, gy_formula *formula)
{
    return model && has_many_atoms(model, formula) ? fuse(model, formula) : formula;
}
