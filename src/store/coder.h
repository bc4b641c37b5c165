// States of one length into pairs of numbers and back: the nodes of the tree store.
//
// A coder has a shape and a table of rows for each node of it: a leaf's table holds the words
// of that leaf, an inner node's the numbers of its children. The pair of numbers of the two
// topmost nodes is the name of a state; equal names, equal states.
//
// Successors differ from their parent in few words. A gy_coder_base remembers the words and
// numbers of one state; naming another one looks up only the leaves that differ and the nodes
// above them. Invariant of a valid base: number[] names words[], and next[] equals number[].
//
// Threads: with `room_wanted` set, any number of threads may name and unfold states at the same
// time, each with bases of its own; the flag is raised when some table should grow, which needs
// that all others leave the coder alone (gy_coder_make_room). Without it, tables grow as they need.
#ifndef GYRE_STORE_CODER_H
#define GYRE_STORE_CODER_H

#include "store/node_table.h"
#include "store/tree_layout.h"

typedef struct gy_coder {
    gy_tree_layout *shape;
    gy_node_table *tables;     // by node
    uint32_t (**sources)[2];   // by node: what the pairs of its row are made of, words of the state
                               // (leaves) or numbers of nodes (`nodes`: always 0)
    uint32_t top[2];           // as in the shape, `nodes` where there is none
    bool flat;                 // there are no inner nodes
    uint32_t shift;            // a piece of the words is 1 << shift of them
    uint64_t leaves_of[64];    // of piece i of the words, as a mask (if there are at most 64)
    uint64_t pieces_of[2];     // flat: of each leaf, as a mask
    _Atomic bool *room_wanted; // NULL: one thread at a time
} gy_coder;

typedef struct gy_coder_base {
    bool valid;
    uint32_t *words;
    uint32_t *number, *next; // by node; one more, always 0, stands for a child that is not there
    uint32_t *changed;
    uint64_t *marks; // nodes to be examined; all zero between calls; owns the memory of them all
} gy_coder_base;

gy_coder *gy_coder_new(gy_tree_layout *shape, gy_budget *budget, bool hostile); // takes the shape
void gy_coder_free(gy_coder *coder);
void gy_coder_base_init(gy_coder_base *base, const gy_coder *coder);
void gy_coder_base_free(gy_coder_base *base);

// The name of a state; it becomes the base if `keep`. False: no memory, or (many threads) no
// room before a caller makes some.
bool gy_coder_encode(gy_coder *coder, gy_coder_base *base, const uint32_t *state, bool keep,
                     uint32_t name[2]);
// The pair of a state all of whose nodes are known; false: it is not. Adds nothing.
bool gy_coder_find(gy_coder *coder, gy_coder_base *base, const uint32_t *state, uint32_t pair[2]);
// States that differ in few words from one whose numbers are known (its successors) can be put
// aside and named later, many at once, so that the cache misses of one overlap with those of the
// others.
enum { GY_PENDING_MOST = 128 };
typedef struct gy_pending_leaf { // that differs from the base's, to be looked up
    uint64_t hash;
    uint64_t *row;
    uint32_t *number; // where its number goes
    uint32_t leaf;
    uint32_t state;
} gy_pending_leaf;

typedef struct gy_pending {
    uint32_t n;
    uint32_t leaf_count, leaves_done;
    uint32_t stride; // of `numbers`
    gy_pending_leaf *leaves;
    uint64_t *rows, *rows_end;       // of the leaves
    uint64_t marks[GY_PENDING_MOST]; // inner nodes still to be looked up, from the first
    uint32_t tags[GY_PENDING_MOST];  // for the code that adds
    uint32_t *numbers;               // of all nodes, for each state
} gy_pending;

bool gy_coder_can_wait(
    const gy_coder *coder); // few enough nodes for that, but inner ones (encode_batch.h)
void gy_pending_init(gy_pending *pending, const gy_coder *coder);
void gy_pending_free(gy_pending *pending);
typedef struct gy_coder_known {
    const uint32_t *numbers; // of its nodes, `pending->stride` of them
    const uint32_t *words;   // if the coder has a shift
} gy_coder_known;
// A state like the one that is known. `written`, bit i: the words from i << shift on may differ
// from its words; shift is the least that leaves at most 64 such pieces. There must be fewer than
// GY_PENDING_MOST.
void gy_coder_put_aside(const gy_coder *coder, gy_coder_known like, const uint32_t *state,
                        uint64_t written, gy_pending *pending);
// Numbers all their nodes. False: no room; once there is some, the same call goes on.
bool gy_coder_number_pending(gy_coder *coder, gy_pending *pending);
// The name of one of them, after that.
static inline void gy_pending_pair(const gy_coder *coder, const gy_pending *pending, uint32_t i,
                                   uint32_t name[2])
{
    const uint32_t *numbers = pending->numbers + (size_t)i * pending->stride;
    name[0] = numbers[coder->top[0]];
    name[1] = numbers[coder->top[1]];
}
void gy_pending_clear(gy_pending *pending);
// The number of a row that was not found in the table of a node. GY_ROW_NONE: no room.
uint32_t gy_coder_add(gy_coder *coder, uint32_t node, const uint64_t *row, uint64_t hash);
uint64_t gy_coder_bytes(const gy_coder *coder); // of its tables
// Grows the tables that want it, with the team that has the coder to itself (NULL: alone). False:
// no memory for one that cannot do without.
bool gy_coder_make_room(gy_coder *coder, gy_team *team);
// How many numbers there are on either side of a name.
static inline uint64_t gy_coder_numbers(const gy_coder *coder, unsigned side)
{
    uint32_t node = coder->shape->top[side];
    return node == GY_NO_NODE ? 1 : gy_node_table_count(&coder->tables[node]);
}
// How many there can be before the tables grow.
static inline uint64_t gy_coder_most(const gy_coder *coder, unsigned side)
{
    uint32_t node = coder->shape->top[side];
    return node == GY_NO_NODE ? 1 : coder->tables[node].most;
}
// Makes the state of that name the base.
void gy_coder_decode(const gy_coder *coder, gy_coder_base *base, const uint32_t name[2]);

void gy_coder_save(const gy_coder *coder, gy_writer *writer);
gy_coder *gy_coder_load(gy_reader *reader, gy_budget *budget, bool hostile); // NULL: damaged

#endif
