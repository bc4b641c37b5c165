// A ticket lock: draw a number, spin until it is served. Those far behind look less often: they
// count down first, as long as there are others before them.
#ifndef N
#define N 4
#endif
#ifndef BACK
#define BACK 2
#endif

byte next, serving, inside;

active [N] proctype Client()
{
    byte ticket, ahead, wait;
    do
    :: atomic { ticket = next; next = (next + 1) % N };
       do
       :: serving == ticket -> break
       :: serving != ticket ->
          ahead = (ticket + N - serving) % N;
          wait = ahead * BACK;
          do
          :: wait > 0 -> wait--
          :: else -> break
          od;
          ahead = 0
       od;
       inside++;
       assert(inside == 1);
       inside--;
       serving = (serving + 1) % N;
       ticket = 0
    od
}
