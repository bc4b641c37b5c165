// Büchi automata with generalised acceptance on transitions, and what can be asked of them.
//
// States are 0 .. state_count-1. A run is accepted if, for each acceptance set 0 .. sets-1, it
// takes an edge of that set infinitely often; with no sets, every infinite run is accepted.
// An edge's label is a Boolean function of at most 64 atoms (variable v of the label is atom
// atoms[v] of the pool). Edges are sorted by their source: those of state s are
// edges[first[s] .. first[s+1]-1].
//
// A state-based automaton has at most one set, and all edges that leave a state agree on it:
// the state is accepting if its edges are.
//
// Owner: the caller of the function that made it; gy_automaton_free. The labels belong to the
// gy_ltl_context (translate.h) it was made in, which must live longer.
#ifndef GYRE_LANG_LTL_AUTOMATON_AUTOMATON_H
#define GYRE_LANG_LTL_AUTOMATON_AUTOMATON_H

#include "base/vec.h"
#include "lang/ltl/automaton/bdd.h"

#include <stdbool.h>
#include <stdint.h>

enum { GY_AUTOMATON_MAX_ATOMS = 64, GY_AUTOMATON_MAX_SETS = 64 };

typedef struct gy_aut_edge {
    uint32_t from, to;
    gy_bdd label;
    uint64_t accept; // the sets this edge is in
} gy_aut_edge;

typedef struct gy_automaton {
    gy_bdds *labels; // borrowed
    gy_aut_edge *edges;
    uint32_t *first;
    uint32_t edge_count, state_count, initial;
    uint32_t sets;
    bool state_based;
} gy_automaton;

void gy_automaton_free(gy_automaton *a);
uint64_t gy_automaton_all(const gy_automaton *a); // the mask of all its sets
bool gy_automaton_accepting_state(const gy_automaton *a, uint32_t state);

// ---- building -----------------------------------------------------------------------------

typedef GY_VEC(gy_aut_edge) gy_aut_edges;
// Sorts the edges, joins those that differ in their labels alone, drops false ones, takes the
// vector's contents (it is empty afterwards).
gy_automaton *gy_automaton_make(gy_bdds *labels, uint32_t state_count, uint32_t initial,
                                uint32_t sets, gy_aut_edges *edges);
gy_automaton *gy_automaton_copy(const gy_automaton *a);

// ---- components ---------------------------------------------------------------------------

// Strongly connected components, numbered so that edges go from higher to lower or equal.
typedef struct gy_sccs {
    uint32_t count;
    uint32_t *of;    // component of a state; UINT32_MAX: not reachable
    bool *trivial;   // no edge inside
    bool *accepting; // has an accepting cycle
    bool *weak;      // all cycles agree
} gy_sccs;

gy_sccs gy_sccs_find(const gy_automaton *a);
void gy_sccs_free(gy_sccs *sccs);

// ---- questions ----------------------------------------------------------------------------

bool gy_automaton_empty(const gy_automaton *a);
bool gy_automaton_deterministic(const gy_automaton *a);
bool gy_automaton_complete(const gy_automaton *a);
bool gy_automaton_weak(const gy_automaton *a);     // every component's cycles agree
bool gy_automaton_terminal(const gy_automaton *a); // weak; what reached acceptance is accepted
bool gy_automaton_safety(const gy_automaton *a);   // every infinite run is accepted

// ---- operations ---------------------------------------------------------------------------

// Removes what cannot be reached or cannot accept, and acceptance that decides nothing: edges
// between components and in components that never accept leave all sets, components whose
// cycles all accept get all sets, sets are dropped or renumbered per component.
// `transient_accepts` puts edges between components into all sets instead of none.
// An automaton without words becomes one state without edges.
gy_automaton *gy_automaton_prune(const gy_automaton *a, bool transient_accepts);
// The words that both accept; NULL if it would have more than max_states states or too many
// sets.
gy_automaton *gy_automaton_product(const gy_automaton *a, const gy_automaton *b,
                                   uint32_t max_states);

#endif
