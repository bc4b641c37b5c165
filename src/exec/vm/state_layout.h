// Layouts: which processes and channels are alive in a state, and where their blocks are.
//
// A state is the global block followed by one block for each live process and channel in the
// order of their creation. The sequence of these components (kind and template or channel
// type) is the state's layout. From it everything that has to do with offsets is read in O(1):
// where a process's block is, where a channel's is, how long the state is.
//
// The words of a state say themselves what its layout is, and say it in the same way in every
// process that has loaded the same model: word 0 is a code of the sequence (state_layout.c says
// how it is made). A sequence that is too long for one word has further words, called links, before
// some of the blocks; few models have such states.
//
// Layouts form a tree: pushing a component gives a child, and the death of the youngest
// process goes back to the layout before it was made. Both moves are remembered, so that a
// `run` or a process's end costs one load once it was seen.
//
// Threads: any number may call any function of one table at once. Finding a layout that is known
// and following a remembered move take no lock; making a new one takes the table's mutex.
// A layout is never changed (but for remembered moves) nor freed before its table.
#ifndef GYRE_EXEC_VM_STATE_LAYOUT_H
#define GYRE_EXEC_VM_STATE_LAYOUT_H

#include "gyre/gyre.h"
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
    uint32_t code;   // word 0 of its states. GY_LAYOUT_UNFINISHED: a process is being started
    uint32_t number; // dense, from 0, in the order of discovery: for tables of one system's only
    uint32_t words;  // length of a state of this layout
    uint32_t link;   // 0, or the word before the last block, which holds parent->code
    uint32_t process_count, channel_count;
    const gy_state_layout_process *process; // by pid
    const gy_state_layout_channel *channel; // by identity - 1
    const gy_state_layout *parent;          // without the last component; NULL for the empty one
    const gy_state_layout *before_process;  // as it was before the youngest process was made
    const gy_state_layout *linked;          // the last one on the way here with a link, or NULL
    _Atomic(const gy_state_layout *) *next; // by template, then by channel type: NULL, or the child

    // How the code is made: see state_layout.c.
    uint32_t kept, rest, awaited, final_code;
    const gy_state_layout *made_before;
};

#define GY_LAYOUT_UNFINISHED UINT32_MAX

typedef struct gy_state_layouts gy_state_layouts;

gy_state_layouts *gy_state_layouts_new(const gy_model *model); // borrows the model
void gy_state_layouts_free(gy_state_layouts *layouts);

const gy_state_layout *gy_state_layout_empty(const gy_state_layouts *layouts); // number 0
// The layout of a state, the code that made it; NULL if this is no state of the model.
const gy_state_layout *gy_state_layout_find(const gy_state_layouts *layouts, const gy_word *state,
                                            uint32_t words);
// Is this the layout of the state?
bool gy_state_layout_fits(const gy_state_layout *layout, const gy_word *state, uint32_t words);
// One more process or channel. The caller has checked the limits above.
const gy_state_layout *gy_state_layout_push_process(gy_state_layouts *layouts,
                                                    const gy_state_layout *layout, int32_t tmpl);
const gy_state_layout *gy_state_layout_push_channel(gy_state_layouts *layouts,
                                                    const gy_state_layout *layout, int32_t type);
// Without the youngest process and all channels that are younger than it.
static inline const gy_state_layout *gy_state_layout_pop_process(const gy_state_layout *layout)
{
    return layout->before_process;
}
uint32_t gy_state_layout_count(const gy_state_layouts *layouts);

#endif
