// A test-and-test-and-set lock with exponential back-off, as in most textbooks.
#ifndef N
#define N 3
#endif
#ifndef MOST
#define MOST 4
#endif

bool lock;
byte owner, shared;

active [N] proctype P()
{
    byte delay = 1, i;
    bool old;
    do
    :: !lock ->
       atomic { old = lock; lock = 1 };
       if
       :: !old ->
          owner = _pid;
          shared = (shared + 1) % 2;
          assert(owner == _pid);
          lock = 0;
          delay = 1
       :: else ->
          i = delay;
          do
          :: i > 0 -> i--
          :: else -> break
          od;
          if
          :: delay < MOST -> delay = delay * 2
          :: else
          fi
       fi
    od
}
