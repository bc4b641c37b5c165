// A sequence lock: writers take turns by a lock and count before and after; readers take no lock,
// and read again if the count was odd or has changed.
#ifndef R
#define R 2
#endif
#ifndef WR
#define WR 2
#endif
#ifndef MAX
#define MAX 6 // twice the number of writes
#endif

bool writer;
byte count, a, b;

active [WR] proctype Writer()
{
    byte value;
    do
    :: atomic { !writer -> writer = 1 };
       if
       :: count < MAX ->
          count++;
          value = (a + 1) % 3;
          a = value;
          b = value;
          value = 0;
          count++;
          writer = 0
       :: else -> writer = 0; break
       fi
    od
}

active [R] proctype Reader()
{
    byte before, x, y;
    do
    :: before = count;
       if
       :: before % 2 == 1
       :: else ->
          x = a;
          y = b;
          if
          :: count == before -> assert(x == y)
          :: else
          fi;
          x = 0;
          y = 0
       fi;
       before = 0
    od
}
