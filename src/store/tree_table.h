// The tree table: states compressed by sharing, in six to ten bytes each. The default store.
//
// A state is cut into leaves of a few words; each leaf is kept once and numbered; pairs of numbers
// are kept once and numbered, level by level, until two numbers are left (coder.h does that for
// states of one length; tree_layout.h says what belongs together). These pairs are in a Cleary
// table (cleary.h). States of one length share a coder and a Cleary table: a length class.
// Cf. A. Laarman, J. van de Pol, M. Weber: Parallel recursive state compression for free
// (SPIN 2011). Different here: wide leaves, layouts that are learnt, tables per node.
//
// A reference is that pair, 32 bits each. The left numbers of a class are 0, 1, 2 …; in references
// they come from one space for all classes, which is handed out to them in chunks: so a reference
// shows its class.
//
//   reference:  [ chunk (20 bits) | left number % 4096 (12) | right number (32) ]
//   directory:  chunk -> class, and which of its chunks that is
//
// Private to src/store/tree_*.c.
#ifndef GYRE_STORE_TREE_TABLE_H
#define GYRE_STORE_TREE_TABLE_H

#include "store/cleary.h"
#include "store/encode_batch.h"
#include "store/methods.h"

#include "base/assert.h"

enum {
    GY_TREE_CHUNK_BITS = 12,
    GY_TREE_CHUNKS = 1 << 20,
    GY_TREE_CLASSES = 1 << 16,
    GY_TREE_RECENT = 64,
};

typedef struct gy_reencoding gy_reencoding;

typedef struct gy_length_class {
    uint32_t words, number;
    bool planned;                          // its layout was chosen from a sample
    uint64_t planned_count, planned_bytes; // states, and what nodes took, after that
    gy_coder *coder;
    gy_cleary pairs;
    GY_VEC(uint32_t) chunks;   // its own, in order; grows at meetings only
    gy_reencoding *reencoding; // while that is under way; else NULL
} gy_length_class;

typedef struct gy_tree_chunk {
    uint32_t class; // plus one; 0: not handed out
    uint32_t index; // among the chunks of that class
} gy_tree_chunk;

typedef struct gy_tree_table {
    gy_store head;
    pthread_mutex_t lock;                // for adding classes
    _Atomic(gy_length_class *) *classes; // in order of appearance; room for GY_TREE_CLASSES
    _Atomic uint32_t class_count;
    gy_tree_chunk *directory; // room for GY_TREE_CHUNKS
    uint32_t chunk_count;
    uint64_t generation; // how often references have changed
    uint64_t plan_at;    // states
} gy_tree_table;

_Static_assert((int)GY_PENDING_MOST >= (int)GY_STORE_BATCH, "all that is under way may wait");

// What a view knows of a class whose coder is not flat: the numbers of the nodes of those states
// that it gave back last, and their successors, which wait to be encoded together.
typedef struct gy_tree_lane {
    gy_pending pending;
    uint32_t next;   // where the numbers of the state given back next will be
    uint32_t cursor; // where those of the next parent should be: parents come in the order in which
                     // they were given back
    gy_ref refs[GY_STORE_BATCH];
    uint32_t *numbers; // `pending.stride` for each
    uint32_t *words; // of each, if what is written of a state does not say which of them; else NULL
} gy_tree_lane;

// What a view knows of a class.
typedef struct gy_class_view {
    gy_length_class *class;
    gy_coder_base base;    // once it has been used
    gy_encode_batch *flat; // states on their way into a class whose coder is flat; else NULL
    gy_tree_lane *lane;    // the same for other coders, unless they have too many nodes
    bool busy;             // there are some
    uint64_t told;         // new states not yet reported
} gy_class_view;

typedef struct gy_tree_stray { // a state on its way in that will be encoded by itself
    const uint32_t *state;
    uint32_t words, index; // as arrival
} gy_tree_stray;

typedef struct gy_tree_pair { // a state that was encoded, to be entered
    gy_class_view *in;
    uint32_t pair[2], index;
} gy_tree_pair;

typedef struct gy_tree_view {
    gy_store_view head;
    gy_tree_table *table;
    uint64_t generation;
    GY_VEC(gy_class_view *) classes;       // by number; NULL: not seen so far
    gy_class_view *recent[GY_TREE_RECENT]; // by length
    gy_class_view *current;                // of the state last given back: its base stays
    GY_VEC(gy_class_view *) busy;
    uint32_t stray_count, strays_done, held;
    gy_tree_stray strays[GY_STORE_BATCH];
    GY_VEC(uint32_t) copies; // of strays that are held
    uint32_t pair_count, pairs_done;
    gy_tree_pair pairs[GY_STORE_BATCH];
} gy_tree_view;

static inline gy_length_class *gy_tree_table_class(const gy_tree_table *t, uint32_t number)
{
    return atomic_load_explicit(&t->classes[number], memory_order_acquire);
}

static inline uint32_t gy_tree_classes(const gy_tree_table *t)
{
    return atomic_load_explicit(&t->class_count, memory_order_acquire);
}

static inline uint64_t gy_class_count(const gy_length_class *c) // states
{
    return atomic_load_explicit(&c->pairs.count, memory_order_relaxed);
}

static inline gy_ref gy_tree_table_ref(const gy_length_class *c, const uint32_t pair[2])
{
    enum { MASK = (1 << GY_TREE_CHUNK_BITS) - 1 };
    gy_assert(pair[0] >> GY_TREE_CHUNK_BITS < c->chunks.n);
    uint64_t left = (uint64_t)c->chunks.at[pair[0] >> GY_TREE_CHUNK_BITS] << GY_TREE_CHUNK_BITS |
                    (pair[0] & MASK);
    return left << 32 | pair[1];
}

// The pair that a reference is, and the number of its class. As long as there is one class, all
// chunks are its own, in order: nothing has to be looked up before the rows can be.
static inline uint32_t gy_tree_pair_of(const gy_tree_table *t, gy_ref ref, uint32_t pair[2])
{
    enum { MASK = (1 << GY_TREE_CHUNK_BITS) - 1 };
    if (__builtin_expect(gy_tree_classes(t) == 1, 1)) {
        gy_assert(t->directory[ref >> (32 + GY_TREE_CHUNK_BITS)].index ==
                  ref >> (32 + GY_TREE_CHUNK_BITS));
        pair[0] = (uint32_t)(ref >> 32);
        pair[1] = (uint32_t)ref;
        return 0;
    }
    gy_tree_chunk chunk = t->directory[ref >> (32 + GY_TREE_CHUNK_BITS)];
    gy_assert(chunk.class);
    pair[0] = chunk.index << GY_TREE_CHUNK_BITS | ((uint32_t)(ref >> 32) & MASK);
    pair[1] = (uint32_t)ref;
    return chunk.class - 1;
}

uint64_t gy_tree_count(const gy_tree_table *t);
// Takes the coder, unless there are too many classes, or one of that length: NULL. With chunks for
// so many left numbers. Under the lock, or while nothing else uses the table.
gy_length_class *gy_tree_add_class(gy_tree_table *t, gy_coder *coder, uint64_t left_numbers);
// Chunks for `numbers` left numbers. At a meeting; false: there are no more.
bool gy_tree_reserve_chunks(gy_tree_table *t, gy_length_class *c, uint64_t numbers);

// ---- tree_empty.c ---------------------------------------------------------------------

uint64_t gy_tree_table_pieces(const gy_store *store);
void gy_tree_table_each(const gy_store *store, uint64_t piece, gy_store_take *take, void *to);
bool gy_tree_table_empty(gy_store *store, const gy_ref *stay, uint32_t count, gy_team *team);
void gy_tree_table_reset(gy_store *store);

// ---- tree_reencode.c and tree_file.c --------------------------------------------------

bool gy_tree_table_unsettled(const gy_store *store);
bool gy_tree_table_plan(gy_store *store, gy_team *team);
gy_ref gy_tree_table_reencode(gy_store *store, unsigned member, gy_ref ref);
void gy_tree_table_settle(gy_store *store);
void gy_tree_table_save(const gy_store *store, gy_writer *writer);
bool gy_tree_table_load(gy_store *store, gy_reader *reader);

#endif
