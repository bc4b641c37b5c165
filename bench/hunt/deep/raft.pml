/* Election in Raft: five servers, four terms, votes in any order, lost where a channel is full. A server that
 * crashes writes its term to disk, but from the second term on forgets for whom it has voted: then two
 * may lead in one term. */
#define N 5
#define MAJORITY 3
#define TERMS 4
#define NOBODY N

chan ask[N] = [4] of { byte, byte };
chan grant[N] = [4] of { byte };
byte leader[TERMS + 1] = NOBODY;

active [N] proctype Server()
{
    byte term, voted_for = NOBODY, votes, t, c;
    bool candidate, crashed;
end:
    do
    :: atomic {
           term < TERMS ->
           term++; voted_for = _pid; votes = 1; candidate = true; c = 0;
           do
           :: c < N ->
              if
              :: c != _pid && nfull(ask[c]) -> ask[c]!term,_pid
              :: c == _pid || full(ask[c])
              fi;
              c++
           :: else -> break
           od;
           c = 0
       }
    :: atomic {
           ask[_pid]??t,c ->
           if
           :: t > term -> term = t; voted_for = NOBODY; candidate = false; votes = 0
           :: else
           fi;
           if
           :: t == term && (voted_for == NOBODY || voted_for == c) ->
              voted_for = c;
              if
              :: nfull(grant[c]) -> grant[c]!t
              :: full(grant[c])
              fi
           :: else
           fi;
           t = 0; c = 0
       }
    :: atomic {
           grant[_pid]??t ->
           if
           :: candidate && t == term -> votes++
           :: else
           fi;
           if
           :: candidate && votes >= MAJORITY ->
              assert(leader[term] == NOBODY || leader[term] == _pid);
              leader[term] = _pid; candidate = false; votes = 0
           :: else
           fi;
           t = 0
       }
    :: atomic { term >= 2 && !crashed && voted_for != NOBODY ->
           crashed = true; voted_for = NOBODY; candidate = false; votes = 0 }
    od
}
