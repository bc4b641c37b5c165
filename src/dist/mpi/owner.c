// How many different parts there are, in effect, is estimated from how often two states of the
// walks that are not the same have the same part: 1 / (sum of the squares of what each part has of
// all states). So many parts dealt out at random give ranks whose sizes differ by about
// sqrt(ranks / parts) of their size; EVENLY parts for each rank keep that within a few percent.
#include "dist/mpi/owner.h"

#include "base/fatal.h"
#include "base/vec.h"

enum {
    WALKS = 32,
    STEPS = 160,       // of a walk
    FIRST = 32,        // of these, near the beginning: states there have too much in common
    EVENLY = 1000,     // parts for each rank
    MOST_WORDS = 1024, // of a state: longer ones are not worth the time
};

typedef struct bit {
    uint32_t number;
    uint32_t changes;
} bit;

typedef struct walks {
    uint64_t dice;
    GY_VEC(gy_word) states; // all of the same length, one behind the other
    uint32_t words;
    size_t count;
    GY_VEC(uint32_t) changes; // by bit
    uint64_t steps;
    GY_VEC(gy_word) next;
    uint32_t seen; // successors of the state at hand
    bool other;    // states of another length were met
    gy_word state[MOST_WORDS];
} walks;

void gy_owner_init(gy_owner *o, unsigned size)
{
    *o = (gy_owner){.size = size};
}

void gy_owner_free(gy_owner *o)
{
    free(o->mask);
}

// ---- walking --------------------------------------------------------------------------

static uint64_t roll(walks *w)
{
    w->dice = gy_hash_number(w->dice + 0x9e3779b97f4a7c15ull);
    return w->dice;
}

// One of those that are visited, each with the same chance.
static int choose(void *user, const gy_transition *transition)
{
    enum { MOST = 4096 };
    walks *w = user;
    if (!transition->state)
        return 0;
    if (roll(w) % ++w->seen == 0) {
        gy_vec_reserve(&w->next, transition->words + (size_t)1);
        memcpy(w->next.at, transition->state, transition->words * sizeof *w->next.at);
        w->next.n = transition->words;
    }
    return w->seen >= MOST;
}

static void note_change(walks *w, const gy_word *before, const gy_word *after)
{
    w->steps++;
    for (uint32_t i = 0; i < w->words; i++)
        for (gy_word changed = before[i] ^ after[i]; changed; changed &= changed - 1)
            w->changes.at[i * 32 + (uint32_t)__builtin_ctz(changed)]++;
}

static void keep(walks *w)
{
    gy_vec_reserve(&w->states, (w->count + 1) * w->words);
    memcpy(w->states.at + w->count++ * w->words, w->next.at, w->words * sizeof *w->next.at);
}

static void walk(walks *w, gy_worker *worker)
{
    w->seen = 0;
    gy_initial(worker, choose, w);
    if (!w->seen || w->next.n == 0 || w->next.n > MOST_WORDS) {
        w->other = true;
        return;
    }
    if (!w->words) {
        w->words = (uint32_t)w->next.n;
        gy_vec_reserve(&w->changes, w->words * (size_t)32);
        memset(w->changes.at, 0, w->words * (size_t)32 * sizeof *w->changes.at);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        if (w->next.n != w->words) {
            w->other = true; // processes and channels come and go
            return;
        }
        if (step >= FIRST)
            keep(w);
        memcpy(w->state, w->next.at, w->words * sizeof *w->state);
        w->seen = 0;
        gy_successors(worker, w->state, w->words, choose, w);
        if (!w->seen)
            return;
        if (w->next.n == w->words)
            note_change(w, w->state, w->next.at);
    }
}

// ---- choosing -------------------------------------------------------------------------

static int by_changes(const void *a, const void *b)
{
    const bit *x = a, *y = b;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Pairs of equal numbers.
static uint64_t count_pairs(uint64_t *numbers, size_t n)
{
    uint64_t pairs = 0;
    qsort(numbers, n, sizeof *numbers, by_value);
    for (size_t i = 0, run = 0; i < n; i++) {
        run = i && numbers[i] == numbers[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    return pairs;
}

// Are there enough different parts?
static bool is_even(const gy_owner *o, const walks *w, uint64_t same, uint64_t *parts)
{
    for (size_t i = 0; i < w->count; i++) {
        uint64_t hash = 1;
        for (uint32_t k = 0; k < w->words; k++)
            hash = gy_hash_pair(hash, w->states.at[i * w->words + k] & o->mask[k]);
        parts[i] = hash;
    }
    double pairs = (double)w->count * (double)(w->count - 1) / 2;
    return pairs > (double)(count_pairs(parts, w->count) - same) * EVENLY * o->size;
}

// False: no part will do.
static bool choose_bits(gy_owner *o, const walks *w)
{
    uint64_t *parts = gy_alloc((w->count + 1) * sizeof *parts);
    bit *bits = gy_alloc(w->words * (size_t)32 * sizeof *bits);
    uint32_t n = 0, used = 0;
    for (size_t i = 0; i < w->count; i++)
        parts[i] = gy_hash_words(w->states.at + i * w->words, w->words, 1);
    uint64_t same = count_pairs(parts, w->count); // states that were met again
    for (uint32_t i = 0; i < w->words * 32; i++)  // what never changes tells nothing
        if (w->changes.at[i])
            bits[n++] = (bit){i, w->changes.at[i]};
    qsort(bits, n, sizeof *bits, by_changes);
    o->words = w->words;
    o->mask = gy_alloc_zero(w->words * sizeof *o->mask);
    bool even = false;
    while (used < n && !even) {
        o->mask[bits[used].number / 32] |= (gy_word)1 << bits[used].number % 32;
        even = ++used >= 8 && is_even(o, w, same, parts);
    }
    free(bits);
    free(parts);
    return even && used < n;
}

void gy_owner_look(gy_owner *o, gy_worker *worker)
{
    walks *w = gy_alloc_zero(sizeof *w);
    w->dice = 7;
    for (unsigned i = 0; i < WALKS && !w->other && o->size > 1; i++)
        walk(w, worker);
    if (!w->other && w->count > 1 && !choose_bits(o, w)) {
        free(o->mask);
        o->mask = NULL;
    }
    gy_vec_free(&w->states);
    gy_vec_free(&w->changes);
    gy_vec_free(&w->next);
    free(w);
}
