/* The bully algorithm: six nodes, of which each may fail and come back once. A node that misses the
 * leader asks all with larger numbers; if nobody answers it leads and tells the others. Messages take
 * any time. A node that comes back does not ask first if it led before: then two lead at once, each
 * known to a node that is up, in the same round. */
#define N 6
#define CAP 4
#define NOBODY N

mtype = { elect, alive, leads };
chan q[N] = [CAP] of { mtype, byte };
bool up[N] = true;
byte leading, elections;

active [N] proctype node()
{
    byte who, i, leader = NOBODY;
    bool answered, asks, led, failed, leads_now;
    mtype what;
end:
    do
    :: atomic { up[_pid] && leader == NOBODY && !asks && elections < 12 ->
           elections++; asks = true; answered = false; i = _pid + 1;
           do
           :: i < N ->
              if
              :: up[i] && nfull(q[i]) -> q[i]!elect(_pid)
              :: !up[i] || full(q[i])
              fi;
              i++
           :: else -> break
           od;
           i = 0 }
    :: atomic { up[_pid] && asks && !answered && empty(q[_pid]) ->    /* nobody has answered */
           asks = false; leader = _pid; led = true; leads_now = true; leading++;
           assert(leading <= 3);
           i = 0;
           do
           :: i < N ->
              if
              :: i != _pid && up[i] && nfull(q[i]) -> q[i]!leads(_pid)
              :: i == _pid || !up[i] || full(q[i])
              fi;
              i++
           :: else -> break
           od;
           i = 0 }
    :: atomic { up[_pid] && nempty(q[_pid]) -> q[_pid]?what(who);
           if
           :: what == elect && nfull(q[who]) ->
              q[who]!alive(_pid); leader = (leads_now -> leader : NOBODY)
           :: what == elect && full(q[who])
           :: what == alive -> answered = true
           :: what == leads ->
              asks = false; leader = who;
              if
              :: leads_now && who > _pid -> leads_now = false; leading--
              :: else
              fi
           fi;
           who = 0 }
    :: atomic { up[_pid] && asks && answered -> asks = false }
    :: atomic { up[_pid] && !failed ->                                 /* fails */
           up[_pid] = false; failed = true; asks = false; answered = false; leader = NOBODY;
           if
           :: leads_now -> leads_now = false; leading--
           :: else
           fi;
           do
           :: nempty(q[_pid]) -> q[_pid]?_, _
           :: empty(q[_pid]) -> break
           od }
    :: atomic { !up[_pid] ->
           up[_pid] = true;
           if
           :: led -> leads_now = true; leader = _pid; leading++; assert(leading <= 3)   /* wrong */
           :: else
           fi }
    od
}
