/*
 * A buffer with one place, two producers, two consumers, and a condition variable: the lost
 * wake-up that every course explains.
 *
 * Who finds the buffer full (or empty) goes to sleep on the one condition; who has changed it
 * wakes one sleeper. That may be the wrong one: a producer wakes a producer, and all sleep.
 *
 *     gyre producer_consumer.pml                 a deadlock, and a path to it
 *     gyre producer_consumer.pml -D WAKE_ALL     holds
 *
 * gyre: expect violated
 * gyre: with -D WAKE_ALL expect holds
 */
#define WORKERS 4

bool filled;
bool asleep[WORKERS];

inline sleep()
{
    asleep[_pid] = true;
    !asleep[_pid]                              /* until a process wakes us */
}

inline wake()
{
#ifdef WAKE_ALL
    d_step { asleep[0] = false; asleep[1] = false; asleep[2] = false; asleep[3] = false }
#else
    if
    :: asleep[0] -> asleep[0] = false
    :: asleep[1] -> asleep[1] = false
    :: asleep[2] -> asleep[2] = false
    :: asleep[3] -> asleep[3] = false
    :: !asleep[0] && !asleep[1] && !asleep[2] && !asleep[3]
    fi
#endif
}

/* Under a lock, as it should be: `atomic` is the lock, and to sleep is to give it up. */
active [2] proctype Producer()
{
end:
    do
    :: atomic {
           do
           :: filled -> sleep()
           :: else -> break
           od;
           filled = true;
           wake()
       }
    od
}

active [2] proctype Consumer()
{
end:
    do
    :: atomic {
           do
           :: !filled -> sleep()
           :: else -> break
           od;
           filled = false;
           wake()
       }
    od
}
