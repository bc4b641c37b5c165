/*
 * The lock-free queue of Michael and Scott (1996), which is the basis of the concurrent
 * queues of many languages: a linked list with a dummy node at its head, changed by
 * compare-and-swap alone. The tail may lag behind; a process that sees that helps.
 *
 *     gyre lock_free_queue.pml                   holds (with -D CONSUMERS=2, too)
 *     gyre lock_free_queue.pml -D PLAIN_STORE    violated: a value is lost
 *     gyre lock_free_queue.pml -D NO_HELP        violated: all wait for one that has stopped
 *
 * PLAIN_STORE links a new node by a store instead of a compare-and-swap: of two that
 * come at the same time, the second overwrites the first. NO_HELP: who finds the tail
 * lagging waits for the other to move it; if that one stops there for good, all
 * processes wait. A lock-free queue has no such place.
 *
 * The assertions say that values of one producer come out in the order in which they
 * went in, none twice, and that the queue is empty only if all were taken.
 *
 * gyre: expect holds
 * gyre: with -D PLAIN_STORE expect violated
 * gyre: with -D NO_HELP expect violated
 */
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#define NONE      0
#define PRODUCERS 2
#define EACH      2                          /* values of each producer */
#define NODES     (PRODUCERS * EACH + 1)     /* one is the dummy; none is used again */

byte next[NODES + 1], owner[NODES + 1], number[NODES + 1];
byte head = 1, tail = 1, nodes = 1;
byte finished, taken;
byte last[PRODUCERS];                        /* of what each has put in, taken last */

/* ok says whether it was swapped. */
#define cas(place, old, new) \
    atomic { if :: place == old -> place = new; ok = true :: else -> ok = false fi }

active [PRODUCERS] proctype Producer()
{
    byte node, t, n, i;
    bool ok;

    for (i : 1 .. EACH) {
        d_step { nodes++; node = nodes; owner[node] = _pid; number[node] = i };
        do
        :: t = tail;
           n = next[t];
           if
           :: n == NONE ->
#ifdef PLAIN_STORE
              next[t] = node;
              break
#else
              cas(next[t], NONE, node);
              if
              :: ok -> break
              :: else                        /* another was faster */
              fi
#endif
           :: else ->
#ifdef NO_HELP
              tail != t                      /* until the other has moved it */
#else
              cas(tail, t, n)                /* help the other */
#endif
           fi
        od;
#ifdef NO_HELP
        if
        :: true
        :: goto crashed                      /* between the two: the tail lags */
        fi;
#endif
        cas(tail, t, node)
    };
    finished++;
crashed:
    skip
}

active [CONSUMERS] proctype Consumer()
{
    byte h, t, n, done_before;
    bool ok;

    do
    :: done_before = finished;
       h = head;
       t = tail;
       n = next[h];
       if
       :: h == t && n == NONE ->             /* empty */
          assert(done_before < PRODUCERS || taken == PRODUCERS * EACH);
          if
          :: done_before == PRODUCERS -> break
          :: else
          fi
       :: h == t && n != NONE ->
#ifdef NO_HELP
          tail != t
#else
          cas(tail, t, n)
#endif
       :: h != t ->
          atomic {                           /* the compare-and-swap, and what we note of it */
              if
              :: head == h ->
                 head = n;
                 assert(number[n] == last[owner[n]] + 1);
                 last[owner[n]] = number[n];
                 taken++
              :: else                        /* another was faster */
              fi
          }
       fi
    od
}
