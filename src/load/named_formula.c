// Formulas over the predicates that a system without a MODEL names (a shared object). They are read
// as `gyre ltl` reads formulas; each atom must be the name of a predicate.
#include "lang/ltl/ltl.h"
#include "load/load.h"

#include "base/arena.h"
#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static gy_atom predicate_named(const gy_predicate_names *names, const char *text)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], text) == 0)
            return i + 1;
    return 0;
}

static void list_names(const gy_predicate_names *names, gy_text *out)
{
    for (uint32_t i = 0; i < names->count; i++)
        gy_text_printf(out, "%s`%s`", i ? ", " : "", names->names[i]);
}

// The predicate of this name, or 0 after having said so.
static gy_atom find_name(const gy_predicate_names *names, const char *text, gy_diags *diags)
{
    gy_atom found = predicate_named(names, text);
    if (found)
        return found;
    gy_text all = {0};
    list_names(names, &all);
    if (names->count)
        gy_error(diags, 0, "unknown predicate `%s`: the shared object has %s", text,
                 gy_text_str(&all));
    else
        gy_error(diags, 0, "this shared object has no predicates for formulas");
    gy_text_free(&all);
    return 0;
}

static gy_formula_op op_of(gy_ltl_op op)
{
    static const gy_formula_op ops[] = {
        [GY_LTL_OP_CONST] = GY_F_FALSE,  [GY_LTL_OP_ATOM] = GY_F_ATOM,
        [GY_LTL_OP_NOT] = GY_F_NOT,      [GY_LTL_OP_AND] = GY_F_AND,
        [GY_LTL_OP_OR] = GY_F_OR,        [GY_LTL_OP_IMPLIES] = GY_F_IMPLIES,
        [GY_LTL_OP_EQUIV] = GY_F_EQUIV,  [GY_LTL_OP_X] = GY_F_NEXT,
        [GY_LTL_OP_F] = GY_F_EVENTUALLY, [GY_LTL_OP_G] = GY_F_ALWAYS,
        [GY_LTL_OP_U] = GY_F_UNTIL,      [GY_LTL_OP_R] = GY_F_RELEASE,
        [GY_LTL_OP_W] = GY_F_WEAK_UNTIL, [GY_LTL_OP_M] = GY_F_STRONG_RELEASE,
    };
    return ops[op];
}

// Operands have smaller numbers than what they are operands of: one pass builds all.
static gy_formula *build(gy_arena *arena, const gy_ltl_pool *pool, gy_ltl formula,
                         const gy_predicate_names *names, gy_diags *diags)
{
    gy_formula *all = GY_NEW_ARRAY(arena, gy_formula, (size_t)formula + 1);
    bool *used = gy_alloc_zero((size_t)formula + 1);
    used[formula] = true;
    for (gy_ltl f = formula + 1; f-- > 0;)
        if (used[f] && gy_ltl_operator(pool, f) != GY_LTL_OP_ATOM)
            for (uint32_t k = 0; k < gy_ltl_arity(pool, f); k++)
                used[gy_ltl_operand(pool, f, k)] = true;
    for (gy_ltl f = 0; f <= formula; f++) {
        if (!used[f])
            continue;
        gy_ltl_op op = gy_ltl_operator(pool, f);
        uint32_t arity = op == GY_LTL_OP_ATOM ? 0 : gy_ltl_arity(pool, f);
        all[f] = (gy_formula){.op = f == GY_LTL_TRUE ? GY_F_TRUE : op_of(op)};
        if (op == GY_LTL_OP_ATOM) {
            const char *text = gy_ltl_atom_text(pool, gy_ltl_atom_index(pool, f));
            all[f].text = gy_arena_strdup(arena, text);
            all[f].atom = find_name(names, text, diags);
        }
        if (arity > 0)
            all[f].a = &all[gy_ltl_operand(pool, f, 0)];
        if (arity > 1)
            all[f].b = &all[gy_ltl_operand(pool, f, 1)];
        for (uint32_t k = 2; k < arity; k++) { // a && b && c: ((a && b) && c)
            gy_formula *left = GY_NEW(arena, gy_formula);
            *left = all[f];
            all[f].a = left;
            all[f].b = &all[gy_ltl_operand(pool, f, k)];
        }
    }
    free(used);
    return &all[formula];
}

gy_formula *gy_load_named_formula(gy_system *system, const char *text, gy_diags **diags)
{
    if (!system->arena)
        system->arena = gy_arena_new();
    gy_sources *sources = gy_sources_new();
    gy_ltl_pool *pool = gy_ltl_pool_new();
    gy_predicate_names names;
    gy_ltl formula;
    gy_formula *built = NULL;
    *diags = gy_diags_new(sources);
    gy_diags_adopt_sources(*diags);
    gy_system_names(system, &names);
    if (gy_ltl_parse(pool, sources, *diags, "<formula>", text, strlen(text), &formula))
        built = build(system->arena, pool, formula, &names, *diags);
    gy_ltl_pool_free(pool);
    return gy_diags_errors(*diags) ? NULL : built;
}

gy_atom gy_load_named_predicate(gy_system *system, const char *text, gy_diags **diags)
{
    gy_predicate_names names;
    *diags = gy_diags_new(NULL);
    gy_system_names(system, &names);
    return find_name(&names, text, *diags);
}
