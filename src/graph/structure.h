// The facts of a reachable graph that the BEEM set records for its models, defined as there:
//
// - Levels: of breadth-first search. A back-level edge leads to another state of the same level or
//   of one before; its length is how many levels it goes back.
// - Degrees: edges that arrive at and leave a state; two edges between the same states are two.
// - Components: strongly connected ones. Trivial: a single state. Terminal: no edge leaves it. The
//   height is the number of edges on a longest path of the quotient graph; the nontrivial height
//   counts only those of its edges at one end of which (at least) is a component that is not
//   trivial.
// - Depth-first search, edges in the order of the graph (processes, then statements): the size of
// the stack while states
//   are found; edges to new states (front), into the stack (back), to states that were left
//   (cross); the shortest cycle that a back edge closes.
// - Local structure: the part of states from which two successors lead on to one common state (a
//   diamond); how many states are at most four steps away from a state (itself among them); and of
//   these the clustering, edges seen on these steps per state reached: the mean, a state without
//   successors counting as 1.
// - A random walk of ten steps per state, which begins again where there is no successor: how much
//   of the graph it has seen, and how often it met what it met most often.
//
// Owner: gy_structure_free.
#ifndef GYRE_GRAPH_STRUCTURE_H
#define GYRE_GRAPH_STRUCTURE_H

#include "graph/graph.h"

enum { GY_NEIGHBOURHOOD_STEPS = 4 };

typedef struct gy_level_facts {
    uint64_t states, edges;
} gy_level_facts;

typedef struct gy_sample {
    uint64_t at; // states found; steps made
    double percent;
} gy_sample;

typedef struct gy_component_size {
    uint64_t size, count;
} gy_component_size;

typedef struct gy_structure {
    gy_graph_end end;
    uint64_t states, edges, initial, deadlocks, faults;
    uint64_t unexpanded; // states that a limit kept from being examined
    // What there was no time or memory for is not there.
    bool has_levels, has_components, has_depth_first, has_local, has_walk;

    GY_VEC(gy_level_facts) levels;
    uint64_t largest_level;
    uint64_t back_edges, longest_back, sum_back;
    GY_VEC(uint64_t) back_lengths; // how many are of each length

    GY_VEC(uint64_t) in, out; // how many states have each degree
    uint64_t least_in, most_in, least_out, most_out;

    uint64_t components, trivial, terminal, largest, height, nontrivial_height;
    bool largest_is_initial, largest_is_terminal;
    GY_VEC(gy_component_size) sizes; // ascending

    uint64_t most_stack, front, back, cross;
    uint64_t shortest_cycle; // 0: none
    GY_VEC(gy_sample) stack;

    uint64_t diamonds, looked_at; // of so many states
    double neighbourhood, clustering;

    GY_VEC(gy_sample) walk;
    double walk_coverage;    // percent
    GY_VEC(uint64_t) visits; // most often first
    GY_VEC(gy_edge_label) labels;
} gy_structure;

// Never NULL. The graph stays the caller's.
gy_structure *gy_structure_make(const gy_graph *graph, gy_graph_limits *limits, uint64_t seed);
void gy_structure_free(gy_structure *structure);

// The parts. Each sets its `has_` unless a limit was reached.
void gy_structure_levels(gy_structure *structure, const gy_graph *graph, gy_graph_limits *limits);
void gy_structure_components(gy_structure *structure, const gy_graph *graph,
                             gy_graph_limits *limits);
void gy_structure_depth_first(gy_structure *structure, const gy_graph *graph,
                              gy_graph_limits *limits);
void gy_structure_local(gy_structure *structure, const gy_graph *graph, gy_graph_limits *limits);
void gy_structure_walk(gy_structure *structure, const gy_graph *graph, gy_graph_limits *limits,
                       uint64_t seed);

#endif
