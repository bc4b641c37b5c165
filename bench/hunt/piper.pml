/* Piper(I,U,A): users of I flights ask for seats over one bounded list; U threads fill it with I
 * requests each, A agents take them out. Waiting is by `wait` and `notify`: what is notified is one
 * thread, which need not be of the kind that can go on. A deadlock. */
#ifndef I
#define I 2
#endif
#ifndef U
#define U 4
#endif
#ifndef A
#define A 4
#endif
#define SIZE 2

bool monitor = false;
byte filled = 0, waiting = 0, notified = 0;

inline enter() { atomic { !monitor -> monitor = true } }
inline leave() { monitor = false }
inline wait_in_monitor()
{
    atomic { waiting++; monitor = false };
    atomic { notified > 0 -> notified--; waiting-- };
    enter()
}
inline notify()
{
    if
    :: waiting > notified -> notified++
    :: else
    fi
}

proctype User()
{
    byte i = 0;
    do
    :: i < I ->
       enter();
       do
       :: filled == SIZE -> wait_in_monitor()
       :: else -> break
       od;
       filled++;
       notify();
       leave();
       i++
    :: else -> break
    od
}

proctype Agent()
{
    byte i = 0;
    do
    :: i < I * U / A ->
       enter();
       do
       :: filled == 0 -> wait_in_monitor()
       :: else -> break
       od;
       filled--;
       notify();
       leave();
       i++
    :: else -> break
    od
}

init
{
    byte i;
    do
    :: i < U -> run User(); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < A -> run Agent(); i++
    :: else -> break
    od
}
