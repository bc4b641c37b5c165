// The hash-compact store: of each state only a 60-bit signature is kept, in 6 bytes.
//
// Two states with the same signature are taken for one, so a search may miss states; the chance
// that it missed any is reported. Cf. P. Wolper, D. Leroy: Reliable hashing without collision
// detection (CAV 1993); U. Stern, D. Dill: Improved probabilistic verification by hash compaction.
//
// Representation: lines of 64 bytes with 10 slots of 6 bytes. A signature s has the home line
// s * lines / 2^60 and goes to the first free slot from there on, at most REACH lines further;
// the slot keeps its low 48 bits. What finds no slot goes to the (tiny) stash, in full.
// The high 12 bits need not be kept: signatures whose home is one of the REACH + 1 lines up to a
// line lie in an interval shorter than 2^48, because there are at least MIN_LINES lines. So low
// bits that are equal in the same line belong to equal signatures, and growing can recover every
// signature from its slot and line. Slots are filled from the left; 0 is an empty slot (the
// signature whose low bits are 0 is kept as 1, which costs nothing worth mentioning).
// Growth is in place from the last line to the first, as in index.h.
#include "store/numbered/numbered.h"

#include "store/numbered/kind.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/snapshot.h"
#include "base/vec.h"

#include <endian.h>
#include <math.h>

enum {
    SIGNATURE_BITS = 60,
    LOW_BITS = 48,
    LINE = 64,
    SLOT = 6,
    SLOTS = 10,
    REACH = 15,
    LOAD_PERCENT = 80,
    FULL_PERCENT = 90,
};

// (REACH + 1) * 2^60 / lines <= 2^48
static const uint64_t MIN_LINES = (uint64_t)(REACH + 1) << (SIGNATURE_BITS - LOW_BITS);
static const uint64_t LOW_MASK = (1ull << LOW_BITS) - 1;

typedef struct compact {
    gy_numbered head;
    gy_region memory;
    uint64_t lines, count, grow_above, seed;
    GY_VEC(uint64_t) stash; // sorted
    bool hostile;
} compact;

static compact *compact_of(gy_numbered_view *head)
{
    return (compact *)head->store;
}

static uint64_t home(const compact *c, uint64_t signature)
{
    return (uint64_t)((unsigned __int128)signature * c->lines >> SIGNATURE_BITS);
}

static unsigned char *line_at(const compact *c, uint64_t line)
{
    return (unsigned char *)c->memory.at + line * LINE;
}

static uint64_t get_slot(const unsigned char *line, unsigned slot)
{
    uint64_t value = 0;
    memcpy(&value, line + slot * SLOT, SLOT);
    return le64toh(value);
}

static void set_slot(unsigned char *line, unsigned slot, uint64_t value)
{
    value = htole64(value);
    memcpy(line + slot * SLOT, &value, SLOT);
}

// The slot of a signature or the free one where it belongs; NULL: neither, look into the stash.
static unsigned char *seek(const compact *c, uint64_t signature, unsigned *slot, bool *found)
{
    uint64_t low = signature & LOW_MASK, first = home(c, signature);
    *found = false;
    for (uint64_t i = first; i <= first + REACH; i++) {
        unsigned char *line = line_at(c, i);
        for (*slot = 0; *slot < SLOTS; ++*slot) {
            uint64_t value = get_slot(line, *slot);
            *found = value == low;
            if (*found || !value)
                return line;
        }
    }
    return NULL;
}

// Where a signature is in the stash, or belongs.
static size_t stash_position(const compact *c, uint64_t signature)
{
    size_t low = 0, high = c->stash.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->stash.at[middle] < signature)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool in_stash(const compact *c, uint64_t signature)
{
    size_t at = stash_position(c, signature);
    return at < c->stash.n && c->stash.at[at] == signature;
}

static void place(compact *c, uint64_t signature)
{
    unsigned slot;
    bool found;
    unsigned char *line = seek(c, signature, &slot, &found);
    if (line) {
        set_slot(line, slot, signature & LOW_MASK);
        return;
    }
    size_t at = stash_position(c, signature);
    gy_vec_push(&c->stash, 0);
    memmove(c->stash.at + at + 1, c->stash.at + at, (c->stash.n - 1 - at) * sizeof *c->stash.at);
    c->stash.at[at] = signature;
}

// The signature in [first, first + 2^48) with these low bits.
static uint64_t recover(const compact *c, uint64_t line, uint64_t low)
{
    uint64_t least = line < REACH ? 0 : line - REACH;
    uint64_t first =
        (uint64_t)((((unsigned __int128)least << SIGNATURE_BITS) + c->lines - 1) / c->lines);
    uint64_t signature = (first & ~LOW_MASK) | low;
    return signature < first ? signature + (1ull << LOW_BITS) : signature;
}

static size_t bytes_for(uint64_t lines)
{
    return (lines + REACH + 1) * LINE;
}

static uint64_t capacity(uint64_t lines, unsigned percent)
{
    return lines * SLOTS * percent / 100;
}

static bool grow(compact *c, uint64_t lines)
{
    compact old = *c;
    GY_VEC(uint64_t) late = {0};
    if (!gy_region_resize(&c->memory, bytes_for(lines)))
        return false;
    old.memory = c->memory;
    c->lines = lines;
    c->grow_above = capacity(lines, LOAD_PERCENT);
    for (uint64_t i = old.lines + REACH + 1; i-- > 0;) {
        uint64_t signatures[SLOTS];
        unsigned n = 0;
        for (uint64_t low; n < SLOTS && (low = get_slot(line_at(&old, i), n)); n++)
            signatures[n] = recover(&old, i, low);
        memset(line_at(&old, i), 0, LINE);
        for (unsigned k = 0; k < n; k++) {
            if (home(c, signatures[k]) < i)
                gy_vec_push(&late, signatures[k]);
            else
                place(c, signatures[k]);
        }
    }
    for (size_t i = 0; i < late.n; i++)
        place(c, late.at[i]);
    gy_vec_free(&late);
    GY_VEC(uint64_t) stash = {c->stash.at, c->stash.n, c->stash.room};
    c->stash.at = NULL;
    c->stash.n = c->stash.room = 0;
    for (size_t i = 0; i < stash.n; i++)
        place(c, stash.at[i]);
    gy_vec_free(&stash);
    return true;
}

static bool make_room(compact *c)
{
    uint64_t more = c->hostile ? c->lines / 16 : c->lines / 2;
    if (c->count < c->grow_above || grow(c, c->lines + more) || grow(c, c->lines + more / 8))
        return true;
    c->grow_above = capacity(c->lines, FULL_PERCENT);
    return c->count < c->grow_above;
}

// ---- the store ----------------------------------------------------------------------

static bool compact_prepare(gy_numbered_view *head, const uint32_t *state, uint32_t words,
                            gy_key *key)
{
    const compact *c = compact_of(head);
    uint64_t signature = gy_hash_words(state, words, c->seed + words) >> (64 - SIGNATURE_BITS);
    key->name = key->hash = signature & LOW_MASK ? signature : signature + 1;
    key->words = words;
    __builtin_prefetch(line_at(c, home(c, key->hash)));
    return true;
}

static void compact_rekey(gy_numbered_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    (void)state;
    key->hash = key->name;
}

static bool compact_has(gy_numbered_view *head, const gy_key *key, const uint32_t *state,
                        uint64_t *id)
{
    const compact *c = compact_of(head);
    unsigned slot;
    bool found;
    (void)state;
    (void)id;
    return seek(c, key->hash, &slot, &found) ? found : in_stash(c, key->hash);
}

static gy_numbered_answer compact_enter(gy_numbered_view *head, const gy_key *key,
                                        const uint32_t *state, uint64_t *id)
{
    compact *c = compact_of(head);
    unsigned slot;
    bool found;
    (void)state;
    if (seek(c, key->hash, &slot, &found) ? found : in_stash(c, key->hash))
        return GY_NUMBERED_FOUND;
    if (!make_room(c))
        return GY_NUMBERED_FULL;
    place(c, key->hash);
    *id = c->count++;
    return GY_NUMBERED_NEW;
}

static void compact_free(gy_numbered *store)
{
    compact *c = (compact *)store;
    gy_region_free(&c->memory);
    gy_vec_free(&c->stash);
    free(c);
}

static void compact_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    const compact *c = (const compact *)store;
    double n = (double)c->count;
    figures->states = c->count;
    // State number k + 1 hits one of k signatures with probability k / 2^60.
    figures->omission_probability = -expm1(-n * n / 2 / ldexp(1, SIGNATURE_BITS));
}

static gy_numbered_view *compact_new_view(gy_numbered *store)
{
    (void)store;
    return gy_alloc_zero(sizeof(gy_numbered_view));
}

static void compact_free_view(gy_numbered_view *head)
{
    free(head);
}

static void compact_save(const gy_numbered *store, gy_writer *writer)
{
    const compact *c = (const compact *)store;
    gy_write_u64(writer, c->lines);
    gy_write_u64(writer, c->count);
    gy_write_u64(writer, c->grow_above);
    gy_write_u64(writer, c->stash.n);
    gy_write(writer, c->stash.at, c->stash.n * sizeof *c->stash.at);
    gy_write_region(writer, &c->memory, bytes_for(c->lines));
}

static bool compact_load(gy_numbered *store, gy_reader *reader)
{
    compact *c = (compact *)store;
    c->lines = gy_read_u64(reader);
    c->count = gy_read_u64(reader);
    c->grow_above = gy_read_u64(reader);
    uint64_t stashed = gy_read_u64(reader);
    for (uint64_t i = 0; i < stashed && !gy_reader_failed(reader); i++)
        gy_vec_push(&c->stash, gy_read_u64(reader));
    return gy_read_region(reader, &c->memory) && c->lines >= MIN_LINES &&
           c->lines < UINT64_MAX / LINE / 2 && c->memory.room >= bytes_for(c->lines);
}

static const gy_numbered_kind_table compact_kind = {
    .traits = {.name = "compact", .key_suffices = true},
    .free = compact_free,
    .look = compact_look,
    .new_view = compact_new_view,
    .free_view = compact_free_view,
    .prepare = compact_prepare,
    .rekey = compact_rekey,
    .enter = compact_enter,
    .has = compact_has,
    .save = compact_save,
    .load = compact_load,
};

gy_numbered *gy_numbered_compact(const gy_numbered_options *options)
{
    compact *c = gy_alloc_zero(sizeof *c);
    c->head.kind = &compact_kind;
    c->seed = options->seed;
    c->hostile = options->hostile;
    c->lines = MIN_LINES;
    c->grow_above = options->hostile ? MIN_LINES / 4 : capacity(MIN_LINES, LOAD_PERCENT);
    gy_region_init(&c->memory, options->budget);
    if (!gy_region_resize(&c->memory, bytes_for(MIN_LINES))) {
        free(c);
        return NULL;
    }
    return &c->head;
}
