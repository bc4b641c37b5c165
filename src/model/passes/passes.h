// Passes: the reduced form of a model, in which fewer states give the same verdicts.
//
// The exact model stays as it is; a pass works on a copy. The copy has the same templates, nodes,
// edges and variables under the same numbers, so that a step, a formula or a witness means the
// same in both. What a pass may do to the copy: give an edge another effect (a new program: the
// old one belongs to the exact model too), narrow a variable's range, take a variable out of the
// state (`removed`), keep an edge atomic. What it must not do: number anything again, or change an
// expression or a program in place.
//
// Verdicts, the kinds and places of faults and the invalid end states are those of the exact
// model. Unless gy_saved says `reorders`, so are the lengths of paths: each transition of the one
// system is a transition of the other with the same steps.
//
// Owner: the copy lives in the exact model's arena and is released with it.
#ifndef GYRE_MODEL_PASSES_PASSES_H
#define GYRE_MODEL_PASSES_PASSES_H

#include "model/model.h"

typedef struct gy_passes {
    bool dead;   // variables are reset where their values cannot be read any more (dead.h)
    bool slice;  // what nothing can see leaves the state (slice.h)
    bool merge;  // statements that nothing can see between are joined
    bool ranges; // variables get the bits that their values need
} gy_passes;

// What the properties to be checked examine.
typedef struct gy_watched {
    const gy_formula **formulas;
    size_t formula_count;
    bool claims;          // the model's never claims
    bool fair_statements; // fairness asks whether labelled statements are enabled,
    bool fair_processes;  // whether processes are
} gy_watched;

// What the passes did. A pass that did nothing leaves zeros.
typedef struct gy_saved {
    uint32_t dead_variables; // variables with at least one reset
    uint32_t dead_resets;    // edges that reset a variable, counted for each variable
    uint32_t path_variables; // the same for those that only the values of others show to be dead
    uint32_t path_resets;
    uint32_t sliced_variables;
    uint32_t sliced_fields; // of messages: nothing examines them
    uint64_t sliced_bits;   // that they would take, in the globals and in one process each
    uint32_t merged_edges;
    uint32_t narrowed_variables;
    uint64_t narrowed_bits;
    uint32_t last_places; // nodes where _last is read; beyond them it is reset, if last_fades
    bool last_fades;      // _last is reset where nothing reads it next
    bool exact;           // nothing but bits was to be saved
    bool reorders;        // shortest paths may be longer than in the exact model
} gy_saved;

// Did any pass change anything?
bool gy_saved_any(const gy_saved *saved);

// A copy as deep as passes, layout and access write.
gy_model *gy_model_copy(const gy_model *exact);
// Runs the passes that are asked for and sound for this model. Layout and access are done.
gy_model *gy_model_reduced(const gy_model *exact, const gy_passes *passes,
                           const gy_watched *watched, gy_saved *saved);

#endif
