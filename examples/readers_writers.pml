/*
 * Readers and writers: many may read together, a writer must be alone. `exclusive`
 * says so, and holds.
 *
 *     gyre readers_writers.pml --fairness weak
 *
 * `fed` says that a writer that wants to write will. It fails: readers that come and
 * go keep the writer out for ever, although every process executes infinitely often.
 *
 *     gyre readers_writers.pml --fairness weak -D POLITE
 *
 * holds: no reader begins while the writer waits.
 *
 * gyre: with --fairness weak expect violated
 * gyre: with --fairness weak expect fed violated
 * gyre: with --fairness weak -D POLITE expect holds
 */
byte readers;
bool writing, waiting;

active [2] proctype Reader()
{
    do
    :: atomic {
#ifdef POLITE
           (!writing && !waiting) -> readers++
#else
           !writing -> readers++
#endif
       };
       skip;                                /* it reads */
       readers--
    od
}

active proctype Writer()
{
    do
    :: waiting = true;
       atomic { (readers == 0 && !writing) -> writing = true; waiting = false };
       skip;                                /* it writes */
       writing = false
    od
}

ltl exclusive { [] !(writing && readers > 0) }
ltl fed { [] (waiting -> <> writing) }
