// A device: memory of its own, and kernels that work on it. A GPU (cuda.c), or, for
// tests and for machines without one, this machine (exec/device/host.c) with the same kernels.
//
// Nothing of CUDA is needed to build Gyre: the driver and the compiler are looked for when a device
// is opened. One thread at a time may use a device.
#ifndef GYRE_DEVICE_DEVICE_H
#define GYRE_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gy_device_address; // of the device; 0: none

// As `struct job` in exec/device/prelude.cu, which says what each is for.
typedef struct gy_device_job {
    gy_device_address table;
    uint64_t buckets;
    gy_device_address ring;
    uint64_t ring_size, from, count, limit;
    gy_device_address left;
    uint64_t left_room;
    gy_device_address tally, cover, tag[2], piece[2];
    uint64_t pieces[2], target, mode;
    gy_device_address list;
    uint64_t probes;
    uint64_t first, levels, thin, enough;
    gy_device_address ends;
} gy_device_job;

// What a kernel does with the successors of states: see prelude.cu.
typedef enum { GY_DEVICE_SEARCH, GY_DEVICE_SEEK, GY_DEVICE_REPORT, GY_DEVICE_REST } gy_device_mode;

// Numbers in `tally`.
enum {
    GY_TALLY_NEW,
    GY_TALLY_TRANSITIONS,
    GY_TALLY_LEFT,
    GY_TALLY_FULL_TABLE,
    GY_TALLY_FULL_RING,
    GY_TALLY_FULL_PIECES,
    GY_TALLY_HIT,
    GY_TALLY_LEVELS,
    GY_TALLY_DONE,    // things that a kernel has done: the code that starts it knows how many there
                      // are
    GY_TALLY_REDUCED, // states that were not expanded fully
    GY_TALLY_FOLDED,  // successors of which another state was taken
    GY_TALLIES
};

#define GY_DEVICE_TAKEN (1ull << 63) // in the table
#define GY_DEVICE_STUCK (1ull << 63) // in `left`
// With choices: in `left`; in the names of successors that are reported.
#define GY_DEVICE_CANDIDATE (1ull << 62)
#define GY_DEVICE_NEXT (1ull << 62)
enum { GY_DEVICE_BUCKET = 4 };     // names in a bucket of 32 bytes
enum { GY_DEVICE_HASH_BITS = 63 }; // of names that are hashes

typedef enum {
    GY_KERNEL_EXPAND,
    GY_KERNEL_INSERT,
    GY_KERNEL_SPELL,
    GY_KERNEL_NAME,
    GY_KERNEL_REHASH,
    GY_KERNEL_SETTLE,
    GY_KERNELS
} gy_device_kernel;

typedef struct gy_device gy_device;

struct gy_device {
    char name[96];                      // for people
    uint64_t memory;                    // bytes that are free, and may be used
    uint64_t free_at_start, all_memory; // bytes of the device
    char problem[256];                  // what went wrong last
    double compile_seconds;
    bool from_cache;            // the code was there already
    bool (*given_up)(void *of); // NULL, or asked while it compiles: true ends that
    void *of;
    uint64_t chunk;   // states that are worth a launch, and do not take long
    uint64_t buckets; // to begin with
    // False, 0: `problem` says why. `hasty`: a quick compilation rather than fast code.
    bool (*compile)(gy_device *device, const char *source, bool hasty);
    gy_device_address (*alloc)(gy_device *device, uint64_t bytes); // zeroed
    void (*free)(gy_device *device, gy_device_address at, uint64_t bytes);
    bool (*zero)(gy_device *device, gy_device_address at, uint64_t bytes);
    bool (*upload)(gy_device *device, gy_device_address to, const void *from, uint64_t bytes);
    bool (*download)(gy_device *device, void *to, gy_device_address from, uint64_t bytes);
    // One thread for each of so many things to do, at most; waits for the end.
    bool (*launch)(gy_device *device, gy_device_kernel kernel, const gy_device_job *job,
                   uint64_t things);
    void (*close)(gy_device *device);
};

extern const char *const gy_device_kernel_names[GY_KERNELS];

// The first device there is. NULL: none; *problem says why, and what would help (free it).
// `memory`, if not 0: the most bytes that it may use. GYRE_DEVICE=host: this machine.
gy_device *gy_device_open(uint64_t memory, char **problem);
static inline void gy_device_close(gy_device *device)
{
    if (device)
        device->close(device);
}

// cuda.c, exec/device/host.c
gy_device *gy_device_open_cuda(char **problem);
gy_device *gy_device_open_host(char **problem);

#endif
