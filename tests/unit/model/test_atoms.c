// Numbers of predicates: equal expressions share one, copies of a model and systems of them agree
// on it, and only what gy_predicate gave is answered.
#include "exec/system.h"
#include "exec/view.h"
#include "load/fuse_atoms.h"
#include "load/load.h"
#include "model/atoms.h"
#include "model/passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static gy_expr *constant(gy_model *model, int32_t value)
{
    gy_expr *expr = gy_expr_new(model->arena, GY_E_CONST, 0);
    expr->value = value;
    return expr;
}

static void numbers_stay_while_others_are_added(void **state)
{
    enum { COUNT = 5000 };
    gy_model *model = gy_model_new();
    gy_expr *exprs[COUNT];
    gy_atom atoms[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        exprs[i] = constant(model, i);
        atoms[i] = gy_model_atom(model, exprs[i]);
        assert_int_not_equal(atoms[i], 0);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(gy_atom_expr(model, atoms[i]), exprs[i]);
        assert_int_equal(gy_model_atom(model, constant(model, i)), atoms[i]); // another tree
        assert_true(i == 0 || atoms[i] != atoms[i - 1]);
    }
    assert_int_equal(gy_model_atom(model, NULL), 0);
    assert_null(gy_atom_expr(model, 0));
    gy_model_free(model);
}

static void indices_with_other_bounds_differ(void **state)
{
    gy_model *model = gy_model_new();
    gy_expr *a = gy_expr_new(model->arena, GY_E_INDEX, 0), *b, *c;
    (void)state;
    a->value = 4;
    a->a = constant(model, 1);
    b = gy_expr_new(model->arena, GY_E_INDEX, 0);
    c = gy_expr_new(model->arena, GY_E_INDEX, 0);
    *b = *c = *a;
    b->of_range = true;
    c->least = 1;
    gy_atom one = gy_model_atom(model, a), two = gy_model_atom(model, b);
    assert_int_not_equal(one, two);
    assert_int_not_equal(one, gy_model_atom(model, c));
    assert_int_not_equal(two, gy_model_atom(model, c));
    gy_model_free(model);
}

static const char two_sizes[] = "byte x, y; active proctype P() { do :: x < 3 -> x++; y = x od }";

static int last_state(void *user, const gy_transition *transition)
{
    memcpy(user, transition->state, transition->words * sizeof *transition->state);
    return (int)transition->words;
}

// `y` leaves the reduced states and `x` gets fewer bits: the number of a predicate of `x` says the
// same of the initial state of both systems, before and after a step.
static void copies_agree(void **state)
{
    gy_diags *diags;
    gy_saved saved;
    (void)state;
    gy_model *model = gy_load_model_text("m.pml", two_sizes, strlen(two_sizes), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    gy_atom atom = gy_load_predicate(model, "x == 1", &diags);
    gy_diags_free(diags);
    gy_passes passes = {true, true, false, true};
    gy_watched watched = {0};
    gy_model *reduced = gy_model_reduced(model, &passes, &watched, &saved);
    assert_true(saved.sliced_variables > 0 && saved.narrowed_variables > 0);
    gy_diags *more;
    gy_atom later = gy_load_predicate(model, "x + 1 == 2 || x > 7", &more); // after the copy
    gy_diags_free(more);
    gy_system *systems[] = {gy_system_vm(model, false, NULL), gy_system_vm(reduced, false, NULL)};
    for (int i = 0; i < 2; i++) {
        gy_worker *worker = gy_worker_new(systems[i]);
        gy_word words[64];
        uint32_t count = (uint32_t)gy_initial(worker, last_state, words);
        const gy_atom atoms[] = {atom, later};
        uint64_t unknown;
        assert_int_equal(gy_state_view_truths(worker, words, count, atoms, 2, &unknown), 0);
        count = (uint32_t)gy_successors(worker, words, count, last_state, words); // x < 3
        count = (uint32_t)gy_successors(worker, words, count, last_state, words); // x++
        assert_int_equal(gy_state_view_truths(worker, words, count, atoms, 2, &unknown), 3);
        assert_int_equal(unknown, 0);
        gy_worker_free(worker);
        gy_system_free(systems[i]);
    }
    gy_model_free(model);
}

static void only_given_numbers_are_answered(void **state)
{
    static const char text[] =
        "byte x; ltl p { [] (x < 9) } active proctype P() { byte own; own++; x = own }";
    char *problem = NULL;
    gy_word words[64];
    int32_t value;
    (void)state;
    gy_system *system = gy_load_text("m.pml", text, strlen(text), NULL, &problem);
    assert_non_null(system);
    gy_free(problem);
    gy_worker *worker = gy_worker_new(system);
    uint32_t count = (uint32_t)gy_initial(worker, last_state, words);
    for (int i = -2; i < 200; i++) { // the formula's predicate is numbered, but not given
        assert_false(gy_holds(worker, words, count, i));
        assert_false(gy_evaluate(worker, words, count, i, &value));
    }
    int first = gy_predicate(system, "x == 0", NULL), again = gy_predicate(system, "x==0", NULL);
    assert_true(first > 0);
    assert_int_equal(first, again);
    assert_true(gy_holds(worker, words, count, first));
    int other = gy_predicate(system, "x + 5", NULL);
    assert_true(gy_evaluate(worker, words, count, other, &value));
    assert_int_equal(value, 5);
    assert_false(gy_holds(worker, words, count, other + 1000000));
    gy_worker_free(worker);
    gy_system_free(system);
}

// Labels get their nodes when the processes are complete: later than the formulas that name them.
static void labels_are_told_apart(void **state)
{
    static const char text[] = "ltl p { <> P@here && <> P@there && <> P@here } "
                               "active proctype P() { byte x; here: x = 1; there: x = 2 }";
    gy_diags *diags;
    (void)state;
    gy_model *model = gy_load_model_text("m.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    const gy_formula *all = model->ltls[0].formula, *both = all->a;
    gy_atom here = both->a->a->atom, there = both->b->a->atom;
    assert_int_equal(both->op, GY_F_AND);
    assert_int_not_equal(here, there);
    assert_int_equal(here, all->b->a->atom);
    assert_int_not_equal(gy_atom_expr(model, here)->node, gy_atom_expr(model, there)->node);
    assert_true(gy_atoms_are_unchanged(model));
    gy_model_free(model);
}

// A system without a model has no expressions that could be joined.
static void atoms_of_no_model_stay(void **state)
{
    enum { COUNT = 100 };
    gy_formula atoms[COUNT], chain[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        atoms[i] = (gy_formula){.op = GY_F_ATOM, .atom = (gy_atom)i + 1, .text = "p"};
        chain[i] = (gy_formula){.op = GY_F_OR, .a = i ? &chain[i - 1] : &atoms[0], .b = &atoms[i]};
    }
    assert_ptr_equal(gy_fuse_atoms(NULL, &chain[COUNT - 1]), &chain[COUNT - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stay_while_others_are_added),
        cmocka_unit_test(indices_with_other_bounds_differ),
        cmocka_unit_test(copies_agree),
        cmocka_unit_test(labels_are_told_apart),
        cmocka_unit_test(atoms_of_no_model_stay),
        cmocka_unit_test(only_given_numbers_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
