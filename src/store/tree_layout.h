// How a state of a given length is cut up and put together again in the tree store.
//
// A shape is a tree over the words of a state. Leaves hold one or more words each, not necessarily
// neighbours; inner nodes have two to four children. Nodes are numbered so that children come
// before parents: leaves are 0 .. leaves-1, inner nodes follow. The root itself is not a node: it
// is the pair of the nodes in `top`. (A state of one word has one leaf and no top[1].)
//
// Which words belong together decides how well states compress: groups whose values go together
// have few different values, and the two groups below the root should both have few. So shapes
// are planned from a sample of states, by merging, repeatedly, the two groups that have the
// fewest different values together (as in Huffman's algorithm, with counts for weights). That gives
// a binary tree; where a node has few values, its grandchildren take the place of its children,
// which makes for fewer lookups.
//
// Most often the two groups below the root have so few values that it hardly matters what each
// takes. Then they are leaves, however many words they have: a flat shape. It takes one lookup for
// each half that has changed, and reading a state is copying two rows.
#ifndef GYRE_STORE_TREE_LAYOUT_H
#define GYRE_STORE_TREE_LAYOUT_H

#include "base/team.h"

#include <stdbool.h>
#include <stdint.h>

enum { GY_LEAF_WORDS = 4, GY_STILL_LEAF = 16, GY_MOST_KIDS = 4, GY_PLAN_WORDS = 512 };
enum { GY_ENCODE_BATCH_LEAF = 256 }; // words of a leaf of a flat shape, at most
enum { GY_SAMPLE_MOST = 1 << 14, GY_SAMPLE_FEWEST = 1 << 10 };
// With no more leaves than that, what was written of a state says which of them have changed
// (coder.h).
enum { GY_MASKED_LEAVES = 64 };
#define GY_NO_NODE UINT32_MAX

typedef struct gy_tree_layout {
    uint32_t words, leaves, nodes;
    uint32_t *first;   // leaf i holds the words listed in word_at[first[i] .. first[i + 1])
    uint32_t *word_at; // a permutation of 0 .. words-1
    uint32_t *leaf_of; // of each word
    uint32_t (*kids)[GY_MOST_KIDS]; // of each node; GY_NO_NODE where there is none
    uint32_t *parent;               // of each node; likewise
    uint32_t top[2];
} gy_tree_layout;

// Halves of neighbouring words, as equal as possible (flat unless they are long): what one begins
// with.
gy_tree_layout *gy_tree_layout_balanced(uint32_t words);
void gy_tree_layout_free(gy_tree_layout *shape);

// What a shape is wanted for.
typedef struct gy_tree_layout_wish {
    double states;     // that the store has
    double share;      // of what it takes now: it must take less than that
    double flat_bytes; // per state, that a flat shape may take beyond another one
    bool always;       // any other one will do (for tests)
} gy_tree_layout_wish;

// A better shape than `now`, judging by a sample of n states in random order, or NULL. The team may
// be NULL.
gy_tree_layout *gy_tree_layout_better(const gy_tree_layout *now, const uint32_t *sample, uint32_t n,
                                      const gy_tree_layout_wish *wish, gy_team *team);
// How many states such a sample should have: planning takes time in the square of the words.
uint32_t gy_tree_layout_sample_size(uint32_t words);

#endif
