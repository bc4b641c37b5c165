// A failure detector: servers send heartbeats into a shared table until they crash; a monitor with a
// timer for each suspects those that are late, waits longer for whom it has suspected in vain, and
// elects the first that it trusts.
#ifndef N
#define N 3
#endif
#ifndef FIRST
#define FIRST 2
#endif
#ifndef MOST
#define MOST 3
#endif

bool beat[N], crashed[N], suspected[N];
byte timer[N] = FIRST, patience[N] = FIRST;
byte leader, down;

active [N] proctype Server()
{
end:
    do
    :: beat[_pid] = 1
    :: atomic { down < N - 1 -> down++; crashed[_pid] = 1 }; break
    od
}

active proctype Monitor()
{
    byte i;
    do
    :: i = 0;
       do
       :: i < N ->
          if
          :: beat[i] ->
             beat[i] = 0;
             if
             :: suspected[i] ->
                suspected[i] = 0;
                if
                :: patience[i] < MOST -> patience[i] = patience[i] + 1
                :: else
                fi
             :: else
             fi;
             timer[i] = patience[i]
          :: !beat[i] && timer[i] > 0 -> timer[i] = timer[i] - 1
          :: !beat[i] && timer[i] == 0 -> suspected[i] = 1
          fi;
          i++
       :: else -> break
       od;
       leader = 0;
       do
       :: leader < N && suspected[leader] -> leader++
       :: else -> break
       od
    od
}
