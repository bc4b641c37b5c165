/*
 * Peterson's algorithm: two processes share a critical section, with nothing
 * but reads and writes of three variables. The assertion says that they are
 * never inside together.
 *
 *     gyre peterson.pml                      holds
 *     gyre peterson.pml -D SWAPPED           violated
 *
 * SWAPPED: who gives the turn away before saying that it wants to go in has the
 * right statements in the wrong order, and that is enough. (Compilers and processors
 * change the order of such writes unless a barrier forbids it.)
 *
 * gyre: expect holds
 * gyre: with -D SWAPPED expect violated
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype Process()
{
    pid other = 1 - _pid;

again:
#ifdef SWAPPED
    turn = other;
    wants[_pid] = true;
#else
    wants[_pid] = true;
    turn = other;
#endif
    (!wants[other] || turn == _pid);

    inside++;
    assert(inside == 1);
    inside--;

    wants[_pid] = false;
    goto again
}
