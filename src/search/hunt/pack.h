// A pack: hunters that go on in turns, side by side on as many threads as call gy_pack_turn. Each
// gets work in proportion to its weight; one that makes progress (executes what no other has, comes
// nearer by its guide) gets more weight for a while. Hunters that are over, or have had their time,
// begin again with another seed.
//
// With one thread, all that a pack does depends on what it was given and its seed, on nothing else.
//
// Private to src/search. gy_pack_turn may be called by several threads at once, all else by one.
// Owner: gy_pack_free; what the scene refers to is borrowed.
#ifndef GYRE_SEARCH_HUNT_PACK_H
#define GYRE_SEARCH_HUNT_PACK_H

#include "search/hunt/hunter.h"

typedef struct gy_pack_scene {
    gy_hunt_scene scene;
    unsigned threads; // that will take turns
    uint64_t memory;  // bytes for all of them together; 0: no limit
    // Called with each error that was not found before, by one thread at a time. True: that is
    // enough.
    bool (*found)(void *user, const gy_finding *finding, const gy_hunter *by);
    void *user;
} gy_pack_scene;

// What one of them has done.
typedef struct gy_pack_share {
    const gy_strategy *strategy;
    const gy_heuristic *guide; // or NULL
    uint64_t generated, states, depth, runs, errors;
} gy_pack_share;

typedef struct gy_pack gy_pack;

gy_pack *gy_pack_new(const gy_pack_scene *set, uint64_t seed);
void gy_pack_free(gy_pack *pack);
// Lets one of them go on for a while. False: there is nothing more to be done.
bool gy_pack_turn(gy_pack *pack);
void gy_pack_stop(gy_pack *pack); // from any thread: gy_pack_turn returns false from now on

typedef struct gy_pack_figures {
    uint64_t generated, arrivals, states, depth, memory;
    bool proof;           // one of them has seen every state: the states are those it saw
    int32_t endless_edge; // begins an atomic sequence that goes round for ever; -1: none was seen
    double pct_miss;      // the chance that an error of depth GY_PCT_DEPTH was missed; 1: no walks
    uint64_t pct_runs, pct_steps;
    uint32_t pct_processes;
} gy_pack_figures;
// While nothing takes a turn, or (then roughly) at any time.
void gy_pack_look(gy_pack *pack, gy_pack_figures *figures);
uint32_t gy_pack_shares(const gy_pack *pack);
gy_pack_share gy_pack_share_at(const gy_pack *pack, uint32_t number);
void gy_pack_mark_reached(const gy_pack *pack, uint8_t *reached, uint32_t edge_count);

#endif
