/* Producerconsumer(P,C,N): P producers put N items each into a buffer of one place, C consumers take
 * them. `wakeup` reaches one waiting thread, whichever it is: a producer that wakes another producer
 * leaves all of them asleep. Consumers count what they took; the last one to go checks the sum. */
#ifndef P
#define P 1
#endif
#ifndef C
#define C 8
#endif
#ifndef N
#define N 4
#endif

byte holds = 0, taken = 0, asleep = 0, woken = 0, done = 0;

inline wait_for(condition)
{
    do
    :: atomic { condition -> break }
    :: atomic { !(condition) -> asleep++ };
       atomic { woken > 0 -> woken--; asleep-- }
    od
}

inline wake_one()
{
    if
    :: atomic { asleep > woken -> woken++ }
    :: atomic { asleep <= woken -> skip }
    fi
}

proctype Producer()
{
    byte i = 0;
    do
    :: i < N ->
       wait_for(holds == 0);
       holds = 1;
       wake_one();
       i++
    :: else -> break
    od;
    done++
}

proctype Consumer()
{
    byte seen;
    do
    :: taken < P * N ->
       wait_for(holds == 1 || taken >= P * N);
       if
       :: taken >= P * N -> break
       :: else -> skip
       fi;
       seen = taken;
       holds = 0;
       taken = seen + 1;
       wake_one()
    :: else -> break
    od;
    assert(taken <= P * N);
    wake_one()
}

init
{
    byte i;
    do
    :: i < P -> run Producer(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < C -> run Consumer(); i++
    :: else -> break
    od
}
