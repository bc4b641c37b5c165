/* A snooping cache protocol (MESI): five caches, three lines, five values. A modified line that makes
 * room is not written back if it holds the largest value while the cache has modified the next line,
 * too. */
#define N 5
#define LINES 3
#define V 5

mtype = { I, S, E, M };
mtype line[N*LINES] = I;
byte value[N*LINES];
byte memory[LINES], latest[LINES];
bool bus;

#define AT(c, a) ((c)*LINES + (a))

active [N] proctype cache()
{
    byte a, other;
    bool shared;

    do
    :: a = (a + 1) % LINES
    :: line[AT(_pid, a)] != I -> assert(value[AT(_pid, a)] == latest[a] || line[AT(_pid, a)] == I)
    :: atomic { line[AT(_pid, a)] == I && !bus -> bus = true };
       other = 0; shared = false;
       do
       :: other < N ->
          if
          :: other != _pid && line[AT(other, a)] == M ->
             memory[a] = value[AT(other, a)]; line[AT(other, a)] = S; shared = true
          :: other != _pid && line[AT(other, a)] == E -> line[AT(other, a)] = S; shared = true
          :: other != _pid && line[AT(other, a)] == S -> shared = true
          :: else
          fi;
          other++
       :: else -> break
       od;
       value[AT(_pid, a)] = memory[a];
       line[AT(_pid, a)] = (shared -> S : E);
       bus = false
    :: d_step { (line[AT(_pid, a)] == E || line[AT(_pid, a)] == M) && !bus;
         line[AT(_pid, a)] = M; latest[a] = (latest[a] + 1) % V; value[AT(_pid, a)] = latest[a] }
    :: atomic { (line[AT(_pid, a)] == S || line[AT(_pid, a)] == I) && !bus -> bus = true };
       other = 0;
       do
       :: other < N ->
          if
          :: other != _pid && line[AT(other, a)] == M ->
             memory[a] = value[AT(other, a)]; line[AT(other, a)] = I; value[AT(other, a)] = 0
          :: other != _pid && line[AT(other, a)] != M -> line[AT(other, a)] = I; value[AT(other, a)] = 0
          :: else
          fi;
          other++
       :: else -> break
       od;
       line[AT(_pid, a)] = M;
       latest[a] = (latest[a] + 1) % V;
       value[AT(_pid, a)] = latest[a];
       bus = false
    :: atomic { line[AT(_pid, a)] != I && !bus -> bus = true };
       if
       :: line[AT(_pid, a)] == M && !(value[AT(_pid, a)] == V - 1 && line[AT(_pid, (a + 1) % LINES)] == M) ->
          memory[a] = value[AT(_pid, a)]
       :: else                                          /* wrong: for some that are modified */
       fi;
       line[AT(_pid, a)] = I; value[AT(_pid, a)] = 0;
       bus = false
    od
}
