// Tasks that are woken by timers: each sets its own alternately to a short and to a long period and
// sleeps until the clock has counted it down. A task that is awake has work to do under a lock.
#ifndef N
#define N 3
#endif
#ifndef SHORT
#define SHORT 2
#endif
#ifndef LONG
#define LONG 3
#endif

byte timer[N];
bool awake[N];
bool locked;
byte done;

active [N] proctype Task()
{
    bool slow;
    do
    :: slow = !slow;
       if
       :: slow -> timer[_pid] = LONG
       :: else -> timer[_pid] = SHORT
       fi;
       awake[_pid] = 0;
       timer[_pid] == 0;
       awake[_pid] = 1;
       atomic { !locked -> locked = 1 };
       done = (done + 1) % 3;
       locked = 0
    od
}

active proctype Clock()
{
    byte i;
    do
    :: i = 0;
       do
       :: i < N ->
          if
          :: timer[i] > 0 -> timer[i] = timer[i] - 1
          :: else
          fi;
          i++
       :: else -> break
       od
    od
}
