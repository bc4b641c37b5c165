/* Wronglock(X,Y): X threads read and increase a variable under one lock and check that nobody came
 * between; Y threads increase it under another lock. */
#ifndef X
#define X 1
#endif
#ifndef Y
#define Y 10
#endif

bool lock1 = false, lock2 = false;
short v = 0;

proctype Checked()
{
    short x;
    atomic { !lock1; lock1 = true };
    x = v;
    v++;
    assert(v == x + 1);
    lock1 = false
}

proctype Other()
{
    atomic { !lock2; lock2 = true };
    v++;
    lock2 = false
}

init
{
    byte i;
    do
    :: i < X -> run Checked(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < Y -> run Other(); i++
    :: else -> break
    od
}
