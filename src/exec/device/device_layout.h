// Where the bits of a state are on a device, and the code of a model for it.
//
// A device (device.h) keeps of a state what can differ: the bits of control locations, variables
// that something assigns, messages. They are in one or more 64-bit numbers; no word of the
// virtual machine's is torn between two of them. The states of one layout of the virtual machine's
// (state_layout.h) and of those that come about when its youngest processes die are the device's;
// all others, and states whose unassigned variables have other values than those of the sample,
// are not: gy_device_pack says so, and the host keeps them.
//
// Owner: gy_device_layout_free (generate.h). Read-only once made: any number of threads may pack
// and unpack.
#ifndef GYRE_EXEC_DEVICE_DEVICE_LAYOUT_H
#define GYRE_EXEC_DEVICE_DEVICE_LAYOUT_H

#include "device/code.h"

#include <stdbool.h>
#include <stdint.h>

enum { GY_DEVICE_NO_BIT = 0xffff, GY_DEVICE_NAME_BITS = 63 };

struct gy_state_layout;

// A layout of the virtual machine's whose states are the device's.
typedef struct gy_device_shape {
    const struct gy_state_layout *layout;
    uint64_t keep[GY_DEVICE_MOST_PARTS]; // the bits that it has
} gy_device_shape;

typedef struct gy_device_layout {
    uint32_t words;        // of the longest state
    uint32_t parts;        // 64-bit numbers of a state
    uint16_t *pos;         // [word][bit]: its place, or GY_DEVICE_NO_BIT
    uint32_t *mask;        // by word: bits that have a place
    uint32_t *fixed;       // by word: the others
    uint32_t shape_bits;   // from bit 0 on: which shape
    uint32_t monitor_bits; // after these: the state of a monitor
    gy_device_shape *shapes;
    uint32_t shape_count;
} gy_device_layout;

// Into layout->parts numbers. False: this state is not the device's.
bool gy_device_pack(const gy_device_layout *layout, const gy_word *state, uint32_t words,
                    uint64_t *packed);
// The length in words, at most layout->words.
uint32_t gy_device_unpack(const gy_device_layout *layout, const uint64_t *packed, gy_word *state);

// Which shape of the device's this is, or -1.
int32_t gy_device_shape_of(const gy_device_layout *layout, const struct gy_state_layout *of);

#endif
