/*
 * Three caches of one line, kept coherent by a bus on which all of them listen: the
 * MSI protocol. A line is Modified, Shared or Invalid in each cache; a request on
 * the bus is served in one go.
 *
 *     gyre msi_coherence.pml                 holds
 *     gyre msi_coherence.pml -D FORGETFUL    violated
 *
 * FORGETFUL: a cache that has modified the line and hears that another wants to read
 * it becomes Shared, but does not write the line back. Then memory is old, and so is
 * what the other reads.
 *
 * gyre: expect holds
 * gyre: with -D FORGETFUL expect violated
 */
#define CACHES 3

mtype = { modified, shared_, invalid };

mtype state[CACHES] = invalid;
byte line[CACHES], memory;
byte latest;                                /* what was written last, by anybody */

/* All other caches hear what cache `me` wants. */
inline hear(me, to)
{
    for (i : 0 .. CACHES - 1) {
        if
        :: i != me && state[i] == modified ->
#ifdef FORGETFUL
           if
           :: to == invalid -> memory = line[i]
           :: else
           fi;
#else
           memory = line[i];
#endif
           state[i] = to
        :: i != me && state[i] == shared_ && to == invalid -> state[i] = invalid
        :: else
        fi
    }
    i = 0
}

active [CACHES] proctype Cache()
{
    byte i;

    do
    :: d_step {                             /* a read that misses */
           state[_pid] == invalid;
           hear(_pid, shared_);
           line[_pid] = memory;
           state[_pid] = shared_
       }
    :: d_step {                             /* a read that hits */
           state[_pid] != invalid;
           assert(line[_pid] == latest)
       }
    :: d_step {                             /* a write: all others lose the line */
           state[_pid] != modified;
           hear(_pid, invalid);
           state[_pid] = modified;
           latest = 1 - latest;
           line[_pid] = latest
       }
    :: d_step { state[_pid] == modified; latest = 1 - latest; line[_pid] = latest }
    :: d_step {                             /* the line has to make room */
           state[_pid] != invalid;
           if
           :: state[_pid] == modified -> memory = line[_pid]
           :: else
           fi;
           state[_pid] = invalid;
           line[_pid] = 0
       }
    od
}

#define alone(a, b, c) (state[a] == modified -> state[b] == invalid && state[c] == invalid)
ltl one_writer { [] (alone(0, 1, 2) && alone(1, 0, 2) && alone(2, 0, 1)) }
