/* Reorder(S,C): S setters and C checkers, all at once. A setter writes two shared variables one after
 * the other; a checker that reads between the two writes sees what never should be together.
 * (A program of the "ordering" kind: two writes that ought to be one.) */
#ifndef S
#define S 10
#endif
#ifndef C
#define C 1
#endif

short a = 0, b = 0;

proctype Setter()
{
    a = 1;
    b = -1
}

proctype Checker()
{
    short x, y;
    x = a;
    y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1))
}

init
{
    byte i;
    do
    :: i < S -> run Setter(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < C -> run Checker(); i++
    :: else -> break
    od
}
