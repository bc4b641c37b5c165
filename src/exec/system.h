// SUCCESSORS inside Gyre: what follows the public gy_system and gy_worker.
//
// A backend (vm, native, foreign) fills in a gy_backend. The public functions of
// include/gyre/gyre.h dispatch through it, and so do views, observers and reductions: nothing but a
// backend knows what follows `impl`. A member that is marked so may be NULL; those who ask
// then get the answer that is written there.
#ifndef GYRE_EXEC_SYSTEM_H
#define GYRE_EXEC_SYSTEM_H

#include "gyre/gyre.h"
#include "model/model.h"

struct gy_state_layouts;
struct gy_state_viewer;

// Names that stand for truths of a state, of a system without a MODEL: names[i] is atom i + 1.
typedef struct gy_predicate_names {
    const char *const *names;
    uint32_t count;
} gy_predicate_names;

// What groups of steps have to do with the words of states, which all have the same length; as in
// struct gy_foreign. A step's edge is its group.
typedef struct gy_dependencies {
    uint32_t groups, words, predicates;
    const uint8_t *access;          // [group][word]
    const uint8_t *predicate_reads; // [predicate][word], or NULL
    const uint8_t *guards;          // [group][predicate], or NULL
    const char *const *names;       // of groups, or NULL
} gy_dependencies;

typedef void gy_print_hook(void *user, int32_t pid, const char *text);
typedef int gy_claim_visit(void *user, int32_t edge, const gy_word *block, gy_fault_kind fault);

typedef struct gy_backend {
    const char *name; // "vm", "native", "foreign"
    void (*free_system)(void *system);
    void *(*new_worker)(void *system);
    void (*free_worker)(void *worker);
    int (*initial)(void *worker, gy_visit *visit, void *user);
    int (*successors)(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                      void *user);
    int (*single_steps)(void *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                        gy_visit *visit, void *user);
    bool (*is_state)(void *worker, const gy_word *state, uint32_t words); // NULL: any words are
    bool (*is_end_state)(void *worker, const gy_word *state, uint32_t words, bool empty_channels);
    bool (*holds)(void *worker, const gy_word *state, uint32_t words, gy_atom predicate);
    char *(*state_text)(void *worker, const gy_word *state, uint32_t words);
    char *(*step_text)(void *worker, const gy_step *step);
    // Or NULL; see gy_successors_batch, gy_successors_append and gy_successors_many.
    const gy_transition *(*successors_batch)(void *worker, const gy_word *state, uint32_t words,
                                             uint32_t *count);
    const gy_transition *(*successors_append)(void *worker, const gy_word *state, uint32_t words,
                                              uint32_t *count);
    uint32_t (*successors_many)(void *worker, gy_many *many);
    // Or NULL; see gy_only_successor.
    const gy_transition *(*only_successor)(void *worker, const gy_word *state, uint32_t words,
                                           uint32_t pid, bool append);
    // The truth of up to 64 predicates; see gy_state_view_truths. NULL: all are unknown.
    uint64_t (*truths)(void *worker, const gy_word *state, uint32_t words, const gy_atom *atoms,
                       uint32_t count, uint64_t *unknown);

    // Or NULL: the same of many states; see gy_state_view_letters.
    bool (*letters)(void *worker, const gy_many *states, const gy_atom *atoms, uint32_t count,
                    uint64_t *letters);

    // For systems without a MODEL; NULL, or false: they have none.
    bool (*names)(void *system, gy_predicate_names *names);
    bool (*dependencies)(void *system, gy_dependencies *dependencies);

    // For systems with a MODEL whose states are laid out as state_layout.h says; NULL: there are no
    // processes and channels to examine, no expressions of a process, no labels, no output.
    struct gy_state_layouts *(*layouts)(void *system, bool *lossy);
    const struct gy_state_viewer *viewer;                                  // view.h
    uint32_t (*flags)(void *worker, const gy_word *state, uint32_t words); // see gy_state_flags
    void (*step_output)(void *worker, const gy_word *state, uint32_t words,
                        const gy_transition *transition, gy_print_hook *hook, void *user);
    bool (*is_stuck)(void *worker, const gy_word *state, uint32_t words);
    void (*claim_start)(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                        gy_word *block);
    int (*claim_moves)(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                       const gy_word *block, bool timeout, gy_claim_visit *visit, void *user);
} gy_backend;

struct gy_system {
    const gy_backend *backend;
    void *impl;            // the backend's own
    const gy_model *model; // NULL for a foreign system
    gy_model *owned_model; // freed with the system; NULL if the model belongs to another owner
    const char *name;
    const char *file; // that it is in, for reports: a model's name is that of its file
    uint64_t content; // of a shared object: a hash of its file; 0: a model tells what it is
    const gy_fault_row *faults; // NULL: those of models
    uint32_t fault_count;
    uint64_t *given; // the atoms that gy_predicate gave (base/bits.h) …
    uint32_t given_words;
    gy_arena *arena; // of what was made for it later (formulas), or NULL
};

struct gy_worker {
    gy_system *system;
    void *impl;
    struct gy_orbit_fold *folder; // or NULL: see orbit.h
};

typedef struct gy_exec_options {
    bool lossy;
} gy_exec_options;

// A VM over a finished model (layout and access done). Takes over the model if `own`.
gy_system *gy_system_vm(gy_model *model, bool own, const gy_exec_options *options);
gy_system *gy_system_foreign(const char *path, char **problem);

// For analyses that look into states: the layouts of a system's states (state_layout.h) and whether
// messages may get lost. NULL: its states are not laid out so.
struct gy_state_layouts *gy_system_layouts(const gy_system *system, bool *lossy);

// From now on, gy_holds and gy_evaluate may be asked for this one.
void gy_system_give(gy_system *system, gy_atom atom);

// Those of a system without a MODEL. False: it has none.
bool gy_system_names(const gy_system *system, gy_predicate_names *names);
bool gy_system_dependencies(const gy_system *system, gy_dependencies *dependencies);

// The successor by one process, if it has exactly one transition in this state, with a successor
// and no fault, and what the others can do need not be known. After what gy_successors_batch and
// _append have given, if `append`; otherwise in its place. NULL: it has not, or that cannot be
// determined here; then nothing has changed for those before.
const gy_transition *gy_only_successor(gy_worker *worker, const gy_word *state, uint32_t words,
                                       uint32_t pid, bool append);

// Never claims are stepped by the product, not by SUCCESSORS. A claim (template `tmpl`) has a block
// of its own, as a process has: control location and local variables. For systems with a model.
//
// Sets up the block of a claim that starts in this state.
void gy_claim_start(gy_worker *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                    gy_word *block);
// The executable edges, in order, each with the block that it leaves and the fault that it finds:
// of a failed assertion, or of an effect that cannot be executed. Returns 0, or what `visit`
// returned to stop. A claim whose guard faults is taken not to hold. The state does not change:
// effects must be on the block alone. `timeout`: the value that the claim sees.
int gy_claim_moves(gy_worker *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                   const gy_word *block, bool timeout, gy_claim_visit *visit, void *user);
// Can no process move without `timeout`?
bool gy_is_stuck(gy_worker *worker, const gy_word *state, uint32_t words);

#endif
