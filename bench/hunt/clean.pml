/* Clean(F,S,N): F first tasks and S second tasks signal each other through two events, N times. Each
 * looks whether the count of the other's events has changed before it waits; between the look and the
 * wait the event may come and is lost: both wait for ever. */
#ifndef F
#define F 1
#endif
#ifndef S
#define S 1
#endif
#ifndef N
#define N 12
#endif

byte count1 = 0, count2 = 0;
byte waiting1 = 0, waiting2 = 0, signal1 = 0, signal2 = 0;

inline wait_event(waiting, signal)
{
    waiting++;
    atomic { signal > 0 -> signal--; waiting-- }
}

inline signal_event(count, waiting, signal)
{
    atomic { count = (count + 1) % 3; signal = waiting }
}

proctype First()
{
    byte seen = count1, i = 0;
    do
    :: i < N ->
       if
       :: seen == count1 -> wait_event(waiting1, signal1)
       :: else
       fi;
       seen = count1;
       signal_event(count2, waiting2, signal2);
       i++
    :: else -> break
    od
}

proctype Second()
{
    byte seen = count2, i = 0;
    do
    :: i < N ->
       signal_event(count1, waiting1, signal1);
       if
       :: seen == count2 -> wait_event(waiting2, signal2)
       :: else
       fi;
       seen = count2;
       i++
    :: else -> break
    od
}

init
{
    byte i;
    do
    :: i < F -> run First(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < S -> run Second(); i++
    :: else -> break
    od
}
