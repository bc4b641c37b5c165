// What the ranks of a search say to each other: batches of states, in phases.
//
// A phase is a piece of work that ends on all ranks before the next one begins on any. Within it a
// rank sends batches; the receiver works on each and then gives the credit for it back. A sender
// without credit keeps its batches until there is some: so no rank holds more than a few batches
// of each other rank, however fast those are. Working on a batch never sends another, so whoever
// waits for credit gets it in the end.
//
// The end of a phase is counted. A rank that will send no more informs all others how many batches
// it has sent to each. A phase is over for a rank when it was informed so by all, and as many
// batches have come, and are done with. Nothing is under way then. The collective call that follows
// (by the engine) keeps a rank from beginning the next phase while another is still in this one.
//
// Threads: any may call any function, but begin and those that say otherwise. Owner: the caller of
// gy_exchange_init frees.
#ifndef GYRE_DIST_MPI_EXCHANGE_H
#define GYRE_DIST_MPI_EXCHANGE_H

#include "dist/mpi/transport.h"

#include "base/vec.h"

#include <pthread.h>
#include <stdatomic.h>

enum { GY_EXCHANGE_HEAD = 12 }; // bytes before a batch that are the exchange's

typedef struct gy_exchange_peer {
    unsigned credit;
    uint64_t sent, received; // batches of this phase
    uint64_t promised;       // by it, once it has ended
    gy_packet *first, *last; // to it, that wait for credit
} gy_exchange_peer;

typedef struct gy_exchange_figures {
    uint64_t states, batches, bytes; // sent to other ranks
} gy_exchange_figures;

typedef struct gy_exchange {
    gy_transport *transport;
    pthread_mutex_t lock;
    uint32_t phase;
    gy_exchange_peer *peers;
    gy_packet *first, *last;  // batches that have come
    unsigned ended;           // other ranks
    bool finishing, told;     // this one will send no more; the others know
    unsigned in_work;         // batches that were taken
    _Atomic uint64_t waiting; // batches that wait for credit
    _Atomic bool stop;        // a caller wants the search to end
    gy_exchange_figures figures;
} gy_exchange;

void gy_exchange_init(gy_exchange *exchange, gy_transport *transport);
void gy_exchange_free(gy_exchange *exchange);
// By one thread, when the last phase is over on all ranks.
void gy_exchange_begin(gy_exchange *exchange);
// Sends a batch, with so many states in it. Its first GY_EXCHANGE_HEAD bytes are written here.
void gy_exchange_send(gy_exchange *exchange, unsigned to, void *batch, uint32_t bytes,
                      uint32_t states);
// A batch that has come, or NULL. What it holds begins at at[GY_EXCHANGE_HEAD].
gy_packet *gy_exchange_take(gy_exchange *exchange);
void gy_exchange_done(gy_exchange *exchange, gy_packet *batch); // frees it
// This rank will send no more batches in this phase.
void gy_exchange_finish(gy_exchange *exchange);
// Hears what has come. True: the phase is over for this rank.
bool gy_exchange_is_over(gy_exchange *exchange);
// All ranks are to end soon.
void gy_exchange_stop(gy_exchange *exchange);

#endif
