// A watchdog: tasks report to a counter of their own, a supervisor gathers the reports and feeds the
// watchdog only if all have come; a timer that nobody feeds resets the tasks.
#ifndef N
#define N 3
#endif
#ifndef LIMIT
#define LIMIT 3
#endif

bool alive[N];
byte left = LIMIT, resets;
bool reset[N];

active [N] proctype Task()
{
    byte work;
    do
    :: reset[_pid] -> atomic { reset[_pid] = 0; work = 0 }
    :: !reset[_pid] && work < 2 -> work++
    :: !reset[_pid] && work == 2 -> alive[_pid] = 1; work = 0
    od
}

active proctype Supervisor()
{
    byte i;
    bool all;
    do
    :: i = 0;
       all = 1;
       do
       :: i < N -> all = all && alive[i]; i++
       :: else -> break
       od;
       if
       :: all ->
          i = 0;
          do
          :: i < N -> alive[i] = 0; i++
          :: else -> break
          od;
          left = LIMIT
       :: else
       fi
    od
}

active proctype Dog()
{
    byte i;
    do
    :: left > 0 -> left--
    :: left == 0 ->
       i = 0;
       do
       :: i < N -> reset[i] = 1; i++
       :: else -> break
       od;
       resets = (resets + 1) % 2;
       left = LIMIT
    od
}
