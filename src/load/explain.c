// Why a run violates a formula: from the formula down to the innermost parts that decide, by
// their truth at each position of the run.
#include "load/formula_observer.h"
#include "load/property.h"

#include <stdlib.h>

enum { MOST_REASONS = 6, MOST_PARTS = 10000 };

typedef struct account {
    const formula_observer *o;
    uint8_t **truth;
    uint32_t length, loop;
    uint32_t fuel; // parts that may still be examined
    gy_reasons *reasons;
} account;

static void explain(account *a, gy_ltl f, uint32_t at);

static void give(account *a, gy_reason_kind kind, gy_ltl f, uint32_t at)
{
    const gy_ltl_pool *pool = a->o->pool;
    while (gy_ltl_operator(pool, f) == GY_LTL_OP_NOT && kind != GY_REASON_UNKNOWN) {
        static const gy_reason_kind opposite[] = {GY_REASON_FAILS, GY_REASON_HOLDS,
                                                  GY_REASON_ALWAYS, GY_REASON_NEVER};
        f = gy_ltl_operand(pool, f, 0);
        kind = opposite[kind];
    }
    gy_text part = {0};
    if (a->reasons->n == MOST_REASONS)
        return;
    gy_ltl_print(pool, f, GY_LTL_WRITTEN, &part);
    gy_reason reason = {kind, gy_text_take(&part), at};
    for (size_t i = 0; i < a->reasons->n; i++) {
        const gy_reason *other = &a->reasons->at[i];
        if (other->kind == kind && other->position == at && strcmp(other->part, reason.part) == 0) {
            free(reason.part);
            return;
        }
    }
    gy_vec_push(a->reasons, reason);
}

// The first position from `at` on, once round the loop, where f has this value; `length`: none.
static uint32_t first_with(const account *a, gy_ltl f, uint32_t at, bool value)
{
    for (uint32_t i = at; i < a->length; i++)
        if ((a->truth[f][i] != 0) == value)
            return i;
    for (uint32_t i = a->loop; i < at; i++)
        if ((a->truth[f][i] != 0) == value)
            return i;
    return a->length;
}

// x has the same value from `at` on. If that is no matter of single states, the loop shows why.
static void give_lasting(account *a, gy_ltl x, uint32_t at, bool value)
{
    give(a, value ? GY_REASON_ALWAYS : GY_REASON_NEVER, x, at);
    if (!(gy_ltl_traits(a->o->pool, x) & GY_LTL_BOOLEAN))
        explain(a, x, at > a->loop ? at : a->loop);
}

// a U b and its kin is decided at the first position from `at` on where `hold` has the value
// `value` or `other` has the value `other_value`; `length`: nowhere.
static uint32_t first_of_two(const account *a, uint32_t at, gy_ltl hold, bool value, gy_ltl other,
                             bool other_value)
{
    uint32_t i = at;
    for (uint32_t n = 0; n < 2 * a->length; n++) {
        if ((a->truth[hold][i] != 0) == value || (a->truth[other][i] != 0) == other_value)
            return i;
        i = i + 1 < a->length ? i + 1 : a->loop;
    }
    return a->length;
}

static void explain_parts(account *a, gy_ltl f, uint32_t at)
{
    const gy_ltl_pool *pool = a->o->pool;
    bool is = a->truth[f][at], decisive = gy_ltl_operator(pool, f) == GY_LTL_OP_OR;
    for (uint32_t k = 0; k < gy_ltl_arity(pool, f); k++) {
        gy_ltl part = gy_ltl_operand(pool, f, k);
        if ((a->truth[part][at] != 0) != is)
            continue;
        explain(a, part, at);
        if (is == decisive) // one is enough
            return;
    }
}

// f is x U y (or W), and false: y does not come, or x breaks first.
static void explain_until(account *a, gy_ltl f, uint32_t at)
{
    gy_ltl x = gy_ltl_operand(a->o->pool, f, 0), y = gy_ltl_operand(a->o->pool, f, 1);
    uint32_t end = first_of_two(a, at, x, false, y, true);
    if (end == a->length) {
        give_lasting(a, y, at, false);
        return;
    }
    explain(a, x, end);
    explain(a, y, end);
}

// f is x R y (or M), and false: y breaks before x has come, or (M) x does not come.
static void explain_release(account *a, gy_ltl f, uint32_t at)
{
    gy_ltl x = gy_ltl_operand(a->o->pool, f, 0), y = gy_ltl_operand(a->o->pool, f, 1);
    uint32_t end = first_of_two(a, at, y, false, x, true);
    if (end == a->length)
        give_lasting(a, x, at, false);
    else
        explain(a, y, end);
}

// Why f is true, or false, at this position.
static void explain(account *a, gy_ltl f, uint32_t at)
{
    const gy_ltl_pool *pool = a->o->pool;
    gy_ltl_op op = gy_ltl_operator(pool, f);
    if (a->fuel == 0)
        return;
    a->fuel--;
    bool is = a->truth[f][at];
    gy_ltl x = gy_ltl_arity(pool, f) ? gy_ltl_operand(pool, f, 0) : f;
    if (gy_ltl_traits(pool, f) & GY_LTL_BOOLEAN && op != GY_LTL_OP_IMPLIES && op != GY_LTL_OP_AND &&
        op != GY_LTL_OP_NOT) {
        give(a, is ? GY_REASON_HOLDS : GY_REASON_FAILS, f, at);
        return;
    }
    switch (op) {
    case GY_LTL_OP_NOT:
        explain(a, x, at);
        return;
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR:
        explain_parts(a, f, at);
        return;
    case GY_LTL_OP_IMPLIES:
        if (!is || !a->truth[x][at])
            explain(a, x, at);
        if (!is || a->truth[x][at])
            explain(a, gy_ltl_operand(pool, f, 1), at);
        return;
    case GY_LTL_OP_EQUIV:
        explain(a, x, at);
        explain(a, gy_ltl_operand(pool, f, 1), at);
        return;
    case GY_LTL_OP_X:
        explain(a, x, at + 1 < a->length ? at + 1 : a->loop);
        return;
    case GY_LTL_OP_F:
    case GY_LTL_OP_G:
        if (is == (op == GY_LTL_OP_F))
            explain(a, x, first_with(a, x, at, is));
        else
            give_lasting(a, x, at, is);
        return;
    case GY_LTL_OP_U:
    case GY_LTL_OP_W:
        if (!is)
            explain_until(a, f, at);
        else
            give(a, GY_REASON_HOLDS, f, at);
        return;
    case GY_LTL_OP_R:
    case GY_LTL_OP_M:
        if (!is)
            explain_release(a, f, at);
        else
            give(a, GY_REASON_HOLDS, f, at);
        return;
    default:
        give(a, is ? GY_REASON_HOLDS : GY_REASON_FAILS, f, at);
    }
}

// What cannot be evaluated in the last state.
static void explain_fault(account *a, gy_worker *worker, const gy_run_state *last)
{
    const formula_observer *o = a->o;
    uint64_t unknown;
    gy_formula_letter(o, worker, last->state, last->words, &unknown);
    for (uint32_t v = 0; unknown; v++, unknown >>= 1)
        if (unknown & 1)
            give(a, GY_REASON_UNKNOWN, gy_ltl_atom(o->pool, gy_ltl_context_atom(o->context, v)),
                 a->length - 1);
}

// An atom that cannot be evaluated on the way made no difference: false will do.
static void explain_run(account *a, gy_worker *worker, const gy_run_state *run)
{
    const formula_observer *o = a->o;
    gy_lasso word = {.letters = gy_alloc_zero(a->length * sizeof *word.letters)};
    word.length = a->length;
    word.loop = a->loop;
    for (uint32_t i = 0; i < a->length; i++) {
        uint64_t unknown;
        word.letters[i] = gy_formula_letter(o, worker, run[i].state, run[i].words, &unknown);
    }
    a->truth = gy_lasso_truth(o->context, &word, o->formula);
    if (!a->truth[o->formula][0])
        explain(a, o->formula, 0);
    gy_lasso_truth_free(a->truth, o->formula);
    gy_lasso_free(&word);
}

void gy_ltl_explain(const gy_observer *observer, gy_worker *worker, const gy_run_state *run,
                    uint32_t length, uint32_t loop, bool fault, gy_reasons *reasons)
{
    formula_observer *o = observer->self;
    account a = {.o = o, .length = length, .loop = loop, .fuel = MOST_PARTS, .reasons = reasons};
    if (length == 0 || !gy_lasso_know(o->context, o->formula))
        return;
    gy_formula_know_atoms(o);
    if (fault)
        explain_fault(&a, worker, &run[length - 1]);
    else
        explain_run(&a, worker, run);
}

void gy_reasons_free(gy_reasons *reasons)
{
    for (size_t i = 0; i < reasons->n; i++)
        free(reasons->at[i].part);
    gy_vec_free(reasons);
}
