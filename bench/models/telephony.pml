// Plain old telephones: who lifts the receiver may dial; a line that is idle rings, any other is
// busy; who is called may answer, either may hang up. All lines are one shared table.
#ifndef N
#define N 3
#endif

mtype = { idle, dial, calling, busy, ringing, talking, over };
#define NOBODY N

mtype line[N] = idle;
byte peer[N] = NOBODY;

#define me _pid

active [N] proctype Phone()
{
    byte other;
    do
    :: atomic { line[me] == idle -> line[me] = dial };
       if
       :: line[me] = idle // changed their mind
       :: select(other : 0 .. N - 1);
          if
          :: atomic { line[other] == idle && other != me ->
                      line[other] = ringing; peer[other] = me; line[me] = calling; peer[me] = other }
          :: atomic { line[other] != idle || other == me -> line[me] = busy };
             line[me] = idle
          fi
       fi;
       other = 0
    :: atomic { line[me] == ringing -> line[me] = talking; line[peer[me]] = talking }
    :: atomic { line[me] == calling -> other = peer[me]; // nobody answers
                line[other] = idle; peer[other] = NOBODY; line[me] = idle; peer[me] = NOBODY;
                other = 0 }
    :: atomic { line[me] == talking -> other = peer[me]; assert(peer[other] == me);
                line[other] = over; peer[other] = NOBODY; line[me] = idle; peer[me] = NOBODY;
                other = 0 }
    :: atomic { line[me] == over -> line[me] = idle }
    od
}
