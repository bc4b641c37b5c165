// The code of a system for a device, as the code that runs it sees it.
//
// A device keeps of a state what can differ, in `parts` 64-bit numbers. Not all states need be the
// device's: `pack` says so, and the code that searches keeps the others.
//
// Owner: gy_device_code_free. Read-only: any number of threads may pack and unpack.
#ifndef GYRE_DEVICE_CODE_H
#define GYRE_DEVICE_CODE_H

#include "base/text.h"
#include "gyre/gyre.h"

enum { GY_DEVICE_MOST_PARTS = 16 };

typedef struct gy_device_code gy_device_code;

struct gy_orbits;
struct gy_choice_maker;

// An automaton that reads the states of a system as it goes, along with it: its state is kept with
// the system's, in one word after it.
typedef struct gy_device_monitor {
    uint32_t bits;          // of its state
    const gy_atom *watched; // what it reads
    uint32_t watched_count;
    const uint16_t *next; // by state << watched_count | values: its next state, or one of these
} gy_device_monitor;

enum { GY_MONITOR_DEAD = 0xfffe, GY_MONITOR_BAD = 0xffff };

struct gy_device_code {
    gy_text source;      // for gy_device.compile
    uint32_t parts;      // 64-bit numbers of a state
    uint32_t most_words; // of a state that is the device's
    bool chooses;        // among the successors of some states
    bool compact;        // names are hashes, and the ring holds states
    // False: this state is not the device's.
    bool (*pack)(const gy_device_code *code, const gy_word *state, uint32_t words,
                 uint64_t *packed);
    // The length in words.
    uint32_t (*unpack)(const gy_device_code *code, const uint64_t *packed, gy_word *state);
    void (*free)(gy_device_code *code);
};

// What else the code is to do. Each may be NULL; what is given must outlive the making.
typedef struct gy_device_wants {
    const gy_device_monitor *monitor;      // that runs along
    const struct gy_orbits *orbits;        // of states that only differ in who is where, one
    const struct gy_choice_maker *choices; // of the successors of a state, those that suffice
    bool compact; // names of long states are hashes; there are no choices then
} gy_device_wants;

// Of a system with a MODEL (exec/device). NULL: it cannot run there; *problem says why (free it).
gy_device_code *gy_device_code_new(gy_system *system, const gy_device_wants *wants, char **problem);
static inline void gy_device_code_free(gy_device_code *code)
{
    if (code)
        code->free(code);
}
// The text of it, or a comment that says why there is none (`gyre info --cuda`).
void gy_device_source(gy_system *system, gy_text *out);

#endif
