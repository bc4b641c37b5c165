// Shapes: which processes and channels are alive in a state, and where their blocks are.
//
// A state is the global block followed by one block for each live process and channel in the
// order of their creation. The sequence of these components (kind and template or channel
// type) is the state's shape; it is interned, and its number stands in word 0 of the state.
// From a shape everything that has to do with the layout of that state is read in O(1): the
// offset of a process's block, of a channel's block, the length of the state.
//
// Shapes form a tree: pushing a component gives a child, and the death of the youngest
// process goes back to the shape before it was made. Both moves are remembered, so that a
// `run` or a process's end costs one load once it was seen.
//
// Threads: any number may call any function of one table at once. Reading a shape by number
// and following a remembered move take no lock; making a new shape takes the table's mutex.
// A shape is never changed (but for remembered moves) nor freed before its table. Numbers are
// given in the order of discovery, so they mean something within one table only.
#ifndef GYRE_EXEC_VM_STATE_LAYOUT_H
#define GYRE_EXEC_VM_STATE_LAYOUT_H

#include "model/model.h"

#include <stdatomic.h>

enum { GY_MAX_PROCESSES = 255, GY_MAX_CHANNELS = 255 };

typedef struct gy_state_layout_process {
    uint32_t offset; // of its block, in words
    int32_t tmpl;
} gy_state_layout_process;

typedef struct gy_state_layout_channel {
    uint32_t offset;
    int32_t type;
    int32_t creator; // the youngest process when it was made; -1: none was alive
} gy_state_layout_channel;

typedef struct gy_state_layout gy_state_layout;

struct gy_state_layout {
    uint32_t id;
    uint32_t words; // length of a state of this shape
    uint32_t process_count, channel_count;
    const gy_state_layout_process *process; // by pid
    const gy_state_layout_channel *channel; // by identity - 1
    const gy_state_layout *parent;          // without the last component; NULL for the empty shape
    const gy_state_layout *before_process;  // as it was before the youngest process was made
    _Atomic(const gy_state_layout *) *next; // by template, then by channel type: NULL, or the child
};

typedef struct gy_state_layouts gy_state_layouts;

gy_state_layouts *gy_state_layouts_new(const gy_model *model); // borrows the model
void gy_state_layouts_free(gy_state_layouts *shapes);

const gy_state_layout *gy_state_layout_empty(const gy_state_layouts *shapes); // number 0
// The shape with this number, or NULL if there is none.
const gy_state_layout *gy_state_layout_at(const gy_state_layouts *shapes, uint32_t id);
// One more process or channel. The caller has checked the limits above.
const gy_state_layout *gy_state_layout_push_process(gy_state_layouts *shapes,
                                                    const gy_state_layout *shape, int32_t tmpl);
const gy_state_layout *gy_state_layout_push_channel(gy_state_layouts *shapes,
                                                    const gy_state_layout *shape, int32_t type);
// Without the youngest process and all channels that are younger than it.
static inline const gy_state_layout *gy_state_layout_pop_process(const gy_state_layout *shape)
{
    return shape->before_process;
}
uint32_t gy_state_layout_count(const gy_state_layouts *shapes);

// All shapes as two words each (number of the parent; the component pushed), for a table of the
// same model in another process to take over. False: the numbers can't be made the same.
uint32_t *gy_state_layouts_export(const gy_state_layouts *shapes, size_t *words);
bool gy_state_layouts_import(gy_state_layouts *shapes, const uint32_t *exported, size_t words);

#endif
