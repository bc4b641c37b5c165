/*
 * Leader election in a ring: every node sends its number round; a number goes on
 * only past smaller ones, so just the largest comes home. Exactly one leader.
 *
 *     gyre leader_election.pml               holds
 *     gyre leader_election.pml -D POLITE     violated: each node passes every number on
 *
 * Try other sizes of the ring (-D N=6), and draw what is sent: gyre sim --msc.
 *
 * gyre: expect holds
 * gyre: with -D POLITE expect violated
 */
#ifndef N
#define N 4
#endif

chan ring[N] = [N] of { byte };
byte leaders;

proctype Node(byte position; byte number)
{
    byte seen;

    ring[(position + 1) % N]!number;
end:
    do
    :: ring[position]?seen ->
       if
       :: seen > number -> ring[(position + 1) % N]!seen
       :: seen == number ->
          leaders++;
          assert(leaders == 1)
#ifdef POLITE
       :: else -> ring[(position + 1) % N]!seen
#else
       :: else                                 /* a smaller one ends here */
#endif
       fi
    od
}

init {
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run Node(i, (i * 3 + 2) % N + 1)
        }
    }
}
