/* A pool of twelve blocks and eight clients that take and give back up to three each, through a free
 * list that is a stack of indices changed by compare-and-swap without a counter: the ABA problem, but
 * only for a client that already holds two blocks. */
#define BLOCKS 12
#define CLIENTS 8
#define NONE BLOCKS

byte top, next[BLOCKS], holder[BLOCKS];

active [CLIENTS] proctype client()
{
    byte seen, follow, mine[3], n, rounds;
    do
    :: n < 3 && rounds < 6 ->                            /* take one */
       seen = top;
       if
       :: seen == NONE -> skip
       :: seen != NONE ->
          if
          :: n < 2 ->                                    /* in one go */
             d_step { top == seen -> follow = next[seen]; top = follow };
             goto got
          :: n < 2 && top != seen -> goto again
          :: n == 2 ->
             follow = next[seen];
             if
             :: d_step { top == seen -> top = follow }; goto got     /* wrong: next may be another one now */
             :: top != seen -> goto again
             fi
          fi
       fi;
       goto again;
got:   assert(holder[seen] == 0);
       holder[seen] = 1 + _pid;
       mine[n] = seen; n++; rounds++;
again: seen = 0; follow = 0
    :: n > 0 ->                                          /* give one back */
       n--;
       holder[mine[n]] = 0;
       d_step { next[mine[n]] = top; top = mine[n]; mine[n] = 0 }
    :: n == 0 && rounds >= 6 -> break
    od
}

init
{
    byte i;
    d_step {
        do
        :: i < BLOCKS -> next[i] = i + 1; i++
        :: else -> break
        od
    }
}
