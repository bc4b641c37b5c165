// Driving philosophers: each drives round a ring of roads and enters the next only when it is free,
// by a lock for each road; one road less is let to be taken than there are, so that nobody waits for
// ever in a circle. A round takes some distance on every road.
#ifndef N
#define N 4
#endif
#ifndef CARS
#define CARS 3
#endif
#ifndef LENGTH
#define LENGTH 2
#endif

bool taken[N];
byte driver[N];
byte on; // how many roads are taken

active [CARS] proctype Car()
{
    byte road = _pid, far;
    atomic { !taken[road] && on < N - 1 -> taken[road] = 1; on++ };
    driver[road] = _pid + 1;
    do
    :: far = 0;
       do
       :: far < LENGTH -> far++
       :: else -> break
       od;
       far = 0;
       assert(driver[road] == _pid + 1);
       atomic { !taken[(road + 1) % N] -> taken[(road + 1) % N] = 1 };
       driver[(road + 1) % N] = _pid + 1;
       driver[road] = 0;
       taken[road] = 0;
       road = (road + 1) % N
    od
}
