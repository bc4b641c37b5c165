// Finding, judging and printing ultimately periodic words.
//
// gy_lasso_satisfies computes, for each subformula, its truth at each position of the lasso:
// operators that look ahead are least (F, U, M) or greatest (G, R, W) fixpoints, reached after
// two sweeps from the last position to the first.
#include "lang/ltl/automaton/lasso_word.h"

#include "lang/ltl/automaton/steps.h"

#include <ctype.h>
#include <string.h>

void gy_lasso_free(gy_lasso *lasso)
{
    free(lasso->letters);
    memset(lasso, 0, sizeof *lasso);
}

// ---- finding ----------------------------------------------------------------------------------

struct walk {
    const gy_automaton *a;
    const gy_sccs *sccs;
    GY_VEC(uint64_t) letters;
    uint32_t *by; // edge + 1 that led to a state
};

static uint64_t letter_of(const gy_automaton *a, gy_bdd label)
{
    uint64_t letter = 0;
    while (label > GY_BDD_TRUE) {
        gy_bdd low = gy_bdd_low(a->labels, label);
        if (low == GY_BDD_FALSE)
            letter |= 1ull << gy_bdd_top(a->labels, label);
        label = low == GY_BDD_FALSE ? gy_bdd_high(a->labels, label) : low;
    }
    return letter;
}

// Appends the letters of a shortest path from `from` whose last edge is wanted; the state
// after it. Wanted: into component `component` (sets == 0), or, inside it, in one of `sets`
// or leading to `target`.
static uint32_t go(struct walk *w, uint32_t from, uint32_t component, uint64_t sets,
                   uint32_t target, uint64_t *seen)
{
    const gy_automaton *a = w->a;
    bool entering = !sets && target == UINT32_MAX;
    memset(w->by, 0, a->state_count * sizeof *w->by);
    GY_VEC(uint32_t) queue = {0};
    gy_vec_push(&queue, from);
    uint32_t last = UINT32_MAX;
    for (size_t q = 0; q < queue.n && last == UINT32_MAX; q++)
        for (uint32_t i = a->first[queue.at[q]]; i < a->first[queue.at[q] + 1]; i++) {
            const gy_aut_edge *e = &a->edges[i];
            if (!entering && w->sccs->of[e->to] != component)
                continue;
            bool wanted = entering ? w->sccs->of[e->to] == component
                                   : (e->accept & sets) != 0 || e->to == target;
            if (wanted) {
                last = i;
                break;
            }
            if (!w->by[e->to] && e->to != from) {
                w->by[e->to] = i + 1;
                gy_vec_push(&queue, e->to);
            }
        }
    gy_vec_free(&queue);
    size_t begin = w->letters.n;
    uint32_t end = a->edges[last].to, i = last;
    for (;;) {
        gy_vec_push(&w->letters, letter_of(a, a->edges[i].label));
        *seen |= a->edges[i].accept;
        if (a->edges[i].from == from)
            break;
        i = w->by[a->edges[i].from] - 1;
    }
    for (size_t x = begin, y = w->letters.n - 1; x < y; x++, y--) {
        uint64_t swap = w->letters.at[x];
        w->letters.at[x] = w->letters.at[y];
        w->letters.at[y] = swap;
    }
    return end;
}

bool gy_automaton_lasso(const gy_automaton *a, gy_lasso *out)
{
    gy_sccs sccs = gy_sccs_find(a);
    uint32_t component = UINT32_MAX;
    for (uint32_t c = sccs.count; c-- > 0 && component == UINT32_MAX;)
        if (sccs.accepting[c])
            component = c; // near the start: edges go to smaller numbers
    if (component != UINT32_MAX) {
        struct walk w = {.a = a, .sccs = &sccs};
        w.by = gy_alloc(a->state_count * sizeof *w.by);
        uint64_t seen = 0, all = gy_automaton_all(a);
        uint32_t state = a->initial;
        if (sccs.of[state] != component)
            state = go(&w, state, component, 0, UINT32_MAX, &seen);
        uint32_t start = state;
        out->loop = (uint32_t)w.letters.n;
        for (seen = 0; all & ~seen;)
            state = go(&w, state, component, all & ~seen, UINT32_MAX, &seen);
        if (state != start || w.letters.n == out->loop)
            go(&w, state, component, 0, start, &seen);
        out->length = (uint32_t)w.letters.n;
        out->letters = w.letters.at;
        free(w.by);
    }
    gy_sccs_free(&sccs);
    return component != UINT32_MAX;
}

// ---- judging ----------------------------------------------------------------------------------

struct judge {
    gy_ltl_context *context;
    const gy_lasso *lasso;
    uint8_t **truth; // by formula; NULL: not yet known
};

static void judge(struct judge *j, gy_ltl f);

static uint32_t after(const gy_lasso *lasso, uint32_t i)
{
    return i + 1 < lasso->length ? i + 1 : lasso->loop;
}

// x op y at one position, given the truth of the whole at the next one.
static bool ahead(gy_ltl_op op, bool x, bool y, bool next)
{
    switch (op) {
    case GY_LTL_OP_F:
        return x || next;
    case GY_LTL_OP_G:
        return x && next;
    case GY_LTL_OP_U:
    case GY_LTL_OP_W:
        return y || (x && next);
    default: // R, M
        return y && (x || next);
    }
}

static bool now(struct judge *j, gy_ltl f, gy_ltl_op op, uint32_t i)
{
    gy_ltl_pool *pool = j->context->pool;
    uint32_t n = gy_ltl_arity(pool, f);
    bool x = n ? j->truth[gy_ltl_operand(pool, f, 0)][i] : false;
    bool y = n > 1 ? j->truth[gy_ltl_operand(pool, f, 1)][i] : false;
    switch (op) {
    case GY_LTL_OP_CONST:
        return f == GY_LTL_TRUE;
    case GY_LTL_OP_ATOM: {
        uint32_t var = ltl_variable(j->context, gy_ltl_atom_index(pool, f));
        return var != UINT32_MAX && (j->lasso->letters[i] >> var & 1);
    }
    case GY_LTL_OP_NOT:
        return !x;
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR: {
        bool and_ = op == GY_LTL_OP_AND;
        for (uint32_t k = 0; k < n; k++)
            if ((j->truth[gy_ltl_operand(pool, f, k)][i] != 0) != and_)
                return !and_;
        return and_;
    }
    case GY_LTL_OP_IMPLIES:
        return !x || y;
    case GY_LTL_OP_EQUIV:
        return x == y;
    default: // X
        return j->truth[gy_ltl_operand(pool, f, 0)][after(j->lasso, i)];
    }
}

static void judge(struct judge *j, gy_ltl f)
{
    if (j->truth[f])
        return;
    gy_ltl_pool *pool = j->context->pool;
    for (uint32_t k = 0; k < gy_ltl_arity(pool, f); k++)
        judge(j, gy_ltl_operand(pool, f, k));
    uint32_t length = j->lasso->length;
    uint8_t *truth = j->truth[f] = gy_alloc_zero(length);
    gy_ltl_op op = gy_ltl_operator(pool, f);
    if (op < GY_LTL_OP_F) {
        for (uint32_t i = 0; i < length; i++)
            truth[i] = now(j, f, op, i);
        return;
    }
    uint8_t *x = j->truth[gy_ltl_operand(pool, f, 0)];
    uint8_t *y = gy_ltl_arity(pool, f) > 1 ? j->truth[gy_ltl_operand(pool, f, 1)] : x;
    bool greatest = op == GY_LTL_OP_G || op == GY_LTL_OP_R || op == GY_LTL_OP_W;
    memset(truth, greatest, length);
    for (int sweep = 0; sweep < 2; sweep++)
        for (uint32_t i = length; i-- > 0;)
            truth[i] = ahead(op, x[i], y[i], truth[after(j->lasso, i)]);
}

uint8_t **gy_lasso_truth(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f)
{
    struct judge j = {.context = context, .lasso = lasso};
    j.truth = gy_alloc_zero(((size_t)f + 1) * sizeof *j.truth);
    judge(&j, f);
    return j.truth;
}

void gy_lasso_truth_free(uint8_t **truth, gy_ltl f)
{
    for (gy_ltl i = 0; i <= f; i++)
        free(truth[i]);
    free(truth);
}

bool gy_lasso_know(gy_ltl_context *context, gy_ltl f)
{
    bool *used = gy_alloc_zero(gy_ltl_atom_count(context->pool) + 1), known = true;
    gy_ltl_support(context->pool, f, used);
    for (uint32_t atom = 0; atom < gy_ltl_atom_count(context->pool); atom++)
        if (used[atom])
            known = ltl_variable(context, atom) != UINT32_MAX && known;
    free(used);
    return known;
}

bool gy_lasso_satisfies(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f)
{
    uint8_t **truth = gy_lasso_truth(context, lasso, f);
    bool yes = truth[f][0];
    gy_lasso_truth_free(truth, f);
    return yes;
}

static bool is_name(const char *text)
{
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

static void print_literal(const char *atom, bool value, bool first, gy_text *out)
{
    bool closed = value || is_name(atom) || *atom == '(';
    gy_text_printf(out, "%s%s%s%s%s", first ? "" : " & ", value ? "" : "!", closed ? "" : "(", atom,
                   closed ? "" : ")");
}

void gy_lasso_print(gy_ltl_context *context, const gy_lasso *lasso, gy_ltl f, gy_ltl g,
                    gy_text *out)
{
    bool *used = gy_alloc_zero(gy_ltl_atom_count(context->pool) + 1);
    bool *other = gy_alloc_zero(gy_ltl_atom_count(context->pool) + 1);
    gy_ltl_support(context->pool, f, used);
    gy_ltl_support(context->pool, g, other);
    for (uint32_t i = 0; i < lasso->length; i++) {
        gy_text_add(out, i == lasso->loop ? (i ? " ; { " : "{ ") : i ? " ; " : "");
        bool first = true;
        for (uint32_t v = 0; v < context->atoms.n; v++) {
            if (!used[context->atoms.at[v]] && !other[context->atoms.at[v]])
                continue;
            print_literal(gy_ltl_atom_text(context->pool, context->atoms.at[v]),
                          lasso->letters[i] >> v & 1, first, out);
            first = false;
        }
        if (first)
            gy_text_add(out, "true");
    }
    gy_text_add(out, " }");
    free(other);
    free(used);
}
