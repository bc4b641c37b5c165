/* Ricart-Agrawala: five processes ask all others for leave, with time stamps. Stamps are compared
 * modulo four, which is too few once one process is far ahead of the others. */
#define N 5
#define T 4
#define CAP 2*N

mtype = { request, reply };
chan q[N] = [CAP] of { mtype, byte, byte };
byte inside;

active [N] proctype P()
{
    byte clock, stamp, who, t, i, replies;
    bool wants, deferred[N];
    mtype what;
    do
    :: !wants ->
       atomic { clock = (clock + 1) % T; stamp = clock; wants = true; replies = 0; i = 0 };
       do
       :: i < N ->
          if
          :: i != _pid -> q[i]!request(_pid, stamp)
          :: else
          fi;
          i++
       :: else -> break
       od;
       i = 0
    :: q[_pid]?what(who, t) ->
       if
       :: what == request ->
          if
          :: ((t + T - clock) % T) < T/2 -> clock = t
          :: else
          fi;
          if
          :: wants && (((t + T - stamp) % T < T/2 && t != stamp) || (t == stamp && _pid < who)) ->
             deferred[who] = true
          :: else -> q[who]!reply(_pid, 0)
          fi
       :: what == reply -> replies++
       fi;
       who = 0; t = 0
    :: wants && replies == N - 1 ->
       inside++;
       assert(inside == 1);
       inside--;
       wants = false; i = 0;
       do
       :: i < N ->
          if
          :: deferred[i] -> q[i]!reply(_pid, 0); deferred[i] = false
          :: else
          fi;
          i++
       :: else -> break
       od;
       i = 0; replies = 0
    od
}
