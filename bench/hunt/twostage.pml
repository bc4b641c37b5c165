/* Twostage(W,R): W writers set two variables in two stages, each stage under a lock of its own; R
 * readers take the locks in the same order and expect to see both stages or none. Between the stages
 * nothing is locked. */
#ifndef W
#define W 8
#endif
#ifndef R
#define R 1
#endif

bool lock1 = false, lock2 = false;
short data1 = 0, data2 = 0;

proctype Writer()
{
    short t;
    atomic { !lock1; lock1 = true };
    data1 = 1;
    lock1 = false;
    atomic { !lock2; lock2 = true };
    t = data1;
    data2 = t + 1;
    lock2 = false
}

proctype Reader()
{
    short t1, t2;
    atomic { !lock1; lock1 = true };
    if
    :: data1 == 0 -> lock1 = false; goto done
    :: else
    fi;
    t1 = data1;
    lock1 = false;
    atomic { !lock2; lock2 = true };
    t2 = data2;
    lock2 = false;
    assert(t2 == t1 + 1);
done: skip
}

init
{
    byte i;
    do
    :: i < W -> run Writer(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < R -> run Reader(); i++
    :: else -> break
    od
}
