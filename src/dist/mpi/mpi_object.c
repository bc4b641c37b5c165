// The transport over MPI: a shared object of its own, made once for each kind of MPI that is found
// (gyre-mpi-openmpi.so, gyre-mpi-mpich.so), because their binary interfaces differ. It needs
// nothing of Gyre but the header, and is loaded by launch.c.
//
// Whoever waits sleeps between looks: there may be more ranks than processors, and MPI's own
// waiting takes all of one.
#include "dist/mpi/transport.h"

#include <mpi.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 1 };

typedef struct sending {
    MPI_Request request;
    char *bytes;
} sending;

typedef struct mpi_transport {
    gy_transport transport; // first
    MPI_Comm all;
    sending *sendings; // under way
    size_t n, room;
} mpi_transport;

static void *must(void *memory)
{
    if (memory)
        return memory;
    fprintf(stderr, "gyre: error: out of memory for a message\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
    abort();
}

static void drop_sent(mpi_transport *t)
{
    for (size_t i = 0; i < t->n;) {
        int sent = 0;
        MPI_Test(&t->sendings[i].request, &sent, MPI_STATUS_IGNORE);
        if (!sent) {
            i++;
            continue;
        }
        free(t->sendings[i].bytes);
        t->sendings[i] = t->sendings[--t->n];
    }
}

static void send_bytes(gy_transport *transport, unsigned to, const void *bytes, uint32_t n)
{
    mpi_transport *t = (mpi_transport *)transport;
    if (t->n == t->room) {
        drop_sent(t);
        t->room = t->n < t->room / 2 ? t->room : t->room * 2 + 16;
        t->sendings = must(realloc(t->sendings, t->room * sizeof *t->sendings));
    }
    sending *s = &t->sendings[t->n++];
    s->bytes = must(malloc(n + (size_t)1));
    memcpy(s->bytes, bytes, n);
    MPI_Isend(s->bytes, (int)n, MPI_BYTE, (int)to, TAG, t->all, &s->request);
}

static gy_packet *poll_bytes(gy_transport *transport)
{
    mpi_transport *t = (mpi_transport *)transport;
    int there = 0, n = 0;
    MPI_Status status;
    drop_sent(t);
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, t->all, &there, &status);
    if (!there)
        return NULL;
    MPI_Get_count(&status, MPI_BYTE, &n);
    gy_packet *m = must(malloc(sizeof *m + (size_t)n));
    *m = (gy_packet){.from = (unsigned)status.MPI_SOURCE, .bytes = (uint32_t)n};
    MPI_Recv(m->at, n, MPI_BYTE, status.MPI_SOURCE, TAG, t->all, MPI_STATUS_IGNORE);
    return m;
}

static void wait_for(MPI_Request *request)
{
    int done = 0;
    for (unsigned n = 0; !done; n++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        if (n < 64) {
            sched_yield();
            continue;
        }
        unsigned shift = (n - 64) / 16 < 8 ? (n - 64) / 16 : 8;
        nanosleep(&(struct timespec){0, 4000l << shift}, NULL); // up to a millisecond
    }
}

// MPICH 4.0 takes numbers without a sign for numbers with one when it looks for the least: so they
// are made numbers with a sign, in the same order.
#define SIGN ((uint64_t)1 << 63)

static void reduce_numbers(gy_transport *transport, uint64_t *numbers, unsigned n,
                           gy_transport_how how)
{
    MPI_Request request;
    bool least = how == GY_TRANSPORT_LEAST;
    for (unsigned i = 0; least && i < n; i++)
        numbers[i] ^= SIGN;
    MPI_Iallreduce(MPI_IN_PLACE, numbers, (int)n, least ? MPI_INT64_T : MPI_UINT64_T,
                   least ? MPI_MIN : MPI_SUM, ((mpi_transport *)transport)->all, &request);
    wait_for(&request);
    for (unsigned i = 0; least && i < n; i++)
        numbers[i] ^= SIGN;
}

static void broadcast_bytes(gy_transport *transport, unsigned root, void *bytes, uint32_t n)
{
    MPI_Request request;
    MPI_Ibcast(bytes, (int)n, MPI_BYTE, (int)root, ((mpi_transport *)transport)->all, &request);
    wait_for(&request);
}

static void close_transport(gy_transport *transport)
{
    mpi_transport *t = (mpi_transport *)transport;
    MPI_Request request;
    while (t->n)
        drop_sent(t);
    MPI_Ibarrier(t->all, &request);
    wait_for(&request);
    // What was said too late to be heard.
    for (gy_packet *m; (m = poll_bytes(transport));)
        free(m);
    MPI_Comm_free(&t->all);
    MPI_Finalize();
    free(t->sendings);
    free(t);
}

static gy_transport *open_transport(void)
{
    int given = 0, rank = 0, size = 1;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return NULL;
    mpi_transport *t = must(calloc(1, sizeof *t));
    if (given < MPI_THREAD_SERIALIZED)
        fprintf(stderr, "gyre: note: this MPI library does not support several threads\n");
    MPI_Comm_dup(MPI_COMM_WORLD, &t->all);
    MPI_Comm_rank(t->all, &rank);
    MPI_Comm_size(t->all, &size);
    t->transport = (gy_transport){.rank = (unsigned)rank,
                                  .size = (unsigned)size,
#ifdef OPEN_MPI
                                  .name = "Open MPI",
#else
                                  .name = "MPICH",
#endif
                                  .send = send_bytes,
                                  .poll = poll_bytes,
                                  .reduce = reduce_numbers,
                                  .broadcast = broadcast_bytes,
                                  .close = close_transport};
    return &t->transport;
}

__attribute__((visibility("default"))) extern const gy_transport_object gyre_mpi;
const gy_transport_object gyre_mpi = {GY_TRANSPORT_ABI, open_transport};
