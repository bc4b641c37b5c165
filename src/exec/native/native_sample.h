// What a short run shows of a model: which shapes dominate, and which variables are constant.
#ifndef GYRE_EXEC_NATIVE_NATIVE_SAMPLE_H
#define GYRE_EXEC_NATIVE_NATIVE_SAMPLE_H

#include "exec/vm/vm.h"

// A local variable that had the same value in all states of the sample of this shape.
typedef struct gy_native_constant {
    bool known;
    bool used; // the generated code relies on it
    int32_t value;
} gy_native_constant;

typedef struct gy_native_shape {
    const gy_state_layout *shape;
    uint64_t weight;            // how often it was met
    bool seen;                  // constants were initialised
    gy_native_constant *locals; // process by process, variable by variable, element by element
    uint32_t *first;            // by pid: where its constants begin
    uint32_t most_words;        // of a successor; filled by the generator
} gy_native_shape;

// A list of states.
typedef struct gy_state_list {
    gy_word *words; // for each: its length, then the state
    size_t n, room;
    uint32_t count;
} gy_state_list;

void gy_state_list_add(gy_state_list *list, const gy_word *state, uint32_t words);
void gy_state_list_add_all(gy_state_list *list, const gy_state_list *more);
void gy_state_list_free(gy_state_list *list);

typedef struct gy_native_facts {
    const gy_model *model;
    bool *assigned;          // by variable: something may change it after the start
    uint32_t *element;       // by variable: position of its element 0 among those of its owner
    int32_t *globals;        // by element: the value of globals that nothing assigns
    gy_native_shape *shapes; // the frequent ones first
    uint32_t shape_count;
    uint32_t written;     // of these, C was generated for so many
    gy_state_list sample; // some of the states that were met
} gy_native_facts;

// Runs the VM for some thousand states, and takes `extra` ones (or NULL) too. Keeps at most
// `most` shapes, the frequent ones. Once *child (or NULL) is below 0, nothing will use the facts:
// then it comes to an end soon.
gy_native_facts *gy_native_facts_find(const gy_vm *vm, uint32_t most, const gy_state_list *extra,
                                      const _Atomic int *child);
void gy_native_facts_free(gy_native_facts *facts);

#endif
