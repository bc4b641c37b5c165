/*
 * Four philosophers round a table, a fork between any two. Each takes the fork
 * on the left, then the one on the right, eats, and puts both back.
 * If all take their left fork at the same time, nobody can go on: Gyre shows
 * the shortest way there.
 *
 * gyre: expect violated
 */
#ifndef N
#define N 4
#endif

bool taken[N];

active [N] proctype Philosopher()
{
    byte left = _pid, right = (_pid + 1) % N;

    do
    :: atomic { !taken[left] -> taken[left] = true };
       atomic { !taken[right] -> taken[right] = true };
       /* eating */
       taken[right] = false;
       taken[left] = false
    od
}
