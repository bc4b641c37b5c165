/*
 * The election of a leader in Raft: three servers, terms, votes. A server whose
 * patience ends becomes a candidate in the next term and asks the others for their
 * votes; a server votes once in a term; who has a majority leads. The assertion says
 * that no term has two leaders. Messages may be lost and may come in any order.
 *
 *     gyre raft_election.pml                 holds
 *     gyre raft_election.pml -D AMNESIA      violated
 *
 * AMNESIA: a server that crashes and comes back has forgotten whom it voted for. That
 * is why Raft writes the vote to disk before it answers.
 *
 * gyre: expect holds
 * gyre: with -D AMNESIA expect violated
 */
#define SERVERS 3
#define MAJORITY 2

#ifndef TERMS
#define TERMS 2
#endif
#define NOBODY SERVERS

chan ask[SERVERS] = [2] of { byte, byte };      /* term, candidate */
chan grant[SERVERS] = [2] of { byte };          /* term */
byte leader[TERMS + 1] = NOBODY;                /* by term */

active [SERVERS] proctype Server()
{
    byte term, voted_for = NOBODY, votes, t, c;
    bool candidate;

end:
    do
    :: atomic {                                 /* out of patience */
           term < TERMS ->
           term++; voted_for = _pid; votes = 1; candidate = true;
           c = 0;
           do
           :: c < SERVERS ->
              if
              :: c != _pid && nfull(ask[c]) -> ask[c]!term,_pid
              :: true                           /* lost, or not to itself */
              fi;
              c++
           :: else -> break
           od;
           c = 0
       }
    :: atomic {                                 /* a candidate asks for a vote */
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
              :: true                           /* the answer is lost */
              fi
           :: else
           fi;
           t = 0; c = 0
       }
    :: atomic {                                 /* a vote arrives */
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
#ifdef AMNESIA
    :: atomic { voted_for != NOBODY -> voted_for = NOBODY; candidate = false; votes = 0 }
#endif
    od
}
