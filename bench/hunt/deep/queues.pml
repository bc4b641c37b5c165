/* A bounded queue for four producers and four consumers, without locks: a place is taken by moving an
 * index, then filled; a consumer waits for the mark of the place. The marks of a round that has gone
 * once round are not told apart: a slow producer may fill a place of the next round. */
#define P 4
#define C 4
#define SIZE 4
#define ITEMS 3

byte head, tail;                        /* counted modulo 2*SIZE */
byte item[SIZE];
bool marked[SIZE];
byte inside[SIZE];                      /* producers that are filling this place */
byte made, taken;

active [P] proctype producer()
{
    byte n, at;
    do
    :: n < ITEMS ->
       atomic { (tail + 2*SIZE - head) % (2*SIZE) < SIZE -> at = tail; tail = (tail + 1) % (2*SIZE) };
       inside[at % SIZE]++;
       assert(inside[at % SIZE] == 1);
       item[at % SIZE] = 1 + n;
       marked[at % SIZE] = true;
       inside[at % SIZE]--;
       made++;
       n++
    :: else -> break
    od
}

active [C] proctype consumer()
{
    byte at, got;
end:
    do
    :: atomic { head != tail -> at = head };
       if
       :: marked[at % SIZE] ->
          got = item[at % SIZE];
          if
          :: atomic { head == at -> head = (head + 1) % (2*SIZE); marked[at % SIZE] = false };
             assert(got != 0);
             taken++
          :: atomic { head != at -> skip }
          fi
       :: !marked[at % SIZE] && head != at -> skip
       fi;
       got = 0
    od
}
