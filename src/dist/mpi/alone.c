// One rank: nothing to talk to.
#include "dist/mpi/transport.h"

#include "base/fatal.h"

#include <stdlib.h>

static void send_nowhere(gy_transport *t, unsigned to, const void *bytes, uint32_t n)
{
    (void)t, (void)bytes, (void)n;
    gy_fatal("a message to rank %u of one", to);
}

static gy_packet *poll_nothing(gy_transport *t)
{
    (void)t;
    return NULL;
}

static void reduce_nothing(gy_transport *t, uint64_t *numbers, unsigned n, gy_transport_how how)
{
    (void)t, (void)numbers, (void)n, (void)how;
}

static void broadcast_nothing(gy_transport *t, unsigned root, void *bytes, uint32_t n)
{
    (void)t, (void)root, (void)bytes, (void)n;
}

static void free_transport(gy_transport *t)
{
    free(t);
}

gy_transport *gy_transport_alone(void)
{
    gy_transport *t = gy_alloc_zero(sizeof *t);
    *t = (gy_transport){.size = 1,
                        .name = "alone",
                        .send = send_nowhere,
                        .poll = poll_nothing,
                        .reduce = reduce_nothing,
                        .broadcast = broadcast_nothing,
                        .close = free_transport};
    return t;
}
