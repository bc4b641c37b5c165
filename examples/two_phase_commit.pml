/*
 * Two-phase commit: a coordinator asks N participants to vote; only if all vote
 * yes it decides to commit. A participant that votes no may abort at once. The
 * assertion says that no two of them ever decide differently. It holds.
 *
 *     gyre two_phase_commit.pml
 *     gyre two_phase_commit.pml -D HASTY
 *
 * HASTY is a mistake that is made in practice: a participant that gets tired of
 * waiting for the decision commits, because it had voted yes. See who pays.
 *
 * What no version of the protocol can do: if the coordinator may stop for good,
 *
 *     gyre two_phase_commit.pml -D CRASH
 *
 * participants that have voted yes wait for ever. The report calls it a deadlock.
 *
 * gyre: expect holds
 * gyre: with -D HASTY expect violated
 * gyre: with -D CRASH expect violated
 */
#ifndef N
#define N 3
#endif

mtype:vote = { yes, no };
mtype:fate = { undecided, committed, aborted };

chan vote[N] = [1] of { mtype:vote };
chan decision[N] = [1] of { mtype:fate };
mtype:fate fate[N] = undecided;

inline decide(who, what)
{
    d_step {
        fate[who] = what;
        for (i : 0 .. N - 1) {
            assert(fate[i] == undecided || fate[i] == fate[who])
        }
        i = 0
    }
}

active [N] proctype Participant()
{
    mtype:fate answer;
    byte i;

    if
    :: vote[_pid]!yes;
       if
       :: decision[_pid]?answer -> decide(_pid, answer)
#ifdef HASTY
       :: decide(_pid, committed)
#endif
       fi
    :: vote[_pid]!no;
       decide(_pid, aborted)
    fi
}

active proctype Coordinator()
{
    mtype:vote v;
    mtype:fate outcome = committed;
    byte i;

    for (i : 0 .. N - 1) {
        vote[i]?v;
        if
        :: v == no -> outcome = aborted
        :: else
        fi
    }
#ifdef CRASH
    if
    :: skip
    :: goto stopped
    fi;
#endif
    for (i : 0 .. N - 1) {
        decision[i]!outcome
    }
#ifdef CRASH
stopped:
    skip
#endif
}
