/*
 * Four philosophers round a table, a fork between any two. Each takes the fork
 * on the left, then the one on the right, eats, and puts both back.
 * If all take their left fork at the same time, none can continue: Gyre shows
 * the shortest way there.
 *
 *     gyre philosophers.pml                  a deadlock
 *     gyre philosophers.pml -D LEFT_HANDED   holds: one takes the other fork first
 *
 * Try more of them: -D N=6. The way into the deadlock grows, the reason does not.
 *
 * gyre: expect violated
 * gyre: with -D LEFT_HANDED expect holds
 */
#ifndef N
#define N 4
#endif

bool taken[N];

active [N] proctype Philosopher()
{
    byte left = _pid, right = (_pid + 1) % N;

#ifdef LEFT_HANDED
    if
    :: _pid == 0 -> left = 1; right = 0
    :: else
    fi;
#endif
    do
    :: atomic { !taken[left] -> taken[left] = true };
       atomic { !taken[right] -> taken[right] = true };
       /* eating */
       taken[right] = false;
       taken[left] = false
    od
}
