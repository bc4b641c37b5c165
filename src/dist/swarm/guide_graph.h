// Guides: what some of the processes do, whatever the others do.
//
// The guiding processes are explored alone. What they know of their own (where they are, and those
// of their variables that no other process writes and whose values follow from each other) is
// exact; all else may have any value, and every send, receive or test that depends on it may
// succeed. That is an over-approximation of what they do in the system; its strongly connected
// components are the *parts*. Parts form an acyclic graph: each state of the system belongs to one
// of them (gy_guide_part), and a step of the system stays in its part or goes to one that can be
// reached from it.
//
// Nothing that is proved rests on the exploration being right: who searches checks each step
// against the graph (gy_guide_path), and a step that is not there ends the search without a
// verdict.
//
// Parts are numbered so that edges go from lower to higher numbers; level[p] is the length of a
// longest path to p. All this is the same in every process that has loaded the same model with the
// same options.
//
// Owner: who makes one frees it; the system must outlive it. Read-only, but for gy_guide_path,
// which remembers what it found: one thread at a time.
#ifndef GYRE_DIST_SWARM_GUIDE_GRAPH_H
#define GYRE_DIST_SWARM_GUIDE_GRAPH_H

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "search/engines.h"

#define GY_NO_PART UINT32_MAX

typedef struct gy_guide gy_guide;

typedef struct gy_guide_options {
    const uint32_t *pids; // of the guiding processes, rising
    uint32_t count;
    uint32_t most_nodes; // of the graph before it is condensed
    bool control_only;   // leave variables out
} gy_guide_options;

// A process that may guide.
typedef struct gy_guide_process {
    uint32_t pid;
    const char *name; // of its type
} gy_guide_process;

// The processes that are there once the system's first steps, in which it has no choice, are done;
// a system without processes that can be examined has none. The result is malloc'ed.
gy_guide_process *gy_guide_processes(gy_run *run, uint32_t *count);

// NULL: there is none; *why (a sentence) says why. Without processes all states are one part. Of a
// run that a limit has stopped nothing can be made; that is examined before each step.
gy_guide *gy_guide_new(gy_run *run, const gy_guide_options *options, gy_text *why);
void gy_guide_free(gy_guide *guide);

uint32_t gy_guide_parts(const gy_guide *guide);
uint32_t gy_guide_levels(const gy_guide *guide);
uint32_t gy_guide_level(const gy_guide *guide, uint32_t part);
// Those that an edge leads to, rising.
const uint32_t *gy_guide_next(const gy_guide *guide, uint32_t part, uint32_t *count);
// The parts of initial states.
bool gy_guide_is_root(const gy_guide *guide, uint32_t part);
uint64_t gy_guide_print(const gy_guide *guide); // a fingerprint of all of it
// "client(1), server(2) with x, y"
void gy_guide_tell(const gy_guide *guide, gy_text *out);
// "client(1) at 12, x = 3": of one of the states of a part
void gy_guide_tell_part(const gy_guide *guide, uint32_t part, gy_text *out);

// GY_NO_PART: the guide has no such state.
// The same, with which of the nodes of the part it is (counted in the order in which they were
// found), and how many nodes a part has.
uint32_t gy_guide_find(const gy_guide *guide, const gy_word *state, uint32_t words, uint32_t *rank);
uint32_t gy_guide_ranks(const gy_guide *guide, uint32_t part);
// A successor with none of these bits in gy_transition.written is in the same part.
uint64_t gy_guide_mask(const gy_guide *guide, const gy_word *state, uint32_t words);

// The parts on the path from one to another after the first one: of the shortest ways the first. A
// single one if there is an edge. NULL: there is no way. Valid until the next call.
const uint32_t *gy_guide_path(gy_guide *guide, uint32_t from, uint32_t to, uint32_t *count);

#endif
