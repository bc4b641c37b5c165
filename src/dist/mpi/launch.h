// Which ranks there are: what has launched this process decides.
//
// mpirun and its like leave variables in the environment. If there are some, the shared object for
// that MPI is loaded from next to the program, or from LIBDIR/gyre; otherwise this process is the
// only rank, and MPI is not needed.
#ifndef GYRE_DIST_MPI_LAUNCH_H
#define GYRE_DIST_MPI_LAUNCH_H

#include "dist/mpi/transport.h"

#include "base/text.h"

// NULL: see `problem`, which may have a hint in a second line; it stays empty where another process
// of this machine has the same to report.
gy_transport *gy_launch(gy_text *problem);

// Collective, first of all by every rank: does each have a command line that can be understood?
// False: not all do. `*tells`: this one should say so, before it closes the transport: who ends may
// take the others with it.
bool gy_launch_agree(gy_transport *transport, bool good, bool *tells);

// Was this process started by mpirun? Known before anything is loaded. `first`: as rank 0.
bool gy_launched(bool *first);

#endif
