// The product of a system and an observer as a graph (emptiness.h): its nodes and edges, made when
// they are asked for. Private to src/search.
//
// The store of the run has the states of the system. A node is the number of a state and a state
// of the observer. With an observer of few states, node number n * spread + c stands for state n
// and observer state c, whether it can be reached or not. Otherwise the pairs (n, c) that were
// reached are in a store of their own, whose numbers are the nodes.
//
// Owner: gy_product_init and gy_product_free; the run and the observer are borrowed.
#ifndef GYRE_SEARCH_LIVENESS_PRODUCT_GRAPH_H
#define GYRE_SEARCH_LIVENESS_PRODUCT_GRAPH_H

#include "search/liveness/emptiness.h"
#include "search/liveness/fair.h"
#include "search/liveness/reduced_graph.h"
#include "search/run.h"

// Where an edge of the product comes from.
typedef struct gy_edge_origin {
    uint32_t move, ordinal; // the observer's; the transition's, or GY_STUTTER
} gy_edge_origin;

// What is known of a transition next to its successor.
typedef struct gy_arrival {
    uint32_t ordinal, cost;
    uint64_t moved;  // marks
    uint64_t passed; // as the observer has it
} gy_arrival;

typedef struct gy_product {
    gy_run *run;
    const gy_observer *observer;
    gy_fair fair;
    bool frozen;              // no new states: those not known are left out
    bool telling;             // keep origins
    bool costs;               // of edges are asked for
    bool counting;            // transitions
    bool full;                // no memory
    bool overflow;            // a node's number does not fit
    gy_reduced_view *reduced; // the system's part of the search; NULL: all of it
    unsigned threads;         // for the code that chooses an engine
    uint64_t limit;           // nodes after which it is broken off; 0: never
    uint64_t count;           // of nodes so far
    bool broken_off;
    gy_arc_graph *graph; // NULL, or as which it is searched
    bool afresh;     // it is not to go on from a checkpoint: what was written there is of no use
    uint32_t spread; // see above; 0: pairs
    gy_numbered *pairs;
    GY_VEC(uint8_t) expanded; // if nodes may be more than once: those that were

    // Of the current node:
    const gy_word *state;
    uint32_t words;
    uint32_t at; // the observer's state
    const gy_observer_move *moves;
    uint32_t move_count;
    uint64_t asked;                    // strong marks
    gy_arc_graph_marks edge_asked;     // by edge, if the observer changes states: those in addition
    const gy_observer_move *seen;      // a transition that is an error
    GY_VEC(gy_edge_origin) origins;    // of its edges
    GY_VEC(gy_numbered_entry) entries; // its successors
    GY_VEC(gy_arrival) arrivals;       // for each of them
    uint32_t ordinal;                  // of transitions so far
    GY_VEC(gy_word) pool;              // copies of successors that came one by one
    GY_VEC(gy_numbered_entry) pair_entries;
    GY_VEC(gy_word) pair_words;
    GY_VEC(gy_observer_move) own_moves; // if they came one by one
    GY_VEC(gy_word) changed;            // states that these leave, where the observer changes them
    uint32_t first_move;                // of those that edges are made of, among all
} gy_product;

void gy_product_init(gy_product *p, gy_run *run, const gy_observer *observer, gy_fairness fairness);
// Before each search, which begins with an empty store of the run. False: no memory.
bool gy_product_restart(gy_product *p);
void gy_product_free(gy_product *p);

// For gy_arc_graph. Non-zero GY_GRAPH_SEEN: p->seen is set.
int gy_product_edges(void *product, uint32_t node, gy_arc_graph_edges *out);
uint64_t gy_product_asks(void *product, size_t edge);
// For the current graph, which has more marks than fit into a word from now on.
void gy_product_widen(gy_product *p);
// How it is searched for strong fairness, and by windows: into a graph.
void gy_product_set_asks(gy_product *p, gy_arc_graph *graph);

// The nodes in which the product begins, with the ordinals of the initial states.
typedef struct gy_product_start {
    gy_arc_graph_nodes nodes;
    GY_VEC(uint32_t) ordinals;
} gy_product_start;
void gy_product_begin(gy_product *p, gy_product_start *start);

// product_lasso.c: the path along stem and cycle; without a cycle, to a node where the observer
// sees an error. The caller frees it.
gy_lasso_witness *gy_product_tell(gy_product *p, const gy_product_start *start,
                                  const gy_arc_graph_path *stem, uint32_t end,
                                  const gy_arc_graph_path *cycle);

#endif
