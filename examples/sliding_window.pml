/*
 * Go-back-N over channels that lose messages: the sender may have WINDOW messages
 * under way, numbered modulo NUMBERS. The receiver takes only the number it waits for
 * and asserts that contents come in order.
 *
 *     gyre sliding_window.pml                     holds: 4 numbers for a window of 2
 *     gyre sliding_window.pml -D NUMBERS=2        violated: an old message looks new
 *
 * How many numbers does a window of W need at least? Try WINDOW and NUMBERS.
 *
 * gyre: expect holds
 * gyre: with -D NUMBERS=2 expect violated
 */
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef NUMBERS
#define NUMBERS 4
#endif
#define CONTENTS 8                              /* what is sent, to tell messages apart */

chan data = [2] of { byte, byte };              /* number, content */
chan acks = [2] of { byte };                    /* the number that is awaited */

active proctype Sender()
{
    byte base, next, outstanding, number;       /* base: content of the oldest one */

    do
    :: outstanding < WINDOW ->                  /* send another */
       next = (base + outstanding) % CONTENTS;
       outstanding++;
       if
       :: nfull(data) -> data!(next % NUMBERS),next
       :: true                                  /* lost */
       fi;
       next = 0
    :: acks?number ->
       do
       :: outstanding > 0 && number != base % NUMBERS ->
          base = (base + 1) % CONTENTS; outstanding--
       :: else -> break
       od;
       number = 0
    :: outstanding > 0 && timeout ->            /* go back */
       outstanding = 0
    od
}

active proctype Receiver()
{
    byte number, content, awaited;

    do
    :: data?number,content ->
       if
       :: number == awaited % NUMBERS ->
          assert(content == awaited);
          awaited = (awaited + 1) % CONTENTS
       :: else
       fi;
       number = 0; content = 0;
       if
       :: nfull(acks) -> acks!(awaited % NUMBERS)
       :: true                                  /* lost */
       fi
    od
}
