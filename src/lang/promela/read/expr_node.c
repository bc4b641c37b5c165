// Nodes of expressions: making them, asking about them.
#include "lang/promela/read/parser.h"

pml_expr *pml_new_expr(pml_parser *p, pml_expr_kind kind, gy_location place, uint32_t length)
{
    pml_xexpr *x = GY_NEW(p->arena, pml_xexpr);
    x->e.kind = kind;
    x->e.place = place;
    x->e.length = length;
    x->depth = 1;
    return &x->e;
}

pml_expr *pml_number(pml_parser *p, int64_t value, gy_location place, uint32_t length)
{
    pml_expr *e = pml_new_expr(p, PML_X_NUMBER, place, length);
    e->value = value;
    return e;
}

pml_expr *pml_var_expr(pml_parser *p, pml_ref ref, uint32_t length)
{
    pml_expr *e =
        pml_new_expr(p, PML_X_VAR, ref.part_count ? ref.parts[0].place : p->last_place, length);
    e->ref = ref;
    if (ref.part_count == 0)
        return pml_number(p, 0, e->place, length); // after an error
    for (uint32_t i = 0; i < ref.part_count; i++) {
        if (ref.parts[i].index && XEXPR(ref.parts[i].index)->depth >= XEXPR(e)->depth)
            XEXPR(e)->depth = XEXPR(ref.parts[i].index)->depth + 1;
    }
    return e;
}

const pml_var *pml_ref_var(const pml_ref *ref)
{
    return ref->part_count ? ref->parts[ref->part_count - 1].var : NULL;
}

bool pml_ref_is_builtin(const pml_ref *ref, pml_builtin builtin)
{
    return ref->part_count == 1 && ref->parts[0].var->role == PML_VAR_BUILTIN &&
           ref->parts[0].var->builtin == builtin;
}

void pml_deepen(pml_parser *p, pml_expr *parent, const pml_expr *child)
{
    if (!child)
        return;
    pml_xexpr *x = XEXPR(parent);
    if (XEXPR(child)->depth >= x->depth)
        x->depth = XEXPR(child)->depth + 1;
    if (x->depth == PML_MAX_TREE_DEPTH && !p->gave_up) {
        gy_diag *d = gy_error(p->diags, parent->place, "this expression is nested too deeply");
        gy_hint(d, "more than %d operators depend on each other", PML_MAX_TREE_DEPTH);
        pml_give_up(p);
    }
}

bool pml_contains(const pml_expr *expr, pml_expr_kind kind)
{
    if (!expr)
        return false;
    if (expr->kind == kind || pml_contains(expr->a, kind) || pml_contains(expr->b, kind) ||
        pml_contains(expr->c, kind))
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (pml_contains(expr->args[i], kind))
            return true;
    }
    for (uint32_t i = 0; i < expr->ref.part_count; i++) {
        if (pml_contains(expr->ref.parts[i].index, kind))
            return true;
    }
    return false;
}

// The bytes from a place to the end of the token consumed last, if they are on one line.
uint32_t pml_span(pml_parser *p, gy_location from, uint32_t at_least)
{
    if (from == p->last_place)
        return at_least;
    gy_location_info a = gy_location_lookup(p->sources, from);
    gy_location_info b = gy_location_lookup(p->sources, p->last_place);
    if (a.file == b.file && a.line == b.line && b.column > a.column)
        return b.column - a.column + p->last_length;
    return at_least;
}
