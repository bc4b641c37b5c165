// The bitstate store: k bits per state in one large array of bits (a Bloom filter).
//
// A state counts as known if all its k bits are set, so states are missed when others have set
// them. The array never grows. Cf. G. Holzmann: An analysis of bitstate hashing (1998).
//
// Coverage: when a state is entered while a part f of the bits is set, a state that is really new
// would have been taken for a known one with probability p = f^k. So for each state entered,
// p / (1 - p) others are expected to have been missed; the sum over all, `missed`, gives the
// estimate n / (n + missed). It counts states that were met and dropped; what could only have
// been reached through those comes on top, so in a sparsely connected space the truth is lower.
#include "store/numbered/numbered.h"

#include "store/numbered/kind.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/snapshot.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_FUNCTIONS = 3, MAX_FUNCTIONS = 64 };
static const uint64_t DEFAULT_BYTES = 64ull << 20, LEAST_BYTES = 64;

typedef struct bitstate {
    gy_numbered head;
    gy_region memory;
    uint64_t bits, set, count, seed;
    unsigned functions;
    double missed;
} bitstate;

static bitstate *bitstate_of(gy_numbered_view *head)
{
    return (bitstate *)head->store;
}

// Bit number i of a state: double hashing, with a cubic term so that two states whose first
// two bits agree do not share all of them.
static uint64_t bit_at(const bitstate *b, const gy_key *key, uint64_t i)
{
    uint64_t mixed = key->hash + i * key->name + (i * i * i - i) / 6;
    return (uint64_t)((unsigned __int128)gy_hash_number(mixed) * b->bits >> 64);
}

static uint64_t *word_of(const bitstate *b, uint64_t bit)
{
    return (uint64_t *)b->memory.at + bit / 64;
}

static bool bitstate_prepare(gy_numbered_view *head, const uint32_t *state, uint32_t words,
                             gy_key *key)
{
    const bitstate *b = bitstate_of(head);
    key->name = gy_hash_words(state, words, b->seed + words);
    key->words = words;
    key->hash = gy_hash_number(key->name);
    for (unsigned i = 0; i < b->functions; i++)
        __builtin_prefetch(word_of(b, bit_at(b, key, i)), 1);
    return true;
}

static void bitstate_rekey(gy_numbered_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    (void)state;
    key->hash = gy_hash_number(key->name);
}

static bool bitstate_has(gy_numbered_view *head, const gy_key *key, const uint32_t *state,
                         uint64_t *id)
{
    const bitstate *b = bitstate_of(head);
    (void)state;
    (void)id;
    for (unsigned i = 0; i < b->functions; i++) {
        uint64_t bit = bit_at(b, key, i);
        if (!(*word_of(b, bit) >> bit % 64 & 1))
            return false;
    }
    return true;
}

static gy_numbered_answer bitstate_enter(gy_numbered_view *head, const gy_key *key,
                                         const uint32_t *state, uint64_t *id)
{
    bitstate *b = bitstate_of(head);
    uint64_t before = b->set;
    (void)state;
    for (unsigned i = 0; i < b->functions; i++) {
        uint64_t bit = bit_at(b, key, i), mask = 1ull << bit % 64, *word = word_of(b, bit);
        b->set += !(*word & mask);
        *word |= mask;
    }
    if (b->set == before)
        return GY_NUMBERED_FOUND;
    double wrong = pow((double)before / (double)b->bits, b->functions);
    b->missed += wrong / (1 - wrong);
    *id = b->count++;
    return GY_NUMBERED_NEW;
}

static void bitstate_free(gy_numbered *store)
{
    bitstate *b = (bitstate *)store;
    gy_region_free(&b->memory);
    free(b);
}

static void bitstate_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    const bitstate *b = (const bitstate *)store;
    figures->states = b->count;
    figures->fill = (double)b->set / (double)b->bits;
    if (b->count)
        figures->coverage = (double)b->count / ((double)b->count + b->missed);
}

static gy_numbered_view *bitstate_new_view(gy_numbered *store)
{
    (void)store;
    return gy_alloc_zero(sizeof(gy_numbered_view));
}

static void bitstate_free_view(gy_numbered_view *head)
{
    free(head);
}

static void bitstate_save(const gy_numbered *store, gy_writer *writer)
{
    const bitstate *b = (const bitstate *)store;
    gy_write_u64(writer, b->bits);
    gy_write_u64(writer, b->functions);
    gy_write_u64(writer, b->set);
    gy_write_u64(writer, b->count);
    gy_write(writer, &b->missed, sizeof b->missed);
    gy_write_region(writer, &b->memory, b->bits / 8);
}

static bool bitstate_load(gy_numbered *store, gy_reader *reader)
{
    bitstate *b = (bitstate *)store;
    uint64_t bits = gy_read_u64(reader);
    b->functions = (unsigned)gy_read_u64(reader);
    b->set = gy_read_u64(reader);
    b->count = gy_read_u64(reader);
    gy_read(reader, &b->missed, sizeof b->missed);
    b->bits = bits; // the file decides: the default depends on the memory limit
    return b->functions && b->functions <= MAX_FUNCTIONS && gy_read_region(reader, &b->memory) &&
           b->memory.room >= bits / 8;
}

static const gy_numbered_kind_table bitstate_kind = {
    .traits = {.name = "bitstate", .key_suffices = true},
    .free = bitstate_free,
    .look = bitstate_look,
    .new_view = bitstate_new_view,
    .free_view = bitstate_free_view,
    .prepare = bitstate_prepare,
    .rekey = bitstate_rekey,
    .enter = bitstate_enter,
    .has = bitstate_has,
    .save = bitstate_save,
    .load = bitstate_load,
};

gy_numbered *gy_numbered_bitstate(const gy_numbered_options *options)
{
    bitstate *b = gy_alloc_zero(sizeof *b);
    uint64_t bytes = options->bitstate_bytes, room = gy_budget_room(options->budget);
    if (!bytes) // half of what there is: the queue needs memory too
        bytes = room / 2 < DEFAULT_BYTES ? room / 2 : DEFAULT_BYTES;
    bytes = (bytes < LEAST_BYTES ? LEAST_BYTES : bytes) / 8 * 8;
    b->head.kind = &bitstate_kind;
    b->bits = bytes * 8;
    b->seed = options->seed;
    b->functions = options->hash_functions ? options->hash_functions : DEFAULT_FUNCTIONS;
    if (b->functions > MAX_FUNCTIONS)
        b->functions = MAX_FUNCTIONS;
    gy_region_init(&b->memory, options->budget);
    if (!gy_region_resize(&b->memory, bytes)) {
        free(b);
        return NULL;
    }
    return &b->head;
}
