/* Two-phase commit, seven participants, three rounds, messages that may be lost and repeated. A
 * participant that has said yes and hears nothing for long gives up on its own in the third round. Where all
 * channels are full they wait for good, which is no error here. */
#define N 7
#define ROUNDS 3

mtype = { prepare, commit, abort, yes, no };
chan to[N] = [2] of { mtype, byte };
chan back = [N] of { mtype, byte, byte };
byte committed[ROUNDS + 1], aborted[ROUNDS + 1];

active [N] proctype Participant()
{
    mtype what;
    byte r, decided;
    bool said_yes;
end:
    do
    :: to[_pid]?what(r) ->
       if
       :: what == prepare && r > decided && !said_yes ->
end_vote: if
          :: back!yes(_pid, r); said_yes = true
          :: back!no(_pid, r); decided = r; aborted[r]++
          fi
       :: what == prepare && said_yes -> end_again: back!yes(_pid, r)
       :: what == commit && r > decided ->
          said_yes = false; decided = r; committed[r]++; assert(aborted[r] == 0)
       :: what == abort && r > decided ->
          said_yes = false; decided = r; aborted[r]++; assert(committed[r] == 0)
       :: else
       fi
    :: said_yes && decided == 2 ->                      /* wrong: it may not decide alone */
       said_yes = false; decided = 3; aborted[3]++; assert(committed[3] == 0)
    od
}

active proctype Coordinator()
{
    byte round = 1, i, who, r, votes;
    bool voted[N], refused;
    mtype what;
    do
    :: round <= ROUNDS ->
       i = 0;
       do
       :: i < N -> end_ask: to[i]!prepare(round); i++
       :: else -> break
       od;
       votes = 0; refused = false;
       do
       :: back?what(who, r) ->
          if
          :: r == round && what == yes && !voted[who] -> voted[who] = true; votes++
          :: r == round && what == no -> refused = true
          :: else
          fi;
          if
          :: refused || votes == N -> break
          :: else
          fi
       :: empty(back) && nfull(to[i % N]) -> to[i % N]!prepare(round); i = (i + 1) % N
       :: true -> refused = true; break
       od;
       i = 0;
       do
       :: i < N ->
          if
          :: refused -> end_abort: to[i]!abort(round)
          :: else -> end_commit: to[i]!commit(round)
          fi;
          voted[i] = false; i++
       :: else -> break
       od;
       i = 0; round++
    :: else -> break
    od
}
