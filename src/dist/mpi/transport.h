// What carries messages between ranks: the processes of one search that share no memory.
//
// An engine over many machines sees ranks through this and nothing else. Kinds: one rank that is
// alone (alone.c), ranks as threads of one process for tests (in_process.h), and MPI
// (mpi_object.c, which is a shared object of its own: gyre itself is not linked with MPI).
//
// Messages from one rank to another arrive whole, once, and in the order in which they were sent.
// The collective calls must be made by all ranks, in the same order.
//
// Threads: one at a time, any. Owner: who opened a transport closes it; a message belongs to who
// polled it (free).
#ifndef GYRE_DIST_MPI_TRANSPORT_H
#define GYRE_DIST_MPI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_transport gy_transport;

typedef struct gy_packet {
    struct gy_packet *next; // for who keeps it
    unsigned from;
    uint32_t bytes;
    char at[];
} gy_packet;

typedef enum { GY_TRANSPORT_SUM, GY_TRANSPORT_LEAST } gy_transport_how;

struct gy_transport {
    unsigned rank, size;
    uint32_t phases;  // that there were on it: who speaks over it counts them (exchange.h)
    const char *name; // "Open MPI", "MPICH", "threads", "alone"
    // Never waits: what cannot go yet is kept. The bytes are copied.
    void (*send)(gy_transport *transport, unsigned to, const void *bytes, uint32_t n);
    // The next message, or NULL: there is none.
    gy_packet *(*poll)(gy_transport *transport);
    // Collective: each number becomes the sum, or the least, of what all ranks have there.
    void (*reduce)(gy_transport *transport, uint64_t *numbers, unsigned n, gy_transport_how how);
    // Collective: all get what `root` has.
    void (*broadcast)(gy_transport *transport, unsigned root, void *bytes, uint32_t n);
    void (*close)(gy_transport *transport);
};

// What a shared object for MPI has under the name gyre_mpi.
enum { GY_TRANSPORT_ABI = 1 };
typedef struct gy_transport_object {
    uint32_t abi;
    gy_transport *(*open)(void); // NULL: MPI cannot be started
} gy_transport_object;

// The only rank there is.
gy_transport *gy_transport_alone(void);

#endif
