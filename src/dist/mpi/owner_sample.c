// States near the initial one are not like most: queues are empty there, and counters small. So
// walks begin with states that a search has found after many others.
#include "dist/mpi/owner_sample.h"

#include "base/fatal.h"
#include "base/hash.h"

enum { MOST_WORDS = 1024 }; // of a state: longer ones are not worth the time

typedef struct walker {
    gy_owner_sample *to;
    uint64_t dice;
    GY_VEC(gy_word) changed; // by step: the bits that are different after it
    GY_VEC(gy_word) kept;    // states
    GY_VEC(gy_word) next;
    uint32_t seen; // successors of the current state
    gy_word state[MOST_WORDS];
} walker;

// One of those that are visited, each with the same chance.
static int choose(void *user, const gy_transition *transition)
{
    enum { MOST = 4096 };
    walker *w = user;
    if (!transition->state)
        return 0;
    // Which walks are taken decides between sums of nearly equal merit: the generator stays as it
    // was measured.
    w->dice = gy_hash_number(w->dice + 0x9e3779b97f4a7c15ull);
    if (w->dice % ++w->seen == 0) {
        gy_vec_reserve(&w->next, transition->words + (size_t)1);
        memcpy(w->next.at, transition->state, transition->words * sizeof *w->next.at);
        w->next.n = transition->words;
    }
    return w->seen >= MOST;
}

static void note_change(walker *w)
{
    gy_owner_sample *s = w->to;
    gy_vec_reserve(&w->changed, (s->steps + (size_t)1) * s->words);
    gy_word *changed = w->changed.at + (size_t)s->steps++ * s->words;
    for (uint32_t i = 0; i < s->words; i++)
        changed[i] = w->state[i] ^ w->next.at[i];
}

// States may grow longer on the way (processes and channels come and go): what is after the first
// words does not count.
static void go(walker *w, gy_worker *worker)
{
    gy_owner_sample *s = w->to;
    for (unsigned step = 0; step < GY_OWNER_STEPS; step++) {
        uint32_t words = (uint32_t)w->next.n;
        if (words < s->words || words > MOST_WORDS)
            return;
        if (step % GY_OWNER_EVERY == GY_OWNER_EVERY - 1) {
            gy_vec_reserve(&w->kept, w->kept.n + s->words);
            memcpy(w->kept.at + w->kept.n, w->next.at, s->words * sizeof *w->next.at);
            w->kept.n += s->words;
        }
        memcpy(w->state, w->next.at, words * sizeof *w->state);
        w->seen = 0;
        gy_successors(worker, w->state, words, choose, w);
        if (!w->seen || w->next.n < s->words)
            return;
        note_change(w);
    }
}

// ---- bits -----------------------------------------------------------------------------

typedef struct counted {
    uint32_t number, changes;
} counted;

static int by_changes(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void note_bit(uint64_t *set, uint32_t i, const gy_word *vector, uint32_t number)
{
    if (vector[number / 32] >> number % 32 & 1)
        set[i / 64] |= 1ull << i % 64;
}

static void find_bits(gy_owner_sample *s, const gy_word *changed)
{
    uint32_t all = s->words * 32, n = 0;
    counted *bits = gy_alloc_zero(all * sizeof *bits);
    for (uint32_t i = 0; i < all; i++)
        bits[i].number = i;
    for (size_t i = 0; i < (size_t)s->steps * s->words; i++)
        for (gy_word left = changed[i]; left; left &= left - 1)
            bits[i % s->words * 32 + (uint32_t)__builtin_ctz(left)].changes++;
    for (uint32_t i = 0; i < all; i++) // what never changes says nothing
        if (bits[i].changes)
            bits[n++] = bits[i];
    qsort(bits, n, sizeof *bits, by_changes);
    s->bit_count = n < GY_OWNER_BITS ? n : GY_OWNER_BITS;
    s->bits = gy_alloc_zero((s->bit_count + (size_t)1) * sizeof *s->bits);
    for (uint32_t i = 0; i < s->bit_count; i++) {
        gy_owner_bit *b = &s->bits[i];
        b->number = bits[i].number;
        for (uint32_t k = 0; k < s->steps; k++)
            note_bit(b->steps, k, changed + (size_t)k * s->words, b->number);
    }
    free(bits);
}

static void note_state(gy_owner_sample *s, gy_owner_kind *kind, const gy_word *state)
{
    for (uint32_t k = 0; k < s->bit_count; k++)
        note_bit(s->bits[k].states + kind->first, kind->count, state, s->bits[k].number);
    kind->count++;
    kind->rows = (kind->count + 63) / 64;
}

static void note_states(gy_owner_sample *s, const gy_owner_states *known, const walker *w)
{
    const gy_word *state = known->content.at;
    gy_owner_kind *kind = s->kinds;
    for (uint32_t i = 0; i < known->count; state += known->lengths.at[i++]) {
        if (i == known->newest && kind == s->kinds)
            *++kind = (gy_owner_kind){.first = s->kinds[0].rows};
        note_state(s, kind, state);
    }
    uint32_t end = kind->first + kind->rows;
    *++kind = (gy_owner_kind){.first = end};
    for (size_t i = 0; i < w->kept.n; i += s->words)
        note_state(s, kind, w->kept.at + i);
}

// ---- beginnings -----------------------------------------------------------------------

typedef struct start {
    uint64_t hash;
    const gy_word *state;
    uint32_t words;
} start;

static int by_hash(const void *a, const void *b)
{
    const start *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

// From those found last with the least hashes: in whatever order they came, they are the same ones.
static void go_from_newest(walker *w, gy_worker *worker, const gy_owner_states *known)
{
    start *all = gy_alloc((known->count + (size_t)1) * sizeof *all);
    const gy_word *state = known->content.at;
    uint32_t n = 0;
    for (uint32_t i = 0; i < known->count; state += known->lengths.at[i++])
        if (i >= known->newest) {
            uint32_t words = known->lengths.at[i];
            all[n++] = (start){gy_hash_words(state, words, 2), state, words};
        }
    qsort(all, n, sizeof *all, by_hash);
    for (uint32_t i = 0; i < n && i < GY_OWNER_WALKS; i++) {
        gy_vec_reserve(&w->next, all[i].words + (size_t)1);
        w->next.n = all[i].words;
        memcpy(w->next.at, all[i].state, w->next.n * sizeof *w->next.at);
        go(w, worker);
    }
    free(all);
}

bool gy_owner_sample_take(gy_owner_sample *s, gy_worker *worker, const gy_owner_states *known)
{
    walker *w = gy_alloc_zero(sizeof *w);
    *s = (gy_owner_sample){.words = UINT32_MAX};
    w->to = s;
    w->dice = 7;
    for (uint32_t i = 0; i < known->count; i++)
        s->words = known->lengths.at[i] < s->words ? known->lengths.at[i] : s->words;
    if (known->count && s->words && s->words <= MOST_WORDS)
        go_from_newest(w, worker, known);
    if (s->steps) {
        find_bits(s, w->changed.at);
        note_states(s, known, w);
    }
    gy_vec_free(&w->changed);
    gy_vec_free(&w->kept);
    gy_vec_free(&w->next);
    free(w);
    return s->steps != 0;
}

void gy_owner_sample_free(gy_owner_sample *s)
{
    free(s->bits);
}
