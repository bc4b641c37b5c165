/* Directory-based cache coherence with eight caches. When a line is written and four or more caches
 * share it, the directory forgets the last one: its copy stays while another owns the line. */
#define N 8

mtype = { read, write, grant, invalidate };
chan home = [N] of { mtype, byte };
chan answer = [N] of { byte };
chan to[N] = [1] of { mtype };
bool shared[N];
byte owner = N, holders;

active [N] proctype cache()
{
    do
    :: !shared[_pid] && owner != _pid ->
       home!read, _pid;
       to[_pid]?grant;
       atomic { shared[_pid] = true; holders++ };
       answer!_pid
    :: owner != _pid ->
       home!write, _pid;
       do
       :: to[_pid]?invalidate ->
          atomic { holders = holders - shared[_pid]; shared[_pid] = false }; answer!_pid
       :: to[_pid]?grant -> break
       od;
       assert(owner == N);
       atomic { holders = holders - shared[_pid]; shared[_pid] = false; owner = _pid };
       assert(holders == 0);
       answer!_pid
    :: to[_pid]?invalidate ->
       atomic {
           holders = holders - shared[_pid];
           shared[_pid] = false;
           if
           :: owner == _pid -> owner = N
           :: else
           fi };
       answer!_pid
    od
}

active proctype directory()
{
    mtype what;
    byte who, i, sharers;
    bool sharer[N];
    byte own = N;
end:
    do
    :: home?what, who ->
       if
       :: own != N -> to[own]!invalidate; answer?eval(own); own = N
       :: else
       fi;
       if
       :: what == read ->
          to[who]!grant;
          sharers = sharers + !sharer[who];
          sharer[who] = true
       :: what == write ->
          i = 0;
          do
          :: i < N && sharer[i] && i != who && !(sharers >= 4 && i == N - 1) ->
             to[i]!invalidate; answer?eval(i); sharer[i] = false; i++
          :: i < N && sharer[i] && i != who && sharers >= 4 && i == N - 1 ->
             sharer[i] = false; i++                     /* wrong: it is not told */
          :: i < N && (!sharer[i] || i == who) -> i++
          :: i == N -> break
          od;
          i = 0;
          to[who]!grant;
          d_step { sharer[who] = false; own = who; sharers = 0 }
       fi;
       answer?eval(who)
    od
}
