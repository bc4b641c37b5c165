// The system of philosophers.c in Promela: as many states, and the same verdicts.
#define N 4

#ifdef POLITE
#define FIRST (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)
#else
#define FIRST _pid
#define SECOND ((_pid + 1) % N)
#endif

bool taken[N];

active [N] proctype Phil()
{
    do
    :: true;
hungry: atomic { !taken[FIRST] -> taken[FIRST] = true };
       atomic { !taken[SECOND] -> taken[SECOND] = true };
eating: d_step { taken[FIRST] = false; taken[SECOND] = false }
    od
}

/* gyre: expect violated */
