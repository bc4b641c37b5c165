// Ranks as threads of one process: for tests of what is said between ranks. Messages wait for a
// random while, as they would on a network, so that every order between different pairs of ranks
// occurs; the seed decides.
//
// Owner: gy_in_process_free, when all its ranks have ended. Each rank is used by one thread at a
// time; different ranks at the same time.
#ifndef GYRE_DIST_MPI_IN_PROCESS_H
#define GYRE_DIST_MPI_IN_PROCESS_H

#include "dist/mpi/transport.h"

typedef struct gy_in_process gy_in_process;

gy_in_process *gy_in_process_new(unsigned size, uint64_t seed); // seed 0: messages do not wait
gy_transport *gy_in_process_rank(gy_in_process *all, unsigned rank);
void gy_in_process_free(gy_in_process *all);

#endif
