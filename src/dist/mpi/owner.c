// Forms: sums of bits of a state modulo two.
//
// A form that is to be a bit of the rank has to be as often 0 as 1; but what changes two of its
// bits does not change it, so that a form may count what moves between processes and queues and is
// the same wherever it is. Which bits make a form that few steps change is looked for from several
// single bits on: whatever makes it better most is added, or taken away, until nothing does.
//
// Ranks are even if every sum of some of the forms is as often 0 as 1. In the states of the walks
// it is; whether it is in all states shows when they are there (rank_balance.c). A sum of several
// forms is more even than each of them: if of one a share (1 + a) / 2 is 0 and of the other (1 + b)
// / 2, it is (1 + a b) / 2 of the sum. So each bit of the rank is a sum of two forms at least.
#include "dist/mpi/owner_sample.h"

#include "base/fatal.h"

enum {
    STARTS = 64,
    MOST_FORMS = GY_OWNER_FORMS,
};

// How far a sum may be from even, as a share of the states: less cannot be told apart from chance.
#define UNEVEN 0.05
#define VERY_UNEVEN 0.03 // of all states together
// What a choice may cost: the share of steps that change some form, and more if it is not even.
#define WORTH_IT 0.7

typedef struct form {
    uint64_t steps[GY_OWNER_COLUMN]; // that change it
    uint64_t states[GY_OWNER_ROWS];  // in which it is 1
    uint64_t bits[4];                // of the sample
    double cost;
} form;

_Static_assert(GY_OWNER_BITS <= 4 * 64, "they have room");

// Of what changes in so many steps, and is set in these states.
static double cost_of(const gy_owner_sample *s, uint32_t steps, const uint64_t *states)
{
    const double AGAINST = 8; // a choice that is not even
    double most = 0;
    for (unsigned i = 0; i < GY_OWNER_KINDS; i++) {
        const gy_owner_kind *kind = &s->kinds[i];
        if (kind->count < GY_OWNER_FEWEST)
            continue;
        double share = gy_owner_count(states + kind->first, kind->rows) / (double)kind->count;
        double bias = share > 0.5 ? 2 * share - 1 : 1 - 2 * share;
        most = bias > most ? bias : most;
    }
    return (double)steps / s->steps + (most > UNEVEN ? AGAINST * (most - UNEVEN) : 0);
}

static void add(form *f, const gy_owner_sample *s, uint32_t bit)
{
    for (uint32_t i = 0; i < GY_OWNER_COLUMN; i++)
        f->steps[i] ^= s->bits[bit].steps[i];
    for (uint32_t i = 0; i < GY_OWNER_ROWS; i++)
        f->states[i] ^= s->bits[bit].states[i];
    f->bits[bit / 64] ^= 1ull << bit % 64;
}

static double cost_with(const form *f, const gy_owner_sample *s, uint32_t bit)
{
    uint64_t states[GY_OWNER_ROWS];
    uint32_t steps = 0;
    for (uint32_t i = 0; i < GY_OWNER_COLUMN; i++)
        steps += (uint32_t)__builtin_popcountll(f->steps[i] ^ s->bits[bit].steps[i]);
    if ((double)steps / s->steps >= f->cost)
        return 1e9;
    for (uint32_t i = 0; i < GY_OWNER_ROWS; i++)
        states[i] = f->states[i] ^ s->bits[bit].states[i];
    return cost_of(s, steps, states);
}

static void improve(form *f, const gy_owner_sample *s)
{
    for (;;) {
        uint32_t best = UINT32_MAX;
        for (uint32_t bit = 0; bit < s->bit_count; bit++) {
            double cost = cost_with(f, s, bit);
            if (cost < f->cost) {
                f->cost = cost;
                best = bit;
            }
        }
        if (best == UINT32_MAX)
            return;
        add(f, s, best);
    }
}

static void add_mask(const gy_owner_sample *s, const form *f, gy_word *mask)
{
    for (uint32_t bit = 0; bit < s->bit_count; bit++)
        if (f->bits[bit / 64] >> bit % 64 & 1)
            mask[s->bits[bit].number / 32] ^= (gy_word)1 << s->bits[bit].number % 32;
}

static uint32_t find_forms(const gy_owner_sample *s, form *found)
{
    uint32_t n = s->bit_count < STARTS ? s->bit_count : STARTS;
    for (uint32_t i = 0; i < n; i++) {
        form *f = &found[i];
        add(f, s, (uint32_t)((uint64_t)i * s->bit_count / n));
        f->cost = cost_of(s, gy_owner_count(f->steps, GY_OWNER_COLUMN), f->states);
        improve(f, s);
    }
    return n;
}

// How many sums there are. Where ranks are not a power of two, the sums are the digits of a number
// that is cut into as many ranges, and should be large.
static uint32_t count_forms(unsigned size)
{
    enum { MORE = 5 };
    uint32_t forms = 0;
    while (forms < MOST_FORMS && 1u << forms < size)
        forms++;
    if (1u << forms != size)
        forms = forms + MORE < MOST_FORMS ? forms + MORE : MOST_FORMS;
    return forms;
}

// What a form costs compared with `n` others: steps that change any of them; uneven sums.
static double cost_beside(const gy_owner_sample *s, const form *const *others, uint32_t n,
                          const form *f)
{
    uint64_t sum[GY_OWNER_ROWS];
    double uneven = 0;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < GY_OWNER_COLUMN; i++) {
        uint64_t any = f->steps[i];
        for (uint32_t k = 0; k < n; k++)
            any |= others[k]->steps[i];
        steps += (uint32_t)__builtin_popcountll(any);
    }
    memcpy(sum, f->states, sizeof sum);
    for (uint32_t some = 1;; some++) { // each differs from the one before by one of the others
        double cost = cost_of(s, 0, sum);
        uneven = cost > uneven ? cost : uneven;
        if (some >> n)
            break;
        const form *other = others[__builtin_ctz(some)];
        for (uint32_t i = 0; i < GY_OWNER_ROWS; i++)
            sum[i] ^= other->states[i];
    }
    return (double)steps / s->steps + uneven;
}

// The one that costs least compared with those that were taken; NULL: none will do.
static const form *find_next(const gy_owner_sample *s, const form *found, uint32_t n,
                             const form *const *taken, uint32_t count, double *cost)
{
    const form *best = NULL;
    double least = WORTH_IT;
    for (uint32_t i = 0; i < n; i++) {
        double beside = cost_beside(s, taken, count, &found[i]);
        if (beside < least) {
            *cost = least = beside;
            best = &found[i];
        }
    }
    return best;
}

// Of all sums of those that make the rank, the one that is least even in all states together: one
// of those that it is made of. UINT32_MAX: it is even enough.
static uint32_t find_uneven(const gy_owner_sample *s, const form *sums, uint32_t n)
{
    uint64_t states[GY_OWNER_ROWS] = {0};
    uint32_t in = 0, worst = UINT32_MAX, count = 0;
    double most = VERY_UNEVEN;
    for (unsigned i = 0; i < GY_OWNER_KINDS; i++)
        count += s->kinds[i].count;
    for (uint32_t some = 1; some < 1u << n; some++) { // each differs from the one before by a sum
        uint32_t other = (uint32_t)__builtin_ctz(some);
        in ^= 1u << other;
        for (uint32_t i = 0; i < GY_OWNER_ROWS; i++)
            states[i] ^= sums[other].states[i];
        double bias = 2.0 * gy_owner_count(states, GY_OWNER_ROWS) / count - 1;
        bias = bias < 0 ? -bias : bias;
        if (bias > most) {
            most = bias;
            worst = (uint32_t)__builtin_ctz(in);
        }
    }
    return worst;
}

// The masks of so many sums. False: nothing will do.
static bool choose(const gy_owner_sample *s, uint32_t n, gy_word *masks)
{
    form *found = gy_alloc_zero((STARTS + (size_t)1) * sizeof *found);
    form *sums = gy_alloc_zero(n * sizeof *sums);
    const form *taken[MOST_FORMS];
    uint32_t found_count = find_forms(s, found), count = 0;
    uint32_t each = 2 * n > MOST_FORMS ? 1 : 2; // forms of a sum, at least
    double cost = 0;
    for (uint32_t to; count < MOST_FORMS; count++) {
        to = count < each * n ? count % n : find_uneven(s, sums, n);
        taken[count] =
            to == UINT32_MAX ? NULL : find_next(s, found, found_count, taken, count, &cost);
        if (!taken[count])
            break;
        for (uint32_t i = 0; i < GY_OWNER_ROWS; i++)
            sums[to].states[i] ^= taken[count]->states[i];
        add_mask(s, taken[count], masks + to * (size_t)s->words);
    }
    bool even = count >= each * n && find_uneven(s, sums, n) == UINT32_MAX;
    free(sums);
    free(found);
    return even;
}

void gy_owner_choose(gy_owner *o, gy_worker *worker, const gy_owner_states *known)
{
    gy_owner_sample sample;
    uint32_t forms = count_forms(o->size);
    gy_owner_hash(o);
    if (gy_owner_sample_take(&sample, worker, known)) {
        gy_word *masks = gy_alloc_zero(forms * (size_t)sample.words * sizeof *masks);
        if (choose(&sample, forms, masks)) {
            o->masks = masks;
            o->words = sample.words;
            o->forms = forms;
        } else {
            free(masks);
        }
    }
    gy_owner_sample_free(&sample);
    gy_owner_set(o);
}

void gy_owner_hash(gy_owner *o)
{
    gy_owner_free(o);
    *o = (gy_owner){.size = o->size, .chosen = o->chosen};
}

void gy_owner_set(gy_owner *o)
{
    uint32_t shift = 0;
    while (o->words && (o->words - 1) >> shift >= 64)
        shift++;
    o->pieces = 0;
    o->from = o->words;
    o->to = 0;
    for (uint32_t i = 0; i < o->words * o->forms; i++)
        if (o->masks[i]) {
            uint32_t word = i % o->words;
            o->pieces |= 1ull << (word >> shift);
            o->from = word < o->from ? word : o->from;
            o->to = word + 1 > o->to ? word + 1 : o->to;
        }
}

void gy_owner_init(gy_owner *o, unsigned size)
{
    *o = (gy_owner){.size = size};
}

void gy_owner_free(gy_owner *o)
{
    free(o->masks);
}
