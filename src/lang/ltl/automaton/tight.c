#include "lang/ltl/automaton/tight.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { NO_BIT = UINT8_MAX };

// A subformula that counts, after its operands. Bit `bit` of a state: for X a, and for the whole
// formula if that is not temporal itself, a (the whole formula) has this value here; for others,
// it holds here.
typedef struct part {
    gy_ltl_op op;
    uint32_t first, count; // operands in `operands`: positions of parts
    uint8_t bit, set;      // NO_BIT
    uint8_t variable;      // of an atom
    bool value;            // of a constant
} part;

struct gy_tight {
    GY_VEC(part) parts; // the last is the whole formula
    GY_VEC(uint32_t) operands;
    GY_VEC(uint32_t) initials;
    uint32_t bits, sets;
    uint8_t root; // bit of the whole formula, which says what its value must be; or NO_BIT
};

static bool is_temporal(gy_ltl_op op)
{
    return op >= GY_LTL_OP_X;
}

// ---- making one ---------------------------------------------------------------------------

static void mark_parts(const gy_ltl_pool *pool, gy_ltl f, uint8_t *wanted)
{
    wanted[f] = 1;
    for (gy_ltl i = f; i > GY_LTL_TRUE; i--)
        for (uint32_t k = 0; wanted[i] && k < gy_ltl_arity(pool, i); k++)
            wanted[gy_ltl_operand(pool, i, k)] = 1;
}

static uint8_t variable_of(uint32_t atom, const uint32_t *atoms, uint32_t count)
{
    for (uint32_t v = 0; v < count; v++)
        if (atoms[v] == atom)
            return (uint8_t)v;
    return NO_BIT;
}

static part make_part(gy_tight *t, const gy_ltl_pool *pool, gy_ltl f, const uint32_t *position)
{
    part made = {.op = gy_ltl_operator(pool, f), .bit = NO_BIT, .set = NO_BIT};
    made.value = f == GY_LTL_TRUE;
    made.first = (uint32_t)t->operands.n;
    made.count = made.op == GY_LTL_OP_ATOM ? 0 : gy_ltl_arity(pool, f);
    for (uint32_t k = 0; k < made.count; k++)
        gy_vec_push(&t->operands, position[gy_ltl_operand(pool, f, k)]);
    if (is_temporal(made.op))
        made.bit = (uint8_t)t->bits++;
    if (made.op == GY_LTL_OP_F || made.op == GY_LTL_OP_U || made.op == GY_LTL_OP_M)
        made.set = (uint8_t)t->sets++;
    return made;
}

static bool fill(gy_tight *t, const gy_ltl_pool *pool, gy_ltl f, const uint32_t *atoms,
                 uint32_t atom_count, uint32_t most_bits, uint32_t most_sets)
{
    uint8_t *wanted = gy_alloc_zero((size_t)f + 2);
    uint32_t *position = gy_alloc_zero(((size_t)f + 2) * sizeof *position);
    bool fits = true;
    mark_parts(pool, f, wanted);
    for (gy_ltl i = 0; i <= f && fits; i++) {
        if (!wanted[i])
            continue;
        position[i] = (uint32_t)t->parts.n;
        part made = make_part(t, pool, i, position);
        if (made.op == GY_LTL_OP_ATOM)
            made.variable = variable_of(gy_ltl_atom_index(pool, i), atoms, atom_count);
        gy_vec_push(&t->parts, made);
        fits = t->bits <= most_bits && t->sets <= most_sets &&
               (made.op != GY_LTL_OP_ATOM || made.variable != NO_BIT);
    }
    free(wanted);
    free(position);
    gy_ltl_op op = gy_ltl_operator(pool, f);
    t->root = NO_BIT;
    if (!is_temporal(op) || op == GY_LTL_OP_X)
        t->root = (uint8_t)t->bits++;
    return fits && t->bits <= most_bits;
}

gy_tight *gy_tight_new(const gy_ltl_pool *pool, gy_ltl f, const uint32_t *atoms,
                       uint32_t atom_count, uint32_t most_bits, uint32_t most_sets)
{
    gy_tight *t = gy_alloc_zero(sizeof *t);
    if (!fill(t, pool, f, atoms, atom_count, most_bits, most_sets)) {
        gy_tight_free(t);
        return NULL;
    }
    uint8_t whole = t->root != NO_BIT ? t->root : t->parts.at[t->parts.n - 1].bit;
    for (uint32_t state = 0; state >> t->bits == 0; state++)
        if (state >> whole & 1)
            gy_vec_push(&t->initials, state);
    return t;
}

void gy_tight_free(gy_tight *t)
{
    if (!t)
        return;
    gy_vec_free(&t->parts);
    gy_vec_free(&t->operands);
    gy_vec_free(&t->initials);
    free(t);
}

uint32_t gy_tight_bits(const gy_tight *t)
{
    return t->bits;
}

uint32_t gy_tight_sets(const gy_tight *t)
{
    return t->sets;
}

const uint32_t *gy_tight_initials(const gy_tight *t, uint32_t *count)
{
    *count = (uint32_t)t->initials.n;
    return t->initials.at;
}

// ---- transitions --------------------------------------------------------------------------------

static bool value_of(const gy_tight *t, const part *p, const bool *values, uint32_t state,
                     uint32_t next, uint64_t letter)
{
    const uint32_t *operands = t->operands.at + p->first;
    switch (p->op) {
    case GY_LTL_OP_CONST:
        return p->value;
    case GY_LTL_OP_ATOM:
        return letter >> p->variable & 1;
    case GY_LTL_OP_NOT:
        return !values[operands[0]];
    case GY_LTL_OP_AND:
    case GY_LTL_OP_OR:
        for (uint32_t k = 0; k < p->count; k++)
            if (values[operands[k]] == (p->op == GY_LTL_OP_OR))
                return p->op == GY_LTL_OP_OR;
        return p->op == GY_LTL_OP_AND;
    case GY_LTL_OP_X:
        return next >> p->bit & 1;
    default:
        return state >> p->bit & 1;
    }
}

// What a part says of the next state if its own bit is as it is: 0 or 1, EITHER or NEITHER.
enum { EITHER = 2, NEITHER };

static int demand_of(const gy_tight *t, const part *p, const bool *values, bool now)
{
    const uint32_t *operands = t->operands.at + p->first;
    bool a = p->count > 0 && values[operands[0]], b = p->count > 1 && values[operands[1]];
    switch (p->op) {
    case GY_LTL_OP_X:
        return now == a ? EITHER : NEITHER;
    case GY_LTL_OP_F: // a or next
        return a ? (now ? EITHER : NEITHER) : now;
    case GY_LTL_OP_G: // a and next
        return !a ? (now ? NEITHER : EITHER) : now;
    case GY_LTL_OP_U: // b or (a and next)
    case GY_LTL_OP_W:
        return b ? (now ? EITHER : NEITHER) : !a ? (now ? NEITHER : EITHER) : now;
    case GY_LTL_OP_R: // b and (a or next)
    case GY_LTL_OP_M:
        return !b ? (now ? NEITHER : EITHER) : a ? (now ? EITHER : NEITHER) : now;
    default:
        return EITHER;
    }
}

static uint64_t marks_of(const gy_tight *t, const bool *values, uint32_t state)
{
    uint64_t marks = 0;
    for (size_t i = 0; i < t->parts.n; i++) {
        const part *p = &t->parts.at[i];
        if (p->set == NO_BIT)
            continue;
        uint32_t goal = t->operands.at[p->first + (p->op == GY_LTL_OP_U ? 1 : 0)];
        if (!(state >> p->bit & 1) || values[goal])
            marks |= 1ull << p->set;
    }
    return marks;
}

// With these guesses for the operands of X: which bits of the next state are forced? False: there
// is no next state.
static bool judge(const gy_tight *t, const bool *values, uint32_t state, uint32_t *forced,
                  uint32_t *next)
{
    if (t->root != NO_BIT && (state >> t->root & 1) != values[t->parts.n - 1])
        return false;
    for (size_t i = 0; i < t->parts.n; i++) {
        const part *p = &t->parts.at[i];
        if (p->bit == NO_BIT)
            continue;
        int demand = demand_of(t, p, values, state >> p->bit & 1);
        if (demand == NEITHER)
            return false;
        if (demand != EITHER) {
            *forced |= 1u << p->bit;
            *next |= (uint32_t)demand << p->bit;
        }
    }
    return true;
}

void gy_tight_step(const gy_tight *t, uint32_t state, uint64_t letter, gy_tight_moves *out)
{
    bool *values = gy_alloc((t->parts.n + 1) * sizeof *values);
    uint32_t all = t->bits < 32 ? (1u << t->bits) - 1 : UINT32_MAX, guessed = 0;
    for (size_t i = 0; i < t->parts.n; i++)
        if (t->parts.at[i].op == GY_LTL_OP_X)
            guessed |= 1u << t->parts.at[i].bit;
    uint32_t guess = 0;
    do {
        uint32_t forced = guessed, next = guess;
        for (size_t i = 0; i < t->parts.n; i++)
            values[i] = value_of(t, &t->parts.at[i], values, state, guess, letter);
        if (judge(t, values, state, &forced, &next)) {
            uint64_t marks = marks_of(t, values, state);
            uint32_t open = all & ~forced, choice = 0;
            do {
                gy_tight_move move = {next | choice, marks};
                gy_vec_push(out, move);
                choice = (choice - open) & open;
            } while (choice);
        }
        guess = (guess - guessed) & guessed;
    } while (guess);
    free(values);
}
