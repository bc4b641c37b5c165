/*
 * A lock-free stack (Treiber 1986) whose nodes are used again: the ABA problem.
 *
 * `pop` reads the top and the node below it, then swings the top with a
 * compare-and-swap. If, in between, another process has popped that node and the
 * one below it and pushed the first again, the top looks as it did before, but the
 * node below it is not what it was. Then a node can be popped that a process has
 * already.
 *
 *     gyre treiber_stack.pml                  the assertion fails
 *     gyre treiber_stack.pml -D TAGGED        holds: a counter next to the top
 *
 * A counter that wraps too early does not help:
 *
 *     gyre treiber_stack.pml -D TAGGED -D TAGS=3
 *
 * gyre: expect violated
 * gyre: with -D TAGGED expect holds
 * gyre: with -D TAGGED -D TAGS=3 expect violated
 */
#define NODES 3
#define NONE  0

#ifndef TAGS
#define TAGS 4
#endif
#ifndef WORK
#define WORK 3
#endif

byte top = 1;                   /* 1 on 2 on 3 */
byte next[NODES + 1] = { 0, 2, 3, 0 };
byte tag;
bool taken[NODES + 1];          /* popped, and not pushed again */

#ifdef TAGGED
#define unchanged   (top == seen && seen_tag == tag)
#define swing(node) top = node; tag = (tag + 1) % TAGS
#else
#define unchanged   (top == seen)
#define swing(node) top = node
#endif

active [2] proctype Process()
{
    byte seen, seen_tag, below, work;
    byte mine[2];               /* nodes that it has popped, the last one first */

    do
    :: work < WORK && mine[1] == NONE ->                /* pop */
       atomic { seen = top; seen_tag = tag };
       if
       :: seen == NONE -> break
       :: else
       fi;
       below = next[seen];
       if
       :: atomic { unchanged -> swing(below) };
          assert(!taken[seen]);
          atomic { taken[seen] = true; mine[1] = mine[0]; mine[0] = seen; work++ }
       :: atomic { !unchanged -> skip }
       fi
    :: work < WORK && mine[0] != NONE ->                /* push what was popped first */
       atomic {
           if
           :: mine[1] != NONE -> seen = mine[1]; mine[1] = NONE
           :: else -> seen = mine[0]; mine[0] = NONE
           fi;
           taken[seen] = false;
           next[seen] = top;
           swing(seen);
           work++
       }
    :: work >= WORK -> break
    od
}
